#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
# check_sealed.sh UETCONFORM UETGEN: `uetconform check` on what TSS has sealed. Without a key the TSS
# header is judged, with one all of it; what is not judged is told, and in which reading packets opened.
set -u
u=$1 gen=$2
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
bad=0
key=000102030405060708090a0b0c0d0e0f101112131415161718191a1b1c1d1e1f

fail() {
    echo "check_sealed.sh: $*" >&2
    bad=1
}

right() { # right STATUS ARGUMENT...
    want=$1
    shift
    "$u" check "$@" >"$dir/out" 2>"$dir/err"
    status=$?
    [ "$status" -eq "$want" ] ||
        fail "'$*' ends with $status, not $want: $(cat "$dir/err" "$dir/out" | head -5)"
    name=$*
}
says() { grep -qF -- "$1" "$dir/out" || fail "'$name' does not say '$1': $(cat "$dir/out")"; }
silent() { grep -qF -- "$1" "$dir/out" && fail "'$name' says '$1': $(cat "$dir/out")"; }

# make NAME LAYERS-BELOW TSS-ARGUMENTS: a Request, once for each counter.
make() {
    "$gen" packet "eth/$2/tss($3,mode=cluster,key=$key)/pds.rud_req(ar=1,spdcid=7,dpdcid=9,psn=5)/ses.std(opcode=write)/data(64)" \
        -o "$dir/$1.pcapng" || exit 2
}
umask 077
printf 'UET_SD sdi=1 an=0 key=%s\n' $key >"$dir/keys"
printf 'UET_SD sdi=1 an=0 key=%s1\n' "${key%?}" >"$dir/other"
make good ip/udp "sdi=1,counter=10..13"
make falls ip/udp "sdi=1,counter={10,9}"
make rsvd ip/udp "sdi=1,counter=10,!reserved=1"
make u2 ip/udp "sdi=1,counter=10..11,udp_in_aad=0"
make native ip/entropy "sdi=1,counter=10..11"
make old ip/udp "sdi=1,counter=24296004000"
make two ip/udp "sdi={1,2},counter=10"
"$gen" packet "eth/ip/udp/tss(sdi=1,counter=10,mode=cluster,key=$key)/pds.rud_req(ar=1,spdcid=7,dpdcid=9,psn=5..6)/ses.std(opcode=write)/data(64)" \
    -o "$dir/reuse.pcapng" || exit 2

# Without a key: by the header alone.
right 3 "$dir/good.pcapng"
says "4  sealed by TSS, without a key"
says "4 packets of SDI 0x000001 AN 0: no key, only the TSS header is judged"
silent "opened"
right 3 "$dir/reuse.pcapng" # the AN may have another key since
silent "TSS-018   MUST"
says "1 sealed packet with an IV that was used before"
right 1 --vantage both "$dir/reuse.pcapng"
says "TSS-018   MUST NOT    3.7         1 packet"
says "none judged; 1 violation of 1 requirement"
right 1 "$dir/rsvd.pcapng"
says "TSS-003"
right 3 "$dir/falls.pcapng" # in the middle packets may pass each other
silent "TSS-019"
right 1 --vantage both "$dir/falls.pcapng"
says "TSS-019"
right 3 "$dir/old.pcapng"
says "1 sealed packet with a counter above 2^34.5"

# With it: all of the packet, and how it was opened.
right 0 --keys "$dir/keys" "$dir/good.pcapng"
says "4 packets, 4 judged; 0 violations"
says "TSS-012: 4 opened with the UDP header authenticated (U1), 0 without (U2)"
right 1 --keys "$dir/keys" "$dir/reuse.pcapng"
says "TSS-018   MUST NOT    3.7         1 packet"
silent "with an IV that was used before,"
right 0 --keys "$dir/keys" "$dir/u2.pcapng"
says "TSS-012: 0 opened with the UDP header authenticated (U1), 2 without (U2)"
right 0 --keys "$dir/keys" "$dir/native.pcapng"
says "2 sealed packets opened"
silent "TSS-012"
right 0 --keys "$dir/keys" "$dir/two.pcapng"
says "1 packet of SDI 0x000002 AN 0: no key"
right 0 --json --keys "$dir/keys" "$dir/two.pcapng"
says '"opened": 1'
says '"with_udp": 1'

# With a wrong one nothing is judged, whatever the header says.
right 3 --keys "$dir/other" "$dir/reuse.pcapng"
says "2  sealed by TSS, and no key opens it"
silent "TSS-018"

# keys.txt beside the captures of a run opens them, whatever mode and settings the domains have (3.7.8).
for mode in cluster cluster-ssi cluster-rekey direct direct-ssi server server-ssi beside; do
    "$u" run --fep ref --secure=$mode --depth smoke --test tss.3.7.11.header-of-an-ack --quiet \
        --pcap-dir "$dir/$mode" >"$dir/run" 2>&1 || fail "--secure=$mode: $(cat "$dir/run")"
    right 0 --keys "$dir/$mode/keys.txt" "$dir/$mode/tss.3.7.11.header-of-an-ack.pcapng"
    says " sealed packets opened"
    silent "no key"
done

grep -rqi "$key" "$dir/out" "$dir/err" && fail "a key is shown"
exit $bad
