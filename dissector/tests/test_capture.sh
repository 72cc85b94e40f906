#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# test_capture.sh NAME alone|talk: what tshark says of captures/NAME.hex is what NAME.json beside it
# expects. alone: the packets have nothing to do with each other. talk: they have, and on a second
# pass more is known. NAME.options, where there is one, has options for tshark.
. "$(dirname "$0")/lib.sh"
pcap=$(capture "$1") || exit 2
out=$UETX_OUT/$1
check() { # check WHICH [tshark options]
    which=$1
    shift
    # shellcheck disable=SC2086
    set -- -r "$pcap" $options "$@"
    uetx "$@" -T json --no-duplicate-keys >"$out.fields.json" || fail "tshark failed"
    uetx "$@" -T json -e _ws.col.Info >"$out.info.json" || fail "tshark failed"
    # shellcheck disable=SC2086
    "$UETX_TOOLS/compare_json" "$here/captures/$name.json" "$out.fields.json" "$out.info.json" $which ||
        bad=1
}
name=$1
options=
[ -f "$here/captures/$name.options" ] && options=$(grep -v '^#' "$here/captures/$name.options")
if [ "$2" = alone ]; then
    check "" -o uetx.track:FALSE
else
    check ""
    check later -2
fi
exit $bad
