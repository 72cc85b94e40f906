#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
# tidy.sh BUILD JOBS <FILES: clang-tidy reads those of the C sources on stdin (paths from the root, one a
# line) that changed since they were found clean: the source, each header that it includes, its command, the
# checks, or clang-tidy itself. What was clean is noted in UETKIT_TIDY (~/.cache/uetkit/tidy unless told), for
# all checkouts of a user; UETKIT_TIDY= (empty) reads everything. Exit status 1: a file is not clean, or a
# file's headers are not known to BUILD (told, and read).
set -eu
build=$1 jobs=$2
cd "$(dirname "$0")/.."
root=$(pwd -P)
notes=${UETKIT_TIDY-${XDG_CACHE_HOME:-${HOME:-/nonexistent}/.cache}/uetkit/tidy}
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
sort -u >"$work/files"

# "SOURCE FILE" for each file that one of the source's objects was built from, from the root where it is ours.
ninja -C "$build" -t deps 2>/dev/null | awk -v root="$root/" -v build="$build/" '
    function ours(f) {
        if (index(f, root) == 1) return substr(f, length(root) + 1)
        if (sub(/^\.\.\//, "", f)) return f
        return f ~ /^\// ? f : build f
    }
    /^[^ ]/ { source = "" }
    /^    / { f = ours($1); if (!source) source = f; print source, f }' | sort -u >"$work/deps"
cut -d ' ' -f 2 "$work/deps" | sort -u | xargs sha256sum >"$work/sums"

# What each source's finding rests on, a file each; then their sums: "KEY SOURCE".
{ clang-tidy --version && cat .clang-tidy; } >"$work/all"
mkdir "$work/of"
awk -v root="$root" -v work="$work" '
    function without_root(text,  at) {
        while ((at = index(text, root)) > 0)
            text = substr(text, 1, at - 1) "." substr(text, at + length(root))
        return text
    }
    FILENAME == work "/files" { n[$1] = ++files; next }
    FILENAME == work "/sums" { sum[$2] = $1; next }
    FILENAME == work "/deps" { if ($1 in n) print $2, sum[$2] >>(work "/of/" n[$1]); next }
    /^  "command"/ { command = without_root($0) }
    /^  "file"/ {
        gsub(/^  "file": "|",?$/, ""); $0 = without_root($0); sub(/^\.\//, "")
        if ($0 in n) print command >>(work "/of/" n[$0])
    }' "$work/files" "$work/sums" "$work/deps" "$build/compile_commands.json"
number=0
while read -r file; do
    number=$((number + 1))
    if [ -s "$work/of/$number" ]; then
        key=$(cat "$work/all" "$work/of/$number" | sha256sum | cut -d ' ' -f 1)
    else
        key=unknown
        echo "tidy.sh: $file: $build has no object of it: read, not noted" >&2
    fi
    [ -n "$notes" ] && [ "$key" != unknown ] && [ -e "$notes/$key" ] || echo "$key $file"
done <"$work/files" >"$work/read"

echo "$(wc -l <"$work/read") of $number files to read, the others are as they were when found clean"
[ -s "$work/read" ] || exit 0
[ -z "$notes" ] || mkdir -p "$notes"
# One file a process: clang-tidy 14 takes va_lists for uninitialized after the first file.
xargs -P "$jobs" -n 2 sh -c '
    clang-tidy -p "$0" --quiet "$3" 2>/dev/null || { echo "not clean: $3" >&2; exit 1; }
    [ -z "$1" ] || [ "$2" = unknown ] || : >"$1/$2"' "$build" "$notes" <"$work/read" || exit 1
