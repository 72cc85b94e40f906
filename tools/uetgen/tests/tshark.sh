#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
# The corpus through tshark and the dissector.
#   tshark.sh PATH-OF-UETGEN PLUGIN-DIRECTORY PATH-OF-COVERED
# Valid packets: each is UETX, every bit of it is shown by a field or is payload (covered says how),
# and nothing is said to be malformed. Wrong ones: each has a remark, and where the wrong thing
# stands above UDP or IP it is a remark of the dissector; the few that no reader of single packets
# can see are named below with the reason.
set -u
uetgen=$1
plugins=$2
covered=$3
command -v tshark >/dev/null || { echo "SKIPPED: no tshark"; exit 77; }
[ -d "$plugins" ] || { echo "SKIPPED: no plugin in $plugins"; exit 77; }
dir=$(mktemp -d)
chmod 755 "$dir"
trap 'rm -rf "$dir"' EXIT

. "$(dirname "$0")/../../../cmake/tshark-user.sh"
tshark_user || { echo "SKIPPED: root, and neither user namespaces nor setpriv"; exit 77; }
plugins=$(tshark_plugins "$plugins" "$dir") || exit 2
capture=$dir/valid/all.pcapng
uetx() {
    # shellcheck disable=SC2086
    $as_user env HOME=/nonexistent XDG_CONFIG_HOME=/nonexistent TZ=UTC LC_ALL=C.UTF-8 \
        WIRESHARK_PLUGIN_DIR="$plugins" tshark -d ip.proto==253,uetx -o uetx.track:FALSE \
        -r "$capture" "$@" 2>>"$dir/err"
}
bad=0
fail() { # fail WHAT FILE: its first lines
    echo "FAILED: $1:"
    head -5 "$2"
    bad=1
}

"$uetgen" corpus --valid --all "$dir/valid" >/dev/null || exit 1
"$uetgen" corpus --all "$dir/any" >/dev/null || exit 1
chmod -R a+rX "$dir/valid" "$dir/any"
valid=$(grep -c '"frame":' "$dir/valid/manifest.json")
any=$(grep -c '"frame":' "$dir/any/manifest.json")

uetx -T pdml >"$dir/valid.pdml" || fail "tshark" "$dir/err"
"$covered" "$capture" "$dir/valid.pdml" >"$dir/covered" || fail "not every bit is shown" "$dir/covered"
grep -q "^$valid packets" "$dir/covered" || fail "not every packet was looked at" "$dir/covered"
uetx -Y '_ws.malformed || uetx.malformed.next_hdr || uetx.malformed.pds_short ||
    uetx.malformed.ses_short || uetx.malformed.tss_short || uetx.malformed.entropy_short ||
    uetx.malformed.crc_short || uetx.reserved.nonzero || uetx.reserved.value ||
    uetx.reserved.type || uetx.crc32c.bad || uetx.crc32c.suspect || uetx.trimmed' \
    -T fields -e frame.comment >"$dir/false"
[ -s "$dir/false" ] && fail "valid, and said to be wrong" "$dir/false"

# Wrong packets. own: frames in which the dissector itself remarks what is wrong.
capture=$dir/any/all.pcapng
uetx -Y 'uetx.malformed.next_hdr || uetx.malformed.pds_short || uetx.malformed.ses_short ||
    uetx.malformed.tss_short || uetx.malformed.entropy_short || uetx.malformed.crc_short ||
    uetx.reserved.nonzero || uetx.reserved.value || uetx.reserved.type || uetx.crc32c.bad ||
    uetx.crc32c.suspect || uetx.udp_checksum || uetx.trimmed || uetx.contested ||
    uetx.reserved.element' -T fields -e frame.number >"$dir/own"
uetx -T fields -E separator=/t -e frame.number -e frame.comment -e frame.protocols \
    -e _ws.expert.severity >"$dir/out" || fail "tshark" "$dir/err"
[ "$(wc -l <"$dir/out")" = "$any" ] || fail "not all of $any packets came out" "$dir/out"
cat >"$dir/unseen.awk" <<'AWK'
BEGIN {
    # Why nothing can be remarked, by what is wrong with the packet.
    why["udp(!bytes=0)"] = "IP carries nothing: Wireshark calls no dissector"
    why["entropy(!bytes=0)"] = why["udp(!bytes=0)"]
    why["ip(!total_length=20)/udp"] = why["udp(!bytes=0)"]
    why["(!bytes=0)"] = "UDP carries nothing: Wireshark calls no dissector"
    why["ip(!mf=1)"] = "a fragment: Wireshark waits for the others"
    why["eth(!ethertype=0x0806)"] = "is ARP, not UET"
    why["udp(!dst_port=4792)"] = "is another port, not UET"
}
NR == FNR { own[$1] = 1; next }
$2 ~ /, valid,/ { next }
{
    line = $2
    sub(/^[^:]*: /, "", line)
    remarks = 0
    n = split($4, severity, ",")
    for (i = 1; i <= n; i++)
        remarks += severity[i] > 1048576 # more than a comment
    before = line
    sub(/!.*/, "", before)
    above = before != line && (before ~ /udp\// || before ~ /entropy/)
    if (above && $3 ~ /:uetx/ ? own[$1] : remarks)
        next
    for (w in why)
        if ($3 !~ /:uetx/ && index(line, w)) {
            excused++
            next
        }
    print "packet " $1 ": " $2
}
END { print excused + 0 >excuses }
AWK
awk -F'\t' -v excuses="$dir/excused" -f "$dir/unseen.awk" "$dir/own" "$dir/out" >"$dir/unseen"
[ -s "$dir/unseen" ] && fail "wrong, and nobody says so" "$dir/unseen"
[ "$(cat "$dir/excused")" = 27 ] || fail "other packets than the 27 known ones pass unseen" "$dir/excused"
uetx -V >"$dir/text" || fail "tshark -V" "$dir/err"
grep -n 'Dissector bug\|Malformed Packet: UETX' "$dir/text" >"$dir/bugs" &&
    fail "the dissector lost its way" "$dir/bugs"
grep -v 'Running as user\|^ *$' "$dir/err" >"$dir/complaints" && fail "tshark complains" "$dir/complaints"
[ $bad = 0 ] && echo "$valid valid packets, every bit shown; $((any - valid)) wrong ones remarked"
exit $bad
