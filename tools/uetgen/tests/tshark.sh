#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
# The valid part of the corpus through tshark and the dissector: every packet is UETX, none is
# malformed, no byte is left undecoded.
#   tshark.sh PATH-OF-UETGEN PLUGIN-DIRECTORY
set -u
uetgen=$1
plugins=$2
command -v tshark >/dev/null || { echo "SKIPPED: no tshark"; exit 77; }
[ -d "$plugins" ] || { echo "SKIPPED: no plugin in $plugins"; exit 77; }
dir=$(mktemp -d)
chmod 755 "$dir"
trap 'rm -rf "$dir"' EXIT

# As root Wireshark ignores WIRESHARK_PLUGIN_DIR; in a user namespace of its own it does not.
as_user=
if [ "$(id -u)" -eq 0 ]; then
    unshare -U true 2>/dev/null || { echo "SKIPPED: root, and no user namespaces"; exit 77; }
    as_user="unshare -U"
fi
uetx() {
    # shellcheck disable=SC2086
    $as_user env HOME=/nonexistent XDG_CONFIG_HOME=/nonexistent TZ=UTC LC_ALL=C.UTF-8 \
        WIRESHARK_PLUGIN_DIR="$plugins" tshark -d ip.proto==253,uetx -o uetx.track:FALSE -r "$dir/valid/all.pcapng" "$@"
}

"$uetgen" corpus --valid --all "$dir/valid" >/dev/null || exit 1
chmod -R a+rX "$dir/valid"
packets=$(grep -c '"frame":' "$dir/valid/manifest.json")
uetx -T fields -E separator=/t -e _ws.col.Protocol -e _ws.malformed -e frame.number \
    -e _ws.col.Info >"$dir/out" 2>"$dir/err" || { cat "$dir/err"; exit 1; }
bad=0
[ "$(wc -l <"$dir/out")" = "$packets" ] || { echo "FAILED: $(wc -l <"$dir/out") of $packets"; bad=1; }
awk -F'\t' '$1 != "UETX" || $2 != ""' "$dir/out" >"$dir/wrong"
[ -s "$dir/wrong" ] && { echo "FAILED: not UETX, or malformed:"; head -5 "$dir/wrong"; bad=1; }
uetx -V 2>/dev/null | grep -iE 'undecoded|not decoded|malformed' | sort | uniq -c >"$dir/left"
[ -s "$dir/left" ] && { echo "FAILED: left undecoded:"; head -5 "$dir/left"; bad=1; }
[ $bad = 0 ] && echo "$packets valid packets, none malformed"
exit $bad
