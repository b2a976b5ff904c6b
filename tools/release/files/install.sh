#!/bin/sh
# Installs nsfl {{.Version}}: the command, its manual and its completions.
#
#   curl -fsSL https://github.com/nsfl-go/nsfl/releases/latest/download/install.sh | sh
#
# PREFIX is where it goes, ~/.local by default; no root is needed. NSFL_DOWNLOADS names
# another place that has the archives. What is fetched has to have the sum that is
# written here, or nothing is installed.
set -eu

fail() {
	echo "install.sh: $*" >&2
	exit 1
}

has() { command -v "$1" >/dev/null 2>&1; }

fetch() {
	if has curl; then
		curl -fsSL --retry 3 -o "$2" "$1" || fail "$1 could not be fetched"
	elif has wget; then
		wget -q -O "$2" "$1" || fail "$1 could not be fetched"
	else
		fail "curl or wget is needed"
	fi
}

sum_of() {
	if has sha256sum; then
		sha256sum "$1" | cut -d ' ' -f 1
	elif has shasum; then
		shasum -a 256 "$1" | cut -d ' ' -f 1
	else
		fail "sha256sum or shasum is needed, to check what is fetched"
	fi
}

platform() {
	case $(uname -s) in
	Linux) os=linux ;;
	Darwin) os=darwin ;;
	*) fail "there is no archive for $(uname -s) that this script can install; see https://github.com/nsfl-go/nsfl#install for other ways" ;;
	esac
	case $(uname -m) in
	x86_64 | amd64) arch=amd64 ;;
	aarch64 | arm64) arch=arm64 ;;
	*) fail "there is no archive for processors of the kind $(uname -m); with Go: go install github.com/nsfl-go/nsfl/cmd/nsfl@v{{.Version}}" ;;
	esac
	echo "$os-$arch"
}

# put has a file be there as a whole or not at all.
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
{{- range .Archives}}
	{{.Platform}}) archive={{.File}} sum={{.Sum}} ;;
{{- end}}
	*) fail "there is no archive for $on" ;;
	esac

	dir=$(mktemp -d)
	trap 'rm -rf "$dir"' EXIT
	trap 'exit 1' HUP INT TERM
	fetch "${NSFL_DOWNLOADS:-{{.Downloads}}}/$archive" "$dir/$archive"
	got=$(sum_of "$dir/$archive")
	[ "$got" = "$sum" ] || fail "$archive is not what was released: its SHA-256 is $got and not $sum. Nothing was installed"
	tar -xzf "$dir/$archive" -C "$dir"
	from=$dir/${archive%.tar.gz}
	"$from/nsfl" version >/dev/null || fail "the command does not run on this machine"

	put 755 "$from/nsfl" "$prefix/bin/nsfl"
	for page in "$from"/man/man1/*.1; do
		put 644 "$page" "$prefix/share/man/man1/${page##*/}"
	done
	put 644 "$from/completions/nsfl.bash" "$prefix/share/bash-completion/completions/nsfl"
	put 644 "$from/completions/_nsfl" "$prefix/share/zsh/site-functions/_nsfl"
	put 644 "$from/completions/nsfl.fish" "$prefix/share/fish/vendor_completions.d/nsfl.fish"

	echo "nsfl {{.Version}} is in $prefix/bin; try it: nsfl search --demo 'dog AND NOT ball'"
	case ":$PATH:" in
	*":$prefix/bin:"*) ;;
	*) echo "$prefix/bin is not in PATH; add it: export PATH=\"$prefix/bin:\$PATH\"" ;;
	esac
}

main
