#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
# uetcat over UDP of the kernel, without any right: both ends on the loopback of this host.
#   udp.sh PATH-OF-UETCAT PATH-OF-UETFEP
# Where namespaces are allowed, in one of its own, so that nobody else has UET's port.
set -u
PATH="$PATH:/usr/sbin:/sbin"
case "${UDP_STEP:-}" in
"")
    UDP_STEP=plain
    if unshare -n true 2>/dev/null; then
        UDP_STEP=net exec unshare -n -- "$0" "$@"
    elif unshare -Urn true 2>/dev/null; then
        UDP_STEP=net exec unshare -Urn -- "$0" "$@"
    fi
    ;;
net)
    ip link set lo up || exit 1
    link=
    if ip link add uet-d type dummy 2>/dev/null && ip link set uet-d up; then
        ip addr add fe80::1/64 dev uet-d nodad && ip addr add fe80::2/64 dev uet-d nodad && link=uet-d
    fi
    export UDP_STEP=drop UDP_LINK=$link
    exec setpriv --bounding-set -all --inh-caps -all -- "$0" "$@"
    ;;
esac
uetcat=$1 uetfep=$2
dir=$(mktemp -d)
fep=
trap '[ -z "$fep" ] || kill $fep 2>/dev/null; rm -rf "$dir"' EXIT
failures=0

fail() {
    echo "FAILED: $1" >&2
    failures=$((failures + 1))
}
# want STATUS ARGUMENT...: runs uetcat with $dir/in; output and complaints go to $dir/out.
want() {
    status=$1
    shift
    timeout 30 "$uetcat" "$@" <"$dir/in" >"$dir/out" 2>&1
    got=$?
    [ $got = "$status" ] || fail "uetcat $*: exit status $got, not $status: $(cat "$dir/out")"
}
has() {
    grep -qE -- "$1" "$dir/out" || fail "no line is like '$1': $(cat "$dir/out")"
}
# listens ARGUMENT...: its output goes to $dir/lines, its complaints to $dir/told.
listens() {
    rm -f "$dir/told" # the shell empties it when the child runs
    "$uetcat" listen "$@" >"$dir/lines" 2>"$dir/told" &
    fep=$!
    i=0
    until grep -qs 'Ctrl-C ends it' "$dir/told" || [ $i = 100 ]; do
        sleep 0.05
        i=$((i + 1))
    done
}
ended() {
    [ "${1:-}" = now ] && kill -INT $fep
    wait $fep
    got=$?
    fep=
    [ $got = 0 ] || fail "listen: exit status $got: $(cat "$dir/told")"
}
line() {
    grep -qE -- "$1" "$dir/lines" || fail "no line is like '$1': $(cat "$dir/lines" "$dir/told")"
}
printf 'hello, world' >"$dir/in"

# ---- what a newcomer tries first ----
listens
grep -qx 'uetcat listen: no -S: over UDP of the kernel, as 127.0.0.1, without native IP, trimmed packets, addresses of our own, every entropy value' \
    "$dir/told" || fail "it does not say what is missing: $(cat "$dir/told")"
want 0 ping -c 2 -i 0.01 127.0.0.1
has '^uetcat ping: no -S: over UDP of the kernel, as 127\.0\.0\.[0-9]+, without native IP, '
has '^UET PING 127\.0\.0\.1 from 127\.0\.0\.[0-9]+ on UDP port 4793: '
has '^2 requests sent, 2 answered, 0% loss'
want 0 send 127.0.0.1
# eight at once: each has an address of its own
others=
for i in 1 2 3 4 5 6 7; do
    "$uetcat" ping -c 20 -i 0.02 127.0.0.1 >"$dir/other.$i" 2>&1 &
    others="$others $i:$!"
done
want 0 ping -c 20 -i 0.02 127.0.0.1
for other in $others; do
    wait "${other#*:}" || fail "the other ping: $(cat "$dir/other.${other%:*}")"
done
want 2 ping -c 1 --entropy 0xc000,7 127.0.0.1
has '^uetcat ping: --entropy: over UDP of the kernel there is no value below 1024, such as 7: give others, or -S'
want 0 ping -c 10 -i 0.01 --entropy 0xc000-0xc004 --pcap "$dir/e.pcapng" 127.0.0.1
ended now
line '^127\.0\.0\.[0-9]+ SEND job=0 pid=0 ri=0 len=12  68 .*\|hello, world\|$'
want 0 decode --json "$dir/e.pcapng"
[ "$(grep -c '"opcode":"NO_OP"\|NO_OP' "$dir/out")" -ge 10 ] || fail "not 10 requests captured"

# ---- a file, byte for byte, on ROD and RUD, with and without CRC; one address for both ----
awk 'BEGIN { for (i = 0; i < 200000; i++) printf "%d ", i }' >"$dir/file"
for crc in none crc; do
    listens --udp -S 127.0.0.5 --crc $crc -c 2 -o -
    cp "$dir/file" "$dir/in"
    want 0 send --udp -S 127.0.0.5 --crc $crc -W 5 127.0.0.5
    want 0 send --rod -S 127.0.0.6 --crc $crc -W 5 127.0.0.5
    ended
    cat "$dir/file" "$dir/file" | cmp - "$dir/lines" || fail "other bytes have come"
