#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
# secure.sh SECURE_AWK: of which places it is told that they are security's.
set -eu
awk=$1
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
cd "$dir"
mkdir -p refimpl/tss refimpl/pds
cat >refimpl/pds/x.c <<'TXT'
/* sealed */
static void f(struct s *p, int a)
{
    pdc->last = a; /* uet_sd_find */
    if (pdc->tss.sealed && a < 3)
 * tss comes in a comment
    about.has = fep->law.tss.told(fep, a);
    pass(a, buttss);
}
TXT
for line in 4 5 6 7 8; do printf 'refimpl/pds/x.c:f:compare:%d\t%d\t<\t<=\n' $line $line; done >places
printf '%s\t3\t<\t<=\n' refimpl/tss/y.c:g:compare:1 refimpl/edge.c:of_pdc:logic:1 refimpl/edge.c:dscp_of:logic:1 >>places
: >refimpl/tss/y.c
: >refimpl/edge.c
cat >wanted <<TXT
refimpl/pds/x.c:f:compare:5
refimpl/pds/x.c:f:compare:7
refimpl/tss/y.c:g:compare:1
refimpl/edge.c:of_pdc:logic:1
TXT
awk -f "$awk" places | cut -f 1 >found
diff -u wanted found
