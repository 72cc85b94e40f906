#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
# cut.sh UETCONFORM: a run that is cut says so and loses nothing: Ctrl-C, SIGTERM, kill -9, a worker
# that dies, a full disk. The worker (a child of uetconform) is stopped in the midst of the suite,
# so that there is a midst to cut.
. "${0%/*}/head.sh"

say() { grep -o "\"$1\": *[^,}]*" "$2" | head -1 | sed 's/.*: *//'; }

# Two sections are long enough to be cut; all of the suite would show no more.
some='run --fep ref --depth smoke --quiet --section 3.5.8 --section 3.5.12'
# shellcheck disable=SC2086
some() { "$u" $some "$@"; }

some --json "$dir/whole.json" >/dev/null
planned=$(say planned "$dir/whole.json")
verdicts() { grep -E '"(id|verdict)": ' "$1"; }
verdicts "$dir/whole.json" >"$dir/whole"

# state PID: of a process: T stopped, Z dead and not yet buried; nothing: gone.
state() { sed 's/.*) //; s/ .*//' "/proc/$1/stat" 2>/dev/null; }

# A signal is on its way for a while.
wait_stopped() { while state "$1" | grep -q '[RSD]'; do :; done; }

results() { cat "$dir/r.jsonl" 2>/dev/null | grep -c '"verdict"'; }

# in_midst: the worker stands, and is not so far that it may be at its end: a few results more may
# still lie in the pipe.
in_midst() {
    wait_stopped "$worker"
    [ "$(state "$worker")" = T ] && [ "$(results)" -lt $((planned - 50)) ]
}

# begin: the suite, with its worker stopped after some results: $run and $worker. The worker is held
# as soon as it is seen, and let go on in small steps: a machine may be fast and we slow.
begin() {
    for _ in 1 2 3 4 5 6 7 8 9 10; do
        rm -f "$dir"/r.*
        # shellcheck disable=SC2086
        "$u" $some --json "$dir/r.json" --junit "$dir/r.xml" --html "$dir/r.html" >"$dir/out" 2>"$dir/err" &
        run=$!
        worker=
        while [ -z "$worker" ] && kill -0 "$run" 2>/dev/null; do
            read -r worker _ 2>/dev/null <"/proc/$run/task/$run/children"
        done
        kill -STOP "$worker" 2>/dev/null
        while in_midst && [ "$(results)" -eq 0 ]; do
            kill -CONT "$worker"
            state "$worker" >/dev/null # so long
            kill -STOP "$worker"
        done
        in_midst && return 0
        kill -KILL "$worker" 2>/dev/null
        wait "$run"
    done
    fail "the suite could not be caught in its midst"
    exit 1
}

# all_there FILE: every test has the verdict that an undisturbed run gives.
all_there() {
    verdicts "$1" >"$dir/v"
    cmp -s "$dir/v" "$dir/whole" || fail "$2: results were lost or changed"
    [ "$(say complete "$1")" = true ] || fail "$2: the report is not complete"
}

# Ctrl-C and SIGTERM: 130, and every report says how far it came.
for signal in INT TERM; do
    begin
    kill -$signal "$run"
    wait "$run"
    status=$?
    [ "$status" -eq 130 ] || fail "SIG$signal: exit status $status, not 130"
    ran=$(say ran "$dir/r.json")
    [ "$(say complete "$dir/r.json")" = false ] || fail "SIG$signal: the JSON says complete"
    [ "$(say planned "$dir/r.json")" = "$planned" ] || fail "SIG$signal: planned is not $planned"
    grep -q "interrupted: $ran of $planned run" "$dir/out" || fail "SIG$signal: $(tail -3 "$dir/out")"
    [ "$ran" -lt "$planned" ] || fail "SIG$signal: ran $ran of $planned"
    [ "$(grep -c '"reason"' "$dir/r.json")" -eq $((planned - ran - $(say skip "$dir/r.json"))) ] ||
        fail "SIG$signal: not_run is not what is missing"
    kill -0 "$worker" 2>/dev/null && fail "SIG$signal: the worker outlives the run"
    some --resume "$dir/r.json" --json "$dir/again.json" >/dev/null ||
        fail "SIG$signal: --resume ends with $?"
    all_there "$dir/again.json" "SIG$signal, --resume"
done

# --max-fails: the run ends behind the test that was one too many; --resume goes on with the others.
# A ceiling of 10 ms is too low for one of these tests.
"$u" run --fep ref --depth smoke --quiet --section 3.5.14 --section 3.5.22 --ceiling 0.01 --max-fails 1 \
    --json "$dir/r.json" >"$dir/out" 2>"$dir/err"
status=$?
[ "$status" -eq 1 ] || fail "--max-fails: exit status $status, not 1"
grep -q '"cut_short": "--max-fails"' "$dir/r.json" || fail "--max-fails: the JSON does not say why it ended"
grep -q "interrupted: $(say ran "$dir/r.json") of $(say planned "$dir/r.json") run (--max-fails)" "$dir/out" ||
    fail "--max-fails: $(tail -3 "$dir/out")"
[ "$(grep -c '^inconc  ' "$dir/out")" -eq 1 ] || fail "--max-fails 1: more than one test did not pass"
"$u" run --fep ref --depth smoke --quiet --section 3.5.14 --section 3.5.22 --max-fails 1 \
    --resume "$dir/r.json" --json "$dir/again.json" >/dev/null
status=$?
[ "$status" -eq 1 ] || fail "--max-fails, --resume: exit status $status, not 1"
[ "$(say complete "$dir/again.json")" = true ] || fail "--max-fails: what was taken over ended the run anew"

