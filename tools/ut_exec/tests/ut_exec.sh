#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
# ut_exec.sh BIN SOURCE: two FEPs of files behind ut-exec, tried by `uetconform ut-check` as commands and
# over sockets; requests by hand; templates and options that are wrong.
set -u
exec_=$1/ut-exec conform=$1/uetconform files=$2/tests/files.verbs
dir=$(mktemp -d)
pids=
trap 'for p in $pids; do kill "$p" 2>/dev/null; wait "$p" 2>/dev/null; done; rm -rf "$dir"' EXIT
export FEPS="$dir/feps"
bad=0

fail() {
    echo "FAIL $*"
    bad=1
}

# pair CONTROL PEER [OPTION]: nothing is wrong, and what a FEP of files can do works.
pair() {
    # shellcheck disable=SC2086
    "$conform" ut-check --control "$1" --peer "$2" ${3:-} --verbose >"$dir/out" 2>&1 ||
        { fail "ut-check of $1"; cat "$dir/out"; }
    grep -q '^19 checks work, .* 0 wrong' "$dir/out" || { fail "not 19 checks"; cat "$dir/out"; }
    grep -q '^write  *works      several packets' "$dir/out" || fail "no WRITE"
    grep -q '^read  *works      several packets' "$dir/out" || fail "no READ"
    grep -q 'the command of write does not look at \$UT_mode' "$dir/out" || fail "a mode is lost"
}

command_of() { echo "exec:FEP_ADDRESS=$1 $exec_ $files"; }
pair "$(command_of 192.0.2.1)" "$(command_of 192.0.2.2)"

for n in 1 2; do
    FEP_ADDRESS=192.0.2.$n "$exec_" --control "unix:$dir/$n.sock" "$files" >"$dir/$n" 2>&1 &
    pids="$pids $!"
    tries=0
    until grep -q ready "$dir/$n"; do
        tries=$((tries + 1))
        [ $tries -lt 500 ] || { fail "$n does not come up"; cat "$dir/$n"; exit 1; }
        sleep 0.02
    done
done
pair "$dir/1.sock" "unix:$dir/2.sock" --no-tests # they were counted before

# asks TEMPLATE REQUEST WORDS [MILLISECONDS]: the reply to the last line has them. So long may a command take.
asks() {
    printf '%s\n' "$1" >"$dir/t.verbs"
    got=$(printf "$2" | "$exec_" --timeout "${4:-20000}" "$dir/t.verbs" 2>/dev/null | tail -1)
    case $got in *"$3"*) ;; *) fail "'$2' with '$1': $got, not $3" ;; esac
}
hello='hello: echo name=x'
asks "$hello" '{"id":7,"verb":"hello"}\n' '"verbs":["hello","wait"]'
asks "$hello" '{"id":7,"verb":"hello"}\n' '"protocol":1'
asks "$hello" '{"id":7,"verb":"rotate"}\n' 'for the verb \"rotate\" in the template'
asks "$hello" 'nonsense\n' '"id":null'
asks "$hello" '{"verb":"hello"}\n' '"id\": give a number'
asks "$hello" '{"id":1,"verb":"set"}\n' 'no command for the verb \"set\"'
asks "$hello
set: sleep 60" '{"id":1,"verb":"set"}\n' 'was not over after 300 ms' 300
asks "$hello
set: echo out of order >&2; exit 3" '{"id":1,"verb":"set"}\n' '"error":"out of order"'
asks "$hello
set: exit 3" '{"id":1,"verb":"set"}\n' 'ended with exit status 3'
asks "$hello
set: nosuchcommand" '{"id":1,"verb":"set"}\n' 'nosuchcommand'
asks "$hello
set: echo words" '{"id":1,"verb":"set"}\n' "printed 'words'"
asks "$hello
counters: echo 'counters:={\"a\":'" '{"id":1,"verb":"counters"}\n' 'print KEY=TEXT'
asks "$hello
counters: echo '{\"counters\":{\"a\":3}}'" '{"id":1,"verb":"counters"}\n' '"counters":{"a":3}'
asks "$hello
set: echo \"got=\$UT_name,\$UT_value\"" '{"id":1,"verb":"set","name":"a b","value":7}\n' '"got":"a b,7"'
asks "$hello
set: echo \"got=\$UT_name\"" '{"id":1,"verb":"set","name":"a;exit 9","value":7}\n' 'does not look at $UT_value'
asks "$hello
reg_mem: cat >/dev/null; echo \"got=\$(od -An -tx1 \$UT_file | tr -d ' ')\"" \
    '{"id":1,"verb":"reg_mem","length":4,"fill":171}\n' '"got":"abababab"'
