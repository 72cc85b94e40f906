#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
# test_tree.sh SOURCE: breaches planted in a copy of the tree, one at a time: check-tree.sh must
# find each, and nothing when there is none.
set -eu
source=$1
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
failures=0
[ -n "$(git -C "$source" ls-files dev 2>/dev/null)" ] || { echo "skip: no git checkout"; exit 77; }

mkdir "$dir/tree" "$dir/build"
(cd "$source" && git ls-files -z | xargs -0 cp --parents -t "$dir/tree" 2>/dev/null) ||
    : # a file that was removed and not yet committed
cd "$dir/tree"
sed -i '/^circles /d' cmake/houses.txt # of objects that are not built here
git init -q .
git add -A

# object SOURCE: an entry of a build of the tree.
entries=
object() {
    o=$(dirname "$1")/CMakeFiles/planted.dir/$(basename "$1").o
    mkdir -p "$dir/build/$(dirname "$o")"
    cc -c -o "$dir/build/$o" "$1"
    entries="$entries
  \"command\": \"/usr/bin/cc -o $o -c $PWD/$1\","
    printf '%s\n' "$entries" >"$dir/build/compile_commands.json"
}

# says WORDS: as the one line; nothing is wrong otherwise.
says() {
    git add -A
    sh "$source/cmake/check-tree.sh" "$dir/tree" "$dir/build" >"$dir/out" 2>&1 && status=0 || status=$?
    [ "$(cat "$dir/out")" = "$1" ] && [ $status -eq "${2:-1}" ] && return
    echo "FAILED: status $status, expected: $1"
    cat "$dir/out"
    failures=$((failures + 1))
}

# plant FILE LINE SAYS [:AT:]: a source of that one line.
plant() {
    printf '/* SPDX-License-Identifier: BSD-2-Clause */\n%s\n' "$2" >"$1"
    says "check: $1${4:-} $3"
    rm "$1"
}

echo >"$dir/build/compile_commands.json"
says "check: $dir/build has no objects whose names could be looked at"
mkdir -p planted
for house in wire ut; do # names that only code below uses
    printf '/* SPDX-License-Identifier: BSD-2-Clause */\n' >$house/planted.c
done
echo 'int planted_bits(void) { return 1; }' >>wire/planted.c
echo 'int planted_bits(void); int planted_words(void) { return planted_bits(); }' >>ut/planted.c
object wire/planted.c
object ut/planted.c
says 'floors, symbols and licences: clean' 0

# Who judges never uses the reference FEP.
plant conformance/tests/planted.c '#include "refimpl/state.h"' \
    'includes refimpl/state.h: conformance/tests never uses refimpl'
plant conformance/tests/3.5.12_ack/planted.c '#include "refimpl/fep.h"' \
    'includes refimpl/fep.h: conformance/tests never uses refimpl'
plant conformance/tests/sanity/planted.h '  #  include "refimpl/host/host.h" /* */' \
    'includes refimpl/host/host.h: conformance/tests never uses refimpl/host'
plant conformance/harness/yaml/planted.c '#include "refimpl/fep.h"' \
    'includes refimpl/fep.h: conformance/harness never uses refimpl'
plant conformance/harness/tests/planted.c '#include "refimpl/pds/pds.h"' \
    'includes refimpl/pds/pds.h: conformance/harness never uses refimpl/pds'
plant rules/planted.c '#include "refimpl/fep.h"' 'includes refimpl/fep.h: rules never uses refimpl'
plant track/tests/planted.c '#include "refimpl/fep.h"' 'includes refimpl/fep.h: track never uses refimpl'
plant conformance/cli/planted.c '#include "refimpl/fep.h"' \
    'includes refimpl/fep.h: conformance/cli never uses refimpl'

# Folders of tests share through their house alone.
plant conformance/tests/storms/planted.c '#include "conformance/tests/3.6_cms/granted.h"' \
    'includes conformance/tests/3.6_cms/granted.h: what folders of conformance/tests share stands in conformance/tests'

