#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
# uetcat craft, and decode as its way back: lines, headers alone, what is refused.
#   craft.sh PATH-OF-UETCAT
set -u
uetcat=$1
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
failures=0

fail() {
    echo "FAILED: $1" >&2
    failures=$((failures + 1))
}

# want STATUS ARGUMENT...: runs uetcat; output and complaints go to $dir/out and $dir/err.
want() {
    status=$1
    shift
    "$uetcat" "$@" </dev/null >"$dir/out" 2>"$dir/err"
    got=$?
    [ $got = "$status" ] || fail "uetcat $*: exit status $got, not $status: $(cat "$dir/err")"
}
out() {
    [ "$(cat "$dir/out")" = "$1" ] || fail "not '$1' but: $(cat "$dir/out")"
}
err() {
    grep -qF -- "$1" "$dir/err" || fail "no '$1' in: $(cat "$dir/err")"
}

# ---- a line to bytes written by hand, and back ----
close=5a0000000000000710012001
want 0 craft 'pds.cp.close(psn=7)'
out "${close}00000000"
want 0 decode --pds --as-spec "${close}00000000"
out 'pds.cp.close_command(psn=7)'
want 0 craft 'pds.nack(nack_psn=1..3)'
[ "$(wc -l <"$dir/out")" = 3 ] || fail "three packets, not $(cat "$dir/out")"

# ---- through a capture ----
line='eth/ip/udp/pds.rud_req(syn=1,psn=5)/ses.std(opcode=send)/data(64)/crc'
want 0 craft "$line" -o "$dir/a.pcapng"
[ -s "$dir/out" ] && fail "a capture was written, and hex too"
want 0 decode --as-spec "$dir/a.pcapng"
out "$line"
want 2 craft 'pds.nack' -o "$dir/b.pcapng"
err 'begin the line with eth/'

# ---- sealed with the keys of a file ----
umask 077
sd='UET_SD sdi=0x000007 an=0 mode=cluster key=000102030405060708090a0b0c0d0e0f101112131415161718191a1b1c1d1e1f'
echo "$sd" >"$dir/keys"
printf 'UET_DOMAIN sdi=7 ssi=9\n%s\n' "$sd" >"$dir/ssi"
sealed='eth/ip/udp/tss(sdi=7,epoch=1,counter=1..3)/pds.cp.close(psn=7)'
want 0 craft --keys "$dir/keys" "$sealed" -o "$dir/sealed.pcapng"
want 0 decode --keys "$dir/keys" "$dir/sealed.pcapng"
[ "$(grep -c ' TSS sdi=0x000007 an=0 epoch=1 .* CLOSE_COMMAND ' "$dir/out")" = 3 ] ||
    fail "they do not open: $(cat "$dir/out")"
want 0 decode "$dir/sealed.pcapng"
grep -q CLOSE_COMMAND "$dir/out" && fail "something is in clear: $(cat "$dir/out")"
# The same as with the key in the line, which then needs no file.
want 0 craft --keys "$dir/keys" 'eth/ip/udp/tss(sdi=7)/pds.nack'
bytes=$(cat "$dir/out")
want 0 craft "eth/ip/udp/tss(sdi=7,mode=cluster,key=${sd##*key=})/pds.nack"
out "$bytes"
# Bytes that are sealed stay as they are.
want 0 craft --keys "$dir/keys" 'eth/ip/udp/tss(sdi=8)/data(32)'
want 2 craft --keys "$dir/keys" 'eth/ip/udp/tss(sdi=8)/pds.nack'
err 'no key for SDI 0x000008 and AN 0'
want 2 craft --keys "$dir/keys" 'eth/ip/udp/tss(sdi=7,an=1)/pds.nack'
err 'no key for SDI 0x000007 and AN 1'
want 2 craft --keys "$dir/keys" 'eth/ip/udp/tss(sdi=7..8)/pds.nack'
err 'sealed in one way'
want 2 craft --keys "$dir/ssi" 'eth/ip/udp/tss(sdi=7)/pds.nack'
err 'carry an SSI'
want 0 craft --keys "$dir/ssi" 'eth/ip/udp/tss(sdi=7,ssi=9)/pds.nack' -o "$dir/ssi.pcapng"
want 0 decode --keys "$dir/ssi" "$dir/ssi.pcapng"
grep -q ' NACK ' "$dir/out" || fail "with an SSI it does not open: $(cat "$dir/out")"
want 2 craft --keys "$dir/no" 'pds.nack'
err "$dir/no"
want 2 craft --keys "$dir/keys" --header nack
err 'not both'

