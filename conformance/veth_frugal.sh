#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
# veth_frugal.sh BIN SOURCE alone|spare [OPTION...]: the suite, as it comes, against a FEP of few
# resources in a process of its own: `uetfep --variant frugal` over a veth pair, without upper tester
# (alone) or with one that lacks verbs (spare). No test may fail, none be an error, and enough must
# run; the options go to `uetconform run`. 77 (skip, reason told) where the system allows no network
# namespace.
set -eu
bin=$1 source=$2 how=$3
shift 3

. "$source/conformance/spoilt.sh"
. "$source/conformance/feps.sh"
on_cables 1 "$0" "$bin" "$source" "$how" "$@"
own_folder
serve=
told=
least=120
if [ "$how" = spare ]; then
    serve="--control unix:$dir/fep.sock --bare"
    told="control: $dir/fep.sock"
    least=200
else
    serve="--memory 1:0:5:1:64KiB --receive 1:0:6:64KiB"
    told='memory:
  - {job_id: 1, pid_on_fep: 0, resource_index: 5, relative: true, key: 0x1, length: 65536}
receives:
  - {job_id: 1, pid_on_fep: 0, resource_index: 6, relative: true, length: 65536}'
fi
# shellcheck disable=SC2086
start_fep fep uetfep --port "$UET_IF_B" --address 192.0.2.1 --variant frugal $serve \
    --payload-mtu 4096 --max-pdcs 64
cat >"$dir/fep.yaml" <<YAML
name: a frugal FEP
address: 192.0.2.1
tester: [192.0.2.11, 192.0.2.12]
port: {interface: $UET_IF_A}
claims: [rud, write, write-immediate, read, send, multi-packet-send, probe, coalescing,
         small-header, medium-header, ack-cc, rod, rudi, uud]
parameters: {RTO_Init_Time: 5ms, max-pdcs: 64, max-open-messages: 64, own-window: 128,
             max-reads: 64, rto-fixed: true}
$told
YAML

status=0
"$bin/uetconform" run --fep "$dir/fep.yaml" --json "$dir/report.json" "$@" || status=$?
if [ "$status" -eq 1 ] && spoilt "$dir/report.json" "$bin/uetconform" run --fep "$dir/fep.yaml" "$@"; then
    status=0
fi
passed=$(sed -n 's/^ *"pass": \([0-9]*\),*$/\1/p' "$dir/report.json" | head -1)
if [ "${passed:-0}" -lt "$least" ]; then
    echo "veth_frugal.sh: only ${passed:-0} tests passed: $least are due" >&2
    status=1
fi
exit "$status"
