# SPDX-License-Identifier: BSD-2-Clause
# For tests of a command that speaks to a FEP: sourced with the test's own arguments, PATH-OF-UETCAT and
# PATH-OF-UETFEP. It goes into a namespace with a veth pair, makes $dir, and ends $fep at the end.
# Exit status 77: this system allows no network namespace.
uetcat=$1
uetfep=$2
if [ -z "${UET_IF_A:-}" ]; then
    exec "$(dirname "$0")/../../../port/tests/with-veth" "$0" "$@"
fi
dir=$(mktemp -d)
fep=
trap '[ -z "$fep" ] || kill $fep 2>/dev/null; rm -rf "$dir"' EXIT
failures=0

fail() {
    echo "FAILED: $1" >&2
    failures=$((failures + 1))
}

# asks STATUS COMMAND ARGUMENT...: from our end; the output goes to $dir/out.
asks() {
    status=$1 command=$2
    shift 2
    timeout 30 "$uetcat" "$command" -I "$UET_IF_A" "$@" >"$dir/out" 2>&1
    got=$?
    [ $got = "$status" ] ||
        fail "$command $*: exit status $got, not $status: $(cat "$dir/out")"
}

has() {
    grep -qE -- "$1" "$dir/out" || fail "no line is like '$1': $(cat "$dir/out")"
}
