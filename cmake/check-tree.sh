#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
# check-tree.sh ROOT BUILD: what the shape of the house demands. Prints every breach; exit 1 then.
#  - includes and linked names keep to cmake/houses.txt: nothing runs up the floors, no house uses
#    another's private headers, and who judges never uses the reference FEP;
#  - no files need each other in a circle, by the names that they link;
#  - SES and PDS name nothing of the other's part of struct uet_fep;
#  - refimpl/ includes nothing of the operating system;
#  - no body of a conformance test has more than 25 lines, or a struct uet_want of its own; none
#    has the JobID of tests as a number;
#  - every source file names its licence, dissector/ GPL and the rest BSD.
set -u
root=$1 build=$2 here=$(cd "$(dirname "$0")" && pwd)
cd "$root" || exit 2
bad=0
breach() { printf 'check: %s\n' "$*" >&2; bad=1; }
dir=$(mktemp -d) || exit 2
trap 'rm -rf "$dir"' EXIT
git ls-files >"$dir/files"
grep '\.[ch]$' "$dir/files" >"$dir/sources"

# A header named without a folder is generated.
includes() {
    xargs grep -sE '^[ \t]*#[ \t]*include[ \t]*"' /dev/null <"$dir/sources" |
        sed -nE 's/^([^:]*):[^"]*"([^"]*\/[^"]*)".*/include \1 \2/p'
}

# The names that an object uses and does not define, with the sources whose objects define them.
# Which source an object has stands in compile_commands.json; what is generated has none in the
# tree and belongs to the folder that builds it.
symbols() {
    sed -nE 's|^ *"command": ".* -o ([^ ]+) -c ([^ "]+)",?$|\2 \1|p' \
        "$build/compile_commands.json" >"$dir/objects"
    (cd "$build" && cut -d ' ' -f 2 "$dir/objects" | xargs nm -A -g 2>/dev/null) |
        awk -v root="$(pwd)/" -v build="$build" '
        FNR == NR {
            if (index($1, root) == 1 && !index($1, root build "/") && !index($1, build "/"))
                source[$2] = substr($1, length(root) + 1)
            else
                source[$2] = substr($2, 1, index($2, "CMakeFiles") - 1) "generated"
            next
        }
        { from = source[substr($1, 1, index($1, ":") - 1)] }
        $(NF - 1) == "U" { uses[from " " $NF] = 1; next }
        { definers[$NF] = definers[$NF] " " from }
        END { for (use in uses) {
                  split(use, u, " ")
                  if (u[2] in definers) print "symbol", u[1], u[2] definers[u[2]]
              } }' "$dir/objects" -
}

{ sed 's/^/file /' "$dir/sources"; includes; } >"$dir/edges"
symbols >>"$dir/edges"
grep -q '^symbol' "$dir/edges" || breach "$build has no objects whose names could be looked at"
LC_ALL=C awk -f "$here/tree.awk" cmake/houses.txt "$dir/edges" >"$dir/told" || bad=1
LC_ALL=C awk -f "$here/circles.awk" cmake/houses.txt "$dir/edges" >>"$dir/told" || bad=1
LC_ALL=C sort -u "$dir/told" >&2

# Of struct uet_fep, PDS and SES name each their own part: refimpl/ses_pds.h is between them.
grep -E '^refimpl/(pds|ses)/' "$dir/sources" | LC_ALL=C xargs awk -f "$here/parts.awk" refimpl/state.h >&2 ||
    bad=1

grep '^refimpl/' "$dir/sources" | grep -vE '^refimpl/host/|^refimpl/app/examples/|/tests/' |
    xargs grep -snE '^[ \t]*#[ \t]*include[ \t]*<((stdio|stdlib|time|pthread|unistd|poll|signal)\.h|sys/)' \
        /dev/null >"$dir/system"
while read -r line; do
    breach "$line: the reference FEP's core touches no system"
done <"$dir/system"

# A body reads as the conversation does (conformance/tests/README.md).
job=$(sed -nE 's/.*UET_TC_JOB = (0x[0-9a-f]+),.*/\1/p' conformance/harness/tc.h)
grep '^conformance/tests/.*\.c$' "$dir/sources" | xargs awk -v job="${job:-none}" '
    function told(text) { print "check: " FILENAME ":" FNR ": " text; bad = 1 }
    /^UET_TEST/ { test = 1 }
    /^}/ { if (test && lines > 25) told("a body of " lines " lines, and 25 are the most"); test = body = 0 }
    test && body && NF { lines++ }
    test && /^{/ { body = 1; lines = 0 }
    /struct uet_want/ { told("a struct uet_want, and steps.h has hear, maybe, silence") }
    job == "none" { told("no UET_TC_JOB in conformance/harness/tc.h"); exit }
    index($0, job) { told("the JobID of tests as a number, and UET_TC_JOB is its name") }
    END { exit bad }' /dev/null >&2 || bad=1

grep -E '\.(c|h|sh|awk|cmake)$|^dev$|^\.ci/run$|CMakeLists\.txt$' "$dir/files" | xargs awk '
    function told() { if (file != "" && !found) { print "check: " file ": no line SPDX " want; bad = 1 } }
    FNR == 1 {
        told()
        file = FILENAME
        found = 0
        want = file ~ /^dissector\// ? "GPL-2.0-or-later" : "BSD-2-Clause"
    }
    FNR <= 3 && index($0, "SPDX-License-Identifier: " want) { found = 1 }
    END { told(); exit bad }' >&2 || bad=1
[ $bad -eq 0 ] && echo "floors, symbols and licences: clean"
exit $bad
