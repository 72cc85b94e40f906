#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
# Each command that sends, in each form of the wire: native IP, IPv6 with a zone, CRC trailers in both
# byte orders. The capture of each shows that its packets have that form, and are right.
#   forms.sh PATH-OF-UETCAT PATH-OF-UETFEP
# Exit status 77: this system allows no network namespace, or uetfep is not built.
set -u
. "$(dirname "$0")/far.sh"

# ---- zones: status 2 and a line that says what is wrong ----
# wrong ARGUMENT...: without -I.
wrong() {
    "$uetcat" "$@" >"$dir/out" 2>&1 </dev/null
    got=$?
    [ $got = 2 ] || fail "$*: exit status $got, not 2: $(cat "$dir/out")"
}
wrong ping -S fe80::1 fe80::2
has '^uetcat ping: a link-local address is of one link: name its interface with -I, or behind it'
wrong ping -S fe80::1 fe80::2%nowhere
has "^uetcat ping: 'fe80::2%nowhere': there is no interface 'nowhere'$"
wrong ping -S fe80::1 fe80::2%
has "^uetcat ping: 'fe80::2%': there is no interface ''$"
wrong ping -S fe80::1 fe80::2%4000000
has "there is no interface '4000000'$"
wrong ping -S fe80::1%lo "fe80::2%$UET_IF_A"
has "^uetcat ping: the zones lo and $UET_IF_A differ: give one$"
wrong ping -I lo -S fe80::1 "fe80::2%$UET_IF_A"
has "^uetcat ping: -I lo, but the zone is $UET_IF_A: give one$"
wrong ping -S 192.0.2.1 "192.0.2.2%$UET_IF_A"
has "^uetcat ping: '192.0.2.2%$UET_IF_A': only IPv6 addresses have a zone$"
wrong ping -S fe80::1 "%$UET_IF_A"
has "'' is no IPv4 or IPv6 address"
wrong listen -S fe80::1
has '^uetcat listen: a link-local address is of one link'

if [ ! -x "$uetfep" ]; then
    [ $failures = 0 ] || exit 1
    echo "skip: no $uetfep" >&2
    exit 77
fi

# each PATTERN ARGUMENT...: all commands with these; every line of their captures is like the pattern.
each() {
    pattern=$1
    shift
    for command in "ping -c 2 -i 0" "ping -c 2 -i 0 --size 9 -k 1" "read -k 1" "write -k 1 -n 5000 --check" \
        "send -n 9" "atomic -k 1 -x 1 --check"; do
        # shellcheck disable=SC2086  # words
        "$uetcat" $command -W 5 --pcap "$dir/form.pcapng" "$@" >"$dir/out" 2>&1 ||
            fail "$command $*: status $?: $(cat "$dir/out")"
        "$uetcat" decode --json --ip-protocol 250 "$dir/form.pcapng" >"$dir/out" 2>"$dir/err" || fail "$command $*: not well formed"
        [ -s "$dir/out" ] || fail "$command $*: no packets"
        grep -qvE -- "$pattern" "$dir/out" && fail "$command $*: not like $pattern"
    done
    "$uetcat" tsend -t 7 -n 9 -W 5 --pcap "$dir/form.pcapng" "$@" >"$dir/out" 2>&1
    has 'the FEP refuses: RC_NO_MATCH'
    "$uetcat" decode --json --ip-protocol 250 "$dir/form.pcapng" >"$dir/out" 2>"$dir/err" || fail "tsend $*: not well formed"
    grep -qvE -- "$pattern" "$dir/out" && fail "tsend $*: not like $pattern"
}

far_fep --address 192.0.2.2 --protect crc --crc-order little
each '"header":"udp".*"crc":"good"' -I "$UET_IF_A" --protect crc --crc-order little -S 192.0.2.1 192.0.2.2
far_fep --address 192.0.2.2 --param UET_Over_UDP=0 --param IP_Proto_Nxt_Hdr=250 --protect crc
each '"header":"ipv4".*"protocol":250,.*"header":"entropy".*"crc":"good"' -I "$UET_IF_A" --encapsulation native \
    --ip-protocol 250 --crc crc -S 192.0.2.1 192.0.2.2
far_fep --address fe80::2
each '"header":"ipv6".*"header":"udp"' -S fe80::1 "fe80::2%$UET_IF_A"
far_fep --address fe80::2 --param UET_Over_UDP=0 --param IP_Proto_Nxt_Hdr=250 --protect crc
number=$(PATH=$PATH:/usr/sbin:/sbin ip -o link show dev "$UET_IF_A" | cut -d: -f1)
each '"header":"ipv6".*"next_header":250,.*"header":"entropy".*"crc":"good"' --encapsulation native --ip-protocol 250 --crc crc \
    -S "fe80::1%$number" fe80::2

# ---- the same option means the same everywhere: every letter and every name has one line of help ----
for command in $("$uetcat" --help | sed -n "s/^  \([a-z]*\) .*/\1/p"); do
    "$uetcat" "$command" --help >"$dir/out" || fail "$command --help: status $?"
    has '^Examples:$'
    has '^      --json '
    has 'Exit status: 0 '
    sed -n 's/^  -\(.\), --\([a-z-]*\).*/\1 \2/p' "$dir/out"
done | sort -u >"$dir/letters"
doubled=$(cut -d' ' -f1 "$dir/letters" | uniq -d)
[ -z "$doubled" ] || fail "letters of two options: $doubled"
[ "$(wc -l <"$dir/letters")" -gt 15 ] || fail "no letters were found"

[ $failures = 0 ] || exit 1
echo "all passed"
