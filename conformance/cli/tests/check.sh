#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
# check.sh UETCONFORM CARRY: `uetconform check` on captures written by hand: behind every link type
# and tunnel the packet is found and judged; what is not judged is counted with its reason.
set -u
u=$1 carry=$2
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
bad=0
"$carry" "$dir" >"$dir/names" || exit 2

fail() {
    echo "check.sh: $*" >&2
    bad=1
}

# right STATUS ARGUMENT...: its output goes to $dir/out and $dir/err.
right() {
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
errs() {
    [ "$(wc -l <"$dir/err")" -eq 1 ] || fail "'$name': not one line of complaint: $(cat "$dir/err")"
    grep -qF -- "$1" "$dir/err" || fail "'$name' does not complain '$1': $(cat "$dir/err")"
}

# ---- every link type and tunnel: the same packet, right and wrong ----
[ "$(wc -l <"$dir/names")" -ge 29 ] || fail "only $(wc -l <"$dir/names") carriers"
while read -r carrier; do
    right 0 "$dir/$carrier.pcap"
    says "1 packet, 1 judged"
    says " 0 violations"
    right 1 "$dir/$carrier-bad.pcap"
    says "SES-002"
    says "1 violation of 1 requirement"
done <"$dir/names"

# ---- a link type for each interface ----
right 1 "$dir/interfaces.pcapng"
says "3 packets, 3 judged"
says "packet 3: "
silent "packet 1: "
silent "packet 2: "

# ---- what is not judged, and why; nothing judged is exit 3 with one line ----
right 3 "$dir/ssh.pcap"
says "1 packet, none judged"
silent "violation"
says "1  not UET"
errs "ssh.pcap: nothing was judged"
errs "--udp-port"
right 3 "$dir/wifi.pcap"
says "1  link type not known: 127"
errs "link type 127"
right 3 "$dir/none.pcap"
errs "none.pcap: nothing was judged: the capture holds no packet"
right 3 "$dir/fragment.pcap"
says "1  IP fragment"
right 3 "$dir/malformed.pcap"
says "1  malformed: no PDS header can be read"
errs "uetcat decode shows why"
right 3 "$dir/trimmed.pcap"
says "1  trimmed by a switch"
right 3 --ip-protocol 250 "$dir/extension250.pcap"
says "1  behind IPv6 extension headers"
errs "behind IPv6 extension headers is not read"
right 0 --json "$dir/vxlan.pcap"
says '"VXLAN"'
right 3 "$dir/snap60.pcap"
says "1  cut short by the capture"
errs "snaplen"
right 3 "$dir/snap30.pcap"
says "1  cut short by the capture"
right 1 "$dir/snap98.pcap"
says "SES-002"
# a mirror that truncates leaves the lengths alone: the capture cut it, no switch did
for name in mirror38 mirror60 mirror60_fcs mirror98_snap80; do
    right 3 "$dir/$name.pcap"
    says "1  cut short by the capture"
    silent "trimmed by a switch"
    silent "malformed"
    errs "mirror"
done
for name in mirror98 mirror98_erspan mirror_ipv6 mirror_native; do
    right 1 "$dir/$name.pcap"
    says "SES-002"
    says "1 packet, 1 judged"
done
right 3 --sender 192.0.2.9 "$dir/ethernet.pcap"
says "1  not sent by 192.0.2.9"
errs "192.0.2.9 sent none of the UET packets; 192.0.2.1 did"
right 0 --sender 192.0.2.1 "$dir/ethernet.pcap"
right 3 --udp-port 4000 "$dir/ethernet.pcap"
errs "--udp-port"
right 3 "$dir/native250.pcap"
errs "--ip-protocol"
right 0 --ip-protocol 250 "$dir/native250.pcap"
says "1 packet, 1 judged"
right 0 "$dir/twice.pcap"
says "2 packets, 1 judged"
says "1  captured twice"

# ---- what cannot be read ----
right 2 "$dir/empty.pcap"
errs "the file ends before the first 4 bytes"
right 2 "$dir"
errs "it is a directory: give a capture file"
right 2 "$dir/broken.pcap"
says "SES-002"
errs "cut short"

# ---- CRC trailers: found out, in either byte order ----
right 0 "$dir/crc_big.pcap"
says "6 packets, 6 judged; 0 violations"
says "CRC trailers: 6 right"
silent "little"
right 0 "$dir/crc_little.pcap"
says "CRC trailers: 6 right, little-endian (3.5.25 has big-endian)"
right 0 --protect crc "$dir/crc_little.pcap"
says "CRC trailers: 6 right, little-endian (3.5.25 has big-endian)"
right 0 --crc-order little "$dir/crc_little.pcap"
right 1 "$dir/crc_little_bad.pcap"
says "SES-002"
right 3 --crc-order big "$dir/crc_little.pcap"
says "6  CRC trailer wrong"
says "6 of the wrong ones are right in the other byte order: see --crc-order"
errs "nothing was judged: every CRC trailer is wrong, and right in the other byte order; give --crc-order auto"
right 0 "$dir/crc_one_wrong.pcap"
says "6 packets, 5 judged, 1 not"
says "1  CRC trailer wrong"
right 0 --json "$dir/crc_one_wrong.pcap"
says '"big_endian": 5'
right 3 "$dir/crc_all_wrong.pcap"
says "6  CRC trailer wrong"
silent "violated"
right 0 "$dir/crc_cut.pcap"
says "6 packets, 6 judged; 0 violations"
"$u" check - <"$dir/crc_big.pcap" >"$dir/out" 2>&1 || fail "CRC trailers from a pipe: $(cat "$dir/out")"
right 1 --protect none "$dir/crc_big.pcap"
says "use --protect crc"
right 0 --protect none "$dir/ethernet.pcap"
silent "use --protect crc"

# ---- several files; what SHOULD says; JSON ----
right 1 "$dir/ethernet.pcap" "$dir/vlan-bad.pcap" "$dir/ssh.pcap"
says "ethernet.pcap: 1 packet, 1 judged; 0 violations"
says "vlan-bad.pcap: 1 packet, 1 judged; 1 violation of 1 requirement"
says "3 files: 2 packets judged; 1 violation; 1 file with nothing judged"
right 0 "$dir/ethernet.pcap" "$dir/ssh.pcap"
right 3 "$dir/ssh.pcap" "$dir/wifi.pcap"
says "2 files: no packet judged; 2 files with nothing judged"
right 2 "$dir/vlan-bad.pcap" "$dir/empty.pcap" "$dir/ethernet.pcap"
says "ethernet.pcap: 1 packet, 1 judged"
right 1 --summary "$dir/vlan-bad.pcap"
says "SES-002   MUST"
silent "packet 1:"
right 0 "$dir/should.pcap"
says "SHOULD"
says "(1 of SHOULD)"
right 1 --strict "$dir/should.pcap"
right 0 --strict --level must "$dir/should.pcap"
right 0 "$dir/message_0.pcap"
says "SES-030"
says "(1 of SHOULD)"
right 1 --strict "$dir/message_0.pcap"
right 0 --strict --level must "$dir/message_0.pcap"
says " 0 violations"
right 1 "$dir/many.pcap"
says "6 packets: reserved SES bits are 0"
says "packet 3: "
silent "packet 4: "
says "3 more packets: 4, 5, 6"
right 1 --max 5 "$dir/many.pcap"
says "packet 5: "
says "1 more packet: 6"
right 1 --max 0 "$dir/many.pcap"
silent "packet 1: "
says "6 more packets: 1, 2, 3, 4, 5, 6"
silent "its PDC is told by" # a SYN
right 1 "$dir/unopened.pcap"
says "its PDC is told by both PDCIDs, which were not seen before"
right 1 --json "$dir/unopened.pcap"
says '"match": "both PDCIDs, which were not seen before"'
right 1 --json "$dir/many.pcap"
silent '"match"'
[ "$(grep -c '"frame"' "$dir/out")" = 6 ] || fail "not six violations in JSON: $(cat "$dir/out")"
says '"judged": 6'
says '"exit_status": 1'
right 1 --json --max 2 "$dir/many.pcap"
[ "$(grep -c '"frame"' "$dir/out")" = 2 ] || fail "not two violations in JSON: $(cat "$dir/out")"
right 3 --json "$dir/ssh.pcap"
says '"not_uet": 1'
errs "nothing was judged"
right 1 --json - "$dir/many.pcap"
says '"judged": 6'
right 1 --json="$dir/report.json" "$dir/many.pcap"
says "SES-002"
grep -q '"judged": 6' "$dir/report.json" || fail "no JSON in the file"
right 2 --json "$dir/vlan-bad.pcap" "$dir/empty.pcap"
says '"error"'
"$u" check --json "$dir/many.pcap" | "$u" check --json - >"$dir/out" 2>"$dir/err"
[ $? = 2 ] || fail "JSON is taken for a capture"
"$u" check - <"$dir/many.pcap" >"$dir/out" 2>&1
[ $? = 1 ] || fail "standard input is not read"
if command -v python3 >/dev/null; then
    for files in many.pcap "many.pcap ssh.pcap" "empty.pcap many.pcap" "ssh.pcap empty.pcap"; do
        # shellcheck disable=SC2086  # words are files
        (cd "$dir" && "$u" check --json $files 2>/dev/null | python3 -m json.tool >/dev/null) ||
            fail "no JSON of $files"
    done
fi

# ---- congestion: what a test of NSCC had in flight ----
"${u}" run --fep ref --test cms.3.6.13.4.first-window --depth smoke --pcap-dir "$dir/caps" >/dev/null
cap=$dir/caps/cms.3.6.13.4.first-window.pcapng
right 0 --vantage both --from-start --sender 192.0.2.1 --max-wnd 225000 --rto 1000 \
    --congestion --svg "$dir/flow.svg" "$cap"
says "192.0.2.1 > 192.0.2.11: 110 Requests"
says "222812     222812" # 53 packets of 4204 bytes: the window of 225000 is full
grep -q '^</svg>$' "$dir/flow.svg" || fail "the picture has no end"
[ "$(grep -c '<polyline' "$dir/flow.svg")" -eq 5 ] || fail "not five curves in the picture"
right 0 --vantage both --congestion --json "$cap"
says '"in_flight": 222812'
right 1 --vantage both --from-start --sender 192.0.2.1 --max-wnd 200000 --rto 1000 "$cap"
says "CMS-037"
right 2 --vantage both --max-wnd 200000 "$cap"
errs "give --rto, too"
right 2 --vantage both --rto 1000 "$cap"
errs "give --max-wnd, too"
right 2 --max-wnd 200000 --rto 1000 "$cap"
errs "are not judged at the middle"
right 2 --svg "$dir/flow.svg" "$cap" "$cap"
errs "--svg is of one capture"

exit $bad
