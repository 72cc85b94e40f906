#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
# idle_pages.sh SOURCE [write]: each man page says which options are refused because nobody would read them,
# in its section OPTIONS WITHOUT EFFECT; what stands there is what the programs' own tables say
# (tools/idle_option.h). With `write`, it is written there, before EXIT STATUS.
set -u
cd "$1" || exit 2
write=${2:-}
tmp=$(mktemp -d)
trap 'rm -rf "$tmp"' EXIT

# page, command, file, and the table in it
cat >"$tmp/tables" <<'LIST'
uetconform list conformance/cli/list/list.c idle
uetconform ut-check conformance/cli/plan/ut_check.c idle
uetconform coverage conformance/cli/results/coverage.c idle
uetconform selftest conformance/cli/selftest/selftest.c idle
uetconform report conformance/cli/results/report.c idle
uetconform check conformance/cli/check/check.c idle
uetcat decode tools/uetcat/decode.c idle
uetcat craft tools/uetcat/craft.c idle
uetcat ping tools/uetcat/ping/ping.c idle
uetcat read tools/uetcat/read.c idle
uetcat write,send,tsend tools/uetcat/put.c idle
uetcat atomic tools/uetcat/atomic.c idle
uetcat listen tools/uetcat/listen/listen.c idle
uetcat probe tools/uetcat/probe/probe.c idle
uetcat replay tools/uetcat/replay/replay.c idle
uetfep uetfep tools/uetfep/options.c idle
uetgen packet tools/uetgen/packet.c idle
uetgen flood tools/uetgen/flood.c idle
uetinterop run interop/options.c run
uetinterop list interop/options.c listed
uetkeys new tools/uetkeys/new.c idle
uetsim uetsim sim/options.c idle
LIST

# rows FILE TABLE: "option with without", "-" for none; macros are those of uetcat.
rows() {
    for macro in UETCAT_IDLE_CRC UETCAT_IDLE_SERIES; do
        printf 's/%s/%s/\n' $macro "$(sed -n "/define $macro/{n;s/^ *//p;}" tools/uetcat/options.h)"
    done >"$tmp/macros"
    awk -v name="$2" '$0 ~ "struct uet_idle_option " name "\\[\\]" { on = 1 } on { print } on && /};/ { exit }' "$1" |
        sed -f "$tmp/macros" | grep -oE '\{"[^"]*", *("[^"]*"|NULL), *("[^"]*"|NULL)\}' |
        sed 's/[{}]//g; s/, */ /g; s/NULL/-/g'
}

told() { # PAGE: the section
    echo '.SH OPTIONS WITHOUT EFFECT'
    echo 'These options are refused, exit status 2, as they would have no effect:'
    grep "^$1 " "$tmp/tables" | while read -r _ command file table; do
        printf '.TP\n.B %s\n' "$(echo "$command" | sed 's/,/, /g; s/-/\\-/g')"
        rows "$file" "$table" | awk '
            function dashes(name) { gsub(/"/, "", name); gsub(/-/, "\\-", name); return "\\-\\-" name }
            { how = $2 == "\"*\"" ? " with any other option" : $2 != "-" ? " with " dashes($2) \
                  : $3 == "\"\"" ? "" : " without " dashes($3)
              if (how in names) names[how] = names[how] ", " dashes($1)
              else { order[++n] = how; names[how] = dashes($1) } }
            END { for (i = 1; i <= n; i++) print names[order[i]] order[i] (i < n ? ";" : ".") }'
    done
}

there() { awk '/^\.SH/ { on = /OPTIONS WITHOUT EFFECT/ } on' "$1"; }

fails=0
# Every table of a program that has a page.
for file in $(grep -rlE --include='*.c' 'struct uet_idle_option [a-z]+\[\]' conformance tools interop sim | grep -v '^tools/ut_'); do
    for table in $(sed -nE 's/.*struct uet_idle_option ([a-z]+)\[\].*/\1/p' "$file"); do
        grep -q " $file $table\$" "$tmp/tables" || { echo "FAIL: no page has the table $table of $file"; fails=1; }
    done
done
for page in $(cut -d' ' -f1 "$tmp/tables" | sort -u); do
    man=docs/man/$page.1
    told "$page" >"$tmp/told"
    if grep -q '^\.B.*' "$tmp/told" && awk '/^\.TP/ { if (empty) bad = 1; empty = 1; next } !/^\./ { empty = 0 } END { exit bad || empty }' "$tmp/told"; then
        :
    else
        echo "FAIL: a table of $page is not read: mend this test"
        fails=1
    fi
    if [ "$write" = write ]; then
        awk -v told="$tmp/told" '
            /^\.SH/ { skip = /OPTIONS WITHOUT EFFECT/ }
            /^\.SH "?EXIT STATUS/ { while ((getline line < told) > 0) print line }
            !skip' "$man" >"$tmp/man" && cp "$tmp/man" "$man"
    fi
    there "$man" | cmp -s - "$tmp/told" || {
        echo "FAIL: $man, OPTIONS WITHOUT EFFECT: sh tools/tests/idle_pages.sh . write"
        there "$man" | diff - "$tmp/told" | head -20
        fails=1
    }
done
exit $fails
