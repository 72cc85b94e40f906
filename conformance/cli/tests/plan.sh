#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
# uetconform plan against what a run then does, and tried wrong.
#   plan.sh UETCONFORM SOURCE
set -u
case $1 in /*) uetconform=$1 ;; *) uetconform=$PWD/$1 ;; esac
example=$2/conformance/examples/fep.yaml
tmp=$(mktemp -d)
trap 'rm -rf "$tmp"' EXIT
cd "$tmp" || exit 1
fails=0

bad() {
    echo "FAIL $*"
    fails=$((fails + 1))
}

# wrong TEXT ARGUMENTS...: exit status 2 and one line that says so.
wrong() {
    text=$1
    shift
    status=0
    "$uetconform" plan "$@" >out 2>err || status=$?
    [ "$status" -eq 2 ] || bad "plan $*: exit status $status, not 2"
    [ "$(wc -l <err)" -eq 1 ] || bad "plan $*: not one line of complaint"
    grep -F -q -e "$text" err || { bad "plan $*: does not say: $text"; cat err; }
}

# rows FILE: of each test with a reason "id: reason", sorted; from a plan and from a run's report.
planned() {
    tr -d '\n' <"$1" | sed 's/{ *"id"/\n"id"/g' |
        sed -n 's/^"id": "\([^"]*\)".*"runs": false.*"skip_reason": "\([^"]*\)".*/\1: \2/p' | sort
}
skipped() {
    tr -d '\n' <"$1" | sed 's/{ *"id"/\n"id"/g' |
        sed -n 's/^"id": "\([^"]*\)".*"skip_reason": "\([^"]*\)".*/\1: \2/p' | sort
}

# What is planned not to run does not, for that reason; what else is skipped met its reason on its
# way, which is never one that the plan could have known.
"$uetconform" plan --fep ref --json plan.json >told || bad "plan --fep ref: exit status $?"
"$uetconform" run --fep ref --depth smoke --quiet --json run.json >/dev/null || bad "the run fails"
planned plan.json >planned
skipped run.json >skipped
[ -s planned ] || bad "the plan of the reference FEP has no test that does not run"
comm -23 planned skipped >more
[ ! -s more ] || { bad "planned not to run, but not skipped for that:"; cat more; }
comm -13 planned skipped | grep -E ': (no upper tester|port|not in this version)$' >late
[ ! -s late ] || { bad "skipped for what the plan could have known:"; cat late; }
all=$(grep -c '"runs"' plan.json)
not=$(wc -l <planned)
grep -F -q "$((all - not)) of $all tests will run, $not will not" told || bad "the sum is wrong"

grep -q 'left out' told && bad "points are left out in virtual time"
grep -q '"points_left_out": {}' plan.json || bad "the plan of the reference FEP leaves points out"

# At the reference FEP without its upper tester nothing stands ready, which tests find on their way.
"$uetconform" plan --fep ref --no-upper-tester >told || bad "--fep ref --no-upper-tester: status $?"
grep -q 'no writable memory of' told || bad "the reference FEP without upper tester is not rehearsed"

# What is told of a feature that is not claimed is told for nothing.
printf 'address: 192.0.2.1\ntester: 192.0.2.11\nport: {interface: eth1}\n' >idle.yaml
printf 'claims: [rud, send]\nparameters: {alpha: 9, max-pdcs: 4, Max_Tail_Loss_Retx: 5}\n' >>idle.yaml
"$uetconform" plan --fep idle.yaml --json plan.json >told || bad "idle.yaml: status $?"
grep -q '^parameters without effect (with the claims that would use each): alpha (nscc), Max_Tail_Loss_Retx (no test reads it)$' told || bad "alpha is taken for used"
tr -d ' \n' <plan.json | grep -q '"unused_parameters":\[{"name":"alpha","claims":"nscc"},{"name":"Max_Tail_Loss_Retx","claims":""}\]' || bad "the JSON does not say so"
grep -q '^left out  points with copies: in real time' told || bad "that copies are left out is not told"
grep -q '^left out  points with strangers: the tester has one address$' told || bad "nor strangers"
tr -d '\n' <plan.json | grep -q '"points_left_out": { *"copies": "in real time[^"]*", *"strangers": "the tester has one address" *}' ||
    bad "nor is it in the JSON"

