#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
# What the relay says of wrong options, of files that it cannot write, of an interface that goes, and
# of frames that it loses without a rule.
#   wrong.sh PATH-OF-UETRELAY PATH-OF-UETGEN
# Exit status 77: this system allows no network namespace.
set -u
. "$(dirname "$0")/cables.sh"
uetgen=$2

# refuses WHAT OPTION...: usage or set-up, one line says what.
refuses() {
    what=$1
    shift
    timeout 10 "$relay" "$@" >"$dir/out" 2>"$dir/err"
    got=$?
    [ $got = 2 ] || fail "$*: status $got, not 2"
    [ "$(wc -l <"$dir/err")" = 1 ] || fail "$*: not one line: $(cat "$dir/err")"
    grep -qF -- "$what" "$dir/err" || fail "$*: '$what' is not said: $(cat "$dir/err")"
}

both='--left uet-b --right uet-c'
# shellcheck disable=SC2086
{
    refuses '--left is missing: give the interface' --right uet-c
    refuses '--right is missing' --left uet-b
    refuses '--right uet-b is --left, too' --left uet-b --right uet-b
    refuses 'there is no network interface uet-x' --left uet-x --right uet-c
    refuses '--lfet is not an option (did you mean --left' --lfet uet-b
    refuses '--plan lacks its value' $both --plan
    refuses "only options are taken" $both loss
    refuses "--seed 'x': give a number" $both --seed x
    refuses "--udp-port '0': give a number from 1 to 65535" $both --udp-port 0
    refuses "--plan 'left: lose 1%': at 'lose': no impairment (did you mean loss?)" \
        $both --plan 'left: lose 1%'
    refuses '/nowhere/c.json: cannot write' $both --counters /nowhere/c.json
    refuses '/nowhere/l.pcapng: cannot write' $both --capture-left /nowhere/l.pcapng
    refuses '--counters -: standard output has other lines' $both --counters -
    refuses '--capture-right x is --capture-left, too' $both --capture-left x --capture-right x
    refuses '/nowhere/ready: cannot write' $both --ready /nowhere/ready
}

# starts OPTION...: the relay, forwarding.
starts() {
    rm -f "$dir/ready" "$dir/c.json"
    # shellcheck disable=SC2086
    "$relay" $both --ready "$dir/ready" --counters "$dir/c.json" "$@" >"$dir/out" 2>"$dir/err" &
    pids=$!
    wait_for "$dir/ready" $pids
}

# ends STATUS WHAT: it has that status, and says what on standard error; "": nothing.
ends() {
    wait $pids
    got=$?
    pids=
    [ $got = "$1" ] || fail "status $got, not $1: $(cat "$dir/err")"
    if [ -n "$2" ]; then
        grep -qF -- "$2" "$dir/err" || fail "'$2' is not said: $(cat "$dir/err")"
    else
        [ ! -s "$dir/err" ] || fail "said without a reason: $(cat "$dir/err")"
    fi
}

counts() {
    grep -q "\"$1\": $2" "$dir/c.json" || fail "$1 is not $2: $(cat "$dir/c.json")"
}

flood() {
    "$uetgen" flood uet-a "eth/ip/udp/pds.rud_req(psn=1)/ses.std(opcode=write)/data($1)" -c "$2" >/dev/null
}

# arrived: how many frames have come to the far end of the cables since they were made.
arrived() { ip -s link show uet-d | awk '/RX:/ { getline; print $2 }'; }

# arrive N COMMAND...: COMMAND sends, and N frames come to the far end.
arrive() {
    due=$(($(arrived) + $1)) tries=0
    shift
    "$@"
    until [ "$(arrived)" -ge "$due" ] || [ $tries = 500 ]; do
        tries=$((tries + 1))
        sleep 0.02
    done
}

for signal in TERM INT; do
    starts
    arrive 10 flood 64 10
    kill -$signal $pids
    ends 0 ''
    counts clean true
    counts sent 10
done

starts --capture-left /dev/full
flood 4096 200
kill $pids
ends 1 '/dev/full: cannot write: No space left'

starts
ip link set dev uet-c down
flood 64 10
ends 1 'interface uet-c: it is gone, or down'
ip link set dev uet-c up

# Longer than the other interface allows.
ip link set dev uet-c mtu 1500
starts
flood 2000 3
arrive 5 flood 1000 5
kill $pids
ends 1 'frames lost that no rule meant'
counts too_long 3
counts sent 5
counts clean false
ip link set dev uet-c mtu 9216

# What the far end of the cable refuses is tried again, given up, and does not hold up the rest.
ip link set dev uet-d mtu 1500
starts
flood 2000 1
arrive 5 flood 1000 5
sleep 0.5 # until it has given up
kill $pids
ends 1 'frames lost that no rule meant'
counts refused 1
counts sent 5
ip link set dev uet-d mtu 9216

# A relay that does not read: the kernel drops, and counts it.
starts
kill -STOP $pids
flood 8000 30000
kill -CONT $pids
before=none
until [ "$before" = "$(arrived)" ]; do
    before=$(arrived)
    sleep 0.5
done
kill $pids
ends 1 'frames lost that no rule meant'
counts clean false
frames=$(sed -n 's/^    "frames": \([0-9]*\),/\1/p' "$dir/c.json" | head -1)
missed=$(sed -n 's/^      "missed": \([0-9]*\),/\1/p' "$dir/c.json" | head -1)
interface=$(sed -n 's/^      "interface_rx": \([0-9]*\),/\1/p' "$dir/c.json" | head -1)
[ $((frames + missed + interface)) = 30000 ] ||
    fail "$frames came, $missed and $interface were missed, of 30000"

[ $failures = 0 ] || exit 1
echo "all passed"
