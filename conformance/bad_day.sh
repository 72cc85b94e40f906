#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
# bad_day.sh BIN SOURCE PART: the suite over a veth pair, as in veth.sh, on a day when something is
# lost in its midst, or was never right. What is reported must be true. PART: fep, link, address.
# Exit status: 0; 1 what was not as it must be; 77 (skip) without network namespaces.
set -eu
bin=$1 source=$2 part=$3
if [ -z "${UET_IF_A:-}" ]; then
    exec "$source/port/tests/with-veth" "$0" "$@"
fi

dir=$(mktemp -d)
fep=
bad=0
trap 'stop_fep; rm -rf "$dir"' EXIT

fail() {
    echo "bad_day.sh: $*" >&2
    bad=1
}

# The FEP, its process id in $dir/pid; it ends with this script. Also what `restart:` runs.
cat >"$dir/start" <<SH
#!/bin/sh
[ ! -s "$dir/pid" ] || kill -KILL \$(cat "$dir/pid") 2>/dev/null
rm -f "$dir/fep.sock"
$UET_IN_B "$bin/uetfep" --port "$UET_IF_B" --address 192.0.2.1 --control "unix:$dir/fep.sock" \
    --payload-mtu 4096 --bare >>"$dir/fep.log" 2>&1 &
echo \$! >"$dir/pid"
tries=0
until [ -S "$dir/fep.sock" ]; do
    tries=\$((tries + 1))
    [ "\$tries" -lt 200 ] || exit 2
    sleep 0.02
done
SH
chmod +x "$dir/start"
start_fep() { "$dir/start" && fep=$(cat "$dir/pid"); }
stop_fep() {
    [ ! -s "$dir/pid" ] || kill -KILL "$(cat "$dir/pid")" 2>/dev/null || true
    rm -f "$dir/pid"
}

# yaml NAME LINE...: a fep.yaml of the usual lines and these.
yaml() {
    name=$dir/$1.yaml
    shift
    {
        printf 'address: 192.0.2.1\ntester: [192.0.2.11, 192.0.2.12]\nresponse_time: 300ms\n'
        printf 'port: {interface: %s}\nclaims: [rud, no-op, write, generations, probe]\n' "$UET_IF_A"
        for line in "$@"; do echo "$line"; done
    } >"$name"
}

say() { grep -o "\"$1\": *[^,}]*" "$dir/r.json" | head -1 | sed 's/.*: *//'; }
count() { grep -c "\"verdict\": \"$1\"" "$dir/r.json" || true; }

# Tests enough to be in the midst of them when something happens: without an upper tester most skip.
sections() { grep -q control: "$dir/$1.yaml" && echo 3.5.8 || echo 3.5; }

# begin NAME: tests with NAME.yaml, until some results are there.
begin() {
    rm -f "$dir"/r.*
    "$bin/uetconform" run --fep "$dir/$1.yaml" --section "$(sections "$1")" --depth smoke --quiet --slow 4 \
        --json "$dir/r.json" >"$dir/out" 2>"$dir/err" &
    run=$!
    while kill -0 "$run" 2>/dev/null && ! { [ -e "$dir/r.jsonl" ] && [ "$(grep -c . "$dir/r.jsonl")" -gt 6 ]; }; do
        sleep 0.01
    done
}

# ended STATUS: how it must have ended.
ended() {
    status=0
    wait "$run" || status=$?
    [ "$status" -eq "$1" ] || fail "$2: exit status $status, not $1: $(cat "$dir/err" "$dir/out")"
}

# One false verdict at most: that of the test which ran when it happened.
cut_short() {
    ended 1 "$1"
    [ "$(say complete)" = false ] || fail "$1: the report says complete"
    wrong=$(($(count fail) + $(count error) + $(count inconc)))
    [ "$wrong" -le 1 ] || fail "$1: $wrong verdicts that are not pass"
    [ "$(grep -c '"reason"' "$dir/r.json")" -gt 5 ] || fail "$1: not_run does not hold the rest"
    grep '"cut_short"' "$dir/r.json" | grep -qF "$2" || fail "$1: $(grep '"cut_short"' "$dir/r.json")"
}

# ---- a FEP, or its upper tester, that is lost ----

