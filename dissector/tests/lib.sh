# SPDX-License-Identifier: GPL-2.0-or-later
# Read by the tests of the dissector. From CMake: UETX_PLUGINS (a plugin folder), UETX_TOOLS (the
# programs of this folder), UETX_PRELOAD (the sanitizer's runtime, or empty), UETX_OUT (scratch).
here=$(dirname "$0")
mkdir -p "$UETX_OUT"
bad=0

fail() { printf 'FAILED: %s\n' "$*"; bad=1; }

. "$here/../../cmake/tshark-user.sh"
tshark_user || {
    echo "SKIPPED: root, and neither user namespaces nor setpriv: Wireshark loads no plugin"
    exit 77
}
# shellcheck disable=SC2086
if ! $as_user test -w "$UETX_OUT"; then
    UETX_OUT=$(mktemp -d)
    trap 'rm -rf "$UETX_OUT"' EXIT
    chmod 777 "$UETX_OUT"
    UETX_PLUGINS=$(tshark_plugins "$UETX_PLUGINS" "$UETX_OUT") || exit 2
    preload=
    for library in $(printf '%s' "${UETX_PRELOAD:-}" | tr ':' ' '); do
        # shellcheck disable=SC2086
        $as_user test -r "$library" || {
            cp -L "$library" "$UETX_OUT" || exit 2
            library=$UETX_OUT/$(basename "$library")
        }
        preload="$preload $library"
    done
    UETX_PRELOAD=${preload# }
fi

# Where a sanitizer watches, each piece of memory is allocated by itself; else as users have it, which
# takes two thirds of the time.
wmem=block
[ -z "${UETX_PRELOAD:-}" ] || wmem=simple

# tshark with the plugin and without the settings of whoever runs this. Without external capture
# programs: tshark would start them from threads, where a fork under the sanitizer may hang.
tshark_with() {
    plugins=$1
    shift
    # shellcheck disable=SC2086
    $as_user env HOME=/nonexistent XDG_CONFIG_HOME="${UETX_CONFIG:-/nonexistent}" TZ=UTC LC_ALL=C.UTF-8 \
        WIRESHARK_PLUGIN_DIR="$plugins" WIRESHARK_DEBUG_WMEM_OVERRIDE="${UETX_WMEM:-$wmem}" \
        WIRESHARK_EXTCAP_DIR=/nonexistent \
        ASAN_OPTIONS=detect_leaks=0 UBSAN_OPTIONS=print_stacktrace=1 \
        ${UETX_PRELOAD:+LD_PRELOAD="$UETX_PRELOAD"} tshark "$@"
}

uetx() { tshark_with "$UETX_PLUGINS" "$@"; }

capture() { # capture NAME: captures/NAME.hex becomes a capture; prints its path
    "$UETX_TOOLS/hex2pcap" "$here/captures/$1.hex" "$UETX_OUT/$1.pcap" || exit 2
    printf '%s\n' "$UETX_OUT/$1.pcap"
}

# expect WHAT WANT HAVE
expect() {
    [ "$2" = "$3" ] || fail "$1
  expected: $2
  tshark:   $3"
}
