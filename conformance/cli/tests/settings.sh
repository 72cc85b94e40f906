#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
# settings.sh UETCONFORM SOURCE: what fep.yaml says is what the run goes by, unless the command
# line says otherwise. On a veth pair with nobody at its other end: the verdicts do not matter.
# Exit status 77 (skip) where the system allows no network namespace.
set -eu
uetconform=$1 source=$2
if [ -z "${UET_IF_A:-}" ]; then
    exec "$source/port/tests/with-veth" "$0" "$uetconform" "$source"
fi
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
fails=0

yaml() {
    printf 'address: 192.0.2.1\ntester: 192.0.2.11\nport: {interface: %s}\nresponse_time: 1ms\n%s\n' \
        "$UET_IF_A" "$1" >"$dir/fep.yaml"
}

# judged SPEC PROFILE OPTION...: what the report says that the FEP was judged by
judged() {
    want="$1 $2"
    shift 2
    "$uetconform" run --fep "$dir/fep.yaml" --json "$dir/run.json" --quiet \
        --test ses.3.4.6.2.no-op-succeeds "$@" >"$dir/out" 2>&1 || true
    got=$(sed -n 's/^ *"\(spec\|profile\)": "\([^"]*\)".*/\2/p' "$dir/run.json" | sort -r | head -2 |
        tr '\n' ' ')
    for word in $want; do
        case " $got" in
        *" $word "*) ;;
        *) echo "FAIL: $* judged by '$got', not by $want"; fails=1; cat "$dir/out"; return ;;
        esac
    done
}

yaml ''
judged 1.0.3 all
yaml 'spec: 1.0.1
profile: HPC'
judged 1.0.1 HPC
judged 1.0.2 HPC --spec 1.0.2
judged 1.0.1 AI-Base --profile AI-Base
exit $fails
