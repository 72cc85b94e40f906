#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
# test_exit_status.sh SOURCE BIN: runs each row of docs/exit-status.md and compares; what the programs
# offer and no row shows is a fault, too. The rows of the second table, that of the interface uet-a,
# need a network namespace: without one they are left out, and the test ends with 77 (skip).
set -u
source=$1
bin=$(cd "$2" && pwd)
page=$source/docs/exit-status.md
dir=$(mktemp -d)
feps=
# shellcheck disable=SC2086,SC2154
trap '[ -z "$feps" ] || kill $feps; rm -rf "$dir"' EXIT
bad=0

fail() {
    echo "test_exit_status.sh: $*" >&2
    bad=1
}

# rows TABLE: "STATUS COMMAND" of each row of the table that is headed so.
rows() {
    awk -v head="| status | $1 | why |" '
        $0 == head { on = 1 }
        !/^\|/ { on = 0 }
        on && match($0, /^\| [0-9]+ \| `[^`]*` \|/) {
            row = substr($0, 3, RLENGTH - 5)
            sub(/ \| `/, " ", row)
            print row
        }' "$page"
}

# A slow machine may be done before it sends the signal: that is tried again.
try() {
    for _ in 1 2 3 4 5; do
        (cd "$dir/folder" && eval "$1") >"$dir/out" 2>"$dir/err" </dev/null
        status=$?
        case $2:$status:$1 in 130:0:timeout*) ;; *) break ;; esac
    done
}

table() {
    rows "$1" >"$dir/rows"
    [ "$(wc -l <"$dir/rows")" -ge "$2" ] || fail "$page: fewer than $2 rows of '$1'"
    while read -r want command; do
        try "$command" "$want"
        [ "$status" -eq "$want" ] || fail "$command: $status, not $want: $(head -2 "$dir/err")"
        case $want in 2 | 3) [ -s "$dir/err" ] || fail "$command: $want, without a word" ;; esac
    done <"$dir/rows"
}

mkdir "$dir/folder" "$dir/path"
ln -s "$source/dev" "$dir/path/dev"
PATH=$bin:$dir/path:$PATH

if [ -z "${UET_IF_A:-}" ]; then
    table command 50
    # Each command of each program has its row.
    for program in uetconform uetcat uetgen; do
        for command in $($program --help | sed -n '/^usage/d; s/^  \([a-z-]\{1,\}\)  .*/\1/p'); do
            grep -q "^| [0-9]* | \`[^\`]*$program $command " "$page" ||
                fail "$page has no row of $program $command"
        done
    done
    "$source/port/tests/with-veth" "$0" "$source" "$bin"
    status=$?
    [ "$status" -eq 77 ] && [ "$bad" -eq 0 ] && exit 77
    [ "$status" -eq 0 ] || bad=1
    exit "$bad"
fi

# fep NAME ADDRESS PROGRAM [OPTION...]: one that is ready, and its NAME.yaml.
fep() {
    name=$1 address=$2 program=$3
    shift 3
    # shellcheck disable=SC2086
    $UET_IN_B "$program" --port "$UET_IF_B" --address "$address" "$@" >"$dir/$name" 2>&1 &
    feps="$feps $!"
    tries=0
    until grep -q 'ready on' "$dir/$name"; do
        tries=$((tries + 1))
        [ "$tries" -le 100 ] && kill -0 $! || { fail "$program: $(cat "$dir/$name")"; exit 1; }
        sleep 0.1
    done
    cat >"$dir/folder/$name.yaml" <<YAML
name: a FEP
address: $address
tester: [192.0.2.11, 192.0.2.12]
port: {interface: $UET_IF_A}
claims: [rud, no-op]
YAML
}

fep good 192.0.2.1 uetfep
fep bent 192.0.2.5 uetfep-bent --violate PDS-038
# ... and one that an upper tester drives: where, the folder has as fep.sock.
uetfep --port "$UET_IF_A" --address 192.0.2.7 --bare --control "unix:$dir/folder/fep.sock" >"$dir/ut" 2>&1 &
feps="$feps $!"
tries=0
until grep -q 'ready on' "$dir/ut" || [ "$tries" -gt 100 ]; do
    tries=$((tries + 1))
    sleep 0.1
done
table 'command on uet-a' 14
exit "$bad"
