#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
# test_cli.sh UETCONFORM: the commands as a stranger types them, right and wrong. What is wrong gets
# one line on standard error and exit status 2.
. "${0%/*}/head.sh"

# wrong TEXT ARGUMENT...: exit status 2 and one line that contains TEXT.
wrong() {
    text=$1
    shift
    "$u" "$@" >"$dir/out" 2>"$dir/err"
    status=$?
    [ "$status" -eq 2 ] || fail "'$*' ends with $status, not 2"
    [ "$(wc -l <"$dir/err")" -eq 1 ] || fail "'$*' says $(wc -l <"$dir/err") lines, not one"
    grep -qF -- "$text" "$dir/err" || fail "'$*' says: $(cat "$dir/err")"
}

# right STATUS ARGUMENT...
right() {
    want=$1
    shift
    "$u" "$@" >"$dir/out" 2>"$dir/err"
    status=$?
    [ "$status" -eq "$want" ] || fail "'$*' ends with $status, not $want: $(head -3 "$dir/err")"
}

for command in run list check explain coverage selftest report diff; do
    right 0 $command --help
    grep -q '^usage: uetconform' "$dir/out" || fail "$command --help shows no usage"
    grep -q "^ *uetconform $command" "$dir/out" || fail "$command --help shows no example"
done
right 0 --help
right 0 --version

wrong "(did you mean run?)" rnu
: >"$dir/file"
wrong "cannot make the directory $dir/file: File exists" run --fep ref --pcap-dir "$dir/file"
wrong "--fep is missing" run
wrong "(did you mean --test?)" run --fep ref --tets x
wrong "needs a value" run --fep
wrong "unknown option '--no-gate'" run --fep ref --no-gate
wrong "--profile must be AI-Base, AI-Full, HPC or all, not 'HCP'" run --fep ref --profile HCP
wrong "--profile must be AI-Base, AI-Full, HPC or all, not 'HCP'" list --profile HCP
wrong "is too much" run --fep ref more
wrong "must be a number" run --fep ref --seed many
wrong "1.0.3, 1.0.2 or 1.0.1" run --fep ref --spec 2
wrong "no test matches" run --fep ref --test 'no.such.*'
wrong "No such file" run --fep "$dir/none.yaml"
wrong "cannot be written" run --fep ref --quiet --json "$dir/none/report.json"
wrong "cannot make the directory" run --fep ref --pcap-dir /dev/null/captures
printf 'address: 192.0.2.1\ntester: 192.0.2.2\nport: {interface: nosuch0}\n' >"$dir/if.yaml"
wrong "nosuch0" run --fep "$dir/if.yaml"
wrong "No such file" run --fep "$dir/none.yaml" --jobs 2
# It is read once: a pipe has no second time.
mkfifo "$dir/once.yaml"
printf 'address: 192.0.2.1\ntester: 192.0.2.11\nport: {interface: nosuch0}\nalike: [{address: 192.0.2.2, tester: 192.0.2.12}]\n' \
    >"$dir/once.txt"
cat "$dir/once.txt" >"$dir/once.yaml" &
timeout 20 "$u" run --fep "$dir/once.yaml" --jobs 2 2>"$dir/err"
[ $? -eq 2 ] && grep -q 'no network interface nosuch0' "$dir/err" || fail "fep.yaml is read twice: $(cat "$dir/err")"
wrong "two tests never share a FEP, and $dir/if.yaml tells of 1" run --fep "$dir/if.yaml" --jobs 2
printf 'address: 192.0.2.1\ntester: 192.0.2.2\nport: {interface: e}\nclaim: 1\n' >"$dir/key.yaml"
wrong "key.yaml:4:1: unknown key 'claim' (did you mean claims?)" run --fep "$dir/key.yaml"
wrong "No such file" check "$dir/none.pcap"
echo "this is no capture" >"$dir/text"
wrong "text" check "$dir/text"
wrong "name a capture file" check
wrong "--vantage must be" check --vantage far "$dir/text"

