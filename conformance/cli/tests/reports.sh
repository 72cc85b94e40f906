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
has r.json '"msg-error": "yes"'
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

# ---- where reports go ----

# refused TEXT ARGUMENT...: exit status 2, nothing on standard output, one line that says TEXT.
refused() {
    text=$1
    shift
    "$u" "$@" >out 2>err
    status=$?
    [ $status -eq 2 ] || fail "'$*' ends with $status, not 2"
    [ "$(wc -l <err)" -eq 1 ] || fail "'$*' complains in $(wc -l <err) lines"
    [ ! -s out ] || fail "'$*' prints: $(head -1 out)"
    has err "$text"
}

refused "are one file" run $one --json - --junit -
refused "are one file" run $one --json new.x --html ./new.x
refused "are one file" report r.json --json - --html -
# The journal of a JSON report stands beside it while the run lasts.
refused "beside.json keeps its journal in beside.jsonl" run $one --json beside.json --junit beside.jsonl
refused "beside.json keeps its journal in" run $one --html ./beside.jsonl --json beside.json
refused "'--json' needs a name" run $one --json ''
refused "'--fep' needs a name" run --fep ''
refused "'--html' needs a name" report r.json --html ''
touch old.x
ln -s old.x link.x
refused "old.x and link.x are one file" run $one --junit old.x --html link.x
refused "are one file" report r.json --junit old.x --html "$dir/old.x"
[ ! -s old.x ] || fail "a refused run writes"
$u run $one --junit link.x >out 2>&1 && [ -L link.x ] && has old.x '<?xml' || fail "a link is replaced"
ln -s /proc/self/fd/1 stdout
"$u" run $one --json - --junit stdout >out.x 2>err && fail "a link to it is not seen to be standard output"
$u run $one --json /dev/null --junit /dev/null >out 2>&1 || fail "/dev/null does not take both"

# A run that does not begin, since one of its reports has no place, leaves nothing of the others.
refused "make its folder first" run $one --json left.json --html nowhere/left.html
ls left* 2>/dev/null && fail "a refused run leaves files behind"

# What is read is no place to write: it would be lost.
cp r.json spared.json
echo 'address: 192.0.2.1' >fep.yaml
$u run $one --depth smoke --pcap-dir pcap >out 2>&1
cp pcap/*.pcapng spared.pcapng
cp spared.pcapng before.pcapng
cp fep.yaml before.yaml
refused "spared.json would be overwritten" report spared.json --html spared.json
refused "spared.json would be overwritten" report ./spared.json --junit spared.json
refused "spared.json would be overwritten" run $one --resume spared.json --html spared.json
refused "fep.yaml would be overwritten" run --fep fep.yaml --json ./fep.yaml
printf 'UET_SD sdi=5 key=%064d\n' 1 >spared.keys
cp spared.keys before.keys
printf 'address: 192.0.2.1\ntester: 192.0.2.11\nport: {interface: lo}\n' >sealed.yaml
printf 'protect: tss\nsecurity: {keys: spared.keys}\n' >>sealed.yaml
refused "spared.keys would be overwritten" run --fep sealed.yaml --html spared.keys
refused "spared.pcapng would be overwritten" check --json=spared.pcapng spared.pcapng
refused "spared.pcapng would be overwritten" check --svg ./spared.pcapng spared.pcapng
refused "spared.json would be overwritten" check --keys spared.json --json=spared.json spared.pcapng
refused "new.svg and ./new.svg are one file" check --json=new.svg --svg ./new.svg spared.pcapng
refused "--svg goes to a file" check --svg - spared.pcapng
refused "cannot be written: Is a directory" selftest --sweep --doc .
refused "are one file" selftest --sweep --doc new.x --json ./new.x
refused "write --json=out.json" check spared.pcapng --json out.json
cmp -s r.json spared.json && cmp -s spared.pcapng before.pcapng && cmp -s fep.yaml before.yaml && cmp -s spared.keys before.keys ||
    fail "a file that was to be read is overwritten"

# Who reads no more of what is printed does not take the reports away.
{
    sleep 0.5 # nobody reads any more
    "$u" run $one --json pipe.json --junit pipe.xml --html pipe.html 2>err
} | true
has err 'standard output cannot be written: Broken pipe'
has pipe.json '"complete": true'
has pipe.xml '</testsuites>'
has pipe.html '</html>'
"$u" run $one >/dev/full 2>err
has err 'standard output cannot be written: No space left on device'
ls pipe.*l.tmp pipe.json.tmp 2>/dev/null && fail "a closed pipe leaves files behind"

# With a report on standard output nothing else goes there, whatever it is called there.
for name in - stdout /proc/self/fd/1; do
    "$u" run $one --json $name >out 2>err || fail "--json $name ends with $?"
    [ "$(head -c 1 out)$(tail -c 2 out)" = '{}' ] || fail "--json $name: more than JSON"
    has err '1 test, '
done
"$u" selftest --requirement PDS-038 --json - >out 2>err || fail "selftest --json - ends with $?"
[ "$(head -c 1 out)$(tail -c 2 out)" = '{}' ] || fail "selftest --json -: more than JSON: $(cat out)"
has err 'killed'
"$u" coverage --area pds --json >out 2>err || fail "coverage --json ends with $?"
[ "$(head -c 1 out)$(tail -c 2 out)" = '{}' ] || fail "coverage --json: more than JSON"

# A closed descriptor is no place for what is printed.
for close in '>&-' '<&- >&-' '<&-' '<&- >&- 2>&-'; do
    rm -f c.json c.xml
    eval "\$u run $one --json c.json --junit c.xml --pcap-dir . $close" 2>err
    [ "$(head -c 1 c.json)$(tail -c 2 c.json)" = '{}' ] || fail "$close: more than JSON in the report"
    case $(cat c.xml) in '<?xml'*'</testsuites>') ;; *) fail "$close: more than XML" ;; esac
done
"$u" run $one --json c.json >&- 2>err && fail "what cannot be printed is not told"
has err 'standard output cannot be written'

# One writes a report at a time; who else does is told. Nobody reads the fifo: the first one waits.
mkfifo fifo
"$u" run $one --json busy.json --junit fifo >/dev/null 2>&1 &
first=$!
while kill -0 $first 2>/dev/null && [ ! -s busy.jsonl.tmp ]; do sleep 0.01; done
refused "busy.json: another run (pid $first) writes it; wait for that, or name another file" \
    run $one --json busy.json
refused "another run (pid $first) writes it" run $one --html ./busy.json
kill -KILL $first
wait $first 2>/dev/null
# The report of before does not pass for that of a run that was killed in its first test.
mv busy.jsonl.tmp busy.jsonl
cp r.json busy.json
"$u" report busy.json >out 2>err || fail "report beside a journal ends with $?"
has err "busy.jsonl is of a later run that was cut short or is under way"
"$u" report busy.jsonl >out 2>err || fail "report of a journal ends with $?"
has out "interrupted: 0 of 1 run (its journal breaks off)"
[ ! -s err ] || fail "a journal complains: $(cat err)"
$u run $one --json busy.json >out 2>&1 || fail "a run that was killed locks its report for ever"

exit $bad