done
printf 'hello, world' >"$dir/in"

# ---- IPv6, where both ends have one address; with a zone ----
both() { # LISTENER ADDRESS SENDER-OPTION...
    listens -S "$1" -M 1:2:3:4:1KiB --save "$dir/saved"
    shift
    want 0 tsend -t 7 -W 5 "$@"
    want 0 write --job 1 --pid 2 --ri 3 -k 4 --check -W 5 "$@"
    want 0 atomic --job 1 --pid 2 --ri 3 -k 4 -O 512 -x 3 -W 5 "$@"
    want 1 write --job 1 --pid 2 --ri 3 -k 5 -W 5 "$@"
    has 'RC_BAD_MKEY$'
    ended now
    line ' TAGGED_SEND job=0 pid=0 ri=0 tag=0x7 len=12 '
    line ' WRITE job=1 pid=2 ri=3 key=0x4 off=0 len=12$'
    [ "$(head -c 12 "$dir/saved")" = 'hello, world' ] || fail "saved: $(od -c "$dir/saved")"
}
if [ -e /proc/net/if_inet6 ] && [ $UDP_STEP = drop ]; then
    both ::1 ::1
    both ::1 --udp -S ::1 ::1
    if [ -n "$UDP_LINK" ]; then
        both "fe80::1%$UDP_LINK" -S "fe80::2%$UDP_LINK" fe80::1
        want 2 ping -c 1 fe80::1
        has '^uetcat ping: a link-local address is of one link: '
        want 2 ping -c 1 -I lo "fe80::1%$UDP_LINK"
        has '^uetcat ping: -I lo, but the zone is uet-d: give one$'
    fi
fi
want 2 ping -c 1 192.0.2.1%lo
has '^uetcat ping: .*only IPv6 addresses have a zone$'
want 2 ping -c 1 fe80::1%no-such
has "^uetcat ping: 'fe80::1%no-such': there is no interface 'no-such'$"

# ---- the reference FEP the same way ----
if [ -x "$uetfep" ]; then
    rm -f "$dir/lines"
    "$uetfep" --udp --address 127.0.0.8 --protect crc --stats >"$dir/lines" 2>"$dir/told" &
    fep=$!
    i=0
    until grep -qs 'ready on' "$dir/lines" || [ $i = 100 ]; do
        sleep 0.05
        i=$((i + 1))
    done
    want 0 write --crc crc -k 1 -n 100000 --check -W 5 127.0.0.8
    want 0 read --crc crc -k 1 -n 4 -W 5 127.0.0.8
    has '^00000000  0001 0203 '
    want 0 probe -W 0.5 127.0.0.8
    has '^wrapping +UDP, no CRC +silent +silence$'
    has '^ +UDP, CRC big-endian +yes +ACK'
    has '^ +native IP +- +needs raw sockets: give -S$'
    has '^ +TSEND_ATOMIC +known +ACK'
    has '^It answers over UDP, CRC big-endian; '
    kill $fep
    wait $fep || fail "uetfep --udp: $(cat "$dir/told")"
    fep=
    line '^uetfep: ready on UDP as 127.0.0.8$'
    line '^port received +[1-9]'
    # the three copies that probe sends without a CRC, and no other
    line '^drop_crc_bad +3$'
fi

# ---- nobody is there; what cannot be ----
want 1 send -W 1 127.0.0.77
has '^uetcat send: its host says \(ICMP\) that nobody listens on UDP port 4793 there$'
want 1 ping -c 1 -W 1 127.0.0.77
has '^its host says \(ICMP\) that nobody listens on UDP port 4793 there$'
want 1 probe -W 1 127.0.0.77
has '^No answer: its host says \(ICMP\) that nobody listens on UDP port 4793 there$'
want 1 read -k 1 -W 0.1 -S ::1 --udp ::1
listens -S 127.0.0.5
want 2 listen -S 127.0.0.5 --udp
has '^uetcat listen: another program has UDP port 4793 of 127.0.0.5, where answers come: end it'
want 0 read -k 1 -n 0 -S 127.0.0.5 --udp --help
ended now
want 2 ping -c 1 --udp -S 192.0.2.9 192.0.2.1
has '^uetcat ping: this host has no address 192.0.2.9: over UDP give one that it has'
want 2 ping -c 1 --udp --encapsulation native 127.0.0.1
has '^uetcat ping: --udp carries no native IP: leave out one of them$'
want 2 ping -c 1 --encapsulation native 127.0.0.1
has '^uetcat ping: native IP needs raw sockets: give our address with -S, '
if [ $UDP_STEP = drop ]; then
    want 2 ping -c 1 -I lo -S 192.0.2.9 192.0.2.1
    has 'no right to open a packet socket: .*; or leave -S out: over UDP of the kernel no right is needed$'
    want 2 ping -c 1 -I lo -S 192.0.2.9 --encapsulation native 192.0.2.1
    has "unshare -Urn\`\\)$"
fi

[ $failures = 0 ] || exit 1
echo "all passed"
