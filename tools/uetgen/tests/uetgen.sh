#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
# uetgen as typed: packets, lists, corpus, scenarios; exit statuses and complaints.
#   uetgen.sh PATH-OF-UETGEN PATH-OF-UETCAT
set -u
uetgen=$1
uetcat=$2
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
failures=0

fail() {
    echo "FAILED: $1" >&2
    failures=$((failures + 1))
}

# want STATUS ARGUMENT...: runs uetgen; output and complaints go to $dir/out and $dir/err.
want() {
    status=$1
    shift
    "$uetgen" "$@" </dev/null >"$dir/out" 2>"$dir/err"
    got=$?
    [ $got = "$status" ] || fail "uetgen $*: exit status $got, not $status: $(cat "$dir/err")"
}
err() {
    grep -qF -- "$1" "$dir/err" || fail "no '$1' in: $(cat "$dir/err")"
}
out() {
    grep -qF -- "$1" "$dir/out" || fail "no '$1' in: $(head -c 400 "$dir/out")"
}

# ---- packets: bytes written by hand ----
want 0 packet 'pds.cp.close(psn=7)'
[ "$(cat "$dir/out")" = 5a000000000000071001200100000000 ] || fail "not $(cat "$dir/out")"
want 0 packet 'pds.nack(nack_psn=1..3)' --hex --repeat 2
[ "$(wc -l <"$dir/out")" = 6 ] || fail "three packets twice are not $(wc -l <"$dir/out")"
want 0 packet --json 'eth/ip/udp(!length=3)/pds.nack'
for part in '"wrong":true' '"line":"eth/ip/udp(!length=3)/pds.nack"' '"header":"nack"' '"hex":"02'; do
    out "$part"
done

# ---- captures: as many packets as asked, at the times asked, and back to the line ----
line='eth/ip/udp/pds.rud_req(syn=1,psn=5)/ses.std/data(64)/crc'
want 0 packet "$line" -o "$dir/a.pcapng" --repeat 1000 --interval 2us
"$uetcat" decode --as-spec "$dir/a.pcapng" >"$dir/lines"
[ "$(sort -u "$dir/lines")" = "$line" ] || fail "told back as $(sort -u "$dir/lines")"
[ "$(wc -l <"$dir/lines")" = 1000 ] || fail "$(wc -l <"$dir/lines") packets, not 1000"
"$uetcat" decode "$dir/a.pcapng" | tail -1 | grep -q '^ *1000 0.001998 ' ||
    fail "last: $("$uetcat" decode "$dir/a.pcapng" | tail -1)"
"$uetgen" packet "$line" -o - >"$dir/b.pcapng" || fail "no capture on standard output"
want 0 packet "$line" -o "$dir/c.pcapng"
cmp "$dir/b.pcapng" "$dir/c.pcapng" || fail "-o - and -o FILE differ"
want 0 packet 'eth/ip/udp/pds.nack(nack_psn=1..2)' --comment -o "$dir/d.pcapng"
"$uetcat" decode --json "$dir/d.pcapng" | grep -qF 'nack_psn=2)"' || fail "no comment with its line"

# ---- a key is in no comment ----
key=000102030405060708090a0b0c0d0e0f101112131415161718191a1b1c1d1e1f
want 0 packet "eth/ip/udp/!tss(key=$key)/!pds.nack" --comment -o "$dir/key.pcapng"
grep -aq 000102030405 "$dir/key.pcapng" && fail "the key stands in the capture"
grep -aqF 'tss(key=..)' "$dir/key.pcapng" || fail "no comment in the capture"

# ---- complaints ----
want 2 packet 'eth/ip/udp/pds.rud_rq(psn=5)'
[ "$(cat "$dir/err")" = 'uetgen: pds.rud_rq: no such header (did you mean pds.rud_req, pds.rod_req or pds.rudi_req?)
  eth/ip/udp/pds.rud_rq(psn=5)
             ^~~~~~~~~~' ] || fail "another complaint: $(cat "$dir/err")"
want 2 packet 'eth/ip/udp(length=3)' -o "$dir/none.pcapng"
[ -e "$dir/none.pcapng" ] && fail "a refused line leaves a file"
want 2 packet --limit 10 'pds.nack(nack_psn=1..11)'
err 'more than 10 packets'
want 2 packet pds.nack -o "$dir/none.pcapng"
err 'begin the line with eth/'
want 2 packet
err 'give one line'
want 2 packet --repeat 0 pds.nack
err "--repeat '0'"
want 2 packet --interval soon pds.nack
err "--interval 'soon'"
want 2 packet --frobnicate pds.nack
err '--frobnicate is not an option'
want 2 packet eth/ip/udp/pds.nack -o "$dir/no/such.pcapng"
want 2 frobnicate
want 2
if [ -e /dev/full ]; then
    want 1 packet eth/ip/udp/pds.nack --repeat 100000 -o /dev/full
    "$uetgen" packet pds.nack >/dev/full 2>"$dir/err"
    [ $? = 1 ] || fail "a full disk looks like success"
fi

# ---- lists ----
want 0 list
out 'pds.rud_req'
want 0 list pds.cp.probe
out 'sack_base_psn'
want 2 list pds.cp.prob
err 'did you mean pds.cp.probe'

# ---- the corpus: the manifest counts what is in the captures ----
want 0 corpus "$dir/corpus"
packets=$(grep -c '"frame":' "$dir/corpus/manifest.json")
[ "$packets" -gt 4000 ] || fail "only $packets packets in the corpus"
decoded=0
for f in "$dir"/corpus/*.pcapng; do
    decoded=$((decoded + $("$uetcat" decode "$f" | grep -cE '^ *[0-9]+ [0-9]+\.')))
done
[ "$decoded" = "$packets" ] || fail "$decoded packets in captures, $packets in the manifest"
want 0 corpus --valid --all "$dir/valid"
[ "$(find "$dir/valid" -type f | wc -l)" = 2 ] || fail "--all makes $(find "$dir/valid" -type f)"
"$uetcat" decode "$dir/valid/all.pcapng" >"$dir/out"
grep ' ! ' "$dir/out" | head -3 >"$dir/bad"
[ -s "$dir/bad" ] && fail "valid packets that do not parse: $(cat "$dir/bad")"
grep -q '"valid":false' "$dir/valid/manifest.json" && fail "--valid has wrong packets"
want 2 corpus
want 2 corpus "$dir/no/such/place"

# ---- scenarios ----
want 0 scenario list
out 'paper-write'
out 'Not yet:'
for s in $("$uetgen" scenario list -q); do
    want 0 scenario "$s" -o "$dir/s.pcapng"
    "$uetcat" decode "$dir/s.pcapng" >"$dir/out" || fail "$s does not decode: $(cat "$dir/out")"
done
want 0 scenario lost-request
[ "$(grep -c '# lost here' "$dir/out")" = 1 ] || fail "one packet should be lost: $(cat "$dir/out")"
want 2 scenario tagged
err 'no rendezvous or deferrable sends'
want 2 scenario frobnicate
err "no scenario 'frobnicate'"

# ---- help ----
for c in packet corpus scenario list; do
    want 0 $c --help
    out 'Examples:'
done
want 0 --help
want 0 --version

[ $failures = 0 ] || exit 1
echo "all passed"
