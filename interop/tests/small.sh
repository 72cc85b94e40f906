#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
# small.sh BIN SOURCE [OPTION...]: the small matrix, or what the options leave of it: each cell must pass
# or be unsupported, and what belongs to a cell must be there. Exit status: that of the runner; 77 (skip)
# where the system allows no network namespace.
set -u
bin=$1 source=$2
shift 2
. "$source/interop/tests/common.sh"
uetinterop run --out "$dir/out" "$@" || bad=$?
for file in index.html matrix.json matrix.md results.jsonl; do
    [ -s "$dir/out/$file" ] || fail "no $file"
done
for file in client.pcapng server.pcapng client.check.json server.check.json relay.json result.json; do
    [ -s "$dir/out/cells/ref_ref/loss/$file" ] || fail "no $file of a cell"
    grep -q "href=\"cells/ref_ref/loss/$file\"" "$dir/out/index.html" || [ $file = result.json ] ||
        fail "the page does not lead to $file"
done
exit $bad
