#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
# The figures of docs/cms.md, made again by the commands beside them.
#   cms_page.sh UETSIM LIST PAGE           names each figure that is another one now, and fails
#   cms_page.sh UETSIM LIST PAGE --write   writes it into the page
#   cms_page.sh UETSIM LIST PAGE --texts   runs nothing: is each text there, whatever its figures are?
#   CMS_PAGE=REGEX                         of commands that match alone
#
# LIST: `run ARGUMENTS` is a command of uetsim, `says TEXT` is in the page, on one line, behind it. In the text
# {MEASURE;FORMAT;DIVISOR;COLUMN} is what that run has measured: MEASURE is how its line begins (#2: the second
# of such), or least:REGEX and most:REGEX of several; FORMAT is printf's or a comma (1,982); COLUMN of --runs is
# missed, least, mean (else) or most. {MEASURE;mark} is `: **not met**` where its goal is missed. {*} is a number that depends on the machine. Other lines are comment.
set -eu
uetsim=$1 list=$2 page=$3 write= texts=0
case ${4:-} in
--write) write=1 ;;
--texts) texts=1 ;;
?*) echo "cms_page: unknown option $4 (--write, --texts)" >&2; exit 2 ;;
esac
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
: >"$dir/out"
cp "$page" "$dir/page"
bad=0 tried=

says() { # TEXT: 0, or 1 when the page says something else
    awk -v text="$1" -v new="$dir/new" -v texts="$texts" -f "$dir/says.awk" "$dir/out" "$dir/page"
}

cat >"$dir/says.awk" <<'END'
# What a run has measured, in its order: of one line, or of a line of --runs.
function measured(label, missed, least, mean, most) {
    sub(/^ +/, "", label)
    labels[++n] = label
    rows[n, "missed"] = missed + 0; rows[n, "least"] = least + 0
    rows[n, "mean"] = mean + 0; rows[n, "most"] = most + 0
}
function no_measure(what) {
    print "no measure " what > "/dev/stderr"
    exit failed = 2
}
function the(what, column,   i, nth) {
    nth = 1
    if (match(what, /#[0-9]+$/)) {
        nth = substr(what, RSTART + 1) + 0
        what = substr(what, 1, RSTART - 1)
    }
    for (i = 1; i <= n; i++)
        if (index(labels[i], what) == 1 && !--nth)
            return rows[i, column]
    return no_measure(what)
}
function of_several(what, column, most,   i, v, best, found) {
    for (i = 1; i <= n; i++) {
        if (labels[i] !~ what)
            continue
        v = rows[i, column]
        if (!found++ || (most ? v > best : v < best))
            best = v
    }
    return found ? best : no_measure(what)
}
function number(what, column) {
    if (sub(/^least:/, "", what))
        return of_several(what, column, 0)
    if (sub(/^most:/, "", what))
        return of_several(what, column, 1)
    return the(what, column)
}
function commas(v,   s) {
    s = sprintf("%.0f", v)
    while (match(s, /[0-9][0-9][0-9][0-9](,|$)/))
        s = substr(s, 1, RSTART) "," substr(s, RSTART + 1)
    return s
}
function quoted(s) {
    gsub(/[][\\.*+?^$(){}|]/, "\\\\&", s)
    return s
}
function fill(   rest, before, n_parts, part, v, any_such) {
    for (rest = text; match(rest, /\{[^}]*\}/); rest = substr(rest, RSTART + RLENGTH)) {
        before = substr(rest, 1, RSTART - 1)
        n_parts = split(substr(rest, RSTART + 1, RLENGTH - 2), part, ";")
        v = "*"
        any_such = NUMBER
        if (part[2] == "mark") {
            v = texts || !number(part[1], "missed") ? "" : MARK
            any_such = "(" quoted(MARK) ")?"
        } else if (part[1] != "*" && !texts) {
            v = number(part[1], n_parts > 3 ? part[4] : "mean") / (n_parts > 2 ? part[3] : 1)
            v = part[2] == "," ? commas(v) : sprintf(part[2], v)
        }
        match(rest, /\{[^}]*\}/)
        any = any || v == "*"
        wanted = wanted before v
        exact = exact quoted(before) (v == "*" ? NUMBER : quoted(v))
        pattern = pattern quoted(before) any_such
    }
    wanted = wanted rest; exact = exact quoted(rest); pattern = pattern quoted(rest)
}
BEGIN { NUMBER = "-?[0-9][0-9.,]*"; MARK = ": **not met**" }
FILENAME == ARGV[1] && /^  missed / { runs = 1; n = 0; next }
FILENAME == ARGV[1] && /^  told by some / { runs = 0; next } # of each run its own: no figures of the page
FILENAME == ARGV[1] && runs {
    v = $0
    sub(/ +[^ ]+ +[^ ]+ +[^ ]+$/, "", v)
    sub(/^ *[0-9]+ /, "", v)
    measured(v, $1, $(NF - 2), $(NF - 1), $NF)
    next
}
FILENAME == ARGV[1] && /^  (   |met|MISSED)/ {
    v = $0
    sub(/ +wanted [^ ]+ to [^ ]+$/, "", v)
    match(v, / [^ ]+$/)
    value = substr(v, RSTART + 1)
    v = substr(v, 1, RSTART - 1)
    sub(/ +$/, "", v)
    missed = sub(/^  MISSED/, "", v)
    sub(/^  met/, "", v)
    measured(v, missed, value, value, value)
}
FILENAME == ARGV[1] { next }
FNR == 1 { fill() }
{ lines[++n_lines] = $0; same = same || $0 ~ exact }
END {
    if (failed)
        exit failed
    for (i = 1; !same && i <= n_lines; i++)
        if (match(lines[i], pattern)) {
            now = substr(lines[i], RSTART, RLENGTH)
            if (!any)
                lines[i] = substr(lines[i], 1, RSTART - 1) wanted substr(lines[i], RSTART + RLENGTH)
            break
        }
    for (i = 1; i <= n_lines; i++)
        print lines[i] > new
    if (same || (texts && now))
        exit 0
    print "  here:     " wanted
    print "  the page: " (now ? now : "has no such text")
    exit 1
}
END

while IFS= read -r line; do
    case $line in
    "run "*)
        command=${line#run }
        skip=
        echo "$command" | grep -qE -- "${CMS_PAGE:-.}" || { skip=1; continue; }
        tried=1
        [ $texts -eq 0 ] || continue
        # shellcheck disable=SC2086
        "$uetsim" $command >"$dir/out" 2>&1 || [ $? -eq 1 ] || { cat "$dir/out" >&2; exit 2; }
        ;;
    "says "*)
        [ -z "$skip" ] || continue
        says "${line#says }" >"$dir/told" || {
            echo "uetsim $command" >&2
            cat "$dir/told" >&2
            bad=1
        }
        [ -z "$write" ] || [ ! -s "$dir/new" ] || cp "$dir/new" "$dir/page"
        ;;
    esac
done <"$list"
[ -z "$write" ] || cp "$dir/page" "$page"
[ -n "$tried" ] || { echo "cms_page: no command of $list matches CMS_PAGE='${CMS_PAGE:-.}'" >&2; exit 2; }
exit $bad
