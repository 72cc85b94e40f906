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

# begin WORDS COMMAND...: at the far end, as $fep, until it has said WORDS. What it prints goes to
# $dir/lines, its complaints to $dir/told.
begin() {
    words=$1
    shift
    # New files: the shell empties an old one when the child runs, and until then it has the words of before.
    rm -f "$dir/lines" "$dir/told"
    # shellcheck disable=SC2086,SC2153  # UET_IN_B is a command in several words, from with-veth
    $UET_IN_B "$@" >"$dir/lines" 2>"$dir/told" &
    fep=$!
    tries=0
    until cat "$dir/lines" "$dir/told" 2>/dev/null | grep -q -- "$words"; do
        tries=$((tries + 1))
        [ $tries -le 200 ] || { fail "$*: does not begin: $(cat "$dir/lines" "$dir/told")"; exit 1; }
        sleep 0.05
    done
}

# far_fep ARGUMENT...: uetfep at the far end, in the place of the one before.
far_fep() {
    if [ -n "$fep" ]; then
        kill $fep
        wait $fep
    fi
    begin 'ready on' "$uetfep" --port "$UET_IF_B" "$@"
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
