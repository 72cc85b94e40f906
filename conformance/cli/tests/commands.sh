#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
# explain, coverage, list, report and diff of uetconform: what they print, and their exit status.
#   commands.sh UETCONFORM
set -u
case $1 in /*) uetconform=$1 ;; *) uetconform=$PWD/$1 ;; esac
tmp=$(mktemp -d)
trap 'rm -rf "$tmp"' EXIT
cd "$tmp" || exit 1
fails=0 n=0 name= status=0

bad() {
    echo "FAIL $name: $*"
    fails=$((fails + 1))
}

# run STATUS ARGUMENTS...: leaves out and err; the status must be that.
run() {
    n=$((n + 1)) want=$1
    shift
    name="uetconform $*"
    status=0
    "$uetconform" "$@" >out 2>err || status=$?
    [ "$status" -eq "$want" ] || { bad "exit status $status, not $want"; head -3 err; }
    # What is wrong takes one line, and what is right takes none.
    lines=$(wc -l <err)
    if [ "$want" -eq 2 ]; then
        [ "$lines" -eq 1 ] || { bad "$lines lines of complaint, not one"; cat err; }
    else
        [ "$lines" -eq 0 ] || { bad "a complaint:"; cat err; }
    fi
}

says() {
    grep -F -q -e "$1" out || { bad "does not say: $1"; }
}

says_not() {
    ! grep -F -q -e "$1" out || bad "should not say: $1"
}

complains() {
    grep -F -q -e "$1" err || { bad "does not complain: $1"; cat err; }
}

for command in explain coverage list report diff; do
    run 0 $command --help
    says "usage: uetconform $command"
    says "  uetconform $command "
    run 2 $command --nonsense
    complains "unknown option"
done

run 0 explain PDS-038
says "  MUST        syn=0 with an unknown dpdcid gives NACK UET_INV_DPDCID (0x0E) with spdcid=0."
says "  role        target"
says "  section     3.5.8.2 PDC establishment"
says "              in 1.0.1: 3.5.8.2, 1.0.2: 3.5.8.2, 1.0.3: 3.5.8.2"
says "  table       NACK codes: in 1.0.1: 3-59, 1.0.2: 3-58, 1.0.3: 3-58"
says "  tested by   pds.3.5.8.2.unknown-dpdcid"
says "  confidence  A: two or more independent sources"
says_not "contested"
cp out first
run 0 explain pds-38
cmp -s out first || bad "differs from explain PDS-038"
run 0 explain PDS-064
says "in 1.0.1: 3.5.11, 1.0.2: 3.5.11, 1.0.3: not required"
says "  contested   as read here: up to 1.0.2 pds.mpr = 0 lifts the MP_Range limit"
says "              the other reading: pds.mpr = 0 is not valid and is treated as 1, that is 128 PSNs"
run 0 explain PDS-012
says "  same as     TSS-045, TSS-046"
run 0 explain pds.3.5.8.2.unknown-dpdcid PDS-022
says "  tests       PDS-038 MUST: syn=0 with an unknown dpdcid"
says "PDS-022"
run 0 explain pds.3.5.16.4.close-request-fields
says '  conversation (with the reference FEP, seed 1)'
says 'ms  hear    CP CLOSE_REQUEST ar psn=n '
says 'ms  check   PDS-207: psn is n, required n'

# The places of a test: those to which a run goes.
for id in pds.3.5.8.2.unknown-dpdcid pds.3.5.16.4.close-request-fields ses.3.4.3.6.3.generation-first; do
    run 0 run --fep ref --quiet --depth deep --test $id --json points.json
    sed -n '/"points": \[/,/\]/p' points.json | sed -n 's/^ *"\([^"]*\)",*$/\1/p' | tr , '\n' |
        grep -v ordinary | sort -u >gone
    run 0 explain $id
    sed -n '/^  places /,/^  conversation/s/^      \([^ ]*\) .*/\1/p' out | sort >told
    [ -s gone ] || bad "the run goes nowhere"
    cmp -s gone told || bad "tells other places than a run has: $(comm -3 gone told | tr -s '\n\t' ' ')"
