#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
# edge.sh ROOT: frames are begun, ended and parsed by refimpl/edge.c alone, so that encapsulation and
# protection live in one place. (Faults are no part of the FEP.)
set -u
calls='uet_(build_start|build_finish|parse|parse_transport|crc_store|refresh)\('
cd "$1/refimpl" || exit 2
found=$(grep -nE "$calls" ./*.c pds/*.c pds/in/*.c cms/*.c ses/*.c tss/*.c | grep -v '^\./edge\.c:')
[ -n "$(grep -E "$calls" edge.c)" ] || { echo "edge.c calls none of them: this test is blind"; exit 1; }
[ -z "$found" ] || { printf 'past the edge:\n%s\n' "$found"; exit 1; }
