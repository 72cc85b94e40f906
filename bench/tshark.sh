#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
# tshark over a capture of 1 M packets (two reference FEPs, written by uet-bench): with the plugin
# uetx, following PDCs, and the same with the port decoded as data. CPU time, seven runs of each in
# turn; takes about two minutes and 160 MB in TMPDIR, which are given back. And messages of many
# packets, in order and shuffled, to the same packets as messages of their own: putting a message
# together takes no longer by packet, the longer it is.
#   tshark.sh BUILD-DIRECTORY [PACKETS]    prints lines "tshark FIELD NUMBER" for uet-bench --figures
# Exit status: 0; 2 set-up; 77 no tshark, or one that loads no plugin.
set -eu
build=$(cd "$1" && pwd)
packets=${2:-1000000}
skip() { echo "tshark.sh: left out: $*" >&2; exit 77; }
command -v tshark >/dev/null || skip "no tshark; install the package tshark"
[ -e "$build/lib/uetx.so" ] || skip "no $build/lib/uetx.so; it needs wireshark-dev"

. "$(dirname "$0")/../cmake/tshark-user.sh"
tshark_user || skip "root without user namespaces or setpriv: Wireshark loads no plugin"
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
trap 'exit 2' HUP INT TERM
chmod 755 "$scratch"
plugins=$(tshark_plugins "$build/lib/wireshark" "$scratch")
"$build/bin/uet-bench" --capture "$scratch/bench.pcapng" "$packets"

run() { # run CAPTURE OPTIONS: the CPU seconds of one tshark
    capture=$scratch/$1
    shift
    # shellcheck disable=SC2086
    LC_ALL=C bash -c 'TIMEFORMAT="%U %S"; time "$@" >/dev/null 2>"$0"' "$scratch/err" $as_user \
        env HOME=/nonexistent XDG_CONFIG_HOME=/nonexistent TZ=UTC \
        WIRESHARK_PLUGIN_DIR="$plugins" tshark -n -r "$capture" "$@" \
        2>"$scratch/time" || {
        echo "tshark.sh: tshark failed: $(cat "$scratch/err")" >&2
        exit 2
    }
    awk '{ print $1 + $2 }' "$scratch/time"
}

# A plugin that was not loaded must not look fast.
# shellcheck disable=SC2086
$as_user env HOME=/nonexistent XDG_CONFIG_HOME=/nonexistent \
    WIRESHARK_PLUGIN_DIR="$plugins" tshark -n -r "$scratch/bench.pcapng" -c 1 2>/dev/null |
    grep -q UETX || skip "tshark does not load the plugin"

for i in 1 2 3 4 5 6 7; do
    data=$(run bench.pcapng -d udp.port==4793,data) || exit 2
    uetx=$(run bench.pcapng) || exit 2
    echo "$data $uetx" >>"$scratch/runs"
done
# medians FILE: of its two columns, and of the second divided by the first
medians() {
    awk '
    function median(v, i, j, t) { # sorts the NR values on the way
        for (i = 2; i <= NR; i++)
            for (j = i; j > 1 && v[j - 1] > v[j]; j--) {
                t = v[j]
                v[j] = v[j - 1]
                v[j - 1] = t
            }
        return v[int((NR + 1) / 2)]
    }
    { a[NR] = $1; b[NR] = $2; ratio[NR] = $2 / $1 }
    END { printf "%.2f %.2f %.3f\n", median(a), median(b), median(ratio) }' "$1"
}

echo "tshark packets $packets"
medians "$scratch/runs" | {
    read -r data uetx ratio
    echo "tshark seconds_as_data $data"
    echo "tshark seconds $uetx"
    echo "tshark ratio $ratio"
}
rm "$scratch/bench.pcapng"

messages() { # messages FORM PACKETS
    "$build/bin/uet-bench" --messages "$scratch/short.pcapng" "$2" short
    "$build/bin/uet-bench" --messages "$scratch/$1.pcapng" "$2" "$1"
    rm "$scratch/runs"
    for i in 1 2 3 4 5 6 7; do
        short=$(run short.pcapng -o uetx.reassemble_kib:65536) || exit 2
        one=$(run "$1.pcapng" -o uetx.reassemble_kib:65536) || exit 2
        echo "$short $one" >>"$scratch/runs"
    done
    medians "$scratch/runs" | {
        read -r short one ratio
        echo "tshark_$1 packets $2"
        echo "tshark_$1 seconds_as_short $short"
        echo "tshark_$1 seconds $one"
        echo "tshark_$1 ratio $ratio"
    }
}
messages long 16384
messages shuffled 60000
