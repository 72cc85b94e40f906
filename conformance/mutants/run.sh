#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
# run.sh BUILD ROOT [--count N] [--seed N] [--only TEXT] [--ids FILE] [--secure YES] [--look YES]
#        [--out DIR] [--jobs N]
#
# Puts mistakes at random places of the reference FEP (mutants.c), one at a time: builds each, runs
# the default suite against it (one.sh), and reports which the suite notices. A mutant is killed when
# a test does not pass, or when a finding comes that the FEP as it is does not show; it is not counted
# when it does not compile, or compiles to the same object. Tests that are skipped, and were not on the FEP
# as it is, count as noticed, too: a FEP that refuses a verb that it has is told by nothing else.
#
#   --count N    so many that count (default 200)
#   --seed N     the places (default 1): same seed and tree, same mutants
#   --only TEXT  only mutants whose id holds TEXT: a file, a function, an operator
#   --ids FILE   these, one a line, and no others; all must be killed: exit status 1 if one is not
#   --secure yes mistakes in code of security alone (secure.awk), judged by runs in which all is sealed: in
#                each mode of --secure the tests of security, then all at depth smoke, and in clear; then all
#                at default depth in two modes, one with addresses and one with SSIs of clients
#   --look yes   of each survivor: which variant's run or unit test notices it, or whether only
#                captures change; the page docs/mutants.md has a reason for the rest, or `gap?` is said
#   --out DIR    where results go (default out/mutants, out/mutants-secure); what is there is not built again
set -eu
self=$(cd "$(dirname "$0")" && pwd)
build=$(cd "$1" && pwd) root=$(cd "$2" && pwd)
shift 2
count=200 seed=1 only= ids= look=0 secure=0 out= jobs=$(nproc 2>/dev/null || echo 2)
while [ $# -gt 0 ]; do
    case $1 in
    -h | --help)
        sed -n '/^# run.sh/,/^set -eu/s/^# \{0,1\}//p' "$0"
        exit 0
        ;;
    esac
    [ $# -ge 2 ] || { echo "mutants: $1 wants a value" >&2; exit 2; }
    case $1 in
    --count) count=$2 ;;
    --seed) seed=$2 ;;
    --only) only=$2 ;;
    --ids) ids=$2 ;;
    --secure) case $2 in yes) secure=1 ;; no) secure=0 ;; *) echo "mutants: --secure is yes or no" >&2; exit 2 ;; esac ;;
    --look) case $2 in yes) look=1 ;; no) look=0 ;; *) echo "mutants: --look is yes or no" >&2; exit 2 ;; esac ;;
    --out) out=$2 ;;
    --jobs) jobs=$2 ;;
    *) echo "mutants: unknown option $1 (--count, --seed, --only, --ids, --secure, --look, --out, --jobs)" >&2; exit 2 ;;
    esac
    shift 2
done
case $count$seed$jobs in *[!0-9]*) echo "mutants: --count, --seed and --jobs are numbers" >&2; exit 2 ;; esac
tool=$build/tests/uet_mutants
[ -x "$tool" ] || { echo "mutants: $tool is not built: ./dev build" >&2; exit 2; }
[ "$out" ] || { [ $secure -eq 1 ] && out=$root/out/mutants-secure || out=$root/out/mutants; }
mkdir -p "$out"
out=$(cd "$out" && pwd)
cd "$root"

# Results hold for this very suite and FEP, and whatever both are made of.
stamp=$(git ls-files -c -o --exclude-standard '*.c' '*.h' '*.csv' | grep -vE '(^|/)docs/' |
    xargs cat 2>/dev/null | cat - "$self/one.sh" "$self/run.sh" | cksum)
if [ "$stamp" != "$(cat "$out/stamp" 2>/dev/null)" ]; then
    rm -rf "$out"/*.result "$out/old" "$out/sums"
    printf '%s\n' "$stamp" >"$out/stamp"
fi

# ---- what one.sh wants to find ----
units=$(ninja -C "$build" -t targets all | sed -nE 's/^(tests\/test_fep[a-z_]*): .*/\1/p' |
    grep -vE '_(bent|sizes)$' | sort) # no mistakes of ours, and long
# shellcheck disable=SC2086
ninja -C "$build" -t commands uetconform $units >"$out/commands"
ninja -C "$build" -t commands uetconform | tail -1 >"$out/link"
if [ $look -eq 1 ]; then
    for unit in $units; do
        (cd "$build" && "$unit" >/dev/null 2>&1) || { echo "mutants: $unit does not pass" >&2; exit 2; }
        printf '%s %s\n' "${unit#tests/}" "$(ninja -C "$build" -t commands "$unit" | tail -1)"
    done >"$out/units"
fi
# What is run of a mutant, in this order, until something is noticed: a name and options. What kills most for
# its time comes first: most of what will die is dead then, and what would loop in every test has cost little.
# In the short steps the ceiling is short; a test of whole pools may take seconds on a busy machine.
short=5 long=60
modes='cluster beside server-ssi cluster-rekey direct server cluster-ssi direct-ssi'
if [ $secure -eq 1 ]; then
    for mode in $modes; do echo "tss-$mode --ceiling $short --secure=$mode --test tss.* --test net.3.7.* --test rob.3.7.*"; done
    for mode in $modes; do echo "smoke-$mode --ceiling $long --secure=$mode --depth smoke"; done
    echo "smoke-clear --ceiling $long --depth smoke"
    for mode in cluster server-ssi; do echo "all-$mode --ceiling $long --secure=$mode"; done
