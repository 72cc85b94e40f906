#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
# secrets.sh BIN FIND-KEYS [OPTION...]: no byte of a key in what programs with keys say and leave: output,
# reports, captures, and cores, where this machine makes some. The options are of the run of the suite.
set -u
bin=$1 find=$2
shift 2
dir=$(mktemp -d) || exit 2
failed=0
trap 'rm -rf "$dir"' EXIT
fail() { echo "FAILED: $*"; failed=1; }
umask 077
mkdir "$dir/said" "$dir/cores" "$dir/leaks"
keys=$dir/keys
"$bin/uetkeys" new --sdi 1 "$keys" && "$bin/uetkeys" new --sdi 2 --mode direct --append "$keys" ||
    fail "no keys"
n=0
# say COMMAND...: what it says is kept
say() {
    n=$((n + 1))
    "$@" >"$dir/said/$n.out" 2>"$dir/said/$n.err"
}
key() { sed -n "s/^UET_SD sdi=$1 .*key=//p" "$keys"; }

# What is looked for would be found: in digits of both cases, and as bytes.
"$find" "$keys" "$keys" >"$dir/out" && fail "the search finds no digits"
tr a-f A-F <"$keys" >"$dir/leaks/capital"
{ printf x; key 1 | sed 's/../\\x&/g' | xargs -0 printf '%b'; } >"$dir/leaks/bytes"
"$find" "$keys" "$dir/leaks" >"$dir/out"
grep -q "leaks/capital: capital digits" "$dir/out" || fail "the search finds no capital digits"
grep -q "leaks/bytes: bytes of a key at 1$" "$dir/out" || fail "the search finds no bytes: $(cat "$dir/out")"

# A capture of sealed packets, and all that is said of it.
for sdi in 1 2; do
    mode=$([ $sdi = 1 ] && echo cluster || echo direct)
    say "$bin/uetgen" packet "eth/ip/udp/tss(sdi=$sdi,counter=7..9,mode=$mode,key=$(key $sdi))/pds.rud_req(spdcid=7,dpdcid=9,psn=5,ar=1)/ses.std(opcode=write)/data(64)" \
        -o "$dir/said/$sdi.pcapng" || fail "uetgen: $(cat "$dir/said/$n.err")"
    for how in "" --json --all --verbose; do
        # shellcheck disable=SC2086
        say "$bin/uetcat" decode $how --keys "$keys" "$dir/said/$sdi.pcapng"
        # shellcheck disable=SC2086
        say "$bin/uetconform" check $how --keys "$keys" "$dir/said/$sdi.pcapng"
    done
done
"$bin/uetcat" decode --keys "$keys" "$dir/said/1.pcapng" | grep -q WRITE || fail "nothing was opened"
# Key files that are wrong in each column, and one that all can read.
for change in 's/key=/key=00/' 's/key=./key=/' 's/key=/kye=/' 's/sdi=1 /sdi=x /' 's/an=0/an=2/' \
    's/mode=direct/mode=cluster iv_mask=000102030405060708090a0b/' 's/ key=/ key /' 's/$/ jobs=1/'; do
    sed "$change" "$keys" >"$dir/wrong"
    say "$bin/uetcat" decode --keys "$dir/wrong" "$dir/said/1.pcapng" &&
        fail "uetcat takes $change"
    say "$bin/uetconform" check --keys "$dir/wrong" "$dir/said/1.pcapng"
    say "$bin/uetkeys" new --append --sdi 3 "$dir/wrong"
done
chmod 644 "$keys"
say "$bin/uetcat" decode --keys "$keys" "$dir/said/1.pcapng"
chmod 600 "$keys"
say "$bin/uetkeys" new --sdi 1 --an 0 --mode none --append "$keys"
rm -f "$dir/wrong"
"$find" "$keys" "$dir/said" >"$dir/out" || fail "what was said: $(cat "$dir/out")"
head -1 "$dir/out"

# A whole run of the suite against a sealed FEP: reports, and a capture of each test. Its keys lie
# beside the captures, on purpose, and in no other file.
umask 022
"$bin/uetconform" run --fep ref --secure --depth smoke "$@" --json "$dir/said/run.json" \
    --html "$dir/said/run.html" --junit "$dir/said/run.xml" --pcap-dir "$dir/said/pcap" \
    >"$dir/said/run.out" 2>"$dir/said/run.err" || fail "the secured run: $(tail -3 "$dir/said/run.out")"
umask 077
[ "$(stat -c %a "$dir/said/pcap/keys.txt")" = 600 ] || fail "others can read the keys of a secured run"
mv "$dir/said/pcap/keys.txt" "$dir/run.keys" || fail "the secured run left no keys beside its captures"
"$find" "$dir/run.keys" "$dir/said" >"$dir/out" || fail "a secured run: $(head -5 "$dir/out")"
tail -1 "$dir/out"
rm -rf "$dir/said/pcap"

# ---- cores ----
cd "$dir/cores" || exit 2
ulimit -c unlimited 2>/dev/null
case $(cat /proc/sys/kernel/core_pattern) in
*/* | '|'*) echo "cores: skipped, they go elsewhere here" ;;
*)
    "$find" --leak "$keys" >/dev/null 2>&1
    if [ -z "$(ls)" ]; then
        echo "cores: skipped, this machine makes none"
    else
        "$find" "$keys" . >"$dir/out" && fail "the search finds nothing in a core with a key"
        rm -f ./*
        # Programs with keys leave no core, however they end.
        mkfifo "$dir/fifo"
        "$bin/uetcat" decode --keys "$keys" "$dir/fifo" >"$dir/out" 2>&1 &
        pid=$!
        exec 3>"$dir/fifo" # done when it has opened the other end
        sleep 0.3
        kill -ABRT $pid
        exec 3>&-
        wait $pid 2>/dev/null
        "$bin/uetkeys" serve --control "unix:$dir/sock" --keylog "$dir/keylog" >"$dir/out" 2>&1 &
        pid=$!
        until [ -s "$dir/keylog" ] || ! kill -0 $pid 2>/dev/null; do sleep 0.05; done
        kill -ABRT $pid
        wait $pid 2>/dev/null
        [ -s "$dir/keylog" ] || fail "uetkeys serve did not begin: $(cat "$dir/out")"
        [ -z "$(ls)" ] || fail "there is a core: $(ls)"
    fi
    ;;
esac
exit $failed
