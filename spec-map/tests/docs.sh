#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
# docs/wire.md is what specc makes of the data.
#   docs.sh SPECC SPEC-MAP-DIR docs/wire.md
set -eu
ASAN_OPTIONS=detect_leaks=0
export ASAN_OPTIONS
tmp=$(mktemp)
trap 'rm -f "$tmp"' EXIT
"$1" --doc "$2" "$tmp"
diff -u "$3" "$tmp" | head -40
cmp -s "$3" "$tmp" || { echo "$3 is stale: ./dev docs" >&2; exit 1; }
