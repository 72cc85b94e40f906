#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
# tried.sh BIN SOURCE: measures the rows of "Tried" in docs/ut-libfabric.md anew, each by the provider and
# the options that stand in it. A row that cannot be measured here stays as it is, and that is told.
set -eu
bin=$1 source=$2
doc=$source/docs/ut-libfabric.md
new=$(mktemp)
trap 'rm -f "$new"' EXIT

# measured NAME: its row.
measured() {
    if [ "$1" = uetfep ]; then
        "$source/conformance/ut_check.sh" "$bin" "$source" -
    else
        # shellcheck disable=SC2086
        sh "$source/tools/ut_libfabric/tests/pair.sh" "$bin" "$doc" - $1
    fi
}

within=
while IFS= read -r line; do
    case $line in
    '## '*) within= ;;
    esac
    [ "$line" != '## Tried' ] || within=1
    case $within$line in
    '1| `'*)
        name=${line#"| \`"}
        name=${name%%\`*}
        measured "$name" </dev/null || { echo "not measured here: $name" >&2; echo "$line"; }
        ;;
    *) printf '%s\n' "$line" ;;
    esac
done <"$doc" >"$new"
cat "$new" >"$doc"
