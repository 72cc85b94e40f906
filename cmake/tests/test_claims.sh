#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
# test_claims.sh SOURCE BUILD: untrue claims planted in a copy of the tree, one at a time:
# check-claims.sh must find each, and say nothing more than of the tree as it is.
set -eu
source=$1 build=$2
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
failures=0
[ -n "$(git -C "$source" ls-files dev 2>/dev/null)" ] || { echo "skip: no git checkout"; exit 77; }

mkdir "$dir/tree"
(cd "$source" && git ls-files -z | xargs -0 cp --parents -t "$dir/tree" 2>/dev/null) ||
    : # a file that was removed and not yet committed
cd "$dir/tree"
# Each check reads all: what nothing below is about is empty here.
git -C "$source" ls-files 'docs/*' '*.csv' 'conformance/tests/*' 'refimpl/faults/*' '*/tests/*' | while read -r file; do
    [ ! -f "$file" ] || : >"$file"
done
git init -q .
git add -A
page=ARCHITECTURE.md
cp "$page" "$dir/page"
check() { git add -A; sh "$source/cmake/check-claims.sh" "$dir/tree" "$build" >"$1" 2>&1; }
check "$dir/clean" || :

# says WORDS: beside what is said of the tree as it is.
says() {
    check "$dir/found" && status=0 || status=$?
    grep -vxFf "$dir/clean" "$dir/found" >"$dir/new" || :
    cp "$dir/page" "$page"
    [ "$(cat "$dir/new")" = "check: $page: $1" ] && [ $status -eq 1 ] && return
    echo "FAILED: status $status, expected: check: $page: $1"
    cat "$dir/new"
    failures=$((failures + 1))
}

echo 'see `sim/no_such.c`' >>"$page"
says '`sim/no_such.c` is not in the tree'
echo 'see `port/no_such_folder/`' >>"$page"
says '`port/no_such_folder/` is not in the tree'
echo 'see `no_such.csv`' >>"$page"
says '`no_such.csv` is not in the tree'
echo 'see `struct uet_no_such`' >>"$page"
says 'no source and no test is called `uet_no_such`'
echo 'see `uet_no_such(x)`' >>"$page"
says 'no source and no test is called `uet_no_such`'
echo 'see `uet_packet`, `wire/`, `track.h`, `uet_headers[]`, `uet_next_*`, and `uet_no_such_*`' >>"$page"
says 'no source knows `uet_no_such_*`'

echo '| 3 | `track/` | told twice |' >>"$page"
says '`track/` on floor 3: cmake/houses.txt has no such row'
sed -i '/^| 5 | `sim\/`/d' "$page"
says '`sim/` of floor 5 is not in the table of floors'
printf '/* SPDX-License-Identifier: BSD-2-Clause */\n#include "refimpl/host/host.h"\n' >conformance/planted.c
says 'conformance/planted.c includes the reference FEP, so `fep_ref.c` does not start it alone'
rm conformance/planted.c

echo 'uint32_t planted = uet_ack_cack_psn(h);' >port/planted.c
says 'port/planted.c keeps a CACK_PSN, and is none of the places named'
rm port/planted.c
sed -i '/^Windows, CLEAR/,/^$/s/`track/`wire\/`, `track/' "$page"
check "$dir/found" || :
grep -qF '`wire/` keeps no CACK_PSN' "$dir/found" || { echo "FAILED: a place too many"; failures=$((failures + 1)); }
cp "$dir/page" "$page"
sed -i 's/exist four times/exist three times/' "$page"
says 'windows, CLEAR and CACK: 4 places are named, and another number is told'
exit $((failures > 0))
