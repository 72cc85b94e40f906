#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
# veth_bent.sh BIN SOURCE ID: a FEP that breaks the rule of a requirement, in another process, must
# fail a test of that requirement: what is broken on its command line outlives the reset before
# each test. Exit status: 0 it failed; 1 it did not, or the suite could not run; 77 as veth.sh.
set -eu
bin=$1 source=$2 id=$3
report=$(mktemp)
trap 'rm -f "$report"' EXIT

status=0
UET_VIOLATE=$id UET_REPORT=$report "$source/conformance/veth.sh" "$bin" "$source" --slow 10 \
    --requirement "$id" --quiet || status=$?
[ "$status" -ne 77 ] || exit 77
if [ "$status" -ne 1 ] || ! grep -q '"verdict": *"fail"' "$report" ||
    ! grep -q "\"message\": *\"$id: " "$report"; then
    echo "veth_bent.sh: uetfep-bent --violate $id was not failed (exit status $status)" >&2
    exit 1
fi
echo "uetfep-bent --violate $id fails a test of $id, as it must"