else
    echo "few --ceiling $short --depth smoke $(sed -n '/^[^#]/s/^/--test /p' "$self/smoke.txt" | tr '\n' ' ')"
    echo "smoke --ceiling $long --depth smoke"
    echo "all --ceiling $long"
fi >"$out/steps"
rm -rf "$out/clean" # what the FEP as it is says: made by the first mutant that comes to a step
mkdir -p "$out/clean"
if [ $look -eq 1 ] && [ ! -f "$out/sums" ]; then
    pcap=$(mktemp -d)
    if [ $secure -eq 1 ]; then
        for mode in $modes; do echo "ref --ceiling $long --secure=$mode --depth smoke"; done
    else
        "$build/bin/uetfep" --variant list | sed -E "s/ .*//; s/^/ref:/; 1i ref" | sed "s/\$/ --ceiling $long/"
    fi | while read -r fep options; do
        rm -rf "$pcap/p"
        # shellcheck disable=SC2086
        "$build/bin/uetconform" run --fep "$fep" $options --quiet --pcap-dir "$pcap/p" >"$out/clean/log" 2>&1 </dev/null ||
            { echo "mutants: $fep $options as it is does not pass: $out/clean/log" >&2; exit 2; }
        printf '%s %s %s\n' "$(cat "$pcap"/p/*.pcapng | cksum | tr ' ' -)" "$fep" "$options"
    done >"$out/sums.new"
    mv "$out/sums.new" "$out/sums"
    rm -rf "$pcap"
fi

# ---- which ----
# Data and the faults themselves are no logic of the FEP's.
"$tool" list $(find refimpl -name '*.c' ! -path '*/tests/*' ! -path 'refimpl/host/*' \
    ! -path 'refimpl/faults/*' | grep -vE '/(params|usage|variants|violate)\.c$' | sort) >"$out/places"
if [ $secure -eq 1 ]; then
    awk -f "$self/secure.awk" "$out/places" >"$out/sites"
else
    cp "$out/places" "$out/sites"
fi
if [ "$ids" ]; then
    grep -v '^#' "$ids" >"$out/ids"
    count=$(wc -l <"$out/ids")
else
    cut -f1 "$out/sites" | grep -F -- "$only" |
        awk -v seed="$seed" 'BEGIN { srand(seed) } { printf "%.12f\t%s\n", rand(), $0 }' |
        sort | cut -f2 >"$out/ids"
fi

# ---- try them ----
counted() { awk -F '\t' '$2 == "killed" || $2 == "survived"' "$out/results" | wc -l; }
# Nothing goes on when this script is ended: all that xargs has begun is of its session, also what `timeout`
# has put into a group of its own. A uetconform that is told to end for the second time does so at once.
trials=
of_trials() { # the processes of that session; behind the name in (): state, parent, group, session
    [ "$trials" ] || return 0
    cat /proc/[0-9]*/stat 2>/dev/null |
        awk -v session="$trials" '{ pid = $1; sub(/.*\) /, "") } $4 == session && $1 != "Z" { print pid }'
}
end_trials() {
    for how in TERM TERM TERM TERM TERM KILL; do
        left=$(of_trials)
        [ "$left" ] || break
        # shellcheck disable=SC2086
        kill -$how $left 2>/dev/null || true
        sleep 0.2
    done
    left=$(of_trials)
    [ -z "$left" ] || echo "mutants: these do not end:" $left >&2
    exit "$1"
}
trap 'end_trials 129' HUP
trap 'end_trials 130' INT
trap 'end_trials 143' TERM
collect() { # in the order of the ids
    : >"$out/results"
    while read -r id; do
        f=$out/$(printf '%s' "$id" | tr '/:' '__').result
        [ ! -f "$f" ] || cat "$f" >>"$out/results"
    done <"$out/tried"
}
: >"$out/tried"
: >"$out/results"
total=$(wc -l <"$out/ids") tried=0
while [ "$(counted)" -lt "$count" ] && [ $tried -lt "$total" ]; do
    more=$((count - $(counted)))
    [ $more -ge $((jobs * 4)) ] || more=$((jobs * 4))
    tried=$((tried + more))
    head -n $tried "$out/ids" >"$out/tried"
    setsid xargs -P "$jobs" -n 1 sh "$self/one.sh" "$build" "$root" "$out" $look <"$out/tried" &
    trials=$!
    wait $trials || exit 2
    trials=
    collect
    [ ! -t 2 ] || printf '\r%d of %d mutants' "$(counted)" "$count" >&2
done
[ ! -t 2 ] || printf '\r\033[K' >&2
awk -F '\t' -v n="$count" '($2 == "killed" || $2 == "survived") && ++k <= n' "$out/results" >"$out/counted"

# Twenty that are killed, from as many files as there are: an everyday.txt for when its places are gone.
awk -F '\t' '$2 == "killed" { split($1, part, ":"); print ++n[part[1]] "\t" NR "\t" $1 }' "$out/counted" |
    sort -n -k 1,1 -k 2,2 | cut -f 3 | head -20 | sort >"$out/everyday"

# ---- tell ----
status=0
awk -f "$self/report.awk" -v look=$look -v page="$root/docs/mutants.md" -v seed="$seed" \
    "$out/sites" "$out/counted" || status=$?
[ $status -eq 0 ] || exit 2
killed=$(grep -c "$(printf '\tkilled\t')" "$out/counted" || true)
[ -z "$ids" ] || [ "$killed" -eq "$count" ]
