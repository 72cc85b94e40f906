#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
# uetkeys.sh BIN: key files and the key server, right and wrong.
set -u
u=$1/uetkeys uetcat=$1/uetcat gen=$1/uetgen
dir=$(mktemp -d) || exit 2
failed=0
pids=
trap 'for p in $pids; do kill "$p" 2>/dev/null; done; rm -rf "$dir"' EXIT
fail() { echo "FAILED: $*"; failed=1; }

# wrong WORDS ARGUMENT...: status 2, one line with WORDS, nothing on standard output.
wrong() {
    words=$1
    shift
    "$u" "$@" >"$dir/out" 2>"$dir/err"
    status=$?
    { [ $status -eq 2 ] && [ "$(wc -l <"$dir/err")" -eq 1 ] && [ ! -s "$dir/out" ] &&
        grep -qF -e "$words" "$dir/err"; } || fail "$* -> $status: $(cat "$dir/err")"
}
# want STATUS ARGUMENT...
want() {
    status=$1
    shift
    "$u" "$@" >"$dir/out" 2>"$dir/err"
    got=$?
    [ $got -eq "$status" ] || fail "$* -> $got, not $status: $(cat "$dir/out" "$dir/err")"
}
# until_true COMMAND...: within 5 s
until_true() {
    i=0
    while ! "$@" 2>/dev/null; do
        i=$((i + 1))
        [ $i -lt 100 ] || { fail "not within 5 s: $*"; return 1; }
        sleep 0.05
    done
}

# ---- new ----
want 0 --help
grep -q "outside of the standard" "$dir/out" || fail "--help does not say whose part this is"
for c in new serve follow status rekey epoch join leave; do
    want 0 $c --help
    grep -q '^Examples:' "$dir/out" || fail "$c --help has no examples"
done
want 0 --version
wrong "give a command"
wrong "ne is not a command (did you mean new" ne
wrong "--sid is not an option (did you mean --sdi" new --sid 1 "$dir/k"
wrong "FILE is missing" new
wrong "one FILE, not several" new a b
wrong "24 bits" new --sdi 0x1000000 "$dir/k"
wrong "mode is direct, cluster or server" new --mode secret "$dir/k"
wrong "for a domain beside jobs in clear give --jobs" new --mode beside "$dir/k"
wrong "the IV mask is derived" new --iv-mask "$dir/k"
wrong "tx names a slot without a key" new --tx 1 "$dir/k"
wrong "expected-0rtt or random-1rtt" new --start 2rtt "$dir/k"
wrong "No such file" new --append "$dir/none"
wrong "cannot be written" new "$dir/no/folder"
[ -e "$dir/k" ] && fail "what is wrong leaves a file"
want 0 new --sdi 7 "$dir/k"
[ "$(stat -c %a "$dir/k")" = 600 ] || fail "a new file is not for its owner alone"
grep -qE '^UET_SD sdi=7 an=0 key=[0-9a-f]{64}$' "$dir/k" || fail "not a key: a line is wrong"
[ -s "$dir/out" ] || [ -s "$dir/err" ] && fail "new says something"
wrong "is there already: --append" new "$dir/k"
want 0 new --sdi 7 --an 1 --append --jobs 1,2 --tx 1 --epoch 3 "$dir/k"
[ "$(grep -c '^UET_SD ' "$dir/k")" -eq 2 ] || fail "--append did not append"
grep -q '^UET_DOMAIN sdi=7 tx=1 epoch=3 jobs=1,2$' "$dir/k" || fail "UET_DOMAIN is wrong"
[ "$(cut -d= -f4 "$dir/k" | sort -u | wc -l)" -ge 2 ] || fail "two keys are the same"
wrong "several keys of AN 1 in SDI 0x000007" new --sdi 7 --an 1 --append "$dir/k"
wrong "has a line already" new --sdi 7 --tx 0 --append "$dir/k"
want 0 new --mode direct --iv-mask --ssi-mode yes --ssi 9 "$dir/direct"
grep -qE 'iv_mask=[0-9a-f]{24}$' "$dir/direct" || fail "--iv-mask made none"
# A packet sealed with that key opens, and no other.
key=$(sed -n 's/^UET_SD.* an=1 .*key=//p' "$dir/k")
packet=$("$gen" packet "eth/ip/udp/tss(sdi=7,an=1,counter=7,mode=cluster,key=$key)/pds.cp.close(psn=7)")
"$uetcat" decode --keys "$dir/k" "$packet" | grep -q CLOSE_COMMAND || fail "the key opens nothing"

