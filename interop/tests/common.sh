# SPDX-License-Identifier: BSD-2-Clause
# What the tests of uetinterop share. Sets $dir, and PATH to the programs in $bin.
unshare -n true 2>/dev/null || unshare -Urn true 2>/dev/null || {
    echo "skip: this system allows no network namespace"
    exit 77
}
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
PATH=$bin:$PATH
bad=0
fail() {
    echo "$(basename "$0"): $*" >&2
    bad=1
}

# implementation NAME KEY-LINE...: a manifest in $dir/feps; a line is a line of it.
implementation() {
    name=$1
    shift
    mkdir -p "$dir/feps/$name"
    {
        echo "name: $name"
        echo "description: of a test"
        printf '%s\n' "$@"
    } >"$dir/feps/$name/manifest.yaml"
}

# cell CLIENT SERVER CASE: its result, one line of JSON, from the run in $dir/out.
cell() {
    grep "\"client\":\"$1\",\"server\":\"$2\",\"case\":\"$3\"" "$dir/out/results.jsonl"
}

# told CLIENT SERVER CASE VERDICT BY [TEXT]: such a cell, with a reason of that kind.
told() {
    line=$(cell "$1" "$2" "$3") || fail "$1 -> $2 $3: no result"
    echo "$line" | grep -q "\"verdict\":\"$4\",\"reasons\"" || fail "$1 -> $2 $3 is not $4: $line"
    echo "$line" | grep -q "\"by\":\"$5\",\"verdict\":\"$4\",\"text\":\"[^\"]*${6:-}" ||
        fail "$1 -> $2 $3: not by $5: $line"
}
