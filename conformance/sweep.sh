#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
# sweep.sh UETCONFORM docs/sweep.md: no mutant survives unexplained, and the page tells of those that do.
# sweep.sh UETCONFORM every N: of each Nth mutant none survives unexplained.
set -eu
[ "$2" != every ] || exec "$1" selftest --sweep --every "$3"
made=$(mktemp)
trap 'rm -f "$made"' EXIT
"$1" selftest --sweep --doc "$made"
diff -u "$2" "$made" || { echo "$2 is stale: ./dev docs" >&2; exit 1; }
