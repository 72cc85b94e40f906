#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
# check-claims.sh ROOT BUILD: what ARCHITECTURE.md says of the tree, as far as it can be looked up:
#  - each file and folder between backticks is there, each other word stands in a source or
#    names a test;
#  - the table of floors is that of cmake/houses.txt, row by row, and no house is left out;
#  - of conformance/ only fep_ref.c knows the reference FEP;
#  - the places that keep windows, CLEAR and CACK for themselves are those that it names.
# Prints every claim that does not hold; exit 1 then.
set -u
export LC_ALL=C # some five times as fast: these are bytes
root=$1 build=$2
cd "$root" || exit 2
page=ARCHITECTURE.md
dir=$(mktemp -d) || exit 2
trap 'rm -rf "$dir"' EXIT
wrong() { printf 'check: %s: %s\n' "$page" "$*" >&2; : >"$dir/bad"; }
git ls-files >"$dir/files"
git ls-files '*.[ch]' '*.csv' '*.sh' '*.awk' '*CMakeLists.txt' '*.md' dev |
    grep -vxF "$page" | grep -v '^cmake/' >"$dir/sources"

sed 's|^|/|' "$dir/files" >"$dir/below" # a folder has a slash behind it here,
sed 's|$|/|' "$dir/below" >"$dir/paths"   # and a file here, too
# A path may leave out the folders that the text around it names.
is_there() {
    case $1 in
    build/*) [ -e "$build/${1#build/}" ] ;;
    */) grep -qF -e "/$1" "$dir/below" ;;
    *) grep -qF -e "/$1/" "$dir/paths" ;;
    esac
}
find "$build" -name CTestTestfile.cmake -exec cat {} + >"$dir/tests" 2>/dev/null
# All words of the sources once: a look at each source for each name takes minutes on a busy machine.
xargs cat <"$dir/sources" | tr -cs 'A-Za-z0-9_' '\n' | sort -u >"$dir/words"
is_known() {
    grep -qxF -e "$1" "$dir/words" || xargs grep -qwF -e "$1" <"$dir/sources" || grep -qwF -e "$1" "$dir/tests"
}

grep -o '`[^`]*`' "$page" | tr -d '`' | sed -E 's/^(struct|enum) //; s/[[(].*//' | sort -u >"$dir/names"
while read -r name; do
    case $name in
    '' | *' '* | *:) ;; # what is typed: tests type it
    */* | *.[ch] | *.csv | *.md | *.sh | *.awk) is_there "$name" || wrong "\`$name\` is not in the tree" ;;
    *.*) ;; # what users meet: fep.yaml, rule.PDS-105
    *'*') xargs grep -qF -e "${name%\*}" <"$dir/sources" || wrong "no source knows \`$name\`" ;;
    *) is_known "$name" || wrong "no source and no test is called \`$name\`" ;;
    esac
done <"$dir/names"

# The table's first two columns, a line for each house: floor name.
sed -nE 's/^\| ([0-9]) \| ([^|]*) \|.*/\1 \2/p' "$page" | tr -d '`' |
    awk '{ for (i = 2; i <= NF; i++) { sub(/\/$/, "", $i); print $1, $i } }' | sort >"$dir/told"
awk '$1 == "house" && $2 !~ /\// { print $3, $2 }
     $1 == "house" && $2 == "conformance/harness" { print $3, $2 }' cmake/houses.txt | sort >"$dir/held"
comm -23 "$dir/told" "$dir/held" | while read -r floor house; do
    wrong "\`$house/\` on floor $floor: cmake/houses.txt has no such row"
done
comm -13 "$dir/told" "$dir/held" | while read -r floor house; do
    wrong "\`$house/\` of floor $floor is not in the table of floors"
done

git grep -lE '^#include "refimpl/' -- 'conformance/*.c' 'conformance/*.h' | grep -vxF conformance/fep_ref.c |
    while read -r file; do
        wrong "$file includes the reference FEP, so \`fep_ref.c\` does not start it alone"
    done

# Who reads or writes a CACK_PSN keeps sequence state, but for those that only show or judge it (the
# rules rest on the tracker), set its bits (mutators, faults, replay) or are tests.
git grep -lE 'uet_ack_cack_psn(_set)?\(' -- '*.c' '*.h' |
    grep -vE '(^|/)tests/|^(wire|dissector|rules|fuzz|bench|gen)/|/faults/|/mutate\.c$|/replay/map\.c$|^conformance/violate/' \
        >"$dir/keepers"
sed -n '/^Windows, CLEAR and CACK/,/^$/p' "$page" | tr '\n' ' ' | sed 's/\. .*//' >"$dir/sentence"
grep -o '`[^`]*`' "$dir/sentence" | tr -d '`' | grep / >"$dir/places"
while read -r file; do
    while read -r place; do
        case $file in "$place"*) continue 2 ;; esac
    done <"$dir/places"
    wrong "$file keeps a CACK_PSN, and is none of the places named"
done <"$dir/keepers"
while read -r place; do
    grep -q "^$place" "$dir/keepers" || wrong "\`$place\` keeps no CACK_PSN"
done <"$dir/places"
count=$(wc -l <"$dir/places")
number=$(printf 'no one two three four five six seven eight nine' | cut -d ' ' -f $((count + 1)))
grep -q " exist $number times on" "$dir/sentence" ||
    wrong "windows, CLEAR and CACK: $count places are named, and another number is told"
[ ! -e "$dir/bad" ]
