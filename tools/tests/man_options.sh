#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
# man_options.sh BIN MAN: every option that a program's --help explains stands in its man page, those of its
# commands, too. Exit status: 0; 1 with each that does not; 2 set-up.
set -u
bin=$1 man=$2
bad=0

options_of() { # PROGRAM [COMMAND]: the options that begin a line of its help, without what is said of them
    "$bin/$1" ${2:+"$2"} --help 2>/dev/null | sed -nE 's/^ +((-., )?--[a-z])/\1/p' | sed 's/   *.*//' |
        grep -oE -- '--[a-z][a-z0-9-]+' | sort -u | grep -vxE -- '--(help|version)'
}

look() { # PROGRAM [COMMAND]
    for option in $(options_of "$@"); do
        # As a man page has it, with its hyphens escaped.
        grep -qE -- "$(echo "$option" | sed 's/-/\\\\-/g')([^a-z0-9\\\\-]|\\\\f|\$)" "$man/$1.1" || {
            echo "man_options.sh: $man/$1.1 says nothing of $option, which \`$*\` has" >&2
            bad=1
        }
    done
}

tried=0
for page in "$man"/*.1; do
    program=$(basename "$page" .1)
    [ -x "$bin/$program" ] || { echo "man_options.sh: there is no program $bin/$program" >&2; exit 2; }
    case $program in
    uetsim) commands="cc fabric" ;;
    uetgen) commands="packet corpus scenario flood" ;;
    uetinterop) commands="run list" ;;
    uetcat) commands="ping send tsend write read atomic probe listen scan craft decode replay script trace" ;;
    uetconform) commands="quick init plan pics list run storm check ut-check explain coverage selftest report
        diff history merge" ;;
    *) commands= ;;
    esac
    for command in '' $commands; do
        [ -z "$(options_of "$program" $command)" ] || tried=$((tried + 1))
        look "$program" $command
    done
done
# A help that is written otherwise would say nothing to this script.
[ "$tried" -gt 20 ] || { echo "man_options.sh: only $tried helps have options" >&2; exit 2; }
exit $bad
