#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
# ut_check.sh BIN SOURCE: `uetconform ut-check` between two uetfep on a veth pair. All checks work;
# with a second FEP that tells nothing of a write with immediate data (uetfep-bent, SES-068) just that
# check is wrong. 77 (skip, reason told) where the system allows no network namespace.
set -eu
bin=$1 source=$2 row_only=${3:-}

if [ -z "${UET_IF_A:-}" ]; then
    exec "$source/port/tests/with-veth" "$0" "$bin" "$source" "$row_only"
fi

dir=$(mktemp -d)
feps=
trap 'for f in $feps; do kill "$f" 2>/dev/null || true; wait "$f" 2>/dev/null || true; done
      rm -rf "$dir"' EXIT
bad=0

fail() {
    echo "ut_check.sh: $*" >&2
    cat "$dir/out" >&2
    bad=1
}

# fep NAME IN INTERFACE ADDRESS PROGRAM [OPTION...]: one that is ready. IN: "" or $UET_IN_B.
fep() {
    name=$1 in=$2 interface=$3 address=$4 program=$5
    shift 5
    : >"$dir/$name"
    # shellcheck disable=SC2086
    $in "$bin/$program" --port "$interface" --address "$address" --bare \
        --control "unix:$dir/$name.sock" "$@" >"$dir/$name" 2>&1 &
    feps="$feps $!"
    tries=0
    until grep -q 'ready on' "$dir/$name"; do
        tries=$((tries + 1))
        [ "$tries" -le 100 ] && kill -0 $! || { cat "$dir/$name" >&2; exit 1; }
        sleep 0.1
    done
}

fep first "" "$UET_IF_A" 192.0.2.1 uetfep
fep second "$UET_IN_B" "$UET_IF_B" 192.0.2.2 uetfep
fep bent "$UET_IN_B" "$UET_IF_B" 192.0.2.3 uetfep-bent --violate SES-068

"$bin/uetconform" ut-check --control "$dir/first.sock" --peer "$dir/second.sock" --verbose \
    --json "$dir/json" >"$dir/out" || fail "between two good ones: status $?"
works=$(grep -c '"result": "works"' "$dir/json")
served=$(sed -n 's/^it can serve \([0-9]* of [0-9]*\) tests of the FEP as initiator, \(.*\) as target$/\1 | \2/p' "$dir/out")
row="| \`uetfep\` | $works | 0 | 0 | 0 | $served |"
if [ "$row_only" = - ]; then
    echo "$row"
    exit "$bad"
fi
grep -F -q -e "$row" "$source/docs/ut-libfabric.md" || fail "./dev docs: docs/ut-libfabric.md has no row '$row'"
all=$(grep -c '"result": ' "$dir/json")
[ "$works" -eq "$all" ] && [ "$all" -ge 60 ] || fail "$works of $all checks work"
grep -q "^$all checks work, 0 refused, 0 not there, 0 wrong$" "$dir/out" || fail "other totals"

status=0
"$bin/uetconform" ut-check --control "$dir/first.sock" --peer "$dir/bent.sock" --no-tests \
    >"$dir/out" 2>&1 || status=$?
[ "$status" -eq 1 ] || fail "with a bent one: status $status"
grep -q '^write  *wrong  *header_data (immediate)$' "$dir/out" || fail "it is not found"
grep -q "it can serve" "$dir/out" && fail "--no-tests: they are counted"
grep -q ', 1 wrong$' "$dir/out" || fail "not one is wrong"

# Nobody is there any more.
status=0
set -- $feps
kill "$1"
wait "$1" 2>/dev/null || true
"$bin/uetconform" ut-check --control "$dir/first.sock" >"$dir/out" 2>&1 || status=$?
[ "$status" -eq 2 ] || fail "nobody there: status $status"
exit "$bad"
