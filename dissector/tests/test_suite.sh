# SPDX-License-Identifier: GPL-2.0-or-later
# test_suite.sh UETCONFORM MODE...: captures of a sealed run (3.7) open in Wireshark with the key log that
# the run wrote beside them, and in no other way; there is no key in them, nor in a report.
uetconform=$1
shift
. "$(dirname "$0")/lib.sh"
test='tss.3.5.8.write-begins-at-random-start'
sealed='uetx.tss && !uetx.tss.no_key && !uetx.tss.wrong_key'

opens() { # opens MODE KEYS CAPTURE
    what="$1, $(basename "$3")"
    expect "$what: packets in clear, or that do not open" "" \
        "$(uetx -o "uetx.keylog_file:$2" -o uetx.ip.proto:253 -r "$3" -Y "!arp && !icmpv6 && !($sealed)" 2>&1 | head -3)"
    expect "$what: WRITEs with the keys" 2 \
        "$(uetx -o "uetx.keylog_file:$2" -o uetx.ip.proto:253 -r "$3" -Y 'uetx.ses.opcode == 1' | wc -l)"
    expect "$what: WRITEs without" 0 "$(uetx -r "$3" -Y 'uetx.ses.opcode == 1' | wc -l)"
}

for mode in "$@"; do
    run=$UETX_OUT/$mode
    rm -rf "$run"
    mkdir -p "$run" || exit 2
    "$uetconform" run --fep ref --secure="$mode" --test "$test@ordinary" --test "$test@ipv6" \
        --test "$test@native" --pcap-dir "$run" --json "$run/run.json" --html "$run/run.html" \
        >"$run/run.txt" 2>&1 || fail "$mode: $(tail -3 "$run/run.txt")"
    chmod -R a+rX "$run"
    opens $mode "$run/keys.txt" "$run/$test.pcapng"
    [ $mode != cluster ] || opens $mode "$run/keys.txt" "$run/$test@native.pcapng"
    [ $mode = server ] || opens $mode "$run/keys.txt" "$run/$test@ipv6.pcapng" # no such set-up
    # 8 bytes of a key anywhere, as bytes or as digits, would be no accident
    cat "$run"/*.pcapng "$run"/run.* >"$UETX_OUT/all"
    { od -An -v -tx1 "$UETX_OUT/all" | tr -d ' \n'; cat "$UETX_OUT/all"; } >"$UETX_OUT/digits"
    for key in $(sed -n 's/.*key=\([0-9a-f]\{16\}\).*/\1/p' "$run/keys.txt"); do
        ! grep -qai "$key" "$UETX_OUT/digits" || fail "$mode: a key in a capture or a report"
    done
done
exit $bad