lost_fep() {
    yaml plain
    yaml control "control: $dir/fep.sock"
    yaml restart "control: $dir/fep.sock" "restart: $dir/start"
    yaml alone "restart: $dir/start"
    yaml fails "restart: 'exit 3'"
    yaml late "restart: 'sleep 60'" "restart_time: 300ms"

    start_fep
    begin plain && stop_fep
    cut_short "no upper tester" "the FEP answers nothing any more"
    start_fep
    begin control && stop_fep
    cut_short "an upper tester" "the upper tester was lost"
    start_fep
    begin fails && stop_fep
    cut_short "restart fails" "restart ended with exit status 3"
    start_fep
    begin late && stop_fep
    cut_short "restart hangs" "restart was not over after 0.3 s"
    # Ctrl-C: what ran is kept, what was under way counts for nothing, and --resume goes on.
    start_fep
    begin control
    kill -INT "$run"
    ended 130 "Ctrl-C"
    [ "$(say complete)" = false ] || fail "Ctrl-C: the report says complete"
    # A test is cut, or none when it came between two.
    grep -q '"reason": "[^"]*interrupted' "$dir/r.json" || fail "Ctrl-C: not_run says nothing of it"
    [ "$(count fail)$(count error)$(count inconc)" = 000 ] || fail "Ctrl-C: a test has a verdict"
    "$bin/uetconform" run --fep "$dir/control.yaml" --section 3.5.8 --depth smoke --quiet --slow 4 \
        --resume "$dir/r.json" --json "$dir/r.json" >/dev/null 2>"$dir/err" ||
        fail "Ctrl-C, --resume: $(cat "$dir/err")"
    [ "$(say complete)" = true ] || fail "Ctrl-C, --resume: not complete"
    stop_fep
    # Ctrl-C while the FEP is started anew: not after restart_time, and no verdict.
    yaml hangs "control: $dir/fep.sock" "restart: 'touch $dir/restarting; sleep 60'" \
        "restart_time: 30s"
    start_fep
    begin hangs && stop_fep
    until [ -e "$dir/restarting" ] || ! kill -0 "$run" 2>/dev/null; do sleep 0.01; done
    before=$(date +%s)
    kill -INT "$run"
    ended 130 "Ctrl-C in a restart"
    [ $(($(date +%s) - before)) -lt 10 ] || fail "Ctrl-C in a restart: waits for restart_time"
    [ "$(count fail)$(count error)" = 00 ] || fail "Ctrl-C in a restart: a test has a verdict"
    grep '"cut_short"' "$dir/r.json" | grep -q 'Ctrl-C' || fail "Ctrl-C in a restart: why?"
    for name in restart alone; do
        start_fep
        begin $name && stop_fep
        status=0
        wait "$run" || status=$?
        [ "$(say complete)" = true ] || fail "$name: the run did not go on: $(cat "$dir/err" "$dir/out")"
        [ "$(count fail)$(count error)" = 00 ] || fail "$name: $(grep -B6 -A3 '"fail"' "$dir/r.json")"
        [ "$(count inconc)" -le 1 ] || fail "$name: $(count inconc) inconc"
        stop_fep
    done
}

# ---- the tester's own interface ----

# refused TEXT: exit status 2, with one line that says so, before any packet.
refused() {
    status=0
    "$bin/uetconform" run --fep "$dir/plain.yaml" --depth smoke --quiet >"$dir/out" 2>"$dir/err" || status=$?
    [ "$status" -eq 2 ] || fail "$1: exit status $status, not 2: $(cat "$dir/out")"
    [ "$(wc -l <"$dir/err")" -eq 1 ] && grep -qF -- "$1" "$dir/err" || fail "$1: $(cat "$dir/err")"
}

# wait_state NAME STATE COMMAND...: until the kernel says so; COMMAND runs ip in its namespace.
wait_state() {
    name=$1 state=$2
    shift 2
    until "$@" ip link show dev "$name" | grep -q "state $state"; do sleep 0.01; done
}

links_up() {
    $UET_IN_B ip link set dev "$UET_IF_B" up
    ip link set dev "$UET_IF_A" up
    wait_state "$UET_IF_A" UP
    # shellcheck disable=SC2086
    wait_state "$UET_IF_B" UP $UET_IN_B
}

