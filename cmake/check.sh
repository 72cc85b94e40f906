#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
# check.sh ROOT BUILD: what can be judged of the tree in seconds: floors, symbols, licences,
# format, the claims of ARCHITECTURE.md, and that docs/wire.md and docs/pdc-states.md are what
# spec-map/ says. Exit status: 0; 1 with every breach told; 77 where ROOT is no git checkout, whose files cannot be told from others.
set -u
root=$1 build=$2
cd "$root" || exit 2
[ -n "$(git ls-files dev 2>/dev/null)" ] || {
    echo "check.sh: skip: $root is no git checkout, or belongs to somebody else: $(
        git ls-files dev 2>&1 | head -1)"
    exit 77
}
bad=0
sh cmake/check-tree.sh "$root" "$build" || bad=1
sh cmake/check-claims.sh "$root" "$build" || bad=1
git ls-files '*.c' '*.h' | xargs clang-format --dry-run -Werror || bad=1
"$build/host/specc" --doc spec-map "$build/wire.md" && cmp "$build/wire.md" docs/wire.md || {
    echo "docs/wire.md is stale: ./dev docs" >&2
    bad=1
}
"$build/host/specc" --states spec-map "$build/pdc-states.md" && cmp "$build/pdc-states.md" docs/pdc-states.md || {
    echo "docs/pdc-states.md is stale: ./dev docs" >&2
    bad=1
}
exit $bad
