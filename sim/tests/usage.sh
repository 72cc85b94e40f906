#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
# What is typed wrongly gets one line and status 2; what breaks, status 1 and the command again.
set -u
uetsim=$1
dir=$(mktemp -d) || exit 1
trap 'rm -rf "$dir"' EXIT
bad=0
fail() { echo "usage.sh: $*" >&2; bad=1; }

refused() {
    "$uetsim" "$@" >"$dir/out" 2>"$dir/err"
    [ $? -eq 2 ] || fail "$*: status is not 2"
    [ "$(wc -l <"$dir/err")" -eq 1 ] || fail "$*: not one line on stderr"
}
refused --hours 0
refused --hours many
refused --seed -1
refused --packets 0
refused --feps 33
refused --modes rud,tcp
refused --secure rot13
refused --secure beside
grep -q 'uetconform run --secure=beside' "$dir/err" || fail "--secure beside: nothing says where it is"
refused --congestion cubic
refused --ops 1
refused --scenario 1 --ops 99999
refused --scenario 1 --ops 3-1
refused --ignore nonsense
refused --mutate nonsense
refused --violate PDS-001 --scenario 1 # not in this program
refused surplus
refused cc
refused cc nonsense
refused cc one two
refused cc one --seed many
refused cc all --svg "$dir/x.svg"
refused cc one --sgv "$dir/x.svg"
refused cc one --json "$dir/none/x.json"
refused fabric
refused fabric nonsense
refused fabric paths --hosts 9999
refused fabric paths --seed -1
refused fabric paths --cc tcp
refused fabric deadlock --classes two
refused fabric all --json "$dir/x.json"
refused fabric permutation --param MaxWnd=72000 --param MaxWnd=36000
grep -q 'stands there twice: --param MaxWnd=36000' "$dir/err" || fail "--param twice: $(cat "$dir/err")"
refused fabric paths --jobs 2
refused fabric paths --task 0/1
refused fabric list --task 0/1
refused fabric paths --runs 2 --task 2/2
refused fabric paths --runs 2 --svg "$dir/x.svg"
refused fabric paths --svg "$dir/x.svg"
refused fabric incast-nscc --svg "$dir/none/x.svg"
refused fabric incast --svg "$dir/x.svg"
refused fabric incast --matrix "$dir/none/x.cm"
refused fabric incast --runs 2 --matrix "$dir/x.cm"
refused fabric incast-nscc --matrix "$dir/x.cm"
refused fabric all --matrix "$dir/x.cm"
refused fabric all-to-all --radix 16 --hosts 0
# Files that cannot be written are found before the run, which would take hours; so are two that are one.
refused --hours 100000 --json "$dir"
refused --hours 100000 --pcap "$dir/none/x.pcapng"
refused --scenario 1 --json "$dir/x" --pcap "$dir/x"
grep -q 'are one file: write to two' "$dir/err" || fail "--json and --pcap of one file: $(cat "$dir/err")"
refused cc one --svg "$dir/x" --json "$dir/x"
refused fabric permutation --hosts 1024 --runs 100000 --json "$dir"
grep -q 'cannot be written: Is a directory' "$dir/err" || fail "--json of a folder: $(cat "$dir/err")"
refused fabric incast --matrix "$dir/x" --json "$dir/x"
[ ! -e "$dir/x" ] || fail "a file that was refused is there"
# Whether there is no such tree, or one that is none for this scenario.
refused fabric weights --hosts 40
grep -q 'no such tree, or it has not so many hosts; weights needs at least 5 hosts' "$dir/err" || fail "weights --hosts 40: $(cat "$dir/err")"
refused fabric weights --hosts 4
grep -q ' weights needs at least 5 hosts;' "$dir/err" || fail "weights --hosts 4: $(cat "$dir/err")"
refused fabric paths --levels 2 --hosts 16
grep -q ' paths needs a tree of 3 levels' "$dir/err" || fail "paths --levels 2: $(cat "$dir/err")"
refused --scenario
refused --sed 3
grep -qx 'uetsim: --sed is not an option (did you mean --seed?); see uetsim --help' "$dir/err" ||
    fail "--sed: $(cat "$dir/err")"

"$uetsim" --help | grep -q -- '--hours H' || fail "--help"
"$uetsim" --version | grep -q '^uetsim ' || fail "--version"
"$uetsim" --scenario 3 --plan | grep -q 'operation 0: ' || fail "--plan"
[ "$("$uetsim" --world 3 --plan)" = "$("$uetsim" --scenario 3 --plan)" ] || fail "--world, the former name of --scenario"

# The table of what was simulated: its packets are those of the sum, all of them.
"$uetsim" --hours 0.05 --json "$dir/sum.json" >"$dir/sum" || fail "the table: $(cat "$dir/sum")"
awk '/^  packets  /{on = 1; next} /^  and /{for (i = 2; i <= 8; i += 2) n += $i; on = 0}
    on && sub(/^  data of reads/, "") {$0 = "data " $0}
    on {for (i = 2; i <= 5; i++) n += $i}
    / scenarios, /{sub(/.* scenarios, /, ""); wanted = $1}
    END {if (n != wanted || !n) {print n " of " wanted " packets are in the table"; exit 1}}' \
    "$dir/sum" || fail "the table: $(cat "$dir/sum")"
grep -q '^  FETCHING_ATOMIC ' "$dir/sum" || fail "no line for fetching atomics"
grep -q '"FETCHING_ATOMIC": {' "$dir/sum.json" || fail "JSON of the table"

