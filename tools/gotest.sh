#!/bin/sh
# Usage: gotest.sh LOG COMMAND…
#
# Runs a go test command with its output in LOG. It prints the failures, the result of each
# package and, from verbose output, why tests were skipped.
log=$1
shift
mkdir -p "$(dirname "$log")"
code=0
"$@" > "$log" 2>&1 || code=1
if [ $code -ne 0 ]; then
	grep -E '^\s*--- FAIL|^(FAIL|panic)|_test.go:[0-9]+:|DATA RACE' "$log" | tail -n 60
fi
grep -E '^(ok|FAIL|\?)\s' "$log"
awk '
	/^ +[^ ]+\.go:[0-9]+: / { reason = $0; sub(/^ +[^ ]+: /, "", reason); sub(/ \(.*\)$/, "", reason) }
	/^ *--- SKIP/ { skipped[reason]++ }
	END { for (reason in skipped) printf "skipped %d: %s\n", skipped[reason], reason }
' "$log" | sort -k3
exit $code
