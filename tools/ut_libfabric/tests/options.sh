#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
# options.sh PROGRAM: what is typed wrong gets one line that names it, and 2.
set -u
program=$1
bad=0

# says WORDS OPTION...: status 2, one line on standard error that has the words.
says() {
    words=$1
    shift
    out=$(timeout 5 "$program" "$@" 2>&1 >/dev/null </dev/null)
    status=$?
    case $status:$out in
    2:*"$words"*) [ "$(printf '%s\n' "$out" | wc -l)" -eq 1 ] && return ;;
    esac
    echo "FAIL $*: $status, '$out', not '$words'"
    bad=1
}

says "--provider is missing"
says "--address is missing" --provider tcp
"$program" --provider tcp --address 127.0.0.1 <<'LINES' >"${TMPDIR:-/tmp}/ut-libfabric-$$" || { echo "FAIL standard input"; bad=1; }
{"id":1,"verb":"hello"}
nonsense
{"id":3,"verb":"tagged_atomic","to":"127.0.0.2"}
{"id":4,"verb":"advance_counter","sdi":1}
LINES
for words in '"protocol":1' '"id":null' 'no verb \"tagged_atomic\"' 'no verb \"advance_counter\"'; do
    grep -q -F -e "$words" "${TMPDIR:-/tmp}/ut-libfabric-$$" || { echo "FAIL no $words"; bad=1; }
done
rm -f "${TMPDIR:-/tmp}/ut-libfabric-$$"
says "'here' is no IP address" --address here
says "'/tmp/x' is not unix:PATH or tcp:HOST:PORT" --control /tmp/x
says "--pid: '4096' is no number from 0 to 4095" --pid 4096
says "--job: '-1' is no number" --job -1
says "'1500' is not 1024, 2048, 4096 or 8192" --payload-mtu 1500
says "'fast' is neither sockaddr nor uet" --format fast
says "'2.0' is not 1.0.3, 1.0.2 or 1.0.1" --spec 2.0
says "there is no verb 'fetch'" --without read,fetch
says "'fast' is neither auto nor manual" --progress fast
says "'msg' is neither rdm nor dgram" --endpoint msg
says "provider tcp, dgram endpoints" --provider tcp --endpoint dgram --address 127.0.0.1 --control unix:/nonexistent/x
says "--format sockaddr" --provider tcp --format uet --address 127.0.0.1
says "give tcp:HOST:PORT" --provider tcp --address 127.0.0.1 --control tcp:127.0.0.1:65536
says "--provider list: --address has no effect" --provider list --address 127.0.0.1
says "--base-port has no effect with --format uet" --provider tcp --address 127.0.0.1 --format uet --base-port 5
says "'there' is no option" --provider tcp there
says "--providr" --providr tcp
says "--provider list" --provider nosuch --address 127.0.0.1 --control unix:/nonexistent/x
says "--control" --provider tcp --address 127.0.0.1 --control unix:/nonexistent/x
"$program" --provider list | grep -q '^udp  *dgram .*send$' || { echo "FAIL --provider list"; bad=1; }
"$program" --provider list >/dev/full 2>/dev/null && { echo "FAIL --provider list >/dev/full"; bad=1; }
"$program" --help | grep -q '^usage: ut-libfabric' || { echo "FAIL --help"; bad=1; }
"$program" --help >/dev/full 2>/dev/null && { echo "FAIL --help >/dev/full"; bad=1; }
exit $bad
