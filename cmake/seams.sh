#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
# seams.sh [list]: in how many functions of the reference FEP something else than the rule enters
# (seams.awk); with list, each of them. Tests and refimpl/host/ do not count.
set -eu
cd "$(dirname "$0")/.."
files=$(find refimpl -name '*.[ch]' ! -path '*/tests/*' ! -path 'refimpl/host/*' | sort)
# shellcheck disable=SC2086
LC_ALL=C awk -f cmake/seams.awk -v list="${1:+1}" $files $files
