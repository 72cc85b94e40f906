#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
# veth_alone.sh BIN SOURCE [OPTION...]: the suite against uetfep over a veth pair without an upper
# tester: the example fep.yaml with another interface, no control socket and no known deviations
# (uetfep has none), and what it declares opened by options. Options go to `uetconform run`. Exit
# status as of veth.sh; 1 also when hardly a test passed, because all were skipped.
set -eu
bin=$1 source=$2
shift 2

. "$source/conformance/spoilt.sh"
. "$source/conformance/feps.sh"
on_cables 1 "$0" "$bin" "$source" "$@"
own_folder
sed -e "s/interface: eth1/interface: $UET_IF_A/" -e '/^control:/d' \
    -e '/^known_deviations:/,$d' "$source/conformance/examples/fep.yaml" >"$dir/fep.yaml"
start_fep fep uetfep --port "$UET_IF_B" --address 192.0.2.1 --payload-mtu 4096 \
    --memory 1:0:5:0x1:64KiB --receive 1:0:6:64KiB

status=0
"$bin/uetconform" run --fep "$dir/fep.yaml" --json "$dir/report.json" "$@" || status=$?
if [ "$status" -eq 1 ] && spoilt "$dir/report.json" "$bin/uetconform" run --fep "$dir/fep.yaml" "$@"; then
    status=0
fi
if ! kill -0 "$fep" 2>/dev/null; then
    cat "$dir/fep.log" >&2
    echo "veth_alone.sh: uetfep died" >&2
    status=1
fi
passes=$(sed -n 's/^ *"pass": \([0-9]*\),*$/\1/p' "$dir/report.json" | head -1)
if [ "$status" -eq 0 ] && [ "${passes:-0}" -lt 80 ]; then
    echo "veth_alone.sh: only ${passes:-0} tests passed, 80 do at least" >&2
    status=1
fi
exit $status
