#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
# seeds.sh UETSIM HOURS SEED...: so many virtual hours of each seed find nothing.
set -eu
uetsim=$1 hours=$2 bad=0
shift 2
for seed; do
    "$uetsim" --seed "$seed" --hours "$hours" --quiet || bad=1
done
exit $bad
