#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
# drive.sh BIN SOURCE: `uetinterop drive` at an upper tester of a few lines of shell, without a network:
# what it asks for, what it writes, and how it ends when the FEP refuses, fails or is gone.
set -u
bin=$1
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
bad=0
fail() {
    echo "drive.sh: $*" >&2
    bad=1
}

# The upper tester: a reply for each verb, from the file of its name in $dir/replies.
cat >"$dir/fep" <<'SH'
#!/bin/sh
while read -r line; do
    echo "$line" >>"$1/asked"
    id=$(echo "$line" | sed 's/.*"id": *\([0-9]*\).*/\1/')
    verb=$(echo "$line" | sed 's/.*"verb": *"\([a-z_]*\)".*/\1/')
    [ -e "$1/replies/$verb" ] || exit 0
    echo "{\"id\":$id,$(cat "$1/replies/$verb")}"
    [ ! -e "$1/replies/$verb.next" ] || mv "$1/replies/$verb.next" "$1/replies/$verb"
done
SH
chmod +x "$dir/fep"
reply() { # VERB TEXT: the rest of the object
    echo "$2" >"$dir/replies/$1"
}
fresh() {
    rm -rf "$dir/replies" "$dir/asked" "$dir/out" "$dir/ready" "$dir/done" "$dir/in"
    mkdir "$dir/replies" "$dir/out" "$dir/in"
    printf 'ABCD' >"$dir/in/0000"
    : >"$dir/none"
    echo '0000 4 1 0x1000' >"$dir/one"
    reply hello '"ok":true,"name":"shell","version":"1","spec":"1.0.3","address":"192.0.2.2","payload_mtu":4096,"protect":"none","verbs":["hello","reset","reg_mem","get_mem","post_recv","send","write","wait"],"modes":["rud"]'
    reply reset '"ok":true'
    reply reg_mem '"ok":true,"handle":7,"key":"0x1000"'
    reply get_mem '"ok":true,"data":"61626364"'
    reply wait '"ok":true,"completions":[]'
    reply write '"ok":true,"handle":9'
}
# drive ROLE [VARIABLE=VALUE...]: in the background; $driver
drive() {
    role=$1
    shift
    send=none receive=none
    [ "$role" = client ] && send=one || receive=one
    env UET_ROLE="$role" UET_OPERATION=write UET_MODE=rud UET_RELATIVE=1 UET_KEEP_OPEN=0 UET_PID_ON_FEP=0 \
        UET_RESOURCE_INDEX=5 UET_AT_ONCE=4 UET_PAUSE_AFTER=0 UET_IN="$dir/in" UET_OUT="$dir/out" \
        UET_LOGS="$dir" UET_PARAMS= UET_READY="$dir/ready" UET_GO="$dir/go" UET_PAUSED="$dir/paused" \
        UET_DONE="$dir/done" UET_ADDRESS=192.0.2.2 UET_PEER=192.0.2.1 UET_SEND="$dir/$send" \
        UET_RECEIVE="$dir/$receive" "$@" \
        "$bin/uetinterop" drive --control "exec:$dir/fep $dir" >"$dir/said" 2>&1 &
    driver=$!
}
ends() { # WHAT STATUS [TEXT]: so it ends, and says this
    wait $driver
    status=$?
    [ $status -eq "$2" ] || fail "$1: $status, not $2: $(cat "$dir/said")"
    [ -z "${3:-}" ] || grep -q -- "$3" "$dir/said" || fail "$1: does not say '$3': $(cat "$dir/said")"
}
serves() { # until it is ready, and then to its end
    i=0
    until [ -e "$dir/ready" ] || [ $i -ge 200 ]; do
        sleep 0.05
        i=$((i + 1))
    done
    kill $driver
}

fresh
drive server
serves
ends 'a server' 0
[ "$(cat "$dir/out/0000")" = abcd ] || fail "what has come is not there"
[ ! -s "$dir/ready" ] || fail "a key as asked for needs no word: $(cat "$dir/ready")"

fresh
reply reg_mem '"ok":true,"handle":7,"key":"0x77"'
drive server
serves
ends 'a FEP that chooses its keys' 0
[ "$(cat "$dir/ready")" = '0000 0x77' ] || fail "its own key is not told: $(cat "$dir/ready")"

fresh
reply reg_mem '"ok":false,"error":"no memory here"'
drive server
ends 'a refusal' 127 'no memory here'

fresh
rm "$dir/replies/reg_mem"
drive server
ends 'a FEP that goes away' 1

fresh
reply wait '"ok":true,"completions":[{"handle":9,"kind":"write","status":"ok"}]'
drive client
ends 'a client' 0
[ -e "$dir/done" ] || fail "it does not say that it is done"
grep '"write"' "$dir/asked" | grep -q '"data": *"41424344"' || fail "other bytes: $(cat "$dir/asked")"
grep '"write"' "$dir/asked" | grep -q '"key": *"0x1000"' || fail "another key"

fresh
reply wait '"ok":true,"completions":[{"handle":9,"kind":"write","status":"ses_error","return_code":4}]'
drive client
ends 'an operation that the target refuses' 1 'return code 4'

# A lost PDC: done again, at most four times in all.
fresh
reply wait '"ok":true,"completions":[{"handle":9,"kind":"write","status":"pds_error"}]'
echo '"ok":true,"completions":[{"handle":9,"kind":"write","status":"ok"}]' >"$dir/replies/wait.next"
drive client
ends 'a PDC that is lost once' 0
[ "$(grep -c '"write"' "$dir/asked")" -eq 2 ] || fail "not done again"
fresh
reply wait '"ok":true,"completions":[{"handle":9,"kind":"write","status":"pds_error"}]'
drive client
ends 'a PDC that is lost for ever' 1
[ "$(grep -c '"write"' "$dir/asked")" -eq 4 ] || fail "not four times"

fresh
drive client UET_OPERATION=read UET_SEND="$dir/none" UET_RECEIVE="$dir/one"
ends 'a verb that hello does not list' 127 'verb read'
fresh
drive client UET_MODE=rod
ends 'a mode that hello does not list' 127 'mode'
fresh
reply set '"ok":false,"error":"no such parameter"'
drive client UET_PARAMS='Start_PSN=5'
ends 'a parameter that is refused' 127 'no such parameter'
fresh
rm "$dir/in/0000"
drive client
ends 'no file to send' 1 '0000: cannot be read'
fresh
echo '0000 4' >"$dir/one"
drive client
ends 'a list that is none' 2 'NAME LENGTH JOB KEY'
fresh
echo '../../etc/x 4 1 0x1' >"$dir/one"
drive server
ends 'a name with a slash' 2 'NAME LENGTH JOB KEY'
fresh
drive client UET_PEER=nobody
ends 'no address' 2 'UET_PEER=nobody: is no IP address'
exit $bad
