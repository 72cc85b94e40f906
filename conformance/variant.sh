#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
# variant.sh UETCONFORM VARIANT DEPTH: the suite at a variant of the reference FEP. No test may fail.
# With DEPTH `default` all tests run as they are written, and those of the sections that variants.txt
# names at all points; with `smoke` the latter alone, as they are written.
set -eu
uetconform=$1 variant=$2 depth=$3
row=$(sed -n "s/^$variant //p" "$(dirname "$0")/variants.txt")
[ -n "$row" ] || { echo "variants.txt has no row of $variant" >&2; exit 2; }

# suite OPTION...
suite() { "$uetconform" run --fep "ref:$variant" --strict "$@"; }

# sections WORD...: as options
sections() { [ $# -eq 0 ] || printf -- '--section %s ' "$@"; }

plain=${row%%sealed*} sealed=
case $row in *sealed*) sealed=${row#*sealed} ;; esac
[ "$depth" = smoke ] || suite --depth smoke
# shellcheck disable=SC2046,SC2086
suite --depth "$depth" $(sections $plain)
# shellcheck disable=SC2046,SC2086
[ -z "$sealed" ] || suite --depth "$depth" --secure $(sections $sealed)
