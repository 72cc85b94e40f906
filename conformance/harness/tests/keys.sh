#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
# Every key that fep.yaml may have is read by somebody: keys.txt says who, and this test looks there.
# keys.sh SOURCES [KEYS.TXT]
set -eu
cd "$1"
list=${2:-conformance/harness/tests/keys.txt}
yaml=conformance/harness/yaml
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
status=0
bad() {
    echo "keys.sh: $*" >&2
    status=1
}

# The keys of the reader's tables: {"name", UET_YAML_TEXT, ...}, {"max-pdcs", "count", 1, ...}; and
# the parameters of Table 3-28 but for those that are told elsewhere.
own='"[A-Za-z_-]+", *(UET_YAML_[A-Z_]+|"[A-Za-z/]+", [0-9])'
grep -ohE "$own" "$yaml"/*.c | cut -d'"' -f2 | sort -u >"$dir/own"
sed -n '/ elsewhere\[\] = {/,/^};/s/^ *{"\([A-Za-z_-]*\)".*/\1/p' "$yaml/params.c" >"$dir/elsewhere"
sed -n '2,$s/,.*//p' spec-map/params.csv | grep -vxFf "$dir/elsewhere" | sort >"$dir/standard"
sort -u "$dir/own" "$dir/standard" >"$dir/keys"
grep -v '^#' "$list" | sed 's/ .*//' | sort >"$dir/listed"
if [ "$(wc -l <"$dir/own")" -lt 40 ] || [ "$(wc -l <"$dir/standard")" -lt 20 ]; then
    bad "the tables of $yaml are not found: mend the patterns of this test"
fi
uniq -d "$dir/listed" >"$dir/twice"
[ ! -s "$dir/twice" ] || bad "twice in $list: $(tr '\n' ' ' <"$dir/twice")"
comm -23 "$dir/keys" "$dir/listed" >"$dir/dead"
[ ! -s "$dir/dead" ] || bad "no reader in $list: $(tr '\n' ' ' <"$dir/dead")"
comm -13 "$dir/keys" "$dir/listed" >"$dir/gone"
[ ! -s "$dir/gone" ] || bad "in $list, and no key of fep.yaml: $(tr '\n' ' ' <"$dir/gone")"

grep -v '^#' "$list" >"$dir/list"
while read -r key file text; do
    [ "$file" = report ] && {
        grep -qxF "$key" "$dir/standard" ||
            bad "$key: 'report' will do for parameters of Table 3-28 only"
        grep -qF "{\"$key\", \"\"}" conformance/harness/dut.c ||
            bad "$key: nobody is told that no test reads it (uet_dut_param_uses)"
        file=conformance/cli/run/conditions.c text=dut-\>params
    }
    case $file in
    conformance/cli/tests/* | conformance/harness/tests/*) bad "$key: a test is no reader" ;;
    esac
    # As a whole word, in code: not in a comment, and not in what a test says of itself.
    grep -vE '^ *(/?\*|//)|\.(purpose|preamble|stimulus|expected) =' "$file" |
        grep -qE "(^|[^A-Za-z_-])$text([^A-Za-z_-]|\$)" || bad "$key: $file does not have '$text'"
done <"$dir/list"
sed -n '/ uet_dut_param_uses\[\] = {/,/^};/s/^ *{"\([A-Za-z_-]*\)", ""},/\1/p' conformance/harness/dut.c |
    sort >"$dir/unread"
sed -n 's/ report$//p' "$dir/list" | sort >"$dir/reported"
comm -23 "$dir/unread" "$dir/reported" >"$dir/read"
[ ! -s "$dir/read" ] || bad "called unread in dut.c, and has a reader: $(tr '\n' ' ' <"$dir/read")"
exit $status