# kill -9: the journal stays; report reads it, --resume goes on.
begin
kill -KILL "$run"
wait "$run" 2>/dev/null
[ -s "$dir/r.jsonl" ] || fail "kill -9 left no journal"
for _ in 1 2 3 4 5 6 7 8 9 10; do
    state "$worker" | grep -q '[^Z]' || break
    sleep 0.1
done
state "$worker" | grep -q '[^Z]' && fail "kill -9: the worker outlives the run"
"$u" report "$dir/r.jsonl" --json "$dir/read.json" >/dev/null 2>"$dir/err"
[ "$(say complete "$dir/read.json")" = false ] || fail "report of a journal: $(cat "$dir/err")"
some --resume "$dir/r.json" --json "$dir/r.json" >/dev/null ||
    fail "kill -9: --resume ends with $?"
all_there "$dir/r.json" "kill -9, --resume"

# A worker that dies is told, and what it was at runs again.
begin
kill -KILL "$worker"
wait "$run"
status=$?
[ "$status" -eq 0 ] || fail "a dead worker: exit status $status"
grep -q 'died (signal 9): another goes on' "$dir/err" || fail "a dead worker is not told"
all_there "$dir/r.json" "a dead worker"

# The second Ctrl-C ends at once and leaves the journal. Both are there when the run goes on.
begin
kill -STOP "$run"
wait_stopped "$run"
kill -INT "$run"
kill -TERM "$run"
kill -CONT "$run"
wait "$run"
status=$?
[ "$status" -eq 130 ] || fail "the second Ctrl-C: exit status $status"
[ "$(results)" -gt 0 ] || fail "the second Ctrl-C: no journal"
[ ! -e "$dir/r.json" ] || fail "the second Ctrl-C: a report was still written"

# go_on_and_die: --resume, killed between the opening of its reports and its first test: nobody
# reads the fifo, so it waits there.
mkfifo "$dir/fifo"
go_on_and_die() {
    rm -f "$dir/r.xml.tmp"
    # shellcheck disable=SC2086
    "$u" $some --resume "$dir/r.json" --json "$dir/r.json" --junit "$dir/r.xml" --html "$dir/fifo" >/dev/null 2>&1 &
    run=$!
    while kill -0 "$run" 2>/dev/null && [ ! -e "$dir/r.xml.tmp" ]; do :; done
    kill -KILL "$run"
    wait "$run" 2>/dev/null
}

# What was measured before stands in a journal ...
cp "$dir/r.jsonl" "$dir/before"
go_on_and_die
cmp -s "$dir/before" "$dir/r.jsonl" || fail "--resume emptied the journal before it had taken it over"
# ... or in the report of a run that Ctrl-C ended.
"$u" report "$dir/r.jsonl" --json "$dir/r.json" >/dev/null
rm -f "$dir/r.jsonl"
go_on_and_die
[ ! -e "$dir/r.jsonl" ] || fail "--resume: an empty journal stands before what was measured"
some --resume "$dir/r.json" --json "$dir/r.json" >/dev/null ||
    fail "--resume after a killed --resume ends with $?"
all_there "$dir/r.json" "--resume, kill -9, --resume"
[ ! -e "$dir/r.jsonl.tmp" ] || fail "a journal of a run that never was is left"

# A mount namespace of one's own: with a user namespace, or as root without.
own="unshare -rm"
$own true 2>/dev/null || own="unshare -m"

# A full disk: one line, status 2, and what came before stands in the journal.
full=$dir/full
mkdir "$full"
cat >"$dir/full.sh" <<'SH'
mount -t tmpfs -o size=64k none "$2" 2>/dev/null || exit 77
"$1" $4 --json "$2/r.json" >/dev/null 2>"$3/err"
status=$?
cp "$2/r.jsonl" "$3/full.jsonl"
exit $status
SH
$own sh "$dir/full.sh" "$u" "$full" "$dir" "$some" 2>/dev/null
status=$?
if [ "$status" -eq 2 ]; then
    [ "$(wc -l <"$dir/err")" -eq 1 ] && grep -q 'r.jsonl:.*No space left.*free some space' "$dir/err" ||
        fail "a full disk: $(cat "$dir/err")"
    "$u" report "$dir/full.jsonl" --json "$dir/read.json" >/dev/null || fail "a full disk: report"
    [ "$(say ran "$dir/read.json")" -gt 10 ] || fail "a full disk: the results are lost"
    some --resume "$dir/full.jsonl" --json "$dir/again.json" >/dev/null ||
        fail "a full disk: --resume ends with $?"
    all_there "$dir/again.json" "a full disk, --resume"
else
    [ "$status" -eq 77 ] || [ "$status" -eq 1 ] || fail "a full disk: exit status $status"
    echo "no tmpfs of one's own here: the full disk was not tried"
fi

# No room for captures: the run ends, and no test is an error for it.
cat >"$dir/full.sh" <<'SH'
mount -t tmpfs -o size=256k none "$2" 2>/dev/null || exit 77
"$1" $4 --json "$3/room.json" --pcap-dir "$2" >/dev/null 2>"$3/err"
SH
$own sh "$dir/full.sh" "$u" "$full" "$dir" "$some" 2>/dev/null
status=$?
if [ "$status" -ne 77 ] && [ -f "$dir/room.json" ]; then
    [ "$status" -eq 1 ] || fail "no room for captures: exit status $status: $(cat "$dir/err")"
    [ "$(say complete "$dir/room.json")" = false ] || fail "no room for captures: complete"
    grep '"cut_short"' "$dir/room.json" | grep -q 'No space left' || fail "no room for captures: why?"
    grep -q '"verdict": "error"' "$dir/room.json" && fail "no room for captures: an error"
else
    echo "no tmpfs of one's own here: no room for captures was not tried"
fi
exit $bad
