#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
# resume.sh UETCONFORM: --resume takes over the results of the same run only, and says what differs.
. "${0%/*}/head.sh"

run() { "$u" run --depth smoke --quiet --fep "$@" >"$dir/out" 2>"$dir/err"; }

# refused TEXT FILE FEP ARGUMENT...: exit status 2, one line that contains TEXT, and no new report.
refused() {
    text=$1 file=$2
    shift 2
    rm -f "$dir/new.json"
    run "$@" --resume "$file" --json "$dir/new.json"
    status=$?
    [ "$status" -eq 2 ] || fail "'$*': exit status $status, not 2"
    [ "$(wc -l <"$dir/err")" -eq 1 ] && grep -qF -- "$text" "$dir/err" ||
        fail "'$*': $(cat "$dir/err")"
    [ ! -e "$dir/new.json" ] || fail "'$*': a report was written"
}

taken() {
    file=$1
    shift
    run "$@" --resume "$file" --json "$dir/new.json" || fail "'$*': exit status $?: $(cat "$dir/err")"
}

run ref --section 3.5.8 --json "$dir/a.json" || fail "no report to go on from"
a=$dir/a.json
refused "the seed was 1, it is 7" "$a" ref --section 3.5.8 --seed 7
refused "the specification was 1.0.3, it is 1.0.2" "$a" ref --section 3.5.8 --spec 1.0.2
refused "the profile was all, it is HPC" "$a" ref --section 3.5.8 --profile HPC
refused "--strict was off, it is on" "$a" ref --section 3.5.8 --strict
sed 's/"slow": 1\.0/"slow": 4.0/' "$a" >"$dir/slow.json" # as over a real link: ref takes no --slow
refused "--slow was 4, it is 1" "$dir/slow.json" ref --section 3.5.8
refused "--time-scale was 1, it is 0.5" "$a" ref --section 3.5.8 --time-scale 0.5
refused "--fep was ref, it is ref:tiny" "$a" ref:tiny --section 3.5.8
refused "is not among the tests selected now" "$a" ref --section 3.5.8.2
refused "'--resume' stands there twice" "$a" ref --section 3.5.8 --resume "$dir/other.json"
taken "$a" ref --section 3.5.8
[ "$(grep -c '"verdict"' "$dir/new.json")" -eq "$(grep -c '"verdict"' "$a")" ] ||
    fail "results that were taken over are not in the report"
taken "$a" ref --section 3.5.8 --section 3.5.20
[ "$(grep -c '"verdict"' "$dir/new.json")" -gt "$(grep -c '"verdict"' "$a")" ] ||
    fail "a wider selection ran nothing more"

# changed SED: a report that is another's.
changed() { sed "$1" "$a" >"$dir/b.json"; }
changed 's/"name": "uetkit reference FEP"/"name": "another FEP"/'
refused "the FEP's name was another FEP, it is" "$dir/b.json" ref --section 3.5.8
changed 's/"version": "\([^"]*\)",$/"version": "\1.9",/; s/^\( "version": "[^"]*\)\.9"/\1"/'
refused "the FEP's version was" "$dir/b.json" ref --section 3.5.8
changed 's/"conditions": {/&"fep.yaml": {"sha256": "00"},/'
refused "the hash of fep.yaml was 00, it is not told" "$dir/b.json" ref --section 3.5.8
changed 's/"not_run": \[\]/"not_run": [{"id": "ses.3.4.2.1.version", "reason": "interrupted"}]/'
refused "that run's ses.3.4.2.1.version is not among" "$dir/b.json" ref --section 3.5.8
changed 's/"planned": [0-9]*/"planned": 999/'
refused "that run was to run 999 tests" "$dir/b.json" ref --section 3.5.8
changed 's/"address": "192.0.2.1"/"address": "192.0.2.9"/'
refused "the FEP's address was 192.0.2.9, it is 192.0.2.1" "$dir/b.json" ref --section 3.5.8
changed 's/^\( "version": "\)[^"]*/\10.0.0/'
refused "the version of uetkit was 0.0.0" "$dir/b.json" ref --section 3.5.8
changed 's/"commit": "[^"]*/"commit": "0000000/'
refused "the commit of uetkit was 0000000" "$dir/b.json" ref --section 3.5.8
# A report without a word of what it rests on is nobody's.
changed 's/"conditions":/"other":/'
refused "was not told" "$dir/b.json" ref --section 3.5.8

# What was an error runs again, and with a sanity test all that was inconclusive.
changed '0,/"verdict": "pass"/s//"verdict": "error"/; s/"verdict": "pass"/"verdict": "inconc"/'
taken "$dir/b.json" ref --section 3.5.8
grep -qE '"verdict": "(error|inconc)"' "$dir/new.json" && fail "errors were not run again"

# A sanity test that did not pass still shakes the ground of what goes on.
run ref --test pds.3.5.8.3.first-exchange --json "$dir/c.json" || fail "no report of a sanity test"
sed 's/"verdict": "pass"/"verdict": "fail"/' "$dir/c.json" >"$dir/b.json"
run ref --section 3.5.8 --resume "$dir/b.json" --json "$dir/new.json"
[ $? -eq 1 ] || fail "a run that goes on after a failure is good all of a sudden"
grep -q 'the sanity test pds.3.5.8.3.first-exchange did not get far enough' "$dir/new.json" ||
    fail "the gate is forgotten by --resume"
exit $bad