right 0 run --fep ref --section 3.5.8.3 --quiet --pcap-dir "$dir/pcap" --json "$dir/a.json" \
    --junit "$dir/a.xml" --html "$dir/a.html"
for f in a.json a.xml a.html pcap/pds.3.5.8.3.first-exchange.pcapng; do
    [ -s "$dir/$f" ] || fail "run wrote no $f"
done
# What the FEP cannot serve as it is set up goes to another one of the run: native, sealed, sealed beside clear.
while read -r t where; do
    right 0 run --fep ref --test "$t" --quiet --json "$dir/e.json"
    grep -q '"verdict": "pass"' "$dir/e.json" || fail "$t is not run elsewhere"
    grep -q "\"set_up\": \"$where\"" "$dir/e.json" || fail "$t: the report does not tell its set-up"
    right 3 run --fep ref --test "$t" --quiet --depth smoke
done <<EOF
net.4.1.native-trimmed-nacked native
tss.3.7.clear-ack sealed
tss.3.7.clear-job-beside-sealed-one sealed beside clear
EOF
# Captures belong to the reports of their run, and do not mix with others.
two="--fep ref --quiet --pcap-dir $dir/caps"
here=$PWD
cd "$dir" || exit 1
right 0 run $two --test '*first-exchange' --json two.json
right 0 run $two --test '*first-operation' --html two.html --json two.json
[ "$(ls "$dir/caps")" = pds.3.5.8.2.first-operation.pcapng ] || fail "mixed: $(ls "$dir/caps")"
wrong "caps: it holds captures of another run (pds.3.5.8.2.first-operation.pcapng): name another" \
    run $two --test '*first-exchange'
wrong "it holds captures of another run" run $two --test '*first-exchange' --json other.json
right 0 run $two --test '*first-operation' --test '*first-exchange' --resume two.json --json two.json
[ "$(find "$dir/caps" -name 'pds*.pcapng' | wc -l)" -eq 2 ] || fail "resumed: $(ls "$dir/caps")"
rm "$dir/caps/.uetconform-captures"
: >"$dir/caps/mine.pcapng"
wrong "it holds captures of another run" run $two --test '*first-exchange' --json two.json
rm "$dir/caps"/pds*
right 0 run $two --test '*first-exchange'
[ -e "$dir/caps/mine.pcapng" ] || fail "a capture that is no test's was removed"
cd "$here" || exit 1
right 0 check --sender 192.0.2.1 --vantage both "$dir/pcap/pds.3.5.8.3.first-exchange.pcapng"
grep -q ' 0 violations' "$dir/out" || fail "check: $(cat "$dir/out")"
right 0 check --json "$dir/pcap/pds.3.5.8.3.first-exchange.pcapng"
grep -q '"complete": true' "$dir/out" || fail "check --json: $(tail -3 "$dir/out")"
right 0 check --dscp-trimmed 10,12 --dscp-lasthop 12 --ip-protocol 254 --default-mpr 8 --from-start \
    "$dir/pcap/pds.3.5.8.3.first-exchange.pcapng"
wrong "--dscp-trimmed must be DSCPs" check --dscp-trimmed 10, "$dir/text"
wrong "--dscp-lasthop must be DSCPs" check --dscp-lasthop 64 "$dir/text"
wrong "--dscp-trimmed 5,12,5: 5 stands there twice" check --dscp-trimmed 5,12,5 "$dir/text"
wrong "--dscp-control 7,7: 7 stands there twice" check --dscp-control 7,7 "$dir/text"
wrong "must be a number" check --default-mpr many "$dir/text"
wrong "--dscp-control must be DSCPs" check --dscp-control 46,x "$dir/text"
right 0 check --strict --dscp-control 14 --sender 192.0.2.1 "$dir/pcap/pds.3.5.8.3.first-exchange.pcapng"
right 1 check --strict --dscp-control 10,12 --sender 192.0.2.1 "$dir/pcap/pds.3.5.8.3.first-exchange.pcapng"
grep -q 'CMS-008' "$dir/out" || fail "check --dscp-control: $(cat "$dir/out")"
wrong "--level must be all or must, not 'should'" check --level should "$dir/text"
head -c 300 "$dir/pcap/pds.3.5.8.3.first-exchange.pcapng" >"$dir/cut.pcapng"
right 2 check "$dir/cut.pcapng"

