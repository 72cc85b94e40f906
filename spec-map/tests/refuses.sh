#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
# specc takes the data as it is, and refuses each kind of broken data with exit status 2 and the
# file and line of the mistake.
#   refuses.sh SPECC SPEC-MAP-DIR
set -eu
specc=$1 data=$2
ASAN_OPTIONS=detect_leaks=0
export ASAN_OPTIONS
tmp=$(mktemp -d)
trap 'rm -rf "$tmp"' EXIT
fails=0 n=0

fresh() {
    rm -rf "$tmp/in" "$tmp/out"
    mkdir "$tmp/in" "$tmp/out"
    cp "$data"/*.csv "$tmp/in/"
}

# line FILE REGEX: the number of the first line that matches; there must be one.
line() {
    found=$(grep -n -m 1 -e "$2" "$tmp/in/$1" | cut -d : -f 1)
    [ -n "$found" ] || { echo "$1: no line matches $2: mend this test" >&2; exit 1; }
    echo "$found"
}

# refused NAME FILE LINE TEXT: compiles the broken data; the message must name all three.
refused() {
    n=$((n + 1)) status=0
    "$specc" "$tmp/in" "$tmp/out" 2>"$tmp/err" || status=$?
    if [ "$status" -ne 2 ]; then
        echo "FAIL $1: exit status $status, not 2"
    elif ! grep -F -q -e "/$2:$3: " "$tmp/err" || ! grep -F -e "/$2:$3: " "$tmp/err" | grep -F -q -e "$4"; then
        echo "FAIL $1: wanted '$2:$3: ... $4 ...', got:"
        head -5 "$tmp/err"
    else
        echo "ok   $1"
        return
    fi
    fails=$((fails + 1))
}

# edit FILE LINE SED-COMMAND: changes one line; it must change something.
edit() {
    sed "$2$3" "$tmp/in/$1" >"$tmp/edited"
    ! cmp -s "$tmp/edited" "$tmp/in/$1" || { echo "$1:$2: $3 changes nothing" >&2; exit 1; }
    mv "$tmp/edited" "$tmp/in/$1"
}

fresh
"$specc" "$tmp/in" "$tmp/out" || { echo "FAIL the data itself is refused"; exit 1; }
for f in uet_spec.h uet_spec.c uet_requirements.c uet_blocks.c uet_params.c uet_checks.c uet.dict; do
    [ -s "$tmp/out/$f" ] || { echo "FAIL $f was not written"; exit 1; }
done
echo "ok   the data itself"

fresh
l=$(line fields.csv '^eth,src,')
edit fields.csv "$l" d
refused "a gap" fields.csv "$l" "eth: bits 48 to 95 stand in no field"

fresh
l=$(line fields.csv '^eth,src,')
edit fields.csv "$l" 's/,48,48,/,40,48,/'
refused "an overlap" fields.csv "$l" "eth.src overlaps the field before it"

fresh
l=$(line headers.csv '^eth,')
edit headers.csv "$l" 's/,14,/,15,/'
refused "a header longer than its fields" headers.csv "$l" "fields end at bit 112, the header at 120"

fresh
l=$(line fields.csv '^eth,ethertype,')
edit fields.csv "$l" 's/enum:ethertype/enum:nothing/'
refused "an unknown enumeration" fields.csv "$l" "unknown enumeration nothing"

fresh
first=$(line fields.csv '^eth,dst,')
l=$(line fields.csv '^eth,src,')
edit fields.csv "$l" 's/eth_src/eth_dst/'
refused "a double name of a field" fields.csv "$l" "eth_dst is named twice, first on line $first"

fresh
first=$(line fields.csv '^eth,dst,')
l=$(line fields.csv '^eth,src,')
edit fields.csv "$l" 's/^eth,src,/eth,dst,/'
refused "two fields of one name in a header" fields.csv "$l" "eth has two fields dst, the first on line $first"

fresh
l=$(line fields.csv '^rud_rod_req,dpdcid,')
edit fields.csv "$l" 's/,rud_rod_req|/,rud_rod_rq|/'
refused "a form that does not exist" fields.csv "$l" "rud_rod_rq is no form of rud_rod_req"

fresh
first=$(line fields.csv ',uetx.pds.psn,')
l=$(line fields.csv ',cp_psn,')
edit fields.csv "$l" 's/,psn,,/,uint,,/'
refused "a filter of two kinds" fields.csv "$l" "uetx.pds.psn has another kind on line $first"

fresh
l=$(line fields.csv '^cp_payload_negotiation_on_off,neg_type,')
edit fields.csv "$l" 's/,1.0.3,/,1.3,/'
refused "a version that does not exist" fields.csv "$l" "since must be 1.0.1, 1.0.2 or 1.0.3"

fresh
l=$(line enums.csv '^ses_return_code,RESERVED_0x3f,')
edit enums.csv "$l" 's/,63,63,/,64,64,/'
refused "a value too large for its field" enums.csv "$l" "RESERVED_0x3f does not fit the 6 bits of ses_rsp.return_code"

fresh
first=$(line headers.csv '^ack,')
l=$(line headers.csv '^nack_ccx,')
edit headers.csv "$l" 's/^nack_ccx,nack,/nack_ccx,ack,/'
refused "a family torn apart" headers.csv "$l" "nack_ccx stands apart from its family ack on line $first"

fresh
l=$(line headers.csv '^ses_ext_cswap,')
edit headers.csv "$l" 's/13\.\.18/13..300/'
refused "a selector beyond its field" headers.csv "$l" "atomic_opcode=300 does not fit the 8 bits"

fresh
l=$(line headers.csv '^ses_ext_cswap,')
edit headers.csv "$l" 's/13\.\.18/13.18/'
refused "a selector that cannot be read" headers.csv "$l" "must read field=value"

fresh
l=$(line headers.csv '^udp,')
edit headers.csv "$l" 's/^udp,udp,net,/udp,udp,nut,/'
refused "an unknown layer" headers.csv "$l" "unknown layer nut"

fresh
l=$(line next.csv '^ack_cc,cc_type=0,')
edit next.csv "$l" 's/,ack_cc_state$/,ack_state/'
refused "a place inside that does not exist" next.csv "$l" "ack has no field ack_state"

fresh
l=$(line blocks.csv '^KDF_CTX_4,source,')
edit blocks.csv "$l" 's/,48,32,/,56,32,/'
refused "a gap in a block" blocks.csv "$l" "KDF_CTX_4: source begins at bit 56, the one before it ends at 48"

fresh
l=$(line blocks.csv '^NACK_NEW_START_PSN,payload,')
edit blocks.csv "$l" 's/,96,32,/,96,16,/'
refused "a block beside its header" blocks.csv "$l" "nack.payload stands at bit 96, 32 wide"

fresh
l=$(line blocks.csv '^IV,epoch,')
edit blocks.csv "$l" 's/^IV,/KDF_OUT,/'
refused "a block torn apart" blocks.csv "$(line blocks.csv '^KDF_OUT,SDK,')" "KDF_OUT: its rows must stand together"

fresh
first=$(line terms.csv '^TSS_COUNTER,in_auth_pkts,')
l=$(line terms.csv '^TSS_COUNTER,in_invalid,')
edit terms.csv "$l" 's/,in_invalid,/,in_auth_pkts,/'
refused "a term given twice" terms.csv "$l" "in_auth_pkts stands here twice, first on line $first"

fresh
first=$(line enums.csv ',UET_PDS_RUD_REQ,')
l=$(line enums.csv ',UET_PDS_ROD_REQ,')
edit enums.csv "$l" 's/UET_PDS_ROD_REQ/UET_PDS_RUD_REQ/'
refused "a double name of a value" enums.csv "$l" "UET_PDS_RUD_REQ is named twice, first on line $first"

fresh
first=$(line enums.csv ',UET_PDS_RUD_REQ,')
l=$(line enums.csv ',UET_PDS_ROD_REQ,')
edit enums.csv "$l" 's/,3,3,/,2,2,/'
refused "a value taken twice" enums.csv "$l" "value taken by line $first"

fresh
l=$(line requirements.csv '^ROB-001,')
edit requirements.csv "$l" 's/,SHOULD NOT,/,MUST NOT,/'
refused "robustness as a MUST" requirements.csv "$l" "ROB-001: robustness is SHOULD or SHOULD NOT"

fresh
l=$(line requirements.csv '^ROB-001,')
edit requirements.csv "$l" 's/,none,/,all,/'
refused "robustness in a profile" requirements.csv "$l" "ROB-001: profile none is that of robustness"

fresh
l=$(line requirements.csv '^PDS-002,')
edit requirements.csv "$l" 's/,A,/,-,/'
refused "a requirement of no source" requirements.csv "$l" "PDS-002: confidence must be A, B or C"

fresh
l=$(line requirements.csv '^PDS-002,')
edit requirements.csv "$l" 's/^PDS-002,,MUST,target,all,3.5.7.1,/PDS-002,,MUST,target,all,,/'
refused "a requirement without a section" requirements.csv "$l" "PDS-002 has no section"

fresh
l=$(line requirements.csv '^PDS-002,')
edit requirements.csv "$l" 's/^PDS-002,,MUST,target,all,3.5.7.1,/PDS-002,,MUST,target,all,9.9,/'
refused "a section that does not exist" requirements.csv "$l" "section 9.9 is not in sections.csv"

fresh
l=$(line requirements.csv '^PDS-002,')
edit requirements.csv "$l" 's/^PDS-002,/PDS-001,/'
refused "a double requirement" requirements.csv "$l" "PDS-001 stands here twice"

fresh
l=$(line requirements.csv '^PDS-002,')
edit requirements.csv "$l" 's/^PDS-002,,MUST,/PDS-002,,OUGHT,/'
refused "an unknown level" requirements.csv "$l" "unknown level OUGHT"

fresh
l=$(line requirements.csv '^PDS-017,')
edit readings.csv "$(line readings.csv '^PDS-017,')" d
refused "a contested requirement without a reading" requirements.csv "$l" "PDS-017 has confidence C and no reading"

fresh
l=$(line readings.csv '^PDS-017,')
edit readings.csv "$l" 's/^PDS-017,/PDS-999,/'
refused "a reading of an unknown requirement" readings.csv "$l" "unknown requirement PDS-999"

fresh
l=$(line covered.csv '^PDS-090,')
edit covered.csv "$l" 's/^PDS-090,/PDS-999,/'
refused "an unknown requirement that has no test" covered.csv "$l" "unknown requirement PDS-999"

fresh
edit covered.csv "$l" 's/,deferred,/,forgotten,/'
refused "no way to have no test" covered.csv "$l" "how must be elsewhere, deferred or freedom"

fresh
l=$(line requirements.csv '^PDS-002,')
edit requirements.csv "$l" 's/^PDS-002,,/PDS-002,PDS-999,/'
refused "an unknown alias" requirements.csv "$l" "same as PDS-999, which does not exist"

fresh
l=$(line requirements.csv '^PDS-001,')
edit requirements.csv "$l" 's/^PDS-001,,/PDS-001,PDS-002,/'
edit requirements.csv "$(line requirements.csv '^PDS-002,')" 's/^PDS-002,,/PDS-002,PDS-001,/'
refused "a circle of aliases" requirements.csv "$l" "circle of aliases"

fresh
l=$(line requirements.csv '^PDS-002,')
edit requirements.csv "$l" 's/^PDS-002,,/PDS-002,PDS-222,/'
refused "an alias of another version" requirements.csv "$l" "same as PDS-222, which holds for other versions"

fresh
first=$(line tables.csv ',3-58,3-58,')
l=$(line tables.csv ',3-61,')
edit tables.csv "$l" 's/,3-61,/,3-58,/'
refused "a table number taken twice" tables.csv "$l" "first on line $first"

fresh
l=$(line next.csv '^eth,')
edit next.csv "$l" 's/,ipv4,/,ipv5,/'
refused "an unknown header" next.csv "$l" "unknown header ipv5"

fresh
l=$(line params.csv '^Default_MPR,')
edit params.csv "$l" 's/,1,255,8,/,1,255,256,/'
refused "a default out of range" params.csv "$l" "Default_MPR: the default is out of range"

fresh
l=$(line params.csv '^Default_MPR,')
edit params.csv "$l" 's/,1,255,/,1,,/'
refused "half a range" params.csv "$l" "Default_MPR: low and high go together"

fresh
l=$(line sections.csv '^3.5,')
edit sections.csv "$l" 's/$/,one more/'
refused "a row with a cell too many" sections.csv "$l" "another number of cells"

fresh
printf 'PDS-001,"no end' >>"$tmp/in/readings.csv"
refused "a quote that does not end" readings.csv "$(wc -l <"$data/readings.csv" | awk '{print $1 + 1}')" \
    "does not end"

fresh
l=$(line transitions.csv '^I3,')
edit transitions.csv "$l" 's/^I3,/I2,/'
refused "a label given twice" transitions.csv "$l" "label I2: the next one of the initiator is I3"

fresh
l=$(line transitions.csv '^T5,')
edit transitions.csv "$l" 's/,PENDING,/,WAITING,/'
refused "a transition to an unknown state" transitions.csv "$l" "unknown state WAITING"

fresh
l=$(line transitions.csv '^T5,')
edit transitions.csv "$l" 's/PDS-049/PDS-999/'
refused "a transition of an unknown requirement" transitions.csv "$l" "unknown requirements PDS-999"

fresh
l=$(line transitions.csv '^,target,PENDING,')
edit transitions.csv "$l" 's/,3\.5\.9\.4,C,/,3.5.99,C,/'
refused "a transition of an unknown section" transitions.csv "$l" "section 3.5.99 is not in sections.csv"

fresh
l=$(line fields.csv '^cp,flags.retx,')
sed -i '/^uetx.pds.retx,/d' "$tmp/in/filters.csv"
first=$(line fields.csv '^rud_rod_req,flags.retx,')
refused "a filter that fields share without a description for all" fields.csv "$l" \
    "uetx.pds.retx means something else on line $first"

fresh
l=$(line filters.csv '^uetx.pds.retx,')
edit filters.csv "$l" 's/pds.retx/pds.rtx/'
refused "a description of no filter" filters.csv "$l" "no field has the filter uetx.pds.rtx"

fresh
l=$(line filters.csv '^uetx.pds.syn,')
edit filters.csv "$l" 's/pds.syn/pds.retx/'
refused "a filter described twice" filters.csv "$l" "uetx.pds.retx stands here twice"

fresh
l=$(line filters.csv '^uetx.pds.syn,')
edit filters.csv "$l" 's/,.*/,/'
refused "a filter without its description" filters.csv "$l" "uetx.pds.syn has no description"

fresh
l=$(line contested.csv '^cp,')
edit contested.csv "$l" 's/use_rsv_pdc/use_pdc/'
refused "a contested field that is none" contested.csv "$l" "cp has no field pdc_info.use_pdc"

fresh
l=$(line contested.csv '^cp,')
edit contested.csv "$l" 's/pdc_info.use_rsv_pdc/psn/'
refused "a contested field of confidence A" contested.csv "$l" "cp.psn is not contested"

fresh
l=$(line contested.csv '^cp,')
edit contested.csv "$l" 's/,80,/,128,/'
refused "another reading outside of the header" contested.csv "$l" "must be another place"

fresh
l=$(line contested.csv '^cp,')
edit contested.csv "$l" 's/,".*/,/'
refused "another reading of nobody" contested.csv "$l" "readers must say who"

fresh
l=$(line checks.csv '^key,')
edit checks.csv "$l" 's/RC_BAD_MKEY/RC_BAD_KEY/'
refused "an unknown code of a check" checks.csv "$l" "unknown code RC_BAD_KEY"

fresh
l=$(line checks.csv '^key,')
edit checks.csv "$l" 's/SES-063/SES-963/'
refused "a check of an unknown requirement" checks.csv "$l" "unknown requirement SES-963"

fresh
l=$(line checks.csv '^key,SES')
edit checks.csv "$l" 's/^key,SES,RC_BAD_MKEY/key,PDS,UET_TRIMMED/'
refused "a check of the PDS behind one of SES" checks.csv "$l" "come before those of SES"

fresh
l=$(line profiles.csv '^read,')
edit profiles.csv "$l" 's/,O,M,M,/,O,Y,M,/'
refused "a duty that is none" profiles.csv "$l" "read: AI-Full must be M, O or N"

fresh
l=$(line profiles.csv '^read,')
edit profiles.csv "$l" 's/^read,/write,/'
refused "two features of one name" profiles.csv "$l" "write stands here twice"

fresh
l=$(line profiles.csv '^read,')
edit profiles.csv "$l" 's/^read,/Read It,/'
refused "a feature whose name is none" profiles.csv "$l" "lower case letters, digits and -"

fresh
rm "$tmp/in/next.csv"
refused "a file that is missing" next.csv 0 "cannot be opened"

echo "$n kinds of broken data, $fails not refused as they should be"
[ "$fails" -eq 0 ]