# ---- one header ----
want 0 craft --header nack '{"nack_code":14,"nack_psn":7,"dpdcid":4097}'
out 50000e00000000070000100100000000
want 0 craft --header nack nack_code=inv_dpdcid,nack_psn=7,dpdcid=0x1001
out 50000e00000000070000100100000000
want 0 decode --header nack 5000 0e00 0000 0007 0000 1001 0000 0000 --json
out '{"header":"nack","fields":{"type":10,"next_hdr":0,"flags.rsvd[6]":0,"flags.m":0,'\
'"flags.retx":0,"flags.nt":0,"flags.rsvd[2:0]":0,"nack_code":14,"vendor_code":0,"nack_psn":7,'\
'"spdcid":0,"dpdcid":4097,"payload":0}}'
json=$(cat "$dir/out")
want 0 craft --header nack "$json"
out 50000e00000000070000100100000000
want 0 decode --header nack 50000e00000000070000100100000000
grep -q 'UET_INV_DPDCID (14)' "$dir/out" || fail "no name of the code: $(cat "$dir/out")"

# ---- JSON: a line for each packet ----
want 0 craft --json 'pds.nack(nack_psn=1..2)'
[ "$(wc -l <"$dir/out")" = 2 ] || fail "not two lines: $(cat "$dir/out")"
grep -qE '^\{"number":2,"length":16,"data":"5[0-9a-f]{7}00000002[0-9a-f]{16}"\}$' "$dir/out" || fail "JSON: $(cat "$dir/out")"
want 2 craft --json -o "$dir/x.pcapng" 'eth/ip/udp/pds.nack'
err 'give -o or --json, not both'

# ---- what is refused: status 2, the sentence, the line, the carets ----
want 2 craft 'eth/ip/udp/pds.rud_rq(psn=5)'
[ "$(cat "$dir/err")" = 'uetcat craft: pds.rud_rq: no such header (did you mean pds.rud_req, pds.rod_req or pds.rudi_req?)
  eth/ip/udp/pds.rud_rq(psn=5)
             ^~~~~~~~~~' ] || fail "another complaint: $(cat "$dir/err")"
want 2 craft
err 'give one line'
want 2 craft a b
err 'several arguments'
want 2 craft --limit 3 'pds.nack(nack_psn=1..4)'
err 'more than 3 packets'
want 2 craft --header nak
err 'nak: no such header (did you mean nack or ack?)'
want 2 craft --header nack nack_cod=1
err 'did you mean nack_code?'
want 2 decode --header nak 00
err 'did you mean nack'
want 2 decode --header nack 0011
err 'HEX has 2 bytes, the header 16'
want 2 craft --frobnicate
err '--frobnicate is not an option'
want 2 craft 'eth/ip/udp/pds.nack' -o "$dir/no/such/dir.pcapng"
err 'dir.pcapng'
want 0 craft --help
grep -q '^Examples:' "$dir/out" || fail 'craft --help has no examples'

# ---- every vector of the facts, both ways ----
vectors=$(dirname "$0")/../../../spec-map/vectors.jsonl
sed 's/.*"header": "\([^"]*\)".*"bytes": "\([^"]*\)".*"fields": \({[^}]*}\).*/\1 \2 \3/' "$vectors" \
    >"$dir/vectors"
n=0
while read -r header bytes fields; do
    want 0 craft --header "$header" "$fields"
    read -r got <"$dir/out"
    [ "$got" = "$bytes" ] || fail "$header: made $got of $fields"
    want 0 decode --header "$header" --json "$bytes"
    cat "$dir/out" >>"$dir/decoded"
    n=$((n + 1))
done <"$dir/vectors"
sed 's/^\([^ ]*\) [^ ]* /{"header":"\1","fields":/; s/ //g; s/$/}/' "$dir/vectors" >"$dir/expected"
cmp "$dir/expected" "$dir/decoded" || fail "vectors are decoded otherwise"
[ $n = 306 ] || fail "$n vectors, not 306"

[ $failures = 0 ] || exit 1
echo "all passed"
