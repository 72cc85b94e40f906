#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
# alone.sh CC ROOT GEN: fep.h, the public header of the reference FEP, compiles by itself, brings no
# other header of refimpl/, and tells of no rule that can be
# broken and of no choice.
set -u
cc=$1 root=$2 gen=$3
dir=$(mktemp -d) || exit 2
trap 'rm -rf "$dir"' EXIT
echo '#include "refimpl/fep.h"' >"$dir/alone.c"
$cc -std=c17 -Wall -Wextra -Werror -I"$root" -I"$gen" -c "$dir/alone.c" -o "$dir/alone.o" || exit 1
$cc -std=c17 -I"$root" -I"$gen" -E "$dir/alone.c" >"$dir/text" || exit 1
grep -q 'uet_fep_receive' "$dir/text" || { echo "this test is blind"; exit 1; }
! grep -E '^# [0-9]+ ".*/refimpl/' "$dir/text" | grep -v '/refimpl/fep\.h"' || exit 1
! grep -E 'uet_fep_violat|struct uet_fep_choices \{' "$dir/text"