lost_link() {
    PATH="$PATH:/usr/sbin:/sbin"
    yaml plain
    ip link set dev "$UET_IF_A" mtu 1500
    refused "the MTU of $UET_IF_A is 1500"
    # What carries the largest packet in clear, with its CRC, is too small for a sealed one: 12 bytes of TSS
    # header, 16 with an SSI, and 16 of ICV in the place of 4.
    clear=$(sed 's/.* take \([0-9]*\): .*/\1/' "$dir/err")
    for ssi in '24' '28 ssi=yes'; do
        # shellcheck disable=SC2086
        printf 'UET_SD sdi=5 key=%064d %s\n' 1 "${ssi#${ssi%% *}}" >"$dir/keys"
        chmod 600 "$dir/keys"
        need=$((clear + ${ssi%% *}))
        yaml plain 'protect: tss' "security: {keys: $dir/keys}"
        ip link set dev "$UET_IF_A" mtu $((need - 1))
        refused "the MTU of $UET_IF_A is $((need - 1)), and packets of payload_mtu 4096 take $need: "
    done
    yaml plain
    ip link set dev "$UET_IF_A" mtu 9216
    ip link set dev "$UET_IF_A" down
    refused "interface $UET_IF_A is down"
    $UET_IN_B ip link set dev "$UET_IF_B" down
    ip link set dev "$UET_IF_A" up
    refused "interface $UET_IF_A has no carrier"
    links_up

    # The cable is out for a second: what ran then is an error, and the run goes on. Between two tests it is
    # waited for, and there is none. The far end forwards later than ours is up, as a switch's port does.
    yaml control "control: $dir/fep.sock"
    start_fep
    begin control
    $UET_IN_B ip link set dev "$UET_IF_B" down
    sleep 1
    $UET_IN_B tc qdisc replace dev "$UET_IF_B" root pfifo limit 0
    links_up
    sleep 2
    $UET_IN_B tc qdisc del dev "$UET_IF_B" root
    status=0
    wait "$run" || status=$?
    [ "$(say complete)" = true ] || fail "a flap: the run did not go on: $(cat "$dir/err" "$dir/out")"
    [ "$(count fail)" = 0 ] || fail "a flap: $(count fail) false fails"
    [ "$(count inconc)" = 0 ] || fail "a flap: $(grep -B6 -A3 '"inconc"' "$dir/r.json")"
    [ "$(count error)" -le 1 ] || fail "a flap: $(count error) errors"
    # What a smaller MTU keeps back is no fault of the FEP's.
    begin control
    ip link set dev "$UET_IF_A" mtu 1500
    cut_short "a smaller MTU" "interface $UET_IF_A has a smaller MTU than at the begin"
    [ "$(count fail)" = 0 ] || fail "a smaller MTU: $(count fail) false fails"
    ip link set dev "$UET_IF_A" mtu 9216
    # Out for good.
    begin control
    ip link set dev "$UET_IF_A" down
    cut_short "out for good" "interface $UET_IF_A is down, and was not back after 10 s"
    [ "$(count fail)" = 0 ] || fail "out for good: $(count fail) false fails"
    links_up
}

# ---- an address of the tester that somebody else has ----

lost_address() {
    PATH="$PATH:/usr/sbin:/sbin"
    yaml plain
    start_fep
    # Another tester, or a FEP, which keeps its addresses from the kernel as we do.
    $UET_IN_B "$bin/uetfep" --port "$UET_IF_B" --address 192.0.2.12 >"$dir/other" 2>&1 &
    other=$!
    until grep -qs ready "$dir/other" || ! kill -0 "$other" 2>/dev/null; do sleep 0.01; done
    refused "192.0.2.12 is in use by 02:00:c0:00:02:0c"
    kill "$other"
    wait "$other" 2>/dev/null || true
    # A host with that address.
    $UET_IN_B ip addr add 192.0.2.11/24 dev "$UET_IF_B"
    mac=$($UET_IN_B ip link show dev "$UET_IF_B" | sed -n 's|.*link/ether \([^ ]*\).*|\1|p')
    refused "192.0.2.11 is in use by $mac"
    $UET_IN_B ip addr flush dev "$UET_IF_B"
    # The same by neighbour discovery.
    printf 'address: fd00::1\ntester: fd00::11\nport: {interface: %s}\n' "$UET_IF_A" >"$dir/plain.yaml"
    $UET_IN_B ip addr add fd00::11/64 dev "$UET_IF_B" nodad
    refused "fd00::11 is in use by $mac"
    $UET_IN_B ip addr flush dev "$UET_IF_B"
    # Two testers on one interface: the second is refused, the first not disturbed.
    yaml plain
    yaml control "control: $dir/fep.sock"
    begin control
    refused "process $run on this host speaks from 192.0.2.11 already"
    ended 0 "the first of two testers"
    [ "$(say complete)" = true ] || fail "the first of two testers was disturbed"
    "$bin/uetconform" run --fep "$dir/plain.yaml" --section 3.5.8.1 --depth smoke --quiet >/dev/null ||
        fail "nobody has the addresses any more, and still they are refused"
}

case $part in
address) lost_address ;;
fep) lost_fep ;;
link) lost_link ;;
*) echo "bad_day.sh: no part '$part'" >&2 && exit 2 ;;
esac
exit $bad
