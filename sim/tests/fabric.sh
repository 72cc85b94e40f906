#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
# Whole fabrics: which scenarios reach the paper's figures, and which are known not to (docs/cms.md). One
# that begins to reach them has its place in the other list.
#   fabric.sh UETSIM [part]: part: one scenario of each kind
set -u
uetsim=$1
dir=$(mktemp -d) || exit 1
trap 'rm -rf "$dir"' EXIT
bad=0
fail() { echo "fabric.sh: $*" >&2; bad=1; }

reached="paths polarisation incast-nscc incast-rccc incast-both outcast-nscc permutation incast \
    all-to-all allreduce-ring allreduce-tree"
not_reached="oversubscription-nscc oversubscription-both"
reached="$reached outcast-rccc outcast-both oversubscription-rccc"
reached="$reached slow-link-reps failed-link-reps deadlock deadlock-worlds weights rod-cross-reps"
not_reached="$not_reached rod-cross-random rod-cross-bitmap slow-link-bitmap failed-link-bitmap"
here=$reached here_not=$not_reached
if [ "${2:-}" = part ]; then
    here="paths polarisation incast-nscc incast-rccc incast-both allreduce-tree deadlock weights"
    here_not=failed-link-bitmap
fi
for s in $here; do
    "$uetsim" fabric "$s" >"$dir/out" || fail "$s misses a goal: $(cat "$dir/out")"
done
for s in $here_not; do
    "$uetsim" fabric "$s" >"$dir/out"
    [ $? -eq 1 ] || fail "$s: status is not 1: $(cat "$dir/out")"
    grep -q '^  met    writes that failed ' "$dir/out" || fail "$s: writes failed"
done
# Workloads of other sizes: those that reach their goals, and those that are known not to.
sized() { # STATUS OPTIONS...
    wanted=$1
    shift
    "$uetsim" fabric "$@" >"$dir/out"
    [ $? -eq "$wanted" ] || fail "$*: status is not $wanted: $(cat "$dir/out")"
    grep -q '^  met    writes that ended well ' "$dir/out" || fail "$*: writes failed"
}
[ "${2:-}" = part ] || sized 0 incast --senders 256 --message 16384
sized 1 incast --senders 32 --message 65536
# Without spraying a permutation is late.
sized 0 permutation --message 65536
sized 1 permutation --message 65536 --evs 1
sized 0 all-to-all --hosts 5
sized 0 all-to-all --hosts 64 --message 65536 --cc both
sized 0 allreduce-ring --hosts 7 --message 30000
sized 0 allreduce-tree --hosts 13 --message 30000

# Worlds that seeds draw: no lossless pair deadlocks, and one class does in some.
worlds=20
[ "${2:-}" = part ] && worlds=5
"$uetsim" fabric deadlock-worlds --runs $worlds >"$dir/out" || fail "deadlock-worlds: $(cat "$dir/out")"
"$uetsim" fabric deadlock-worlds --runs $worlds --classes one >"$dir/out"
[ $? -eq 1 ] || fail "deadlock-worlds --classes one: status is not 1"
grep -qE '^ +[1-9][0-9]* queues that wait' "$dir/out" || fail "no world deadlocks in one class: $(cat "$dir/out")"

