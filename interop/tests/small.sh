#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
# small.sh BIN: the small matrix; each cell must pass, and what its files say must be there. A cell
# that is not shown or fails for want of time on a busy machine is no pass: --slow gives it time.
# Exit status: that of the runner; 77 (skip) where the system allows no network namespace.
set -eu
bin=$1
unshare -n true 2>/dev/null || unshare -Urn true 2>/dev/null || {
    echo "skip: this system allows no network namespace"
    exit 77
}
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
status=0
"$bin/uetinterop" run --out "$dir/out" --slow 4 || status=$?
for file in index.html matrix.json matrix.md results.jsonl cells/ref_ref/loss/client.pcapng \
    cells/ref_ref/loss/server.check.json cells/ref_ref/loss/relay.json; do
    [ -s "$dir/out/$file" ] || {
        echo "small.sh: no $file" >&2
        exit 1
    }
done
exit $status