done
run 0 explain --json pds.3.5.8.2.unknown-dpdcid
says '"places": {'
says '"entropy": ['
says '"sprayed"'
run 0 explain pds.3.5.8.3.first-exchange
says "  places      only as it is written"
run 0 explain ses.3.4.1.memory-stands-ready
says "  places      not known: the test does not run with the reference FEP"
run 0 explain --json ses.3.4.1.memory-stands-ready
says '"places": null'

run 0 explain 3.5.16.7
says "3.5.16.7 Negotiation CP"
says "  PDS-055     1.0.3: Negotiation CP with PDS_NEG_ON_OFF payload"
run 0 explain PDS-038 --json
says '"id": "PDS-038"'
says '"level": "MUST"'
says '"1.0.1": "3-59"'
says '"contested": false'
run 2 explain PDS-999
complains "nothing is known as 'PDS-999' (did you mean PDS-"
run 2 explain pds.3.5.8.2.unknown-dpdcidd
complains "(did you mean pds.3.5.8.2.unknown-dpdcid?)"
run 2 explain
complains "needs the id"

run 0 coverage --area pds --json
says '"PDS": {'
says '"requirements": 229,'
says_not '"SES"'
run 0 coverage --area rob
says "not the standard's text"
run 0 coverage --section 3.5.16.7 --list
says "PDS-055"
run 0 coverage
says "killed is not known"
printf '{"violators":1,"killed":1,"survivors":[],"kills":[{"requirement":"PDS-038","violator":"v","test":"t"}]}' >kills
run 0 coverage --section 3.5.8.2 --selftest kills --list
says "PDS-038  MUST       3.5.8.2    killed"
says_not "killed is not known"
mkdir -p sub/out && cp kills sub/out/selftest.json
(cd sub && "$uetconform" coverage --area PDS) >found 2>&1 # the usual place is looked at
! grep -F -q "killed is not known" found || bad "out/selftest.json was not read"
run 2 coverage --list --json
complains "uetconform coverage: --list has no effect with --json: leave out one of them"
run 2 coverage --area QQQ
complains "unknown area QQQ: PDS, SES, TSS, CMS, NET, LL or ROB"
run 2 coverage --section 9.9
complains "--section 9.9: there is no such section"
run 2 coverage --selftest absent
complains "absent: cannot be read: No such file or directory"
echo '{"kills":' >kills
run 2 coverage --selftest kills
complains "kills:"
run 2 coverage PDS
complains "PDS"

run 0 list
says "pds.3.5.8.2.unknown-dpdcid "
[ "$(wc -l <out)" -ge 60 ] || bad "fewer than 60 tests"
# A purpose is read alone: it has no subject in the test before it.
leaning=$(grep -E '^[^ ]+ +(So|Nor|They|It (does|stays)|The same (of|over)) ' out)
[ -z "$leaning" ] || bad "purposes that lean on another test's: $leaning"
run 0 list --section 3.5.8.3
says "pds.3.5.8.3."
says_not "pds.3.5.8.2."
run 0 list --markdown --test '*unknown-dpdcid'
says '### `pds.3.5.8.2.unknown-dpdcid`'
says "| Role of the FEP | target |"
says "| PDS-038 | MUST (3.5.8.2): syn=0 with an unknown dpdcid"
run 0 list --json --requirement PDS-038
says '"id": "pds.3.5.8.2.unknown-dpdcid"'
run 0 list --claims
says "write"
run 0 list --parameters
says "write udp_port: outside 'parameters'"
run 2 list --section 9.9
complains "there is no such section"

