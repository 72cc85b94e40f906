#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
# report.sh REPORT_AWK: what is told of results, and when a reason of the page is believed.
set -eu
report=$1
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
cd "$dir"
tab=$(printf '\t')
cat >sites <<TXT
a.c:f:negate:1${tab}3${tab}(a | b)${tab}(!(a | b))
a.c:f:delete:1${tab}4${tab}p->x = 1${tab}
a.c:g:constant:1${tab}9${tab}1${tab}(1 + 1)
a.c:g:constant:2${tab}9${tab}2${tab}(2 + 1)
b/b.c:h:swap:1${tab}2${tab}a, b${tab}b, a
b/b.c:h:return:1${tab}2${tab}${tab} if (1) return;
TXT
cat >results <<TXT
a.c:f:negate:1${tab}killed${tab}pds.1.x
a.c:f:delete:1${tab}survived${tab}nothing
a.c:g:constant:1${tab}survived${tab}wire ref:tiny
a.c:g:constant:2${tab}survived${tab}nothing
b/b.c:h:swap:1${tab}survived${tab}test_fep_x
b/b.c:h:return:1${tab}survived${tab}ref:tiny: pds.2.y 
TXT
cat >page.md <<'TXT'
# Survivors
* a.c:f:delete:1 `p->x = 1` -> ``
  equivalent: x is 1 already,
  since the start.
* a.c:g:constant:2 `3` -> `(3 + 1)`
  equivalent: of code that has changed since.

Not a reason: a.c:g:constant:1.
TXT
cat >wanted <<'TXT'

file                                 killed       of
a.c                                       1        4
b/b.c                                     0        2

mistake                              killed       of
constant                                  0        2
delete                                    0        1
negate                                    1        1
return                                    0        1
swap                                      0        1

survived:
  a.c:f:delete:1 `p->x = 1` -> ``
    no capture changes: equivalent: x is 1 already, since the start.
  a.c:g:constant:1 `1` -> `(1 + 1)`
    captures change (ref:tiny): gap?
  a.c:g:constant:2 `2` -> `(2 + 1)`
    no capture changes: gap?
  b/b.c:h:swap:1 `a, b` -> `b, a`
    test_fep_x
  b/b.c:h:return:1 `` -> ` if (1) return;`
    ref:tiny: pds.2.y 

     2 survivors: gap?
     1 survivors: a unit test notices
     1 survivors: a variant's run notices
     1 survivors: equivalent
1 of 6 mutants killed (seed 7)
TXT
awk -f "$report" -v look=1 -v page=page.md -v seed=7 sites results >found
diff -u wanted found
awk -f "$report" -v look=0 -v page=page.md -v seed=7 sites results >found
grep -q '   5 survivors: not looked into' found