# ---- the server ----
s=unix:$dir/sock
wrong "give --control unix:PATH" serve
wrong "keys go over no network" serve --control tcp:127.0.0.1:4700
wrong "give a time" serve --control "$s" --every 10
wrong "leave it out" serve --control "$s" --every 0s
wrong "cannot be written: No such file" serve --control "$s" --keylog "$dir/no/log"
wrong "belong together" serve --control "$s" --mode server
wrong "is given twice" serve --control "$s" --member a --member a
wrong "start is expected-0rtt or random-1rtt" serve --control "$s" --start 2rtt
wrong "there is no such folder" serve --control "unix:$dir/no/sock"
wrong "is \`uetkeys serve" status --control "$s"
wrong "give one NAME" join --control "$s"
wrong "it takes no NAME" rekey --control "$s" a
wrong "give --name NAME" follow --control "$s" "$dir/a"

"$u" serve --control "$s" --sdi 5 --ssi --member a --member b --settle 100ms --answer 1s \
    --keylog "$dir/keylog" >"$dir/serve.out" 2>"$dir/serve.err" &
server=$!
pids=$server
until_true grep -q ready "$dir/serve.out"
[ "$(stat -c %a "$dir/sock")" = 700 ] || [ "$(stat -c %a "$dir/sock")" = 600 ] ||
    fail "others can use the socket: $(stat -c %a "$dir/sock")"
want 0 status --control "$s"
grep -q "a, ssi 1: not connected" "$dir/out" || fail "status: $(cat "$dir/out")"
for m in a b; do
    "$u" follow --control "$s" --name $m "$dir/$m" >"$dir/$m.out" 2>"$dir/$m.err" &
    eval "$m=$!"
    pids="$pids $!"
done
until_true test -s "$dir/a" && until_true test -s "$dir/b"
[ "$(stat -c %a "$dir/a")" = 600 ] || fail "a member's file is not for its owner alone"
grep -q '^UET_DOMAIN sdi=0x000005 tx=0 epoch=0 ssi=1$' "$dir/a" || fail "a: $(grep DOMAIN "$dir/a")"
grep -q ' ssi=2$' "$dir/b" || fail "b has not its own SSI"
[ "$(grep UET_SD "$dir/a")" = "$(grep UET_SD "$dir/b")" ] || fail "a and b have different keys"
first=$(sed -n 's/^UET_SD.*key=//p' "$dir/a")
want 1 follow --control "$s" --name a --once "$dir/twice"
grep -q "somebody follows a already" "$dir/err" || fail "two follow a: $(cat "$dir/err")"
want 1 follow --control "$s" --name c --once "$dir/c"
grep -q "c is no member" "$dir/err" || fail "a stranger: $(cat "$dir/err")"
[ -e "$dir/c" ] && fail "a stranger has got a file"

want 0 rekey --control "$s"
grep -q "slot 1, epoch 0" "$dir/out" || fail "rekey: $(cat "$dir/out")"
grep -q "a, ssi 1: has all" "$dir/out" || fail "rekey: $(cat "$dir/out")"
[ "$(sed -n 's/^uetkeys: .*: //p' "$dir/a.out" | tail -3 | tr '\n' ' ')" = "load switch retire " ] ||
    fail "the steps at a: $(cat "$dir/a.out")"
