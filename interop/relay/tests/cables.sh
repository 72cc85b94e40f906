# SPDX-License-Identifier: BSD-2-Clause
# For tests of the relay: sourced with the test's own arguments, of which the first is PATH-OF-UETRELAY.
# It goes into a namespace with two cables, uet-a to uet-b and uet-c to uet-d: the relay belongs between
# uet-b and uet-c. Makes $dir, and ends the processes of $pids at the end.
# Exit status 77: this system allows no network namespace.
if [ -z "${UET_IF_A:-}" ]; then
    exec "$(dirname "$0")/../../../port/tests/with-veth" -1 "$0" "$@"
fi
relay=$1
PATH="$PATH:/usr/sbin:/sbin"
dir=$(mktemp -d)
pids=
# shellcheck disable=SC2086
trap '[ -z "$pids" ] || kill $pids 2>/dev/null; rm -rf "$dir"' EXIT
failures=0

fail() {
    echo "FAILED: $1" >&2
    failures=$((failures + 1))
}

# The other cable, as with-veth makes the first: uetcat is at uet-a, the relay between uet-b and uet-c.
ip link add name uet-c mtu 9216 type veth peer name uet-d || exit 77
for end in uet-c uet-d; do
    ip link set dev $end addrgenmode none mtu 9216
    if command -v ethtool >/dev/null; then
        ethtool -K $end tx off rx off sg off tso off gso off gro off >/dev/null 2>&1
    fi
    ip link set dev $end up
done

# wait_for FILE PID: until the file is there and not empty, or the process ended.
wait_for() {
    tries=0
    until [ -s "$1" ]; do
        tries=$((tries + 1))
        if [ $tries -gt 500 ] || ! kill -0 "$2" 2>/dev/null; then
            fail "$1 does not come: $(cat "$dir"/*.err)"
            exit 1
        fi
        sleep 0.02
    done
}
