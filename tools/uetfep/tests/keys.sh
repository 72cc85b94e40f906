#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
# keys.sh BIN FIND-KEYS SAY: two FEPs over UDP of the kernel whose keys come from `uetkeys serve` and
# rotate all the time, while `uetconform ut-check` drives all there is between them; one of them is
# killed and started again in between. No packet is lost to a key, and no key is in anything that
# they say, write down or leave behind.
set -u
bin=$1 find=$2 say=$3
dir=$(mktemp -d) || exit 2
failed=0 pids=
trap 'for p in $pids; do kill "$p" 2>/dev/null; done; rm -rf "$dir"' EXIT
fail() { echo "FAILED: $*"; failed=1; }
until_true() {
    i=0
    while ! "$@" 2>/dev/null; do
        i=$((i + 1))
        [ $i -lt 200 ] || { fail "not within 10 s: $*"; return 1; }
        sleep 0.05
    done
}
mkdir "$dir/said" "$dir/keys" "$dir/run"
cd "$dir/run" || exit 2 # where a core would be
ulimit -c unlimited 2>/dev/null
s=unix:$dir/keys.sock
"$bin/uetkeys" serve --control "$s" --member a --member b --settle 100ms --every 400ms \
    --keylog "$dir/keys/log" >"$dir/said/serve.out" 2>"$dir/said/serve.err" &
server=$!
pids="$pids $server"
until_true grep -q ready "$dir/said/serve.out"

# fep NAME ADDRESS: with its key file, from the server. Its domain serves all jobs, so that nothing goes
# in clear although it might (--protect none), which the counters show in the end.
fep() {
    "$bin/uetfep" --udp --address "$2" --bare --stats --protect none --keys "$dir/keys/$1" --used "$dir/said/$1.used" \
        --control "unix:$dir/$1.sock" >"$dir/said/$1.out" 2>"$dir/said/$1.err" &
    eval "$1=$!"
    pids="$pids $!"
    until_true grep -q ready "$dir/said/$1.out"
}
for m in a b; do
    "$bin/uetkeys" follow --control "$s" --name $m "$dir/keys/$m" >"$dir/said/follow.$m" 2>&1 &
    pids="$pids $!"
    until_true test -s "$dir/keys/$m"
done
fep a 127.0.0.71
fep b 127.0.0.72
check() {
    "$bin/uetconform" ut-check --control "$dir/a.sock" --peer "$dir/b.sock" --verbose --no-tests \
        --json "$dir/said/$1.json" >"$dir/said/$1.out" 2>"$dir/said/$1.err"
    [ $? -eq 0 ] || fail "ut-check $1: $(cat "$dir/said/$1.out" "$dir/said/$1.err")"
}
check first
sleep 0.9 # at least one re-key while nothing goes
check second

# Killed in mid-stream, and started again with the same file of used counters.
kill -ABRT "$a"
wait "$a" 2>/dev/null
mv "$dir/said/a.out" "$dir/said/a.first"
fep a 127.0.0.71
check third
kill -TERM "$a" "$b"
wait "$a" || fail "a: $(cat "$dir/said/a.err")"
wait "$b" || fail "b: $(cat "$dir/said/b.err")"
kill -TERM "$server"
wait "$server" || fail "serve: $(cat "$dir/said/serve.err")"

n=$(grep -c ': switch:' "$dir/said/serve.out")
[ "$n" -ge 2 ] || fail "only $n re-keys: $(cat "$dir/said/serve.out")"
for f in a b; do
    grep -q 'has changed' "$dir/said/$f.out" || fail "$f has seen no change of its keys"
    grep -qE '^out_auth_pkts +[1-9]' "$dir/said/$f.out" || fail "$f has sealed nothing"
    grep -E '^(in_auth_fail_pkts|in_invalid|in_invalid_sa|in_late_pkts|in_errored_pkts|out_rx_encryption_bypass_pkts|out_errored_pkts) ' \
        "$dir/said/$f.out" && fail "$f has lost packets to its keys, or sent some in clear"
    grep -q . "$dir/said/$f.err" && fail "$f complains: $(cat "$dir/said/$f.err")"
done
# The keys of a run of the suite, and the settings of its FEP: one domain of them for a FEP, as it is.
"$bin/uetconform" run --fep ref --secure=cluster-ssi --depth smoke --test tss.3.7.11.own-ssi --quiet \
    --pcap-dir "$dir/keys/run" >"$dir/out" 2>&1 || fail "the sealed run: $(cat "$dir/out")"
run=$dir/keys/run/keys.txt
"$bin/uetfep" --udp --address 127.0.0.73 --keys "$run" --used none >"$dir/said/all.out" 2>"$dir/said/all.err"
[ $? -eq 2 ] || fail "as many domains as no FEP has"
grep -q '^uetfep: .* one too many for this FEP: .*--sdi' "$dir/said/all.err" || fail "all: $(cat "$dir/said/all.err")"
"$bin/uetfep" --udp --address 127.0.0.73 --keys "$run" --sdi 1 --used none >"$dir/said/one.out" 2>"$dir/said/one.err" &
one=$!
pids="$pids $one"
until_true grep -q ready "$dir/said/one.out"
sed 's/ ssi=0x9e000007/ ssi=9/' "$run" >"$dir/keys/ours"
"$bin/uetcat" ping -c 1 -W 10 --keys "$dir/keys/ours" --pcap "$dir/said/one.pcapng" 127.0.0.73 >"$dir/said/ping" 2>&1 ||
    fail "no answer under the keys of a run: $(cat "$dir/said/ping" "$dir/said/one.err")"
