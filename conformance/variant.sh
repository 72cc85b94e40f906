#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
# variant.sh UETCONFORM VARIANT WHICH DEPTH: the suite at a variant of the reference FEP. No test may fail.
# WHICH is `all` tests, or those of the `sections` that variants.txt names; sealed, there as well, are
# those of the sections that it names so. DEPTH is that of `uetconform run`.
set -eu
uetconform=$1 variant=$2 which=$3 depth=$4
row=$(sed -n "s/^$variant //p" "$(dirname "$0")/variants.txt")
[ -n "$row" ] || { echo "variants.txt has no row of $variant" >&2; exit 2; }

strict=--strict
case $row in findings\ *) row=${row#findings } strict= ;; esac

# suite OPTION...
suite() { "$uetconform" run --fep "ref:$variant" $strict --depth "$depth" "$@"; }

# sections WORD...: as options
sections() { [ $# -eq 0 ] || printf -- '--section %s ' "$@"; }

plain=${row%%sealed*} sealed=
case $row in *sealed*) sealed=${row#*sealed} ;; esac
case $which in
all) suite ;;
sections)
    # shellcheck disable=SC2046,SC2086
    suite $(sections $plain)
    ;;
*) echo "variant.sh: all or sections, not '$which'" >&2; exit 2 ;;
esac
# shellcheck disable=SC2046,SC2086
[ -z "$sealed" ] || suite --secure $(sections $sealed)
