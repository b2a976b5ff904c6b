#!/bin/sh
# Installs the packages of dist/ in every way on a fresh Debian, runs a first search with each,
# and prints how long that took: tools/release/tryout.sh dist
#
# It needs root and debootstrap; pip downloads the dependencies of the wheel. Containers are
# tested if Docker runs; the tests cover go install.
set -eu

dist=$(realpath "${1:?give the output folder of make release}")
root=$(mktemp -d)
files=
trap 'kill $files 2>/dev/null || true; rm -rf "$root" "$root.log"' EXIT
trap 'exit 1' HUP INT TERM
debootstrap --variant=minbase --include=ca-certificates trixie "$root" >"$root.log" || { cat "$root.log"; exit 1; }
cp /etc/resolv.conf "$root/etc/resolv.conf"
cp /etc/ssl/certs/ca-certificates.crt "$root/etc/ssl/certs/ca-certificates.crt"
cp -r "$dist" "$root/dist"
(cd "$dist" && exec python3 -m http.server --bind 127.0.0.1 8765 >/dev/null 2>&1) &
files=$!

# fresh runs a shell command in the fresh system.
fresh() {
	chroot "$root" env -i HOME=/root PATH=/root/.local/bin:/usr/sbin:/usr/bin:/sbin:/bin LANG=C.UTF-8 \
		sh -euc "cd /root; $1" >"$root/said" 2>&1 || { cat "$root/said"; exit 1; }
}

# way measures the time until the first search.
way() {
	begun=$(date +%s.%N)
	fresh "$2"
	date +%s.%N | awk -v way="$1" -v begun="$begun" '{ printf "%s: %.1f s to the first result\n", way, $1 - begun }'
	grep -m 1 Subpoena "$root/said"
}
fresh 'apt-get install -y --no-install-recommends curl npm python3-venv'
search="search --demo -k 1 'dog AND NOT ball'"

way 'pip install, nsfl.local' "python3 -m venv v; v/bin/pip install -q /dist/wheels/nsfl-*manylinux*_x86_64*.whl
	v/bin/python -c 'import nsfl; print(nsfl.local(demo=True).collection(\"demo\").search(\"dog AND NOT ball\", k=1))'"
way 'pip install, the command' "v/bin/nsfl $search"
way 'npm install' "npm install --silent --omit=optional /dist/npm/nsfl-go-linux-x64-*.tgz /dist/npm/nsfl-[0-9]*.tgz
	npx nsfl $search"
way 'curl | sh' "curl -fsS http://127.0.0.1:8765/install.sh | NSFL_DOWNLOADS=http://127.0.0.1:8765 sh; nsfl $search"
way 'apt install' "rm -rf .local; apt-get install -y /dist/nsfl_*_amd64.deb; nsfl $search"
fresh 'apt-get purge -y nsfl; test ! -e /usr/bin/nsfl'
if docker info >/dev/null 2>&1; then
	docker load -i "$dist"/nsfl-*-image-amd64.tar
	image=$(cd "$dist" && echo nsfl-*-image-amd64.tar | sed 's/^nsfl-\(.*\)-image-amd64.tar$/nsfl:\1/')
	docker run --rm --network host "$image" search --demo -k 1 'dog AND NOT ball'
fi
