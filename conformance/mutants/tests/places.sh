#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
# places.sh UET_MUTANTS: what it finds in a small source, and what it leaves alone, told by hand.
set -eu
tool=$1
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
cd "$dir"

cat >a.c <<'TXT'
#include <x.h> /* a < b */
static const int table[] = {1, 2};
// c < d
static void f(struct s *p, int a)
{
    int n = 3;
    if (a < n && !p->next_psn)
        p->last_psn = 0;
    send(p, a, n);
    for (;;)
        p->next_psn++;
    if (UET_VIOLATES(p, X) == a)
        COUNT(p, a);
    say("if (a < b)", '<');
}
int g(void)
{
    return -1;
}
TXT
tab=$(printf '\t')
"$tool" list a.c | sort >found
sort >wanted <<TXT
a.c:f:return:1${tab}5${tab}${tab} if (1) return;
a.c:g:return:1${tab}17${tab}${tab} if (1) return 0;
a.c:f:constant:1${tab}6${tab}3${tab}(3 + 1)
a.c:f:negate:1${tab}7${tab}(a < n && !p->next_psn)${tab}(!(a < n && !p->next_psn))
a.c:f:compare:1${tab}7${tab}<${tab}<=
a.c:f:logic:1${tab}7${tab}&&${tab}||
a.c:f:negate:2${tab}7${tab}!${tab}
a.c:f:field:1${tab}7${tab}next_psn${tab}last_psn
a.c:f:reset:1${tab}8${tab}p->last_psn = 0${tab}
a.c:f:field:2${tab}8${tab}last_psn${tab}next_psn
a.c:f:constant:2${tab}8${tab}0${tab}(0 + 1)
a.c:f:delete:1${tab}9${tab}send(p, a, n)${tab}
a.c:f:swap:1${tab}9${tab}p, a${tab}a, p
a.c:f:swap:2${tab}9${tab}a, n${tab}n, a
a.c:f:delete:2${tab}11${tab}p->next_psn++${tab}
a.c:f:field:3${tab}11${tab}next_psn${tab}last_psn
a.c:f:arithmetic:1${tab}11${tab}++${tab}--
a.c:f:delete:3${tab}14${tab}say("if (a < b)", '<')${tab}
a.c:f:swap:3${tab}14${tab}"if (a < b)", '<'${tab}'<', "if (a < b)"
a.c:g:constant:1${tab}18${tab}1${tab}(1 + 1)
TXT
diff -u wanted found

"$tool" apply a.c a.c:f:compare:1 >b.c
diff a.c b.c >change || true
[ "$(grep -c '^[<>]' change)" -eq 2 ] && grep -q '^>.*if (a <= n && !p->next_psn)' change
if "$tool" apply a.c a.c:f:compare:9 >/dev/null 2>said; then
    echo "places.sh: a mutation that is not there was applied" >&2
    exit 1
fi
grep -q 'has no mutation a.c:f:compare:9' said