# Of one kind one must match, of every kind one.
run 0 list --test '*first-exchange' --test 'PDS.*first-operation'
says pds.3.5.8.3.first-exchange
says pds.3.5.8.2.first-operation
run 0 list --section 3.5.8.2 --section 3.5.8.3 --requirement pds-38 --requirement PDS-203
says pds.3.5.8.3.first-exchange
says unknown-dpdcid
says_not first-operation
# What a name means stands in one column, however long names are. No name of a place has a space.
run 0 list --dimensions
says "  beside-message  a message of which only the first packet came; needs write-ready"
says "past              what went over the open PDC on which the test begins: the Request that"
says "  ipv6            IPv6 and UDP ("
awk '{ match($0, /^ *[^ ]+/); name = RLENGTH
       match($0, /^ *[^ ]+ +/); if (RLENGTH < name + 2 || (NR > 1 && RLENGTH != column)) print
       column = RLENGTH }' out >lines
[ -s lines ] && bad "out of line: $(cat lines)"

# What matches nothing is wrong, though others match; tests and requirements in either case.
for choice in "--test pds.nothing" "--section 9.9" "--requirement PDS-9999"; do
    for command in list "run --fep ref" selftest coverage; do
        # shellcheck disable=SC2086
        run 2 $command --requirement PDS-203 $choice
        grep -F -q -e "$choice: " err || bad "does not name it: $(cat err)"
    done
done
run 2 selftest --requirement PDS-0381
grep -F -q "did you mean PDS-031, PDS-038" err || bad "no guess: $(cat err)"
run 2 list --section 3.5.8.3 --requirement SES-028
run 0 selftest --requirement pds-38 --section 3.5.8 --verbose
says " 0 survive"
run 0 coverage --requirement PDS-038 --requirement ses-28 --list
says "PDS-038 "
says "SES-028 "

# Two runs by hand: a passes and then fails, b failed and now passes, c is gone, d is new.
head='"fep":"lab.yaml","spec":"1.0.3","profile":"all","seed":5,"version":"0.1.0"'
one() {
    printf '{"id":"pds.3.5.8.2.%s","requirements":["PDS-038"],"section":"3.5.8.2","role":"target","verdict":"%s","findings":[],"seconds":1,"message":"%s","pcap":"","frame":0}' "$1" "$2" "${3-}"
}
printf '{%s,"summary":{},"tests":[%s,%s,%s]}' "$head" "$(one a pass)" "$(one b fail broken)" \
    "$(one c pass)" >old.json
printf '{%s,"summary":{},"tests":[%s,%s,%s]}' "$head" "$(one a fail 'no answer')" "$(one b pass)" \
    "$(one d fail 'new and bad')" >new.json
