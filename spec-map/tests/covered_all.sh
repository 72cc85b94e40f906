#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
# covered_all.sh SOURCE: what covered.csv names exists, and covered.sh refuses what does not.
set -eu
source=$1
here=$(dirname "$0")
broken=$(mktemp)
trap 'rm -f "$broken"' EXIT

sh "$here/covered.sh" "$source"
for edit in 's/:test_psn_range/:test_psn_rang/' 's/test_tss\.c/test_ts.c/' \
    's/refimpl.*:test_turns/a test of ours/'; do
    sed "$edit" "$source/spec-map/covered.csv" >"$broken"
    ! cmp -s "$broken" "$source/spec-map/covered.csv" || { echo "$edit changes nothing" >&2; exit 1; }
    ! sh "$here/covered.sh" "$source" "$broken" 2>/dev/null || { echo "taken: $edit" >&2; exit 1; }
done
