#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# Display filters are an interface: fields.txt names them all. Every filter of spec-map is one of
# them, and every field stands in an expectation of this folder.
. "$(dirname "$0")/lib.sh"
uetx -G fields | awk -F '\t' '$1 == "F" && $5 == "uetx" {print $3, $4, $6}' |
    sed 's/ *$//' | LC_ALL=C sort >"$UETX_OUT/fields.txt"
[ -s "$UETX_OUT/fields.txt" ] || fail "tshark knows no field of uetx"
grep -v '^#' "$here/fields.txt" | diff -u - "$UETX_OUT/fields.txt" ||
    fail "the fields changed. Saved filters of users break when a name does; when it is meant,
  write the new line into dissector/tests/fields.txt and an expectation for the field"
"$UETX_TOOLS/list_filters" | while read -r name; do
    grep -q "^$name " "$UETX_OUT/fields.txt" || echo "$name"
done | grep . && fail "filters of spec-map that the dissector lacks"
awk '{print $1}' "$UETX_OUT/fields.txt" | while read -r name; do
    case $name in
    uetx.message.data | uetx.message.error | uetx.message.multiple_tails) continue ;; # epan's
    uetx.message.too_long) continue ;;
    uetx.computed) continue ;; # what wire/ computes and computed.c does not name: never
    uetx.crc32c.bad | uetx.malformed.crc_short | uetx.pdc.mismatch | uetx.tss.ssi_mode) continue ;;
    uetx.dscp_role | uetx.message.over_limit) continue ;; # in test_preferences.sh, test_tss.sh
    esac
    grep -qE "\"$name\"(: (\"|\[)|[],])" "$here"/captures/*.json || echo "$name"
done | grep . && fail "fields without an expectation in dissector/tests/captures/*.json"
# Descriptions: none repeats the name, each field of a header says its section.
uetx -G fields | awk -F '\t' '$1 == "F" && $5 == "uetx"' >"$UETX_OUT/described"
cut -f3 "$UETX_OUT/described" | sort | uniq -d | while read -r name; do
    [ "$(grep -c "	$name	" "$UETX_OUT/described")" = 1 ] || echo "$name stands twice"
done >"$UETX_OUT/blurbs"
awk -F '\t' 'tolower($2) == tolower($8) { print $3 " repeats its name" }
    $3 ~ /^uetx\.(pds|ses|tss)\./ && $4 != "FT_NONE" && $8 !~ /[0-9]\.[0-9]|Table|section/ &&
    $3 !~ /pdcid$|psn_relative$|key_name$|encrypted$/ { print $3 " has no section: " $8 }' \
    "$UETX_OUT/described" >>"$UETX_OUT/blurbs"
[ -s "$UETX_OUT/blurbs" ] && fail "$(cat "$UETX_OUT/blurbs")"
for name in requests acks control forms strange; do
    pcap=$(capture $name) || exit 2
    expect "$name: values that computed.c does not name" "" \
        "$(uetx -r "$pcap" -Y uetx.computed -T fields -e frame.number)"
done
exit $bad