grep -q "$first" "$dir/a" "$dir/b" && fail "the old key is still there"
grep -qE '^UET_SD sdi=0x000005 an=1 ' "$dir/a" || fail "no key in slot 1"
want 0 epoch --control "$s"
grep -q 'tx=1 epoch=1 ' "$dir/b" || fail "epoch: $(grep DOMAIN "$dir/b")"
want 0 join --control "$s" a # has come back without its counters
grep -q 'tx=1 epoch=2 ' "$dir/b" || fail "a came back: $(grep DOMAIN "$dir/b")"
want 0 join --control "$s" c
want 0 follow --control "$s" --name c --once "$dir/c"
grep -q 'tx=1 epoch=2 ssi=3$' "$dir/c" || fail "c: $(grep DOMAIN "$dir/c")"
second=$(sed -n 's/^UET_SD.*key=//p' "$dir/b")
want 0 leave --control "$s" b
wait "$b"
[ $? -eq 1 ] || fail "b follows on after it has left"
[ -e "$dir/b" ] && fail "b kept its file"
grep -q "$second" "$dir/a" && fail "b's key is still good"
grep -q 'tx=0 epoch=0 ' "$dir/a" || fail "leave: $(grep DOMAIN "$dir/a")"
want 1 leave --control "$s" b
grep -q "there is no such member" "$dir/err" || fail "leave twice: $(cat "$dir/err")"
want 0 status --control "$s" --json
grep -q '"step":"idle"' "$dir/out" || fail "--json: $(cat "$dir/out")"
[ "$(grep -c '^UET_SD ' "$dir/keylog")" -eq 3 ] || fail "the key log has not 3 keys"
grep -q "key=$first" "$dir/keylog" && grep -q "key=$second" "$dir/keylog" || fail "key log: a key is missing"
[ "$(stat -c %a "$dir/keylog")" = 600 ] || fail "the key log is for others, too"

# A member that does not answer is told, and holds nobody up.
kill -STOP "$a"
want 1 rekey --control "$s"
grep -q "a, ssi 1: has not said" "$dir/out" || fail "a silent member: $(cat "$dir/out")"
kill -CONT "$a"
until_true grep -q ' an=1 ' "$dir/a"

# What is no request is answered, and harms nobody.
if command -v socat >/dev/null; then
    for line in '{"id":4,"verb":"jump"}' '{"id":4,"verb":"status","x":1}' '[]' '{' \
        '{"id":4,"verb":"has","news":1}' '{"id":4,"verb":"join","name":7}'; do
        echo "$line" | socat -t 1 - "UNIX-CONNECT:$dir/sock" >"$dir/out"
        grep -q '"ok":false,"error":' "$dir/out" || fail "$line -> $(cat "$dir/out")"
    done
    head -c 9000 /dev/zero | tr '\0' x | socat -t 1 - "UNIX-CONNECT:$dir/sock" >"$dir/out"
    grep -q 'at most 8191 bytes' "$dir/out" || fail "a long line -> $(cat "$dir/out")"
fi
wrong "another program listens there" serve --control "$s"

kill -INT "$server"
wait "$server"
[ $? -eq 0 ] || fail "Ctrl-C: the server does not end with 0"
[ -e "$dir/sock" ] && fail "the socket is left"
wait "$a"
[ $? -eq 1 ] || fail "a does not end with 1 when the server has gone"
grep -q "stays as it is" "$dir/a.err" || fail "a: $(cat "$dir/a.err")"
[ -s "$dir/a" ] || fail "a's file is gone with the server"

# By itself, on a schedule.
"$u" serve --control "$s" --member a --every 300ms --settle 20ms >"$dir/every.out" 2>/dev/null &
server=$!
pids="$pids $server"
until_true grep -q ready "$dir/every.out"
# A file of its own: what stands in a.out from before would be taken for this one's.
"$u" follow --control "$s" --name a "$dir/every" >"$dir/every.a.out" 2>"$dir/every.a.err" &
a=$!
pids="$pids $a"
until_true sh -c '[ "$(grep -c retire "$1")" -ge 2 ]' sh "$dir/every.a.out"
kill -INT "$a"
wait "$a"
[ $? -eq 0 ] || fail "Ctrl-C: follow does not end with 0: $(cat "$dir/every.a.err")"
kill -TERM "$server"
wait "$server"
[ $? -eq 0 ] || fail "SIGTERM: the server does not end with 0"

# No key in anything that was said.
cat "$dir"/*.out "$dir"/*.err >"$dir/said"
for k in $first $second $(sed -n 's/.*key=\([0-9a-f]*\).*/\1/p' "$dir/keylog" "$dir/every" "$dir/k"); do
    grep -qiF "$(echo "$k" | cut -c1-16)" "$dir/said" && fail "a key was said"
done
exit $failed
