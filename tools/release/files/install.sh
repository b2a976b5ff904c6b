#!/bin/sh
# Installs nsfl {{.Version}}: the command, its manual and its completions.
#
#   curl -fsSL https://github.com/nsfl-go/nsfl/releases/latest/download/install.sh | sh
#
# PREFIX is the target, ~/.local by default; root is not required. NSFL_DOWNLOADS sets
# another location of the archives. The download must have the checksum in this script, or
# nothing is installed.
set -eu

fail() {
	echo "install.sh: $*" >&2
	exit 1
}

has() { command -v "$1" >/dev/null 2>&1; }

fetch() {
	if has curl; then
		curl -fsSL --retry 3 -o "$2" "$1" || fail "$1 could not be downloaded"
	elif has wget; then
		wget -q -O "$2" "$1" || fail "$1 could not be downloaded"
	else
		fail "curl or wget is required"
	fi
}

sum_of() {
	if has sha256sum; then
		sha256sum "$1" | cut -d ' ' -f 1
	elif has shasum; then
		shasum -a 256 "$1" | cut -d ' ' -f 1
	else
		fail "sha256sum or shasum is required to verify the download"
	fi
}

platform() {
	case $(uname -s) in
	Linux) os=linux ;;
	Darwin) os=darwin ;;
	*) fail "no archive for $(uname -s) that this script can install; see https://github.com/nsfl-go/nsfl#install for other ways" ;;
	esac
	case $(uname -m) in
	x86_64 | amd64) arch=amd64 ;;
	aarch64 | arm64) arch=arm64 ;;
	*) fail "no archive for the processor type $(uname -m); with Go: go install github.com/nsfl-go/nsfl/cmd/nsfl@v{{.Version}}" ;;
	esac
	echo "$os-$arch"
}

# put installs a file atomically.
put() {
	mkdir -p "$(dirname "$3")"
	cp "$2" "$3.new"
	chmod "$1" "$3.new"
	mv -f "$3.new" "$3"
}

main() {
	prefix=${PREFIX:-${HOME:?PREFIX or HOME has to say where to install}/.local}
	on=$(platform)
	case $on in
{{- range $platform, $archive := .Archives}}
	{{$platform}}) archive={{$archive.File}} sum={{$archive.Sum}} ;;
{{- end}}
	*) fail "no archive for $on" ;;
	esac

	dir=$(mktemp -d)
	trap 'rm -rf "$dir"' EXIT
	trap 'exit 1' HUP INT TERM
	fetch "${NSFL_DOWNLOADS:-{{.Downloads}}}/$archive" "$dir/$archive"
	got=$(sum_of "$dir/$archive")
	[ "$got" = "$sum" ] || fail "$archive is not the released file: its SHA-256 is $got, want $sum. Nothing was installed"
	tar -xzf "$dir/$archive" -C "$dir"
	from=$dir/${archive%.tar.gz}
	"$from/nsfl" --version >/dev/null || fail "the command does not run on this machine"

	put 755 "$from/nsfl" "$prefix/bin/nsfl"
	for page in "$from"/man/man1/*.1; do
		put 644 "$page" "$prefix/share/man/man1/${page##*/}"
	done
	put 644 "$from/completions/nsfl.bash" "$prefix/share/bash-completion/completions/nsfl"
	put 644 "$from/completions/_nsfl" "$prefix/share/zsh/site-functions/_nsfl"
	put 644 "$from/completions/nsfl.fish" "$prefix/share/fish/vendor_completions.d/nsfl.fish"

	echo "nsfl {{.Version}} is installed in $prefix/bin; try it: nsfl search --demo 'dog AND NOT ball'"
	case ":$PATH:" in
	*":$prefix/bin:"*) ;;
	*) echo "$prefix/bin is not in PATH; add it: export PATH=\"$prefix/bin:\$PATH\"" ;;
	esac
}

main
