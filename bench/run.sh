#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
# Times and instruction counts, the latter beside those of baseline.json.
#   run.sh BUILD-DIRECTORY [--json]
# Exit status: 0; 1 an instruction count is more than a tenth above the baseline; 2 set-up.
set -eu
here=$(dirname "$0")
bench=$1/bin/uet-bench
[ -x "$bench" ] || {
    echo "run.sh: no $bench; build it first (./dev build)" >&2
    exit 2
}
case "${2:-}" in
--json) "$bench" --json && exit 0 || exit 2 ;;
'') ;;
*)
    echo "run.sh: $2: the only option is --json" >&2
    exit 2
    ;;
esac

"$bench"
status=0
echo "instructions a packet (callgrind)"
counts=$("$here/callgrind.sh" "$bench" parse build feps)
echo "$counts" | {
    while read -r name n; do
        base=$(sed -n "s/.*\"$name\": *\([0-9]*\).*/\1/p" "$here/baseline.json")
        note=
        if [ -z "$base" ]; then
            note="  (no baseline)"
        elif [ $((n * 10)) -gt $((base * 11)) ]; then
            note="  MORE than a tenth above the baseline"
            status=1
        fi
        printf '%-13s %9s      baseline %s%s\n' "$name" "$n" "${base:--}" "$note"
    done
    exit $status
}
