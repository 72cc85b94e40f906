#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# test_rekey.sh UETGEN UETCAT UETCONFORM: sealed conversations of reference FEPs, opened by libgcrypt
# with the key log: three keys one after the other, two of them in one AN, and the same bytes as wire/.
. "$(dirname "$0")/lib.sh"
uetgen=$1 uetcat=$2 uetconform=$3
out=$UETX_OUT/rekey
umask 022 # tshark may run as another user

# fields SCENARIO FILTER FIELD...: of its packets, a line each.
fields() {
    scene=$1 filter=$2
    shift 2
    uetx -o uetx.ip.proto:253 -o "uetx.keylog_file:$out.$scene.keys" -r "$out.$scene.pcapng" -Y "$filter" \
        -T fields $(printf -- '-e %s ' "$@")
}
count() { fields "$1" "$2" frame.number | wc -l | tr -d ' '; }

for scene in tss tss-random-start; do
    "$uetgen" scenario $scene --keys "$out.$scene.keys" -o "$out.$scene.pcapng" || exit 2
    chmod 644 "$out.$scene.keys" # everybody knows them
    frames=$("$uetgen" scenario $scene | wc -l | tr -d ' ')
    expect "$scene: all are opened and verified" "$frames" "$(count $scene 'uetx.tss.icv.status == "Good"')"
    expect "$scene: nobody breaks a rule" 0 "$(count $scene uetx.violation)"
    # The second opinion: PSNs and types as wire/ reads them with OpenSSL.
    fields $scene uetx uetx.pds.type uetx.pds.psn | sort | uniq -c >"$out.$scene.ours"
    [ "$(wc -l <"$out.$scene.ours")" -ge 3 ] || fail "$scene: nothing to compare"
    "$uetcat" decode --keys "$out.$scene.keys" "$out.$scene.pcapng" 2>/dev/null >"$out.$scene.decoded"
    expect "$scene: uetcat opens as many" "$frames" "$(grep -vc sealed "$out.$scene.decoded")"
    for psn in $(fields $scene uetx.pds.psn uetx.pds.psn); do
        grep -q "psn=$psn" "$out.$scene.decoded" || fail "$scene: uetcat shows no PSN $psn"
    done
done

# The key of each packet, in order: AN 0 has the first line of the log, then the third.
fields tss uetx uetx.tss.key_name ip.src | awk -F '\t' '$2 == "192.0.2.11" && $1 != last { print $1; last = $1 }' >"$out.order"
printf 'line 1 of the key log\nline 2 of the key log\nline 3 of the key log\n' |
    cmp -s - "$out.order" || fail "the initiator's keys are not in order: $(cat "$out.order")"

# Without the third key the packets behind the second re-key stay sealed; nothing else does.
grep -v 4041424344 "$out.tss.keys" >"$out.two.keys"
cp "$out.tss.pcapng" "$out.two.pcapng"
chmod 644 "$out.two.keys"
expect "the third key opens the rest" \
    "$(fields tss 'uetx.tss.key_name == "line 3 of the key log"' frame.number | tr '\n' ' ')" \
    "$(fields two 'uetx.tss.wrong_key' frame.number | tr '\n' ' ')"

# Without any, the counters that come again in AN 0 may be of another key: nobody is blamed.
"$uetconform" check --vantage both --from-start "$out.tss.pcapng" >"$out.check" 2>/dev/null
expect "no IV reuse without keys" 3 $?
"$uetconform" check --vantage both --from-start --keys "$out.tss.keys" "$out.tss.pcapng" >"$out.check" 2>/dev/null
expect "nor with them" 0 $?
exit $bad
