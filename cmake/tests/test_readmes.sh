#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
# test_readmes.sh ROOT BUILD: the README.md of each folder that somebody new may begin with.
#  - each folder of the table of floors up to 4 has one, and so has sim/;
#  - each file and folder that one names between backticks is there, from the folder or the root;
#  - each `ctest ... -R 'A|B'` of one finds tests by A and by B;
#  - each block of C of one compiles;
#  - no sentence of these and of the pages for users has more than 30 words.
set -u
root=$1 build=$2
cd "$root" || exit 2
[ -n "$(git ls-files dev 2>/dev/null)" ] || { echo "skip: no git checkout"; exit 77; }
dir=$(mktemp -d) || exit 2
trap 'rm -rf "$dir"' EXIT
wrong() { echo "test_readmes.sh: $*" >&2; : >"$dir/bad"; }

sed -nE 's/^\| [0-4] \| ([^|]*) \|.*/\1/p' ARCHITECTURE.md | tr -d '`' | sed 's|/ *$||' >"$dir/folders"
echo sim >>"$dir/folders"
[ "$(wc -l <"$dir/folders")" -ge 11 ] || wrong "the table of floors is not found: mend this test"
find "$build" -name CTestTestfile.cmake -exec sed -n 's/^add_test(\[*=*\[*\([A-Za-z0-9_]*\).*/\1/p' {} + >"$dir/tests"
git ls-files >"$dir/files"

is_there() { # is_there FOLDER PATH: by the files that git has
    for path in "$1/$2" "$2"; do
        path=${path%/}
        grep -qxF -e "$path" "$dir/files" && return
        grep -qE "^$(echo "$path" | sed 's/[.]/[.]/g')/" "$dir/files" && return
    done
    case $2 in
    build/*) [ -e "$build/${2#build/}" ] ;;
    *) grep -qE "^$1/([^/]*/)*$(echo "${2%/}" | sed 's/[.]/[.]/g')(/|\$)" "$dir/files" ;; # one below
    esac
}

while read -r folder; do
    page=$folder/README.md
    [ -s "$page" ] || { wrong "$page is lacking"; continue; }
    sed '/^```/,/^```/d' "$page" | grep -o '`[^`]*`' | tr -d '`' | sed 's/ .*//' | sort -u >"$dir/names"
    while read -r name; do
        case $name in
        *'*'* | */ROW* | /* | ./dev | -* | *=* | *:* | *..* | *'<'* | *'('* | *'{'*) ;;
        */ | */*.[ch] | [a-z]*.[ch] | */*.md | *.csv | */*.sh | *.jsonl | build/*)
            is_there "$folder" "$name" || wrong "$page: \`$name\` is not in the tree" ;;
        esac
    done <"$dir/names"
    grep -oE "ctest [^\`]*-R '[^']*'" "$page" | sed "s/.*-R '//; s/'\$//" | tr '|' '\n' >"$dir/asked"
    while read -r word; do
        grep -qE -e "$word" "$dir/tests" || wrong "$page: no test has the name $word"
    done <"$dir/asked"
    awk -v out="$dir/block" '/^```c$/ { n++; on = 1; next } /^```/ { on = 0 }
        on { print > (out n ".c") }' "$page"
    for block in "$dir"/block*.c; do
        [ -e "$block" ] || continue
        ${CC:-cc} -std=gnu17 -fsyntax-only -Wall -Wextra -Werror -I. -I"$build/gen" "$block" 2>"$dir/out" ||
            wrong "$page: its example does not compile: $(grep -m1 error "$dir/out")"
        rm "$block"
    done
done <"$dir/folders"

# Readers' English is a second language. Pages of more than this list are welcome in it.
for folder in spec-map wire port ut refimpl track rules gen dissector conformance/harness sim bench; do
    echo "$folder/README.md"
done | xargs awk -v MAX=30 -f cmake/tests/sentences.awk README.md CONTRIBUTING.md ARCHITECTURE.md \
    docs/exit-status.md docs/upper-tester.md >&2 || wrong "part these sentences"
[ ! -e "$dir/bad" ]
