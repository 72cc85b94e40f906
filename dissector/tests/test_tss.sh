#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# Decryption: every packet vector opens, with the right key and reading; what is wrong is said.
. "$(dirname "$0")/lib.sh"
. "$here/keys.sh"
pcap=$(capture tss) || exit 2
out=$UETX_OUT/tss
with_rows -r "$pcap" -o uetx.track:FALSE -T json --no-duplicate-keys >"$out.fields.json" ||
    fail "tshark failed"
with_rows -r "$pcap" -o uetx.track:FALSE -T json -e _ws.col.Info >"$out.info.json"
"$UETX_TOOLS/compare_json" "$here/captures/tss.json" "$out.fields.json" "$out.info.json" || bad=1

psns() { uetx -o uetx.ip.proto:253 -r "$pcap" -T fields -e uetx.pds.psn "$@" | grep -c 0x00012345; }
write_log >"$out.log"
expect "a key-log file opens the same" 17 "$(psns -o "uetx.keylog_file:$out.log")"
names() { uetx -o uetx.ip.proto:253 -r "$pcap" -o "uetx.keylog_file:$out.log" -T fields \
    -e uetx.tss.key_name -Y "$1" | sort -u; }
expect "a key of the log has its name" A_cluster "$(names 'frame.number == 1')"
expect "a key without a name goes by its line" "line 4 of the key log" \
    "$(names 'uetx.tss.sdi == 0xabcdef')"
expect "no key, no guess" 0 "$(psns)"
expect "any key that is wrong opens nothing" 0 "$(psns -o \
    "uat:uetx_sd:\"000001\",\"any\",\"cluster\",$key_b,,\"any\",\"0\",\"0\",\"0\",\"wrong\"")"
expect "a rekey setting that is wrong opens only what has none" 1 "$(psns -o \
    "uat:uetx_sd:\"000001\",\"any\",\"cluster\",$key_a,,\"any\",\"ff\",\"0\",\"0\",\"\"" -o \
    "uat:uetx_sd:\"000001\",\"any\",\"server\",$key_a,,\"any\",\"0\",\"0\",\"0\",\"\"")"

# Rows and lines that are wrong, each with what and how to mend it.
row() { uetx -r "$pcap" -c 1 -o "uat:uetx_sd:$1" 2>&1 | grep -v root | head -1; }
refused() { # refused WHAT ROW WORDS
    row "$2" | grep -q "$3" || fail "$1: $(row "$2")"
}
refused "short key" '"1","0","cluster",0011,,"no","0","0","0",""' 'the key is 32 bytes long'
refused "long SDI" "\"1000000\",\"0\",\"cluster\",$key_a,,\"no\",\"0\",\"0\",\"0\",\"\"" '24 bits'
refused "short mask" "\"1\",\"0\",\"direct\",$key_a,00,\"no\",\"0\",\"0\",\"0\",\"\"" 'IV mask'
refused "mask" "\"1\",\"0\",\"cluster\",$key_a,$(printf '%024d' 0),\"no\",\"0\",\"0\",\"0\",\"\"" 'leave it empty'
refused "rekey" "\"1\",\"0\",\"server\",$key_a,,\"no\",\"1\",\"0\",\"0\",\"\"" 'for cluster mode'
refused "wide rekey" "\"1\",\"0\",\"cluster\",$key_a,,\"no\",\"ffffffffff\",\"1\",\"0\",\"\"" '32 bits'
refused "idle shift" "\"1\",\"0\",\"cluster\",$key_a,,\"no\",\"0\",\"8\",\"0\",\"\"" 'shift needs a rekey mask'

{
    echo "UET_SD sdi=0x1000000 key=$key_a"
    echo "UET_SD key=$key_a"
    echo "UET_SD sdi=1 key=${key_a}0"
    echo "UET_SD sdi=1 secret=$key_a"
    echo "UET_SD sdi=1 key=$key_a rekey_shift=8"
    echo "UET_SD sdi=1 sdi=2 key=$key_a"
} >"$out.bad.log"
uetx -o uetx.ip.proto:253 -r "$pcap" -o "uetx.keylog_file:$out.bad.log" >"$out.bad" 2>&1
for line in 1 2 3 4 5 6; do
    grep -q "bad.log:$line: " "$out.bad" || fail "line $line of the key log was not complained of"
done
uetx -o uetx.ip.proto:253 -r "$pcap" -o "uetx.keylog_file:$out.none" 2>&1 | grep -q "$out.none: " ||
    fail "a key-log file that is not there was not complained of"

# A key is never shown, however much is asked for.
with_rows -r "$pcap" -V -x >"$out.all" 2>&1
write_log | cat - "$out.bad.log" >"$out.bad.keys"
grep -iF -e "$key_a" -e "$key_b" -e 151b4ddb30112971 -e a7c6992c26b0bd5d "$out.all" "$out.bad" |
    head -1 | grep . && fail "a key was shown"

# A packet with an SSI where the domain has none.
expect "ssi-mode" "2 " "$(uetx -o uetx.ip.proto:253 -r "$pcap" -Y uetx.tss.ssi_mode -T fields \
    -e frame.number -o "uat:uetx_sd:\"abcdef\",\"1\",\"cluster\",$key_b,,\"no\",\"fffff8000000\",\"27\",\"0\",\"\"" |
    tr '\n' ' ')"

# Native IP by Decode As.
expect "Decode As for native IP" 2 \
    "$(uetx -d ip.proto==253,uetx -r "$pcap" -Y 'uetx.tss.sdi == 0xabcdef || uetx.tss.sdi == 3' \
        -T fields -e frame.number | wc -l | tr -d ' ')"
exit $bad