cp cmake/houses.txt "$dir/houses"
for name in '' conformance/test; do # a row that names no house would hold for none
    echo "apart $name" >>cmake/houses.txt
    says "check: cmake/houses.txt: apart $name: no house above is called so"
    cp "$dir/houses" cmake/houses.txt
done

# Nothing runs up the floors, or sideways without leave.
plant wire/planted.h '#include "track/track.h"' \
    'includes track/track.h: that runs up from floor 1 to 2'
plant wire/tests/planted.c '#include "gen/lang.h"' 'includes gen/lang.h: that runs up from floor 1 to 4'
plant port/planted.c '#include "ut/ut.h"' 'includes ut/ut.h: another house on the same floor'
plant track/planted.c '#include "refimpl/fep.h"' 'includes refimpl/fep.h: track never uses refimpl'
plant refimpl/pds/planted.c '#include "refimpl/host/host.h"' \
    'includes refimpl/host/host.h: another house on the same floor'
plant conformance/harness/peer/planted.c '#include "conformance/harness/expect/expect.h"' \
    'includes conformance/harness/expect/expect.h: that runs up from floor 4.2 to 4.3'
plant conformance/harness/planted.c '#include "conformance/harness/run/runner.h"' \
    'includes conformance/harness/run/runner.h: that runs up from floor 4 to 4.5'
plant conformance/harness/run/planted.c '#include "refimpl/fep.h"' \
    'includes refimpl/fep.h: conformance/harness/run never uses refimpl'

# Private headers stay in their house; what is offered to some is not offered to all.
plant refimpl/host/planted.c '#include "refimpl/state.h"' \
    'includes refimpl/state.h: cmake/houses.txt does not offer it to refimpl/host'
plant sim/planted.c '#include "refimpl/ses/ses.h"' \
    'includes refimpl/ses/ses.h: cmake/houses.txt does not offer it to sim'
plant tools/uetcat/planted.c '#include "wire/text.h"' \
    'includes wire/text.h: private to wire (cmake/houses.txt does not offer it)'
plant conformance/tests/planted.c '#include "conformance/harness/session.h"' \
    'includes conformance/harness/session.h: cmake/houses.txt does not offer it to conformance/tests'
plant gen/planted.c '#include "wire/tests/golden.h"' 'includes wire/tests/golden.h: a header of tests'

# SES and PDS know of each other what ses_pds.h says.
plant refimpl/pds/planted.c '#include "refimpl/ses/state.h"' \
    'includes refimpl/ses/state.h: private to refimpl/ses (cmake/houses.txt does not offer it)'
plant refimpl/pds/planted.c '#include "refimpl/ses/ses.h"' \
    'includes refimpl/ses/ses.h: cmake/houses.txt does not offer it to refimpl/pds'
plant refimpl/ses/planted.c '#include "refimpl/pds/pds.h"' \
    'includes refimpl/pds/pds.h: cmake/houses.txt does not offer it to refimpl/ses'
plant refimpl/ses/planted.c '#include "refimpl/pds/state.h"' \
    'includes refimpl/pds/state.h: cmake/houses.txt does not offer it to refimpl/ses'

plant refimpl/pds/planted.c 'int planted(struct uet_fep *fep) { return fep->waiting_head; }' \
    "names waiting_head, which is SES's own"
plant refimpl/ses/planted.h 'int planted(struct uet_fep *fep) { return fep->rudi.life; }' \
    "names rudi, which is PDS's own"

# Nobody stands outside.
plant planted/planted.c 'int planted;' 'stands in no house of cmake/houses.txt'
echo 'offer wire/planted.h' >>cmake/houses.txt
says 'check: cmake/houses.txt offers wire/planted.h, which no other house includes'
sed -i '/planted/d' cmake/houses.txt