"$bin/uetcat" decode "$dir/said/one.pcapng" | grep '127.0.0.73 > ' | grep -q ' ssi=0x9e000007 ' ||
    fail "not the SSI of the run's FEP: $("$bin/uetcat" decode "$dir/said/one.pcapng")"
kill -TERM "$one"
wait "$one" || fail "one: $(cat "$dir/said/one.err")"
"$find" "$run" "$dir/said" >"$dir/out" || fail "a key of the run was said: $(cat "$dir/out")"

# A key whose counters are all used up is told, once.
printf 'UET_SD sdi=5 key=%064d\nUET_DOMAIN sdi=5 counter_limit=1\n' 1 >"$dir/keys/short"
printf 'UET_SD sdi=5 key=%064d\n' 1 >"$dir/keys/long"
chmod 600 "$dir/keys/short" "$dir/keys/long"
"$bin/uetfep" --udp --address 127.0.0.74 --bare --keys "$dir/keys/short" --used none >"$dir/said/short.out" 2>"$dir/said/short.err" &
short=$!
pids="$pids $short"
until_true grep -q ready "$dir/said/short.out"
"$bin/uetcat" ping -c 3 -W 1 --keys "$dir/keys/long" 127.0.0.74 >"$dir/said/pings" 2>&1
kill -TERM "$short"
wait "$short" || fail "short: $(cat "$dir/said/short.err")"
[ "$(grep -c 'AN 0 in domain 0x000005 are used up: it seals nothing until .* names another key' "$dir/said/short.err")" -eq 1 ] ||
    fail "a key that is used up is not told once: $(cat "$dir/said/short.err" "$dir/said/pings")"

# The same of a key that a verb has brought, where the one of the file is good for long: another one is to
# come from where that came from.
printf 'UET_SD sdi=6 key=%064d\nUET_DOMAIN sdi=6 jobs=7\n' 2 >"$dir/keys/other"
chmod 600 "$dir/keys/other"
"$bin/uetfep" --udp --address 127.0.0.75 --bare --keys "$dir/keys/other" --used none --control "unix:$dir/verb.sock" \
    >"$dir/said/verb.out" 2>"$dir/said/verb.err" &
verb=$!
pids="$pids $verb"
until_true grep -q ready "$dir/said/verb.out"
"$say" "$dir/verb.sock" >"$dir/said/say" 2>&1 <<LINES || fail "install_domain: $(cat "$dir/said/say")"
{"verb":"install_domain","sdi":5,"key":"$(printf %064d 1)"}
{"verb":"advance_counter","sdi":5,"counter":"0xffffffffffff"}
LINES
"$bin/uetcat" ping -c 3 -W 1 --keys "$dir/keys/long" 127.0.0.75 >"$dir/said/pings" 2>&1
kill -TERM "$verb"
wait "$verb" || fail "verb: $(cat "$dir/said/verb.err")"
[ "$(cat "$dir/said/verb.err")" = "uetfep: all counters of the key of AN 0 in domain 0x000005 are used up: it seals nothing until install_domain brings another key" ] ||
    fail "a key of a verb that is used up is not told so, once: $(cat "$dir/said/verb.err" "$dir/said/pings")"

# A key file from which no FEP can tell its key; and one that goes is told, and its keys are kept.
printf 'UET_SD sdi=5 key=%064d\nUET_SD sdi=5 an=0 key=%064d\n' 1 2 >"$dir/keys/both"
cp "$dir/keys/long" "$dir/keys/gone"
chmod 600 "$dir/keys/both" "$dir/keys/gone"
"$bin/uetfep" --udp --address 127.0.0.76 --bare --keys "$dir/keys/both" --used none >"$dir/said/both" 2>&1
[ $? -eq 2 ] || fail "one of two keys is taken"
grep -q 'domain 0x000005 has several keys of AN 0' "$dir/said/both" || fail "two keys: $(cat "$dir/said/both")"
"$bin/uetcat" ping -c 1 -W 1 --keys "$dir/keys/both" 127.0.0.76 >"$dir/said/both" 2>&1
[ $? -eq 2 ] || fail "uetcat takes one of two keys"
grep -q 'SDI 0x000005 has several keys of AN 0' "$dir/said/both" || fail "two keys: $(cat "$dir/said/both")"
"$bin/uetfep" --udp --address 127.0.0.76 --bare --keys "$dir/keys/gone" --used none >"$dir/said/gone.out" 2>"$dir/said/gone.err" &
gone=$!
pids="$pids $gone"
until_true grep -q ready "$dir/said/gone.out"
rm "$dir/keys/gone"
until_true grep -q '^uetfep: --keys: .*/gone: No such file' "$dir/said/gone.err"
"$bin/uetcat" ping -c 1 -W 10 --keys "$dir/keys/long" 127.0.0.76 >"$dir/said/pings" 2>&1 ||
    fail "with its file a FEP loses its keys: $(cat "$dir/said/pings" "$dir/said/gone.err")"
kill -TERM "$gone"
wait "$gone" || fail "gone: $(cat "$dir/said/gone.err")"

[ -z "$(ls)" ] || fail "a FEP with keys leaves a core: $(ls)"
"$find" "$dir/keys/log" "$dir/said" >"$dir/out" || fail "a key was said: $(cat "$dir/out")"
"$find" "$dir/keys/log" "$dir/keys/log" >/dev/null && fail "the search finds nothing"
echo "$n re-keys, $(head -1 "$dir/out")"
exit $failed
