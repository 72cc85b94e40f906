#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
# tidy.sh BUILD JOBS <FILES: clang-tidy reads those of the C sources on stdin (paths from the root, one a
# line) that changed since they were found clean: the source, each header that it includes, its command, the
# checks, or clang-tidy itself. What was clean is noted in UETKIT_TIDY (~/.cache/uetkit/tidy unless told), for
# all checkouts of a user; UETKIT_TIDY= (empty) reads everything. A source of which BUILD has no object is
# told, read, and not noted.
# Exit status: 0 all clean; 1 a file is not, each told; 2 they could not be read, and why.
set -eu
build=$1 jobs=$2
cd "$(dirname "$0")/.."
root=$(pwd -P)
home=${XDG_CACHE_HOME:-${HOME:+$HOME/.cache}}
notes=${UETKIT_TIDY-${home:+$home/uetkit/tidy}}
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
stop() { echo "tidy.sh: $*" >&2; exit 2; }

sort -u >"$work/files"
[ -s "$work/files" ] || stop "no sources on stdin"
clang-tidy --version >"$work/all" || stop "clang-tidy --version fails"
cat .clang-tidy cmake/tidy.sh >>"$work/all"
ninja -C "$build" -t deps >"$work/ninja" 2>"$work/err" || stop "ninja: $(head -1 "$work/err")"

# "SOURCE FILE" for each file that one of the source's objects was built from, from the root where it is ours.
awk -v root="$root/" -v build="$build/" '
    function ours(f) {
        if (index(f, root) == 1) return substr(f, length(root) + 1)
        if (sub(/^\.\.\//, "", f)) return f
        return f ~ /^\// ? f : build f
    }
    /^[^ ]/ { source = "" }
    /^    / { f = ours($1); if (!source) source = f; print source, f }' "$work/ninja" | sort -u >"$work/deps"
cut -d ' ' -f 2 "$work/deps" | sort -u >"$work/names"
[ ! -s "$work/names" ] || xargs sha256sum <"$work/names" >"$work/sums" || stop "a file of the build is gone: build anew"

# Of each source with an object: deps/N, the sums of its files; of/N, all that its finding rests on.
mkdir "$work/of" "$work/deps.of"
touch "$work/sums"
awk -v root="$root" -v work="$work" '
    function without_root(text,  at) {
        while ((at = index(text, root)) > 0)
            text = substr(text, 1, at - 1) "." substr(text, at + length(root))
        return text
    }
    FILENAME == work "/files" { name[++files] = $1; n[$1] = files; next }
    FILENAME == work "/all" { all = all $0 "\n"; next }
    FILENAME == work "/sums" { sum[$2] = $1; next }
    FILENAME == work "/deps" { if ($1 in n) deps[$1] = deps[$1] sum[$2] "  " $2 "\n"; next }
    /^  "command"/ { command = without_root($0) }
    /^  "file"/ {
        gsub(/^  "file": "|",?$/, ""); $0 = without_root($0); sub(/^\.\//, "")
        if ($0 in n) commands[$0] = commands[$0] command "\n"
    }
    END {
        for (i = 1; i <= files; i++) {
            if (!(name[i] in deps)) { print "unknown", name[i], i; continue }
            printf "%s", deps[name[i]] >(work "/deps.of/" i); close(work "/deps.of/" i)
            printf "%s%s%s", all, deps[name[i]], commands[name[i]] >(work "/of/" i); close(work "/of/" i)
            print "known", name[i], i
        }
    }' "$work/files" "$work/all" "$work/sums" "$work/deps" "$build/compile_commands.json" >"$work/list"
grep '^unknown' "$work/list" | while read -r _ file _; do
    echo "tidy.sh: $file: $build has no object of it: read, not noted" >&2
done
grep '^known' "$work/list" | cut -d ' ' -f 3 | (cd "$work/of" && xargs -r sha256sum) >"$work/keys" ||
    stop "sha256sum failed"
awk -v work="$work" 'FILENAME == work "/keys" { key[$2] = $1; next }
    $1 == "unknown" { print "unknown", $2, $3 }
    $1 == "known" { print length(key[$3]) == 64 ? key[$3] : "unknown", $2, $3 }' \
    "$work/keys" "$work/list" >"$work/keyed"
while read -r key file i; do
    [ -n "$notes" ] && [ "$key" != unknown ] && [ -f "$notes/$key" ] || echo "$key $file $i"
done <"$work/keyed" >"$work/read"

echo "$(wc -l <"$work/read") of $(wc -l <"$work/files") files to read, the others are as they were when found clean"
[ -s "$work/read" ] || exit 0
[ -z "$notes" ] || mkdir -p "$notes" || stop "$notes: cannot be made: UETKIT_TIDY= notes nothing"
# One file a process: clang-tidy 14 takes va_lists for uninitialized after the first file. Noted is what is
# clean and as it was when its sums were made; what clang-tidy says on stderr beside a count is a fault.
cat >"$work/one" <<'ONE'
build=$1 notes=$2 work=$3 key=$4 file=$5 i=$6
status=0
clang-tidy -p "$build" --quiet "$file" 2>"$work/err.$i" || status=1
if grep -vE '^[0-9]+ warnings?( and [0-9]+ errors?)? generated\.$|^Suppressed |^Use -header-filter' "$work/err.$i" >&2; then
    status=1
fi
[ $status -eq 0 ] || { echo "not clean: $file" >&2; exit 1; }
[ -n "$notes" ] && [ "$key" != unknown ] || exit 0
if sha256sum --check --status "$work/deps.of/$i"; then : >"$notes/$key"; fi
ONE
xargs -P "$jobs" -n 3 sh "$work/one" "$build" "$notes" "$work" <"$work/read" || exit 1
