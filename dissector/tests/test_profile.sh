#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# Every filter and preference of profile/ and every filter of the README is one that tshark takes.
. "$(dirname "$0")/lib.sh"
wrong=$(capture wrong) || exit 2
accepted() { uetx -r "$wrong" -c 1 -Y "$1" >/dev/null 2>"$UETX_OUT/err" || fail "$1
$(cat "$UETX_OUT/err")"; }
grep '^@' "$here/../profile/colorfilters" | cut -d@ -f3 >"$UETX_OUT/filters"
sed -n 's/^"TRUE","[^"]*","\([^"]*\)",.*/\1/p' "$here/../profile/dfilter_buttons" >>"$UETX_OUT/filters"
graphs=$here/../profile/io_graphs
sed -n 's/^"[A-Z][a-z]*","[^"]*","\([^"]*\)",.*/\1/p' "$graphs" >>"$UETX_OUT/filters"
sed -n '/^## Filters/,/^## Pref/s/^| `\(uetx[^`]*\)` |.*/\1/p' "$here/../README.md" |
    sed 's/\\|/|/g' >>"$UETX_OUT/filters"
[ "$(wc -l <"$UETX_OUT/filters")" -ge 20 ] || fail "too few filters found in profile/ and README.md"
# All at once, as starting tshark takes its time; one by one to find which one fails.
all=$(sed 's/.*/(&)/' "$UETX_OUT/filters" | paste -sd '~' | sed 's/~/ || /g')
uetx -r "$wrong" -c 1 -Y "$all" >/dev/null 2>&1 ||
    while read -r filter; do accepted "$filter"; done <"$UETX_OUT/filters"

# What a graph calculates, tshark can: the calculation, then its field.
calculations=$(sed -n 's/.*","\([A-Z]*\)(Y Field)","\([a-z_.]*\)",.*/\1(\2)\2/p' "$graphs" | paste -sd,)
expect "graphs that calculate" 6 "$(printf '%s\n' "$calculations" | tr , '\n' | grep -c '(uetx')"
uetx -Q -r "$wrong" -z "io,stat,0,$calculations" >/dev/null 2>"$UETX_OUT/err" ||
    fail "$calculations: $(cat "$UETX_OUT/err")"
# Tabs go by short names of protocols.
uetx -G protocols | cut -f2 >"$UETX_OUT/protocols"
sed -n 's/^gui\..*_tabs: //p' "$here/../profile/recent" | tr ',' '\n' | tr -d '"' >"$UETX_OUT/tabs"
expect "tabs of tables" 6 "$(grep -cxFf "$UETX_OUT/protocols" "$UETX_OUT/tabs")"

profiles=$UETX_OUT/config/wireshark/profiles
mkdir -p "$profiles" && rm -rf "$profiles/UET" && cp -r "$here/../profile" "$profiles/UET"
acks=$(capture acks) || exit 2
UETX_CONFIG=$UETX_OUT/config
have=$(uetx -r "$acks" -Y frame.number==5 -C UET 2>"$UETX_OUT/err" | tr -s ' ')
grep . "$UETX_OUT/err" && fail "tshark complains about the profile"
expect "the columns of the profile" \
    " 5 0.004000 192.0.2.2 192.0.2.1 0x2001 0x1001 54 ACK cack=0x00000010 probe=0xabcd 0x2001>0x1001" \
    "$(printf '%s' "$have" | sed 's/→ //')"

# The colour of each packet, by the name of its rule.
colours() {
    pcap=$1
    shift
    uetx -r "$pcap" -C UET -d ip.proto==253,uetx --color -T fields -E separator== \
        -e frame.number -e frame.coloring_rule.name "$@" 2>"$UETX_OUT/err" |
        sed 's/=UET /=/' | tr '\n' ','
    grep . "$UETX_OUT/err" >&2
}
forms=$(capture forms) && strange=$(capture strange) && stream=$(capture stream) || exit 2
expect "colours of the forms" "1=retransmission,2=without a PDC,3=without a PDC,4=request,5=opens a PDC,\
6=ACK,7=ACK,8=ACK,9=closes a PDC,10=ACK,11=NACK,12=NACK,13=NACK,14=ACK,15=closes a PDC,16=ACK,\
17=data of a read,18=request,19=request,20=request,21=request,22=request,23=request,24=request,\
25=request,26=trimmed,27=trimmed," "$(colours "$forms" -o uetx.track:FALSE)"
expect "colours of what is strange" "5=NACK,6=malformed or corrupt,10=request,\
11=reserved or of another version,12=reserved or of another version," "$(colours "$strange" \
    -o uetx.track:FALSE -Y 'frame.number in {5, 6, 10, 11, 12}')"
expect "colours of what happens" "13=captured before,15=retransmission,19=violates a requirement," \
    "$(colours "$stream" -Y 'frame.number in {13, 15, 19}')"
expect "the old UDP length of a trimmed packet is no error" 1 \
    "$(uetx -r "$forms" -C UET -Y frame.number==26 -V 2>&1 |
        grep -c 'Expert Info (Note/Malformed): Bad length value')"
tss=$(capture tss) || exit 2
expect "not decrypted" "1=not decrypted," "$(colours "$tss" -c 1)"
exit $bad
