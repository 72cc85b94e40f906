#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
# sweep.sh UETCONFORM docs/sweep.md: no mutant survives unexplained, and the page tells of those that do.
# sweep.sh UETCONFORM every N: of each Nth mutant none survives unexplained.
# sweep.sh UETCONFORM rows SOURCES: each row of permitted.def is needed by a survivor of that page.
set -eu
if [ "$2" = rows ]; then
    cd "$3"
    rows=$(sed -n 's/^PERMITTED("\([^"]*\)", "\([^"*]*\)", .*/| \1 | \2 |/p' conformance/violate/permitted.def)
    [ "$(echo "$rows" | wc -l)" -gt 20 ] || { echo "the rows of permitted.def are not found" >&2; exit 1; }
    stale=$(echo "$rows" | while read -r row; do grep -qF -e "$row" docs/sweep.md || echo "$row"; done)
    [ -z "$stale" ] || { printf 'permitted.def: a test kills these: leave them out\n%s\n' "$stale" >&2; exit 1; }
    exit 0
fi
[ "$2" != every ] || exec "$1" selftest --sweep --every "$3"
made=$(mktemp)
trap 'rm -f "$made"' EXIT
"$1" selftest --sweep --doc "$made"
diff -u "$2" "$made" || { echo "$2 is stale: ./dev docs" >&2; exit 1; }
