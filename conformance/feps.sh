# SPDX-License-Identifier: BSD-2-Clause
# For scripts that run reference FEPs in the background: $bin is the folder of the programs, $source the tree, $dir one
# of the script's own. $UET_IN_B, of port/tests/with-veth, comes before the program.

# on_cables N SCRIPT [ARGUMENT...]: the script again, with N veth pairs, unless it has them ($UET_IF_A).
on_cables() {
    fep_cables=$1
    shift
    # shellcheck disable=SC2154  # source: of the script
    [ -n "${UET_IF_A:-}" ] || UET_CABLES=$fep_cables exec "$source/port/tests/with-veth" "$@"
}

# own_folder: $dir, which goes at the end, as the FEPs do.
own_folder() {
    dir=$(mktemp -d)
    trap 'stop_feps; rm -rf "$dir"' EXIT
}

# fail WORDS: tells it, with what the last program said where that stands in $dir/out; $bad is 1 from here on.
bad=0
fail() {
    echo "FAIL $*"
    [ ! -f "$dir/out" ] || cat "$dir/out"
    # shellcheck disable=SC2034  # the script's exit status
    bad=1
}

alive= # the processes of those that run

# start_fep NAME PROGRAM [OPTION...]: a FEP that is ready. What it says is in $dir/NAME.log; its process is $fep.
start_fep() {
    # shellcheck disable=SC2154  # bin, dir: of the script
    fep_log=$dir/$1.log fep_program=$2
    shift 2
    : >"$fep_log" # the child empties it when it runs: until then it has the words of a FEP before
    # shellcheck disable=SC2154
    $UET_IN_B "$bin/$fep_program" "$@" >"$fep_log" 2>&1 &
    fep=$!
    alive="$alive $fep"
    fep_tries=0
    until grep -q ready "$fep_log"; do
        fep_tries=$((fep_tries + 1))
        if [ "$fep_tries" -gt 100 ] || ! kill -0 "$fep" 2>/dev/null; then
            cat "$fep_log" >&2
            echo "${0##*/}: $fep_program does not start" >&2
            exit 2
        fi
        sleep 0.1
    done
}

# stop_fep PROCESS: it ends by SIGTERM; its exit status.
stop_fep() {
    fep_others=
    for fep_one in $alive; do
        [ "$fep_one" = "$1" ] || fep_others="$fep_others $fep_one"
    done
    alive=$fep_others
    kill "$1" 2>/dev/null || true
    wait "$1" 2>/dev/null
}

# For `trap`: none is left.
stop_feps() {
    for fep_one in $alive; do
        stop_fep "$fep_one" || true
    done
}
