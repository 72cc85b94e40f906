#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
# covered.sh SOURCE [COVERED]: each test that covered.csv names as FILE:FUNCTION (how = elsewhere) is
# a function of that file, and that file's main runs it. COVERED: another file than spec-map/covered.csv.
set -eu
source=$1 covered=${2:-$1/spec-map/covered.csv} bad=0 named=0

complain() {
    echo "$covered: $*" >&2
    bad=1
}

# id and "what" of the rows that name a test; commas and quotes stand in `what` only.
sed -n 's/^\([A-Z]*-[0-9]*\),elsewhere,"\{0,1\}\(.*[^"]\)"\{0,1\}$/\1 \2/p' "$covered" >"${TMPDIR:-/tmp}/covered.$$"
trap 'rm -f "${TMPDIR:-/tmp}/covered.$$"' EXIT
while read -r id what; do
    tests=$(printf '%s\n' "$what" | grep -oE '[A-Za-z0-9_./]+\.(c|sh):[A-Za-z0-9_]+' || true)
    [ -n "$tests" ] || complain "$id names no test as FILE:FUNCTION"
    for test in $tests; do
        named=$((named + 1))
        file=${test%%:*} function=${test##*:}
        if [ ! -f "$source/$file" ]; then
            complain "$id: there is no file $file"
        elif ! grep -qE "^(static )?void $function\(void \*\*state\)" "$source/$file"; then
            complain "$id: $file has no test $function"
        elif ! grep -qE "cmocka_unit_test(_[a-z_]+)?\($function[,)]" "$source/$file"; then
            complain "$id: $file does not run $function"
        fi
    done
done <"${TMPDIR:-/tmp}/covered.$$"
[ "$named" -gt 0 ] || complain "no row names a test"
exit $bad
