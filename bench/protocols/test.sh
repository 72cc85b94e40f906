#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
# The small table equals its formulas; with half of the window that they ask for it cannot, and the
# program says so.
#   test.sh PATH-OF-UET-PROTOCOLS
set -eu
"$1" --small || {
    echo "test.sh: a message is off its formula"
    exit 1
}
status=0
"$1" --small --window 50 >/dev/null || status=$?
[ $status -eq 1 ] || {
    echo "test.sh: with half a window the exit status is $status, not 1"
    exit 1
}