run 1 diff old.json new.json
says "regressions: 1"
says "  pds.3.5.8.2.a: fail, was pass"
says "      no answer"
says "  pds.3.5.8.2.b: pass, was fail"
says "  pds.3.5.8.2.d: fail"
says "  pds.3.5.8.2.c: pass"
says "0 unchanged, 1 regressions"
run 1 diff --json old.json new.json
says '"regressions": ['
says '"id": "pds.3.5.8.2.a"'
run 0 diff old.json old.json
says "still not passing: 1"
says "2 unchanged, 0 regressions"
run 1 diff new.json old.json # the other way round b is the regression
says "  pds.3.5.8.2.b: fail, was pass"
says "  pds.3.5.8.2.a: pass, was fail"
# A run that was cut short: what it lacks was not run; it is neither gone nor fixed nor new.
rule() {
    printf '{"id":"rule.PDS-105","requirements":["PDS-105"],"section":"3.5.12","role":"passive","verdict":"fail","message":"PDS-105: 3 times"}'
}
cut='"complete":false,"planned":9,"cut_short":"SIGTERM","not_run":[{"id":"pds.3.5.8.2.c","reason":"SIGTERM"}]'
printf '{%s,"summary":{},"tests":[%s,%s,%s]}' "$head" "$(one a pass)" "$(one c fail)" "$(rule)" >whole.json
printf '{%s,%s,"summary":{},"tests":[%s]}' "$head" "$cut" "$(one a pass)" >cut.json
run 0 diff whole.json cut.json
says "interrupted: 1 of 9 run (SIGTERM)"
says "not run in the new run: 2"
says "  pds.3.5.8.2.c: fail"
says "1 unchanged, 0 regressions, 2 not run in the new run"
says_not "removed"
says_not "fixed"
run 0 diff cut.json whole.json
says "not run in the old run: 2"
says "  rule.PDS-105: fail"
says_not "added"
run 0 diff --json whole.json cut.json
says '"not_run": ['
# What the runs rest on differs: a claim was dropped.
printf '{%s,"conditions":{"claims":{"rod":"yes"},"tester":{"host":"a"}},"summary":{},"tests":[]}' "$head" >c1.json
printf '{%s,"conditions":{"claims":{"rod":"no"},"tester":{"host":"b"}},"summary":{},"tests":[]}' "$head" >c2.json
run 0 diff c1.json c2.json
says "note: claims, rod: no, was yes"
says_not "host"
# Of another fep.yaml the hash is told; its lines are in the reports.
sed 's/"claims":{/"fep.yaml":{"sha256":"1","text":"old lines"},&/' c1.json >c3.json
sed 's/"claims":{/"fep.yaml":{"sha256":"2","text":"new lines"},&/' c1.json >c4.json
run 0 diff c3.json c4.json
says "note: fep.yaml, sha256: 2, was 1"
says_not "lines"
# Between two whole runs a rule that is not broken any more is fixed, and told so.
printf '{%s,"summary":{},"tests":[%s,%s]}' "$head" "$(one a pass)" "$(one c fail)" >mended.json
run 0 diff whole.json mended.json
says "fixed: 1"
says "  rule.PDS-105: fail"
run 1 diff mended.json whole.json
says "regressions: 1"

run 2 diff old.json
complains "needs two files"
run 2 diff old.json absent.json
complains "absent.json: cannot be read: No such file or directory"
printf '{"fep":"x",\n"spec":}' >broken.json
run 2 diff old.json broken.json
complains "broken.json:2: no JSON: "

run 0 report new.json
says "3.5.8.2      PDC establishment                      1     2       .      .     ."
says "repeat:  uetconform run --fep lab.yaml --spec 1.0.3 --seed 5 --test pds.3.5.8.2.a"
says "3 tests: 1 pass, 2 fail"
run 0 report new.json --html page.html --junit j.xml --json again.json
grep -F -q "<p class=\"say bad\">1 of 3 that ran passed: 2 failed.</p>" page.html || bad "no page"
grep -F -q '<testsuites name="uetconform" tests="3" failures="2"' j.xml || bad "no JUnit"
run 0 diff new.json again.json
says "still not passing: 2"
says "1 unchanged, 0 regressions"
[ ! -e again.jsonl ] || bad "the journal was left behind"
run 0 report new.json --junit -
says "<testsuites"
run 2 report new.json --html no/such/folder/page.html
complains "no/such/folder/page.html: cannot be written: No such file or directory; make its folder first"
run 2 report broken.json
complains "broken.json:2: no JSON: "
run 2 report
complains "needs one file"
run 2 report new.json --html
complains "needs a value"
if [ -c /dev/full ]; then
    run 2 report new.json --html /dev/full
    complains "/dev/full: cannot be written: No space left on device"
    for command in list coverage "explain PDS-038" "report new.json" "diff new.json new.json"; do
        n=$((n + 1)) status=0 name="uetconform $command >/dev/full"
        # shellcheck disable=SC2086
        "$uetconform" $command >/dev/full 2>err || status=$?
        [ "$status" -eq 2 ] || bad "exit status $status, not 2"
        complains "standard output cannot be written: No space left on device"
    done
fi

echo "$n commands, $fails mistakes"
[ "$fails" -eq 0 ]
