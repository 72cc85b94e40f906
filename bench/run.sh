#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
# Times, instruction counts beside those of baseline.json, and tshark: about six minutes.
#   run.sh BUILD-DIRECTORY [--json] [--quick]     --quick leaves out tshark
# Exit status: 0; 1 an instruction count is more than a tenth above the baseline; 2 set-up.
set -eu
here=$(dirname "$0")
build=$1
bench=$build/bin/uet-bench
shift
json= quick=
for option in "$@"; do
    case $option in
    --json) json=--json ;;
    --quick) quick=1 ;;
    *)
        echo "run.sh: $option: the options are --json and --quick" >&2
        exit 2
        ;;
    esac
done
[ -x "$bench" ] || {
    echo "run.sh: no $bench; build it first (./dev build)" >&2
    exit 2
}
figures=$(mktemp)
trap 'rm -f "$figures"' EXIT
trap 'exit 2' HUP INT TERM

# What baseline.json counts is what is counted.
# (check is a program, not a bench: check.sh counts it; what security.sh and nscc.sh count are
# differences.)
names=$(sed -n '/"instructions"/,/}/s/^ *"\([a-z0-9_]*\)": *[0-9][0-9]*,*$/\1/p' "$here/baseline.json" |
    grep -vxE 'check|security|derived_key|nscc|nscc_each')
# shellcheck disable=SC2086
"$here/callgrind.sh" "$bench" $names >"$figures.counts" || {
    rm -f "$figures.counts"
    exit 2
}
sed 's/ / instructions /' "$figures.counts" >"$figures"
rm -f "$figures.counts"
if [ -x "$build/bin/uetconform" ]; then # and the reference FEP
    "$here/security.sh" "$bench" >>"$figures" || exit 2
    "$here/nscc.sh" "$bench" >>"$figures" || exit 2
    "$here/check.sh" "$build" >>"$figures" || exit 2
fi
if [ -z "$quick" ]; then
    status=0
    "$here/tshark.sh" "$build" >>"$figures" || status=$?
    [ $status -eq 0 ] || [ $status -eq 77 ] || exit 2
fi
# shellcheck disable=SC2086
"$bench" $json --figures "$figures" --baseline "$here/baseline.json"
