#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
# spoilt_check.sh BIN SOURCE: what spoilt.sh excuses and what it does not, with reports of a real run
# in which verdicts are replaced, and a command in place of uetconform that fails when it is told to.
set -eu
bin=$1 source=$2
. "$source/conformance/spoilt.sh"
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
"$bin/uetconform" run --fep ref --depth smoke --test 'pds.3.5.12.*' \
    --json "$dir/good.json" --quiet >"$dir/log" || {
    cat "$dir/log" >&2
    exit 1
}
first=$(grep -n -m 1 '^   "verdict": "pass"' "$dir/good.json" | cut -d: -f1)
last=$(grep -n '^   "verdict": "pass"' "$dir/good.json" | tail -1 | cut -d: -f1)
if [ -z "$first" ] || [ "$first" = "$last" ]; then
    echo "spoilt_check.sh: two tests that pass are needed; the names may have changed" >&2
    exit 1
fi

# with VERDICT_OF_THE_FIRST VERDICT_OF_THE_LAST
with() { sed -e "${first}s/pass/$1/" -e "${last}s/pass/$2/" "$dir/good.json" >"$dir/report.json"; }
# again: fails at the run whose number stands in $dir/bad; counts its runs.
again() {
    echo "$*" >>"$dir/runs"
    [ "$(wc -l <"$dir/runs")" -ne "$(cat "$dir/bad")" ]
}
# expect yes|no RUNS BAD WHAT
expect() {
    : >"$dir/runs"
    echo "$3" >"$dir/bad"
    got=no
    ! spoilt "$dir/report.json" again 2>"$dir/err" >"$dir/out" || got=yes
    if [ "$got" != "$1" ] || [ "$(wc -l <"$dir/runs")" -ne "$2" ]; then
        echo "spoilt_check.sh: $4: $got after $(wc -l <"$dir/runs") runs, expected $1 after $2" >&2
        exit 1
    fi
}
with inconc pass
expect yes 5 0 "one test that passes each time"
with inconc inconc
expect yes 10 0 "two of them"
expect no 7 7 "the second fails once more"
with inconc pass
sed -i "${first}s/\$/\n   \"as_in\": \"the.first.test\",/" "$dir/report.json"
id=$(grep -n '^   "id": ' "$dir/report.json" | cut -d: -f1 | awk -v at="$first" '$1 < at { n = $1 } END { print n }')
sed -i "${id}s/: \".*\"/: \"rule.pds-105\"/" "$dir/report.json"
expect yes 5 0 "the entry of a rule"
if [ "$(grep -c -- '--test the.first.test$' "$dir/runs")" -ne 5 ]; then
    echo "spoilt_check.sh: of a rule, the test that broke it is repeated; ran: $(head -1 "$dir/runs")" >&2
    exit 1
fi
with inconc fail
expect no 0 0 "another test failed"
with inconc error
expect no 0 0 "another test is an error"
with pass unexpected-pass
expect no 0 0 "nothing is inconclusive"
with inconc pass
sed -i 's/^ "complete": true/ "complete": false/' "$dir/report.json"
expect no 0 0 "the run was cut short"
rm "$dir/report.json"
expect no 0 0 "no report"
echo "spoilt.sh excuses what passes five times, and nothing else"
