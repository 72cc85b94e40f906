#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
# one.sh BUILD ROOT OUT LOOK ID: builds the reference FEP with one mistake in it (one object and a
# link) and writes to OUT what notices: a line `ID <tab> VERDICT <tab> BY`. Nothing is done when OUT
# has the answer. run.sh has made what it needs there.
#
#   killed      BY: the first tests that do not pass on `ref`, or what else told it; behind `late` when
#               it was time alone: a run without end, or tests that their ceiling stopped
#   survived    BY, with LOOK 1: who notices beside the default suite: a run on a variant, a unit
#               test of refimpl/; else `wire FEP` when only bytes of captures changed, or `nothing`
#   same        no byte of the object differs
#   uncompiled  nobody could make this mistake
set -eu
self=$(cd "$(dirname "$0")" && pwd)
build=$1 root=$2 out=$3 look=$4 id=$5
file=${id%%:*}
base=$(basename "$file")
result=$out/$(printf '%s' "$id" | tr '/:' '__').result
if [ -f "$result" ]; then
    [ "$look" = 1 ] && grep -q "$(printf '\tsurvived\t$')" "$result" || exit 0
fi
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
trap 'exit 143' HUP INT TERM
say() {
    printf '%s\t%s\t%s\n' "$id" "$1" "$2" >"$result.$$" && mv "$result.$$" "$result"
    exit 0
}

# compile LIBRARY SOURCE OBJECT, as that library's member is compiled.
compile() {
    command=$(sed -n "s|.* -o [^ ]*/$1\.dir/[^ ]* -c $root/$file\$|&|p" "$out/commands" |
        sed -E 's/ -MD -MT [^ ]+ -MF [^ ]+//; s/ -o [^ ]+ -c [^ ]+$//; s/ -Werror//; s/ -g / /')
    (cd "$build" && $command -w -o "$3" -c "$2" 2>/dev/null)
}

# link COMMAND NAME: that program with the object in front of the library that has the right one.
link() {
    (cd "$build" && sh -c "$(printf '%s\n' "$1" |
        sed -E "s|^: && ||; s| && :\$||; s| -o [^ ]+ | -o $work/$2 $work/$3 |")")
}

run() { # run LIMIT FEP OPTIONS...: log in $work/log; the exit status, 124 after LIMIT seconds
    limit=$1 fep=$2
    shift 2
    timeout "$limit" "$work/uetconform" run --fep "$fep" --quiet --max-fails 3 "$@" >"$work/log" 2>&1 </dev/null
}
# clean STEP OPTIONS...: what the FEP as it is says there, once for all mutants, and how long a mutant may
# take. The options are the mutants' own, to the last one: an option that uetconform refuses must not pass
# for a mistake that it noticed. Where it does not pass, no mutant can be judged: xargs ends at 255.
clean() {
    (
        flock 9
        [ ! -f "$out/clean/$1.passes" ] || exit 0
        step=$1 log=$out/clean/$1.log begun=$(date +%s)
        shift
        "$build/bin/uetconform" run --fep ref --quiet --max-fails 3 "$@" >"$log" 2>&1 </dev/null ||
            { echo "mutants: the FEP as it is does not pass $*: $log" >&2; exit 255; }
        echo $((100 + 5 * ($(date +%s) - begun))) >"$out/clean/$step.limit"
        sed -nE -f "$self/says.sed" "$log" >"$out/clean/$step.says"
        sed -nE -f "$self/passes.sed" "$log" >"$out/clean/$step.passes"
    ) 9>"$out/clean/lock" || exit 255
}
killers() { sed -nE 's/^(fail|error|inconc)  ([^ ]+).*/\2/p' "$work/log" | head -3 | tr '\n' ' '; }
told() { # told STATUS: what of the run that ended so is no pass
    by=$(killers) late=
    [ "$(grep -cE '^(fail|error|inconc)  ' "$work/log")" -ne "$(grep -c 'not over after' "$work/log")" ] || [ ! "$by" ] ||
        late='late '
    [ "$1" -ne 124 ] || late='late ' by=${by:-no end}
    echo "$late${by:-no result}"
}

mkdir "$work/new" "$work/old" "$out/old" 2>/dev/null || true
(cd "$root" && "$build/tests/uet_mutants" apply "$file" "$id") >"$work/new/$base"
compile uet_fep_bent "$work/new/$base" "$work/new.o" || say uncompiled ""
old=$out/old/$(printf '%s' "$file" | tr / _).o
if [ ! -f "$old" ]; then
    cp "$root/$file" "$work/old/$base"
    compile uet_fep_bent "$work/old/$base" "$work/old.o"
    mv "$work/old.o" "$old"
fi
if cmp -s "$old" "$work/new.o"; then
    say same ""
fi
link "$(cat "$out/link")" uetconform new.o

set -f # an option may name tests by a pattern
while read -r step options; do
    # shellcheck disable=SC2086
    clean "$step" $options
    # shellcheck disable=SC2086
    run "$(cat "$out/clean/$step.limit")" ref $options || say killed "$(told $?)"
    sed -nE -f "$self/says.sed" "$work/log" | cmp -s - "$out/clean/$step.says" || say killed "findings ($step)"
    sed -nE -f "$self/passes.sed" "$work/log" | cmp -s - "$out/clean/$step.passes" ||
        say killed "skips more ($step)"
done <"$out/steps"
[ "$look" = 1 ] || say survived ""
set +f

wire=
while read -r sum fep options; do
    rm -rf "$work/pcap"
    # shellcheck disable=SC2086
    run 300 "$fep" $options --pcap-dir "$work/pcap" || say survived "$fep: $(killers)"
    [ "$wire" ] || [ "$(cat "$work"/pcap/*.pcapng | cksum | tr ' ' -)" = "$sum" ] || wire=$fep
done <"$out/sums"
compile uet_fep "$work/new/$base" "$work/unit.o"
while read -r name command; do
    link "$command" unit unit.o
    (cd "$build" && timeout 60 "$work/unit" >/dev/null 2>&1) || say survived "$name"
done <"$out/units"
if [ "$wire" ]; then say survived "wire $wire"; fi
say survived nothing