# Without an upper tester no test of an initiator runs; at a target enough is left.
"$uetconform" plan --fep "$example" --no-upper-tester --json plan.json >told || bad "status $?"
initiators=$("$uetconform" list --json --profile AI-Base | grep -c '"role": "initiator"')
n=$(sed -n 's/^ *\([0-9]*\)  no upper tester (fep.yaml: control)$/\1/p' told)
[ "${n:-0}" -ge "$initiators" ] || bad "$n tests for want of an upper tester, $initiators initiator's"
grep -F -q '"upper_tester": false' plan.json || bad "the JSON says nothing of the upper tester"
"$uetconform" plan --fep "$example" --no-upper-tester --section 3.5.21 >told
[ $? -eq 3 ] || bad "no test would run, and the exit status is not 3"
"$uetconform" plan --fep ref --test pds.3.5.11.mpr-zero --spec 1.0.1 >told || bad "status $? (1.0.1)"
grep -F -q "1 of 1 tests will run" told || bad "--spec changes nothing"
"$uetconform" plan --fep ref --verbose >told
grep -F -q "          pds.3.5.11.mpr-zero" told || bad "--verbose names no test"

# Where nothing ends a latch, no test brings a domain there, or near it (TSS-043).
printf 'UET_SD sdi=1 key=%064d\n' 1 >keys
chmod 600 keys
printf 'address: 192.0.2.1\ntester: 192.0.2.11\nport: {interface: eth1}\nprotect: tss\n' >sealed.yaml
printf 'security: {keys: keys}\nclaims: [rud, no-op]\n' >>sealed.yaml
latching="--test tss.3.7.wrong-icvs-latch --test tss.3.7.flood-of-wrong-icvs"
"$uetconform" plan --fep sealed.yaml $latching >told
[ $? -eq 3 ] || bad "a domain would stay latched"
grep -q '^ *2  nothing undoes wrong ICVs: no verb reset or enable_domain, no restart_each_test (fep.yaml)$' told || bad "no reason: $(cat told)"
printf 'restart: "true"\nrestart_each_test: true\n' >>sealed.yaml
"$uetconform" plan --fep sealed.yaml $latching >told || bad "a restart ends a latch, too"
# What the key file has not, no test can try: it is rehearsed with that very file. One warning of it is enough.
chmod 644 keys
[ "$("$uetconform" plan --fep sealed.yaml $latching 2>&1 >told | grep -c 'chmod 600 keys')" -eq 1 ] || bad "no warning, or two"
grep -q '^FEP address 192.0.2.1,' told || bad "a FEP without a name: $(head -1 told)"
chmod 600 keys
lacking="--test tss.3.7.rotation --test tss.3.7.key-of-the-other-an --test tss.3.7.job-of-another-domain"
"$uetconform" plan --fep sealed.yaml $lacking >told
[ $? -eq 3 ] || bad "one key of one domain is enough for all: $(cat told)"
grep -q '^ *1  the key file has no key of the other AN (1) of SDI 0x000001$' told || bad "no other AN: $(cat told)"
printf 'UET_SD sdi=1 an=1 key=%064d\nUET_SD sdi=2 key=%064d\n' 3 4 >>keys
"$uetconform" plan --fep sealed.yaml $lacking >told || bad "its keys are not enough: $(cat told)"
printf 'UET_SD sdi=1 key=%064d\n' 2 >>keys
wrong "several keys of AN 0 of SDI 0x000001" --fep sealed.yaml

wrong "--fep is missing"
wrong "nowhere.yaml" --fep nowhere.yaml
wrong "to plan without it: --no-upper-tester" --fep "$example"
wrong "no such variant" --fep ref:nonsense
wrong "no test" --fep ref --test nonsense
wrong "cannot be written" --fep ref --json no/such/folder/plan.json
cp "$example" mine.yaml
wrong "mine.yaml" --fep mine.yaml --no-upper-tester --json mine.yaml
cmp -s "$example" mine.yaml || bad "fep.yaml was overwritten"

echo "$fails mistakes"
[ "$fails" -eq 0 ]
