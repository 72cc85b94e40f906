#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
# reports.sh UETCONFORM SOURCE: what the reports of a run say of it, and where they are written.
set -u
case $1 in /*) u=$1 ;; *) u=$PWD/$1 ;; esac
source=$2
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
cd "$dir" || exit 1
bad=0

fail() {
    echo "reports: $*" >&2
    bad=1
}

# has FILE TEXT, has_not FILE TEXT
has() { grep -qF -- "$2" "$1" || fail "$1 does not say: $2"; }
has_not() { ! grep -qF -- "$2" "$1" || fail "$1 should not say: $2"; }

# ---- what a run rests on ----
one="--fep ref --quiet --test *unknown-dpdcid"
$u run $one --json r.json >out 2>&1 || fail "the run ends with $?"
has r.json '"name": "uetkit reference FEP"'
has r.json '"address": "192.0.2.1"'
has r.json '"write-immediate": "yes"'
has r.json '"msg-error": "no"'
has r.json '"RTO_Init_Time": "5 ms"' # what `hello` of the reference FEP tells (Table 3-28)
has r.json "\"kernel\": \"$(uname -s) $(uname -r) $(uname -m)\""
has r.json "\"host\": \"$(uname -n)\""
has r.json "\"uetkit\": \"$($u --version | cut -d' ' -f2)\""
has r.json "\"command line\": \"uetconform run --fep ref --quiet --test '*unknown-dpdcid' --json r.json\""
grep -qE '"commit": "([0-9a-f]{12}(-dirty)?|unknown)"' r.json || fail "no commit: $(grep commit r.json)"
grep -qE '"ended": "20[0-9-]{8}T[0-9:]{8}Z"' r.json || fail "no end: $(grep ended r.json)"

# A tree that is no repository, though it stands inside one, knows no commit.
commit() { cmake -DSOURCE="$1" -DOUT="$dir/commit.h" -P "$source/cmake/commit.cmake" && cat commit.h; }
commit "$dir" >out
has out '#define UETKIT_COMMIT "unknown"'
if git init -q repo 2>/dev/null; then
    mkdir repo/tarball
    echo 1 >repo/file
    git -C repo add file
    git -C repo -c user.name=x -c user.email=x@x commit -qm x
    commit "$dir/repo/tarball" >out
    has out '#define UETKIT_COMMIT "unknown"'
    commit "$dir/repo" >out
    has out "#define UETKIT_COMMIT \"$(git -C repo rev-parse --short=12 HEAD)\""
    old=$(stat -c %y commit.h)
    commit "$dir/repo" >out
    [ "$old" = "$(stat -c %y commit.h)" ] || fail "the same commit is written again"
    echo 2 >repo/file
    commit "$dir/repo" >out
    has out '-dirty"'
fi

exit $bad
