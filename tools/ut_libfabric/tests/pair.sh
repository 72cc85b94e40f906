#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
# pair.sh BIN DOC WRONG PROVIDER [OPTION...]: two ut-libfabric on loopback, tried by `uetconform ut-check`.
# Every check works, is refused or is not there, but for WRONG ("verb: check;..." in their order), which
# the provider does not do; and the counts are those of the row in DOC (docs/ut-libfabric.md). With "-" for
# WRONG: prints that row, for ./dev docs. With UET_NO_TESTS=1 the tests that it can serve, of which the row
# tells last, are not counted. 77 (skip, reason told) where there is no such provider.
set -eu
bin=$1 doc=$2 wrong=$3 provider=$4
shift 4

dir=$(mktemp -d)
pids=
trap 'for p in $pids; do kill "$p" 2>/dev/null || true; wait "$p" 2>/dev/null || true; done
      rm -rf "$dir"' EXIT

# adapter NAME ADDRESS OPTION...: one that is ready.
adapter() {
    name=$1 address=$2
    shift 2
    : >"$dir/$name"
    "$bin/ut-libfabric" --provider "$provider" --address "$address" --control "unix:$dir/$name.sock" \
        "$@" >"$dir/$name" 2>&1 &
    pids="$pids $!"
    tries=0
    until grep -q 'ready on' "$dir/$name"; do
        tries=$((tries + 1))
        if [ "$tries" -gt 100 ] || ! kill -0 $! 2>/dev/null; then
            cat "$dir/$name" >&2
            grep -q 'fi_getinfo: No data' "$dir/$name" || exit 1
            echo "no provider $provider here that can $*" >&2
            exit 77
        fi
        sleep 0.1
    done
}

# Addresses of this process alone: another pair, at the same time, has the same ports.
own=$(($$ / 64516 % 100)) last=$(($$ / 254 % 254)).$(($$ % 254 + 1))
adapter a "127.$((own + 1)).$last" "$@"
adapter b "127.$((own + 101)).$last" "$@"
status=0
"$bin/uetconform" ut-check --control "$dir/a.sock" --peer "$dir/b.sock" --wait 3000 ${UET_NO_TESTS:+--no-tests} \
    --json "$dir/json" >"$dir/out" 2>&1 || status=$?

# total WORD: how many checks came out so.
total() {
    grep -c "\"result\": \"$1\"" "$dir/json" || true
}
# tests ROLE: "3 of 7"
tests() {
    sed -n "s/^ *\"$1\": \([0-9]*\),*\$/\1/p; s/^ *\"of_$1\": \([0-9]*\),*\$/ of \1/p" "$dir/json" | tr -d '\n'
}
found=$(sed -n 's/^ *"verb": "\(.*\)",$/\1/p; s/^ *"check": "\(.*\)",$/: \1/p; s/^ *"result": "\(.*\)",$/ \1/p' "$dir/json" |
    paste -d '' - - - | sed -n 's/ wrong$/;/p' | tr -d '\n')
row="| \`$provider${*:+ $*}\` | $(total works) | $(total refused) | $(total 'not there') | $(total wrong) |"
[ "${UET_NO_TESTS:-}" ] || row="$row $(tests initiator) | $(tests target) |"
if [ "$wrong" = - ]; then
    echo "$row"
    exit 0
fi
if [ "$found" != "$wrong" ]; then
    cat "$dir/out" >&2
    echo "pair.sh: wrong: '$found', expected: '$wrong'" >&2
    exit 1
fi
want=${wrong:+1}
if [ "$status" -ne "${want:-0}" ]; then
    echo "pair.sh: ut-check ended with $status" >&2
    exit 1
fi
# The page is about Debian's libfabric of the day; another one may do more, or less.
case $(sed -n 's/^ *"text": "libfabric [^ ]* \([0-9.]*\),.*/\1/p' "$dir/json") in
"$(sed -n 's/.*(reported by the providers as version \([0-9.]*\)).*/\1/p' "$doc")")
    grep -F -q -e "$row" "$doc" || { echo "pair.sh: ./dev docs: $doc has no row '$row'" >&2; exit 1; } ;;
esac
# Both end by a signal, in good order.
for p in $pids; do
    kill "$p"
    wait "$p" || { echo "pair.sh: an adapter ended with $?" >&2; exit 1; }
done
pids=