# Security: every kind, with keys that open what was captured; the same again from the same seed.
for kind in cluster cluster-ssi server server-ssi direct; do
    "$uetsim" --seed 3 --scenario 4 --secure $kind --pcap "$dir/$kind.pcapng" >"$dir/$kind" ||
        fail "--secure $kind: $(cat "$dir/$kind")"
    grep -q '^UET_SD sdi=0x[0-9a-f]* an=0 ' "$dir/$kind.pcapng.keys" || fail "--secure $kind: no keys"
    "$uetsim" --seed 3 --scenario 4 --secure $kind --pcap "$dir/again.pcapng" >"$dir/out"
    cmp -s "$dir/$kind.pcapng" "$dir/again.pcapng" || fail "--secure $kind: other bytes the second time"
done
"$uetsim" --seed 3 --scenario 4 --secure none --json "$dir/clear.json" >"$dir/out" || fail "--secure none"
grep -q '"sealed": 0,' "$dir/clear.json" || fail "--secure none seals"
grep -q '"sealed": [1-9]' "$dir/sum.json" || fail "nothing is sealed by default"

# Congestion control: goals, a plot with three panels, the same again from the same seed.
"$uetsim" cc --help | grep -q -- '--svg FILE' || fail "cc --help"
"$uetsim" cc list | grep -q '^halves ' || fail "cc list"
"$uetsim" cc one --svg "$dir/one.svg" --json "$dir/one.json" >"$dir/out" || fail "cc one: $(cat "$dir/out")"
[ "$(grep -c '<polyline' "$dir/one.svg")" -eq 3 ] || fail "cc --svg has not three curves"
grep -q '"cwnd": 225000' "$dir/one.json" || fail "cc --json does not have the first window"
"$uetsim" cc one --json - 2>"$dir/err" | cmp -s - "$dir/one.json" || fail "cc --json -: not the same"

# Whole fabrics: met, and missed where nothing sprays; the same again from the same seed.
"$uetsim" fabric --help | grep -q -- '--hosts N' || fail "fabric --help"
"$uetsim" fabric list | grep -q '^paths ' || fail "fabric list"
"$uetsim" fabric paths --evs 1 >"$dir/out"
[ $? -eq 1 ] || fail "fabric paths --evs 1: status is not 1"
[ "$(grep -c MISSED "$dir/out")" -eq 2 ] || fail "fabric paths --evs 1 misses not two goals"
"$uetsim" fabric permutation --message 262144 --json "$dir/p.json" >"$dir/out" || fail "fabric: $(cat "$dir/out")"
"$uetsim" fabric permutation --message 262144 --json - 2>"$dir/err" >"$dir/again.json"
sed '/"memory of the process/,/}/d' "$dir/p.json" >"$dir/p"
sed '/"memory of the process/,/}/d' "$dir/again.json" | cmp -s - "$dir/p" || fail "fabric: not the same again"
"$uetsim" fabric permutation --message 262144 --evs 1 >"$dir/out"
[ $? -eq 1 ] || fail "fabric permutation --evs 1: status is not 1"

"$uetsim" fabric incast-nscc --svg "$dir/incast.svg" >"$dir/out" || fail "fabric incast-nscc: $(cat "$dir/out")"
[ "$(grep -c '<polyline' "$dir/incast.svg")" -eq 4 ] || fail "fabric --svg has not four curves"

# Many runs: the same side by side, and shared out; the memory of each process is its own.
many() { "$uetsim" fabric permutation --runs 5 "$@" | grep -v ' memory of the process'; }
many >"$dir/one"
[ "$(grep -c '^  seed ' "$dir/one")" -eq 5 ] || fail "fabric --runs 5: $(cat "$dir/one")"
many --jobs 3 | cmp -s - "$dir/one" || fail "fabric --jobs 3: not the same"
{ many --task 0/2; many --task 1/2 --jobs 2; } | grep '^  seed ' | sort >"$dir/two"
grep '^  seed ' "$dir/one" | sort | cmp -s - "$dir/two" || fail "fabric --task: not the same"
"$uetsim" fabric paths --runs 2 --jobs 2 --evs 1 >"$dir/out"
[ $? -eq 1 ] || fail "fabric --runs --evs 1: status is not 1"

# So many packets, and no scenario more than it takes.
"$uetsim" --packets 20000 --json "$dir/packets.json" >"$dir/out" || fail "--packets: $(cat "$dir/out")"
packets=$(sed -n 's/^ *"packets": \([0-9]*\),$/\1/p' "$dir/packets.json")
[ "${packets:-0}" -ge 20000 ] && [ "$packets" -lt 200000 ] || fail "--packets 20000 gave ${packets:-none}"

# A mutant: status 1, a command that breaks the same thing again, a capture, JSON.
"$uetsim" --hours 0.1 --feps 2 --ignore rule --mutate payload --pcap "$dir/a.pcapng" \
    --json "$dir/a.json" >"$dir/out"
[ $? -eq 1 ] || fail "a finding: status is not 1"
[ -s "$dir/a.pcapng" ] || fail "no capture"
grep -Eq '"invariant": "(intact|delivered)"' "$dir/a.json" || fail "JSON"
again=$(sed -n 's,^  again: ./dev sim ,,p' "$dir/out")
[ -n "$again" ] || fail "no command that repeats it"
# shellcheck disable=SC2086
"$uetsim" $again --no-shrink >"$dir/again"
[ $? -eq 1 ] || fail "the command does not repeat it: $again"
[ "$(sed -n 1p "$dir/out")" = "$(sed -n 1p "$dir/again")" ] || fail "another end: $again"
exit $bad
