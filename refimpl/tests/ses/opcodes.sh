#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
# opcodes.sh ROOT: what opcodes differ in stands in refimpl/ses/operations.c alone. Who else named one
# would have a branch for it.
set -u
names='UET_OP_(NO_OP|WRITE|READ|ATOMIC|FETCHING|SEND|RENDEZVOUS|DATAGRAM|DEFERRABLE|TAGGED|TSEND)'
cd "$1/refimpl" || exit 2
found=$(grep -nE "$names" ./*.c ses/*.c pds/*.c cms/*.c | grep -vE '^(ses/operations|\./law)\.c:')
[ -n "$(grep -E "$names" ses/operations.c)" ] || { echo "operations.c names none: this test is blind"; exit 1; }
[ -z "$found" ] || { printf 'an opcode outside its row:\n%s\n' "$found"; exit 1; }
