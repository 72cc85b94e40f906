#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
# resume.sh BIN SOURCE: a run that is interrupted keeps its results, leaves no process and no folder of
# its own behind, and --resume runs only what is missing. Exit status 77: no network namespace.
set -u
bin=$1 source=$2
. "$source/interop/tests/common.sh"
export TMPDIR="$dir"
mkdir "$dir/tmp"
results() { grep -c '"verdict"' "$dir/out/results.jsonl"; }
run() {
    "$@" uetinterop run --clients ref --servers ref,eager,lazy --jobs 2 --out "$dir/out" $more \
        --cases handshake,many-small,both-ways,loss,reorder,duplicate >"$dir/text" 2>&1
    status=$?
}

more=
uetinterop run --clients ref --servers ref,eager,lazy --jobs 2 --out "$dir/out" \
    --cases handshake,many-small,both-ways,loss,reorder,duplicate >"$dir/text" 2>&1 &
runner=$!
i=0
until [ -e "$dir/out/results.jsonl" ] && [ "$(results)" -ge 3 ]; do
    sleep 0.05
    i=$((i + 1))
    [ $i -lt 600 ] || { fail "no results after 30 s: $(cat "$dir/text")"; break; }
done
children=$(ps -o pid= --ppid $runner)
kill -INT $runner 2>/dev/null
wait $runner
status=$?
[ $status -eq 130 ] || fail "interrupted: $status: $(tail -3 "$dir/text")"
grep -q ' not run ' "$dir/text" || fail "it does not say what was not run"
[ -s "$dir/out/index.html" ] || fail "no page of what there is"
for pid in $children; do
    kill -0 "$pid" 2>/dev/null && fail "a cell still runs"
done
before=$(results)
[ "$before" -lt 18 ] || fail "nothing was left to run: make the run longer"
cp "$dir/out/results.jsonl" "$dir/before"

printf '{"client":"ref","server":"ref","ca' >>"$dir/out/results.jsonl" # as a crash would leave it
more=--resume
run
[ "$status" -eq 0 ] || fail "resumed: $status: $(cat "$dir/text")"
grep -q '^18 cells: 18 pass' "$dir/text" || fail "not 18: $(tail -4 "$dir/text")"
[ "$(head -c "$(wc -c <"$dir/before")" "$dir/out/results.jsonl" | cmp - "$dir/before" && echo same)" = same ] ||
    fail "results of the first run were lost"
[ "$(sort "$dir/out/results.jsonl" | grep -o '"server":"[a-z]*","case":"[a-z-]*","verdict"' | sort | uniq -d | wc -l)" -eq 0 ] ||
    fail "a cell ran twice"

more='--resume --seed 2'
run
[ "$status" -eq 2 ] && grep -q 'another seed or size' "$dir/text" || fail "another seed: $status"
exit $bad