# Bytes of a message as the page makes them: 255, 0, ... from seed 255.
asks "$hello
send: echo \"got=\$UT_data\"" '{"id":1,"verb":"send","length":3,"seed":255}\n' '"got":"ff0001"'
asks "$hello
send: echo \"got=\$UT_data\"" '{"id":1,"verb":"send","length":99999}\n' 'use $UT_file'
asks "$hello
send: wc -c <\$UT_file | sed s/^/got=/" '{"id":1,"verb":"send","length":99999}\n' '"got":"99999"'
asks "$hello
no_op: : \$UT_to" '{"id":1,"verb":"no_op"}\n' '"to\" is missing'
asks "$hello
close: sleep 1
no_op: exit 1 &" '{"id":1,"verb":"no_op"}\n{"id":2,"verb":"close"}\n{"id":4,"verb":"wait"}\n' \
    '{"completions":[{"handle":1,"kind":"no_op","status":"pds_error"}]'
asks "$hello
reset: true
no_op: sleep 60 &" '{"id":1,"verb":"no_op"}\n{"id":2,"verb":"reset"}\n{"id":3,"verb":"wait"}\n' '"completions":[]'

# An adapter that goes away or says nonsense in the middle: told in words, and status 1.
# away WORDS WHAT: a shell that answers hello, and does that when memory is to be registered.
away() {
    cat >"$dir/adapter" <<SH
while read -r line; do
    id=\$(printf %s "\$line" | sed 's/.*"id":\([0-9]*\).*/\1/')
    case \$line in
    *'"hello"'*) echo '{"id":'\$id',"ok":true,"name":"x","version":"1","spec":"1.0.3","address":"192.0.2.1",' \
        '"payload_mtu":4096,"protect":"none","verbs":["hello","reg_mem","get_mem","wait"]}' ;;
    *reg_mem*) $2 ;;
    *get_mem*) echo '{"id":'\$id',"ok":true,"data":"00"}' ;;
    *) echo '{"id":'\$id',"ok":false,"error":"no"}' ;;
    esac
done
SH
    "$conform" ut-check --control "exec:sh $dir/adapter" --verb reg_mem >"$dir/out" 2>&1
    status=$?
    [ $status -eq 1 ] && grep -q -F -e "$1" "$dir/out" || { fail "away: $2: $status"; cat "$dir/out"; }
}
away 'reg_mem: the command of exec: has ended with exit status 3' 'exit 3'
away 'an upper tester went away' 'kill -9 $$'
away 'the reply is not a line of JSON' 'echo banana'
away 'has the "id" of another request' "echo '{\"id\":99999,\"ok\":true}'"
away 'get_mem: ' "echo '{\"id\":'\$id',\"ok\":true,\"handle\":1,\"key\":1}'"

# wrong WORDS ARGUMENTS...: status 2 and one line.
wrong() {
    words=$1
    shift
    got=$("$exec_" "$@" 2>&1 >/dev/null </dev/null)
    status=$?
    case $status:$got in
    2:*"$words"*) [ "$(printf '%s\n' "$got" | wc -l)" -eq 1 ] || fail "$*: several lines" ;;
    *) fail "$*: $status, '$got', not '$words'" ;;
    esac
}
# mistake WORDS LINES: of a template.
mistake() {
    printf "$2" >"$dir/t.verbs"
    wrong "$1" "$dir/t.verbs"
}
mistake "t.verbs:2: there is no verb 'wrtie' (did you mean write?)" '# x\nwrtie: true\n'
mistake "t.verbs:1: no line of the form" 'hello\n'
mistake "t.verbs:3: hello has a command already" 'hello: true\n\nhello: true\n'
mistake "t.verbs:1: hello has no command" 'hello: &\n'
mistake "t.verbs:1: set is no operation" 'set: true &\n'
mistake "no command for hello" 'set: true \\\n  true\n'
mistake "t.verbs:2: a second line" 'ignore: a\nignore: b\n'
wrong "cannot be read" /nonexistent/x.verbs
wrong "TEMPLATE is missing"
wrong "one TEMPLATE" a b
wrong "is no number from 1 to 60000" --timeout 0 a
wrong "--chek" --chek a
wrong "tcp:HOST:PORT" --control exec:x "$files"
"$exec_" --check "$files" | grep -q '^write  .* &$' || fail "--check"
"$exec_" --help | grep -q '^usage: ut-exec' || fail "--help"
exit $bad