# Bodies of tests.
body() { # body N: a test of so many lines
    echo '/* SPDX-License-Identifier: BSD-2-Clause */'
    echo 'UET_TEST(planted,'
    printf '         .id = "planted")\n{\n'
    for n in $(seq "$1"); do
        [ $((n % 9)) -gt 0 ] || echo
        echo '    say(tc, &o);'
    done
    echo '}'
}
{ body 25; printf 'static void step(void)\n{\n'; seq 30; echo '}'; } >conformance/tests/planted.c
says 'floors, symbols and licences: clean' 0
body 26 >conformance/tests/planted.c
says 'check: conformance/tests/planted.c:33: a body of 26 lines, and 25 are the most'
rm conformance/tests/planted.c
plant conformance/tests/edges/planted.c '    const struct uet_want want = {ACK_OF(&o)};' \
    'a struct uet_want, and steps.h has hear, maybe, silence' :2:
job=$(sed -nE 's/.*UET_TC_JOB = (0x[0-9a-f]+),.*/\1/p' conformance/harness/tc.h)
plant conformance/tests/edges/planted.c "    region(tc, .job_id = $job);" \
    'the JobID of tests as a number, and UET_TC_JOB is its name' :2:

# The system, and licences.
printf '/* SPDX-License-Identifier: BSD-2-Clause */\n#include <stdio.h>\n' >refimpl/ses/planted.c
says "check: refimpl/ses/planted.c:2:#include <stdio.h>: the reference FEP's core touches no system"
rm refimpl/ses/planted.c
echo 'int planted;' >conformance/planted.c
says 'check: conformance/planted.c: no line SPDX BSD-2-Clause'
rm conformance/planted.c
echo '/* SPDX-License-Identifier: BSD-2-Clause */' >dissector/planted.c
says 'check: dissector/planted.c: no line SPDX GPL-2.0-or-later'
rm dissector/planted.c

# What is linked, by whatever name and declared by hand.
linked() { # linked SOURCE SAYS
    printf '/* SPDX-License-Identifier: BSD-2-Clause */\nint %s(void); int user(void) { return %s(); }\n' \
        planted_reply planted_reply >"$1"
    was=$entries
    object "$1"
    says "check: $1 uses planted_reply of refimpl/planted.c: $2"
    rm "$1"
    entries=$was
}
printf '/* SPDX-License-Identifier: BSD-2-Clause */\nint planted_reply(void) { return 1; }\n' >refimpl/planted.c
object refimpl/planted.c
linked conformance/harness/planted.c 'conformance/harness never uses refimpl'
linked conformance/tests/4.1_trimming/planted.c 'conformance/tests never uses refimpl'
linked conformance/harness/run/planted.c 'conformance/harness/run never uses refimpl'
linked rules/planted.c 'rules never uses refimpl'
linked track/planted.c 'track never uses refimpl'
linked port/planted.c 'that runs up from floor 1 to 2'

# No files need each other in a circle, but for those that a row grants.
was=$entries
for file in a b c; do
    printf '/* SPDX-License-Identifier: BSD-2-Clause */\n' >ut/planted_$file.c
done
echo 'int in_b(void); int in_a(void) { return in_b(); }' >>ut/planted_a.c
echo 'int in_c(void); int in_b(void) { return in_c(); }' >>ut/planted_b.c
echo 'int in_c(void) { return 1; }' >>ut/planted_c.c
object ut/planted_a.c
object ut/planted_b.c
object ut/planted_c.c
says 'floors, symbols and licences: clean' 0
echo 'int in_b(void); int back(void) { return in_b(); }' >>ut/planted_c.c
entries=$was
object ut/planted_a.c
object ut/planted_b.c
object ut/planted_c.c
circle='ut/planted_b.c -> in_c of ut/planted_c.c -> in_b of ut/planted_b.c'
says "check: 2 files of ut need each other in circles: $circle"
echo 'circles ut 1' >>cmake/houses.txt
says "check: 2 files of ut need each other in circles, more than the 1 of old: $circle"
sed -i 's/^circles ut 1/circles ut 2/' cmake/houses.txt
says 'floors, symbols and licences: clean' 0
rm ut/planted_?.c
entries=$was
object ut/planted.c
says 'check: cmake/houses.txt grants circles to ut, which has none'
exit $((failures > 0))