# Sealed packets: two of one PDC in two secure domains (PDS-012, which is TSS-045), all with one counter.
gen=$(dirname "$u")/uetgen
key=000102030405060708090a0b0c0d0e0f101112131415161718191a1b1c1d1e1f
clear="pds.rud_req(spdcid=7,dpdcid=9,psn=5..6,ar=1)/ses.std(opcode=write)/data(64)"
"$gen" packet "eth/ip/udp/tss(sdi={1,2},counter=7,mode=cluster,key=$key)/$clear" \
    -o "$dir/sealed.pcapng" || fail "uetgen made no sealed packets"
printf '# keys\nUET_SD sdi=1 an=0 key=%s name=one\nUET_SD sdi=2 key=%s\n' $key $key >"$dir/keys"
chmod 644 "$dir/keys"
"$u" check --keys "$dir/keys" "$dir/sealed.pcapng" 2>&1 >/dev/null |
    grep -qF "every user of this host can read these keys (mode 0644): chmod 600 $dir/keys" ||
    fail "check --keys tells nothing of a file that all can read"
chmod 600 "$dir/keys"
right 3 check "$dir/sealed.pcapng"
grep -q ' 4  sealed by TSS, without a key' "$dir/out" || fail "check: $(cat "$dir/out")"
right 1 check --keys "$dir/keys" "$dir/sealed.pcapng"
grep -A1 '^TSS-045 ' "$dir/out" | grep -q 'packet 3: .*SDI 0x000002' ||
    fail "check --keys: $(cat "$dir/out")"
grep -q 'packet 1: ' "$dir/out" && fail "check --keys accuses the first SDI"
grep -q 'sealed by TSS' "$dir/out" && fail "check --keys left packets sealed"
(umask 077 && head -2 "$dir/keys" >"$dir/key1")
right 1 check --keys "$dir/key1" "$dir/sealed.pcapng"
grep -q ' 2  sealed by TSS' "$dir/out" || fail "check, one key: $(cat "$dir/out")"
grep -q '^TSS-018 ' "$dir/out" || fail "check, one key, sees no counter twice: $(cat "$dir/out")"
grep -q '^TSS-045 ' "$dir/out" && fail "check, one key, knows of the second SDI"
wrong "$dir/none: No such file" check --keys "$dir/none" "$dir/sealed.pcapng"
echo "UET_SD sdi=1" >"$dir/nokey"
wrong "nokey:1: key is missing" check --keys "$dir/nokey" "$dir/sealed.pcapng"
echo "nothing" >"$dir/nokey"
wrong "no key; a line for each" check --keys "$dir/nokey" "$dir/sealed.pcapng"

# The same seed, alone, together or in three processes: the same verdicts, messages and packets.
one() { grep -E '"(id|verdict|seconds|message|frame)"' "$1"; }
right 0 run --fep ref --section 3.5.8.3 --quiet --json "$dir/b.json"
right 0 run --fep ref --section 3.5.8.3 --quiet --jobs 3 --json "$dir/c.json"
one "$dir/a.json" >"$dir/a" && one "$dir/b.json" >"$dir/b" && one "$dir/c.json" >"$dir/c"
cmp -s "$dir/a" "$dir/b" || fail "the second run differs from the first"
cmp -s "$dir/a" "$dir/c" || fail "--jobs 3 differs from one process"
right 0 run --fep ref --section 3.5.8.3 --quiet --resume "$dir/a.json" --json "$dir/d.json"
one "$dir/d.json" >"$dir/d"
cmp -s "$dir/a" "$dir/d" || fail "--resume lost or changed results"

right 0 selftest --requirement PDS-038
right 0 list --section 3.5.8
right 0 list --claims
wrong "there is no such section" list --section 9.9
exit $bad
