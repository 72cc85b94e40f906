#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
# mended.sh UETSIM LIST: every scenario of the list, which found something once, finds nothing.
set -eu
bad=0
grep -v '^#' "$2" >"${TMPDIR:-/tmp}/mended.$$"
trap 'rm -f "${TMPDIR:-/tmp}/mended.$$"' EXIT
while read -r options; do
    # shellcheck disable=SC2086
    "$1" $options --quiet --no-shrink </dev/null || bad=1
done <"${TMPDIR:-/tmp}/mended.$$"
exit $bad