# Connection matrices, by hand.
matrix() { # OPTIONS...
    "$uetsim" fabric "$@" --matrix "$dir/matrix" >"$dir/out" || fail "$*: $(cat "$dir/out")"
    diff -u "$dir/wanted" "$dir/matrix" >&2 || fail "$*: another matrix"
}
cat >"$dir/wanted" <<'END'
Nodes 4
Connections 3
0->3 id 1 start 0 size 8192
1->3 id 2 start 0 size 8192
2->3 id 3 start 0 size 8192
END
matrix incast --senders 3 --message 8192
cat >"$dir/wanted" <<'END'
Nodes 2
Connections 2
0->1 id 1 start 0 size 200
1->0 id 2 start 0 size 200
END
matrix permutation --hosts 2 --message 100 --count 2
cat >"$dir/wanted" <<'END'
Nodes 3
Connections 6
0->1 id 1 start 0 size 4096
1->2 id 2 start 0 size 4096
2->0 id 3 start 0 size 4096
0->2 id 4 start 0 size 4096
1->0 id 5 start 0 size 4096
2->1 id 6 start 0 size 4096
END
matrix all-to-all --hosts 3 --message 4096
# Four steps: each part goes on from where it came.
cat >"$dir/wanted" <<'END'
Nodes 3
Connections 12
Triggers 9
0->1 id 1 start 0 size 1000 send_done_trigger 1
1->2 id 2 start 0 size 1000 send_done_trigger 2
2->0 id 3 start 0 size 1000 send_done_trigger 3
0->1 id 4 trigger 3 size 1000 send_done_trigger 4
1->2 id 5 trigger 1 size 1000 send_done_trigger 5
2->0 id 6 trigger 2 size 1000 send_done_trigger 6
0->1 id 7 trigger 6 size 1000 send_done_trigger 7
1->2 id 8 trigger 4 size 1000 send_done_trigger 8
2->0 id 9 trigger 5 size 1000 send_done_trigger 9
0->1 id 10 trigger 9 size 1000
1->2 id 11 trigger 7 size 1000
2->0 id 12 trigger 8 size 1000
trigger id 1 oneshot
trigger id 2 oneshot
trigger id 3 oneshot
trigger id 4 oneshot
trigger id 5 oneshot
trigger id 6 oneshot
trigger id 7 oneshot
trigger id 8 oneshot
trigger id 9 oneshot
END
matrix allreduce-ring --hosts 3 --message 3000
# 1 has all that 3 had, and 0 all that 2 had, before 1 writes to 0.
cat >"$dir/wanted" <<'END'
Nodes 4
Connections 6
Triggers 3
2->0 id 1 start 0 size 3000 send_done_trigger 1
3->1 id 2 start 0 size 3000 send_done_trigger 1
1->0 id 3 trigger 1 size 3000 send_done_trigger 2
0->1 id 4 trigger 2 size 3000 send_done_trigger 3
0->2 id 5 trigger 3 size 3000
1->3 id 6 trigger 3 size 3000
trigger id 1 barrier count 2
trigger id 2 oneshot
trigger id 3 oneshot
END
matrix allreduce-tree --hosts 4 --message 3000

# Every scenario is in one of them.
for s in $("$uetsim" fabric list | awk '{print $1}'); do
    case " $reached $not_reached " in
    *" $s "*) ;;
    *) fail "$s is in no list" ;;
    esac
done
# Nothing that sprays: what must be missed then.
for s in paths polarisation; do
    "$uetsim" fabric "$s" --evs 1 >"$dir/out"
    [ $? -eq 1 ] && [ "$(grep -c MISSED "$dir/out")" -eq 2 ] || fail "$s --evs 1: $(cat "$dir/out")"
done
# One that is named after its congestion control is not run with another.
"$uetsim" fabric incast-nscc --cc rccc >"$dir/out" 2>"$dir/err"
[ $? -eq 2 ] && grep -q 'its name says which' "$dir/err" || fail "incast-nscc --cc rccc: $(cat "$dir/err")"
"$uetsim" fabric slow-link-reps --lb 3 2>"$dir/err"
[ $? -eq 2 ] && grep -q 'its name says how' "$dir/err" || fail "slow-link-reps --lb 3: $(cat "$dir/err")"
# Answers that wait behind requests: the circle is found, and told.
"$uetsim" fabric deadlock --classes one >"$dir/out"
[ $? -eq 1 ] && [ "$(grep -Ec '(host|switch) [0-9]+ to (host|switch) [0-9]+, requests: bytes' "$dir/out")" -eq 4 ] ||
    fail "deadlock --classes one: $(cat "$dir/out")"
