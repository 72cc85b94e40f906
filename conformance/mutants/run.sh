#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
# run.sh BUILD ROOT [--count N] [--seed N] [--only TEXT] [--ids FILE] [--out DIR] [--jobs N]
#
# Puts mistakes at random places of the reference FEP (mutants.c), one at a time: builds each (one
# object and a link), runs the default suite against it, and reports which the suite notices. A
# mutant is killed when a test does not pass, or when a finding comes that the FEP as it is does not
# show; it is not counted when it does not compile, or compiles to the same object.
#
#   --count N    so many that count (default 200)
#   --seed N     the places (default 1): same seed and tree, same mutants
#   --only TEXT  only mutants whose id holds TEXT: a file, a function, an operator
#   --ids FILE   these, one a line, and no others; all must be killed: exit status 1 if one is not
#   --out DIR    where results go (default out/mutants); what is there is not built again
set -eu
self=$(cd "$(dirname "$0")" && pwd)/$(basename "$0")
build=$(cd "$1" && pwd) root=$(cd "$2" && pwd)
shift 2
count=200 seed=1 only= ids= one= out=$root/out/mutants jobs=$(nproc 2>/dev/null || echo 2)
while [ $# -gt 0 ]; do
    [ $# -ge 2 ] || { echo "mutants: $1 wants a value" >&2; exit 2; }
    case $1 in
    --count) count=$2 ;;
    --seed) seed=$2 ;;
    --only) only=$2 ;;
    --ids) ids=$2 ;;
    --out) out=$2 ;;
    --jobs) jobs=$2 ;;
    --one) one=$2 ;; # for this script itself: one mutant, its result into --out
    *) echo "mutants: unknown option $1 (--count, --seed, --only, --ids, --out, --jobs)" >&2; exit 2 ;;
    esac
    shift 2
done
case $count$seed$jobs in *[!0-9]*) echo "mutants: --count, --seed and --jobs are numbers" >&2; exit 2 ;; esac
tool=$build/tests/uet_mutants
mkdir -p "$out"
out=$(cd "$out" && pwd)
cd "$root"

# What of a run may not change: tests that did not pass, and findings, without numbers of packets.
what_it_says() {
    sed -nE 's/^(fail|error|inconc|unexpected-pass|pass)  ([^ ]+).*/\1 \2/p
             s/^      finding, ([A-Z]+-[0-9]+).*/  \1/p' "$1"
}

if [ "$one" ]; then
    id=$one
    file=${id%%:*}
    key=$(printf '%s' "$id" | tr '/:' '__')
    result=$out/$key.result
    [ ! -f "$result" ] || exit 0
    work=$(mktemp -d)
    trap 'rm -rf "$work"' EXIT
    say() { printf '%s\t%s\t%s\n' "$id" "$1" "$2" >"$work/result" && mv "$work/result" "$result"; }
    compile=$(sed -n "s|.* -o [^ ]*/uet_fep_bent.dir/[^ ]* -c $root/$file\$|&|p" "$out/commands" |
        sed -E 's/ -MD -MT [^ ]+ -MF [^ ]+//; s/ -o [^ ]+ -c [^ ]+$//; s/ -Werror//; s/ -g / /')
    mkdir "$work/new" "$work/old"
    base=$(basename "$file")
    "$tool" apply "$file" "$id" >"$work/new/$base"
    cp "$file" "$work/old/$base"
    cd "$build"
    if ! $compile -w -o "$work/new.o" -c "$work/new/$base" 2>/dev/null; then
        say uncompiled ""
        exit 0
    fi
    $compile -w -o "$work/old.o" -c "$work/old/$base"
    if cmp -s "$work/old.o" "$work/new.o"; then
        say same ""
        exit 0
    fi
    sh -c "$(sed "s|^: && ||; s| && :\$||; s| -o bin/uetconform | -o $work/uetconform $work/new.o |" "$out/link")"
    status=0
    timeout 60 "$work/uetconform" run --fep ref --quiet --ceiling 2 >"$work/log" 2>&1 || status=$?
    what_it_says "$work/log" >"$work/says"
    by=$(sed -nE 's/^(fail|error|inconc)  ([^ ]+).*/\2/p' "$work/log" | head -3 | tr '\n' ' ')
    if [ $status -ne 0 ]; then
        say killed "${by:-exit status $status}"
    elif ! cmp -s "$work/says" "$out/clean"; then
        say killed "findings"
    else
        say survived ""
    fi
    exit 0
fi

[ -x "$tool" ] || { echo "mutants: $tool is not built: ./dev build" >&2; exit 2; }
ninja -C "$build" -t commands uetconform >"$out/commands"
tail -1 "$out/commands" >"$out/link"
"$build/bin/uetconform" run --fep ref --quiet >"$out/clean.log" 2>&1 ||
    { echo "mutants: the FEP as it is does not pass: $out/clean.log" >&2; exit 2; }
what_it_says "$out/clean.log" >"$out/clean"
# Results hold for this very suite and FEP.
stamp=$(cat "$build/bin/uetconform" refimpl/*.[ch] refimpl/*/*.[ch] | cksum)
if [ "$stamp" != "$(cat "$out/stamp" 2>/dev/null)" ]; then
    rm -f "$out"/*.result
    printf '%s\n' "$stamp" >"$out/stamp"
fi

if [ "$ids" ]; then
    grep -v '^#' "$ids" >"$out/ids"
    count=$(wc -l <"$out/ids")
else
    # Data (params.c, usage.c, variants.c) and the faults themselves are no logic of the FEP's.
    "$tool" list $(ls refimpl/*.c refimpl/pds/*.c refimpl/ses/*.c |
        grep -vE '/(params|usage|variants|violate)\.c$') >"$out/sites"
    cut -f1 "$out/sites" | grep -F -- "$only" |
        awk -v seed="$seed" 'BEGIN { srand(seed) } { printf "%.12f\t%s\n", rand(), $0 }' |
        sort | cut -f2 >"$out/ids"
fi

counted() { awk -F '\t' '$2 == "killed" || $2 == "survived"' "$out/results" | wc -l; }
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
    xargs -P "$jobs" -n 1 sh "$self" "$build" "$root" --out "$out" --one <"$out/tried"
    collect
    [ ! -t 2 ] || printf '\r%d of %d mutants' "$(counted)" "$count" >&2
done
[ ! -t 2 ] || printf '\r\033[K' >&2
awk -F '\t' -v n="$count" '($2 == "killed" || $2 == "survived") && ++k <= n' "$out/results" >"$out/counted"

table() { # table TITLE FIELD: kills by that part of the id
    printf '\n%-34s %8s %8s\n' "$1" killed of
    awk -F '[\t]' -v field="$2" '{ split($1, id, ":"); k = id[field]; all[k]++
        if ($2 == "killed") killed[k]++ } END { for (k in all)
        printf "%-34s %8d %8d\n", k, killed[k], all[k] }' "$out/counted" | sort
}
table file 1
table mistake 3
killed=$(grep -c "$(printf '\tkilled\t')" "$out/counted" || true)
all=$(wc -l <"$out/counted")
printf '\n'
grep "$(printf '\tsurvived\t')" "$out/counted" | cut -f1 >"$out/survivors" || true
[ ! -s "$out/survivors" ] || { echo "survived:"; sed 's/^/  /' "$out/survivors"; echo; }
printf '%d of %d mutants killed (seed %s)\n' "$killed" "$all" "$seed"
[ -z "$ids" ] || [ "$killed" -eq "$count" ]
