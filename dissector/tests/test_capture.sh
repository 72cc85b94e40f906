#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# test_capture.sh NAME: what tshark says of NAME.hex is what NAME.json expects.
. "$(dirname "$0")/lib.sh"
pcap=$(capture "$1") || exit 2
out=$UETX_OUT/$1
uetx -r "$pcap" -T json --no-duplicate-keys >"$out.fields.json" || fail "tshark failed"
uetx -r "$pcap" -T json -e _ws.col.Info >"$out.info.json" || fail "tshark failed"
"$UETX_TOOLS/compare_json" "$here/$1.json" "$out.fields.json" "$out.info.json" || bad=1
exit $bad
