class Nsfl < Formula
  desc "Boolean search over embeddings that works"
  homepage "https://github.com/nsfl-go/nsfl"
  version "{{.Version}}"
  license "Apache-2.0"

  on_macos do
    on_arm do
{{- with index .Archives "darwin-arm64"}}
      url "{{$.Downloads}}/{{.File}}"
      sha256 "{{.Sum}}"
{{- end}}
    end
    on_intel do
{{- with index .Archives "darwin-amd64"}}
      url "{{$.Downloads}}/{{.File}}"
      sha256 "{{.Sum}}"
{{- end}}
    end
  end

  on_linux do
    on_arm do
{{- with index .Archives "linux-arm64"}}
      url "{{$.Downloads}}/{{.File}}"
      sha256 "{{.Sum}}"
{{- end}}
    end
    on_intel do
{{- with index .Archives "linux-amd64"}}
      url "{{$.Downloads}}/{{.File}}"
      sha256 "{{.Sum}}"
{{- end}}
    end
  end

  def install
    bin.install "nsfl"
    man1.install Dir["man/man1/*.1"]
    bash_completion.install "completions/nsfl.bash" => "nsfl"
    zsh_completion.install "completions/_nsfl"
    fish_completion.install "completions/nsfl.fish"
  end

  service do
    run [opt_bin/"nsfl", "serve", "--collections", var/"nsfl"]
    keep_alive true
    log_path var/"log/nsfl.log"
    error_log_path var/"log/nsfl.log"
  end

  def post_install
    (var/"nsfl").mkpath
  end

  test do
    assert_match version.to_s, shell_output("#{bin}/nsfl --version")
    assert_match "1 ", shell_output("#{bin}/nsfl search --demo -k 1 'dog AND NOT ball'")
  end
end