# Of runs that are not all deadlocks the table has what all have told: no mean counts what a run did not tell.
# What one has told stands below it, and in the JSON, with the number of runs.
"$uetsim" fabric deadlock --classes one --param MaxWnd=72000 --seed 3 --runs 2 --json "$dir/json" >"$dir/out"
[ "$(grep -c '^  seed .* MISSED' "$dir/out")" -eq 1 ] || fail "not one of two deadlocks: $(cat "$dir/out")"
awk '/^  missed / {rows = 1; next}
     /^  told by some/ {rows = 0}
     rows {n++; if ($(NF - 1) < $(NF - 2) || $(NF - 1) > $NF) exit 1}
     END {if (n < 8) exit 1}' "$dir/out" || fail "a mean that is none: $(cat "$dir/out")"
[ "$(grep -cE '^  in 1 of 2, missed in 0:   (host|switch) [0-9]+ to (host|switch) [0-9]+, requests: bytes' "$dir/out")" -eq 4 ] ||
    fail "the circle of one run is not told: $(cat "$dir/out")"
[ "$(grep -c '"told_by": 1,' "$dir/json")" -eq 5 ] && [ "$(grep -c '"told_by": 2,' "$dir/json")" -ge 8 ] ||
    fail "the JSON does not say how many runs tell a measure: $(cat "$dir/json")"
# What the figures for credit rest on (docs/cms.md): without it, who cannot use its share leaves it to others,
# or more than a third of C's packets are cut.
missed() { # OPTIONS...: this one goal, in what follows ROW
    row=$1
    shift
    "$uetsim" fabric "$@" >"$dir/out"
    [ $? -eq 1 ] && [ "$(grep -c MISSED "$dir/out")" -eq 1 ] && grep -q "^  MISSED $row" "$dir/out" ||
        fail "$*: $(cat "$dir/out")"
}
missed 'w to v, .* 74\.[0-9]* ' outcast-rccc --param target_of_backlog=0
missed 'w to v, .* 74\.[0-9]* ' outcast-both --param target_of_backlog=0
missed 'node 0 to' oversubscription-rccc --packets 74
grep -q '^  *of each FEP: target_of_backlog  *1\.000$' "$dir/out" || fail "what is its own is not told"
grep -q '^  *of each FEP: max_packets  *74\.000$' "$dir/out" || fail "--packets is not told"
# Parameters that there are not, with values that they have not, or with options of their own.
for p in nonsense=1 target_of_backlog target_of_backlog=2 target_of_backlog= target_of_backlog=-1 NSCC=1; do
    "$uetsim" fabric incast-nscc --param "$p" >"$dir/out" 2>"$dir/err"
    [ $? -eq 2 ] && grep -q -e '--param' "$dir/err" || fail "--param $p: $(cat "$dir/err")"
done
# ... or of what is switched off.
for o in "rccc --param oversubscription=3:ARC=1" "rccc --param gamma=70:NSCC=1" "nscc --param ARC=1:RCCC=1"; do
    # shellcheck disable=SC2086
    "$uetsim" fabric oversubscription-${o%:*} >"$dir/out" 2>"$dir/err"
    [ $? -eq 2 ] && grep -q "no effect without ${o##*:} in" "$dir/err" || fail "$o: $(cat "$dir/err")"
done
# Of all scenarios that is found before the first of them runs; a list runs none.
"$uetsim" fabric all --seed 2 --param gamma=70 >"$dir/out" 2>"$dir/err"
[ $? -eq 2 ] && [ ! -s "$dir/out" ] || fail "all --param gamma=70: $(cat "$dir/err")"
"$uetsim" fabric list --seed 2 >"$dir/out" 2>"$dir/err"
[ $? -eq 2 ] && grep -q 'and not of list' "$dir/err" || fail "list --seed 2: $(cat "$dir/err")"
# What a scenario would not read it refuses.
for o in "slow-link-reps --message 99" "paths --classes one" \
    "paths --message 99" "paths --param gamma=1" "paths --packets 9" "paths --lb 3" "polarisation --count 2" "incast-nscc --count 2" \
    "permutation --senders 3" "incast --hosts 9" "incast --count 2" \
    "all-to-all --senders 3" "allreduce-ring --count 2"; do
    # shellcheck disable=SC2086
    "$uetsim" fabric $o >"$dir/out" 2>"$dir/err"
    [ $? -eq 2 ] && grep -q 'not read by' "$dir/err" || fail "$o: $(cat "$dir/err")"
done
exit $bad
