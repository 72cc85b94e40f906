#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# test_check.sh UETCONFORM MUTATE CARRY [OPTION...]: `uetconform check` and the dissector list the same
# violations, packet by packet: of scenarios with bytes altered, and of what the suite and its FEP say.
# The options are of the run of the suite.
. "$(dirname "$0")/lib.sh"
uetconform=$1 mutate=$2 carry=$3
shift 3

# "12 PDS-234" for each violation, in order.
by_check() { # FILE VANTAGE SPEC PROTECT
    # shellcheck disable=SC2086
    "$uetconform" check --json ${keys:+--keys "$keys"} --vantage "$2" --spec "$3" --protect "$4" "$1" 2>/dev/null |
        sed -n 's/^ *{"frame": \([0-9]*\), "requirement": "\([A-Z]*-[0-9]*\)".*/\1 \2/p'
}

by_tshark() { # FILE VANTAGE SPEC PROTECT
    case $4 in crc) crc=present ;; *) crc=$4 ;; esac
    uetx -r "$1" -o uetx.crc:$crc -o uetx.twice_us:0 -o uetx.ip.proto:253 -o "uetx.rules:$2" -o "uetx.spec:$3" \
        ${keys:+-o "uetx.keylog_file:$keys"} -T fields -e frame.number -e uetx.violation -E occurrence=a 2>/dev/null |
        awk -F '\t' '$2 != "" { n = split($2, v, ","); for (i = 1; i <= n; i++) print $1, v[i] }'
}

agree() { # FILE VANTAGE SPEC PROTECT AT-LEAST
    by_check "$1" "$2" "$3" "$4" >"$UETX_OUT/check.txt"
    by_tshark "$1" "$2" "$3" "$4" >"$UETX_OUT/tshark.txt"
    n=$(wc -l <"$UETX_OUT/check.txt")
    [ "$n" -ge "$5" ] || fail "$1 $2: check finds $n violations only"
    diff "$UETX_OUT/check.txt" "$UETX_OUT/tshark.txt" >"$UETX_OUT/differ.txt" ||
        fail "$1 $2 $3: check (<) and tshark (>) differ: $(head -8 "$UETX_OUT/differ.txt")"
    echo "$(basename "$1") $2 $3: $n violations of $(cut -d' ' -f2 "$UETX_OUT/check.txt" | sort -u | wc -l) requirements"
}

for seed in 1 2; do
    "$mutate" "$UETX_OUT/mutated$seed.pcap" $seed || exit 2
    agree "$UETX_OUT/mutated$seed.pcap" both 1.0.3 none 30
done
agree "$UETX_OUT/mutated1.pcap" middle 1.0.3 none 20
agree "$UETX_OUT/mutated1.pcap" initiator 1.0.1 none 20
agree "$UETX_OUT/mutated1.pcap" target 1.0.2 none 20

# What is sealed, and on native IP: two secure domains on one PDC, reserved bits, and four PDCs whose
# Start_PSN counts up, which is right with TSS alone (TSS-057).
key=000102030405060708090a0b0c0d0e0f101112131415161718191a1b1c1d1e1f
gen="$(dirname "$uetconform")/uetgen" sealed="tss(sdi={1,2},counter=7,mode=cluster,key=$key)"
again="pds.rud_req(psn=1000..1003,syn=1,spdcid=1..4,ar=1)/ses.std(opcode=write)/data(64)"
"$gen" packet "eth/ip/udp/$sealed/pds.rud_req(spdcid=7,dpdcid=9,psn=5..8)/ses.std(opcode=write)/data(64)" \
    -o "$UETX_OUT/sealed.pcapng" || exit 2
"$gen" packet "eth/ip/entropy(!rsvd=7)/$again" -o "$UETX_OUT/native.pcapng" || exit 2
"$gen" packet "eth/ip/udp/tss(counter=9,sdi=1,mode=cluster,key=$key)/$again" -o "$UETX_OUT/opening.pcapng" || exit 2
printf 'UET_SD sdi=1 key=%s\nUET_SD sdi=2 key=%s\n' $key $key >"$UETX_OUT/keys"
chmod 644 "$UETX_OUT/keys"
agree "$UETX_OUT/sealed.pcapng" both 1.0.3 none 6 # without a key: one counter for all
agree "$UETX_OUT/native.pcapng" middle 1.0.3 none 16
keys=$UETX_OUT/keys
agree "$UETX_OUT/sealed.pcapng" middle 1.0.3 none 12
grep -q TSS-045 "$UETX_OUT/tshark.txt" || fail "sealed: two SDIs of one PDC are not remarked"
agree "$UETX_OUT/opening.pcapng" middle 1.0.3 none 15 # one counter, again
grep -q PDS-026 "$UETX_OUT/tshark.txt" && fail "sealed: Start_PSN need not be random"
keys=

# What links and tunnels carry, trailers that are wrong, and trailers that were not captured.
rm -rf "$UETX_OUT/carried" && mkdir -p "$UETX_OUT/carried"
"$carry" "$UETX_OUT/carried" >/dev/null || exit 2
chmod -R a+rX "$UETX_OUT/carried"
for name in sll2-bad nested-bad vxlan-bad mpls_eth-bad snap98 crc_little_bad; do
    agree "$UETX_OUT/carried/$name.pcap" middle 1.0.3 auto 1
done
for name in mirror98 mirror98_erspan mirror_ipv6 mirror_native; do
    agree "$UETX_OUT/carried/$name.pcap" middle 1.0.3 auto 1
done
for name in crc_cut crc_one_wrong crc_all_wrong crc_little; do
    agree "$UETX_OUT/carried/$name.pcap" middle 1.0.3 auto 0
done

rm -rf "$UETX_OUT/suite" && mkdir -p "$UETX_OUT/suite"
"$uetconform" run --fep ref --quiet --depth smoke "$@" --pcap-dir "$UETX_OUT/suite" >/dev/null
[ $? -le 1 ] || exit 2
if command -v mergecap >/dev/null; then
    mergecap -a -w "$UETX_OUT/suite.pcapng" "$UETX_OUT"/suite/*.pcapng || exit 2
    agree "$UETX_OUT/suite.pcapng" middle 1.0.3 crc 50
    agree "$UETX_OUT/suite.pcapng" both 1.0.3 crc 50
fi
exit $bad
