#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
# pair.sh BIN PROVIDER WRONG [OPTION...]: two ut-libfabric on loopback, tried by `uetconform ut-check`.
# Every check works, is refused or is not there, but for WRONG ("verb: check;..." in their order), which
# the provider does not do. 77 (skip, reason told) where there is no such provider.
set -eu
bin=$1 provider=$2 wrong=$3
shift 3

dir=$(mktemp -d)
pids=
trap 'for p in $pids; do kill "$p" 2>/dev/null || true; wait "$p" 2>/dev/null || true; done
      rm -rf "$dir"' EXIT

# adapter NAME ADDRESS: one that is ready.
adapter() {
    "$bin/ut-libfabric" --provider "$provider" --address "$2" --control "unix:$dir/$1.sock" $options \
        >"$dir/$1" 2>&1 &
    pids="$pids $!"
    tries=0
    until grep -q 'ready on' "$dir/$1"; do
        tries=$((tries + 1))
        if [ "$tries" -gt 100 ] || ! kill -0 $! 2>/dev/null; then
            cat "$dir/$1" >&2
            echo "no provider $provider here" >&2
            exit 77
        fi
        sleep 0.1
    done
}

options="$*"
adapter a 127.0.0.1
adapter b 127.0.0.2
status=0
"$bin/uetconform" ut-check --control "$dir/a.sock" --peer "$dir/b.sock" --wait 3000 \
    --json "$dir/json" >"$dir/out" 2>&1 || status=$?
found=$(sed -n 's/^ *"verb": "\(.*\)",$/\1/p; s/^ *"check": "\(.*\)",$/: \1/p; s/^ *"result": "\(.*\)",$/ \1/p' "$dir/json" |
    paste -d '' - - - | sed -n 's/ wrong$/;/p' | tr -d '\n')
works=$(grep -c '"result": "works"' "$dir/json")
if [ "$found" != "$wrong" ] || [ "$works" -lt 35 ]; then
    cat "$dir/out" >&2
    echo "pair.sh: $works work; wrong: '$found', expected: '$wrong'" >&2
    exit 1
fi
[ "$status" -eq 1 ] || [ -z "$wrong" ] || exit 1
# Both end by a signal, in good order.
for p in $pids; do
    kill "$p"
    wait "$p" || { echo "pair.sh: an adapter ended with $?" >&2; exit 1; }
done
pids=
