#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
# transitions.sh ROOT [TRANSITIONS.TXT]: the labels I1.. and T1.. of a PDC's transitions.
#  - each that the tree cites has a row in spec-map/transitions.csv (docs/pdc-states.md);
#  - each has a row in refimpl/pds/machine.c, or transitions.txt says where it is done;
#  - the states that a row of machine.c joins are those of its label, but for what stands there.
set -u
cd "$1" || exit 2
list=${2:-refimpl/tests/pds/transitions.txt}
csv=spec-map/transitions.csv
dir=$(mktemp -d) || exit 2
trap 'rm -rf "$dir"' EXIT
status=0
bad() {
    echo "transitions.sh: $*" >&2
    status=1
}

# "label states" and "label next", the states of a cell with | between them.
sed -n 's/^\([IT][0-9]*\),[a-z]*,\([A-Z_|]*\),.*/\1 \2/p' "$csv" >"$dir/states"
awk -F'"' '{ s = ""; for (i = 1; i <= NF; i += 2) s = s $i (i < NF ? "TEXT" : ""); print s }' "$csv" |
    awk -F, '$1 ~ /^[IT]/ { print $1, $7 }' >"$dir/next"
[ "$(wc -l <"$dir/states")" -ge 38 ] || bad "$csv: its labels are not found: mend this test"

# Cited, in the tree: a word of its own.
git ls-files '*.c' '*.h' '*.md' 2>/dev/null | grep -v '^docs/pdc-states\.md$' |
    xargs grep -oHwE '[IT][1-9][0-9]?' >"$dir/cited"
[ -s "$dir/cited" ] || { echo "transitions.sh: skip: no git checkout"; exit 77; }
cut -d' ' -f1 "$dir/states" | sort >"$dir/labels"
while IFS=: read -r file label; do
    grep -qxF "$label" "$dir/labels" || bad "$file cites $label, which docs/pdc-states.md does not have"
done <"$dir/cited"

# machine.c: "ROW states next" of each row, its macros told.
sed -n '/^#define OPEN/p; /^const struct pdc_machine/,/^};/p' refimpl/pds/machine.c | tr '\n' ' ' |
    sed 's|/\*[^*]*\*/||g; s/\[ROW_/\n[ROW_/g' | awk '
    NR == 1 { n = split($0, w, "IN[(]"); for (i = 2; i <= n; i++) { sub(/[)].*/, "", w[i]); open = open " " w[i] } next }
    { row = $0; sub(/^\[ROW_/, "", row); sub(/\].*/, "", row)
      sub(/.*= *\{/, ""); sub(/\}.*/, ""); gsub(/ /, "")
      n = split($0, cell, ","); states = cell[2]
      gsub(/\|/, " ", states); gsub(/IN[(]|[)]/, "", states); sub(/OPEN/, open, states)
      next_state = cell[5]; sub(/^PDC_/, "", next_state)
      print row, next_state, states }' >"$dir/rows"
[ "$(wc -l <"$dir/rows")" -ge 29 ] || bad "refimpl/pds/machine.c: its rows are not found: mend this test"
grep -v '^#' "$list" | grep -v '^$' >"$dir/list"
: >"$dir/used"
: >"$dir/done"

has() { # has FILE LABEL STATE: a state of the label's cell
    grep "^$2 " "$dir/$1" | cut -d' ' -f2 | tr '|' '\n' | grep -qxF "$3"
}
while read -r row next_state states; do
    label=${row%%_*}
    if ! grep -qxF "$label" "$dir/labels"; then
        grep -q "^$row own " "$dir/list" || bad "ROW_$row names no transition of docs/pdc-states.md"
        echo "$row own" >>"$dir/used"
        continue
    fi
    echo "$label" >>"$dir/done"
    for state in $states; do
        [ "$state" = 0 ] || has states "$label" "$state" || {
            grep -q "^$label from $state " "$dir/list" ||
                bad "ROW_$row begins in $state, $label of docs/pdc-states.md does not"
            echo "$label from $state" >>"$dir/used"
        }
    done
    [ "$next_state" = STAY ] || has next "$label" "$next_state" || {
        grep -q "^$label to $next_state " "$dir/list" ||
            bad "ROW_$row goes to $next_state, $label of docs/pdc-states.md does not"
        echo "$label to $next_state" >>"$dir/used"
    }
done <"$dir/rows"

# What stands in the list is needed, and is there.
while read -r name what where rest; do
    case $what in
    at)
        echo "$name" >>"$dir/done"
        grep -qxF "$name" "$dir/labels" || bad "$list: $name is no transition of docs/pdc-states.md"
        for place in $where $rest; do
            grep -qE "^[a-z].*[ *]${place#*:}\(" "${place%%:*}" 2>/dev/null ||
                bad "$list: $name is not done at $place: there is no such function"
        done
        ;;
    own) grep -qxF "$name own" "$dir/used" || bad "$list: there is no row ROW_$name" ;;
    from | to) grep -qxF "$name $what $where" "$dir/used" ||
        bad "$list: no row of $name needs '$what $where'" ;;
    *) bad "$list: '$name $what' is not understood" ;;
    esac
done <"$dir/list"
while read -r label; do
    grep -qxF "$label" "$dir/done" ||
        bad "$label of docs/pdc-states.md is done by no row of machine.c, nor at a place of $list"
done <"$dir/labels"
[ $status -ne 0 ] || echo "$(wc -l <"$dir/cited") citations, $(wc -l <"$dir/rows") rows: all known"
exit $status
