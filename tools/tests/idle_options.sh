#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
# idle_options.sh BIN: no program takes an option in silence that it does not read. Each line below: the
# exit status, a command, and words of the line on standard error that tells.
set -u
PATH=$1:$PATH
dir=$(mktemp -d) || exit 2
trap 'rm -rf "$dir"' EXIT
cd "$dir" || exit 2
failed=0

uetgen scenario lost-request -o clear.pcapng || exit 2
while IFS='|' read -r status command words; do
    [ -n "$status" ] || continue
    sh -c "$command" >out 2>err </dev/null
    rc=$?
    if [ "$rc" -ne "$status" ] || [ "$(wc -l <err)" -ne 1 ] || ! grep -qF -e "$words" err; then
        echo "FAILED: $command: status $rc, not $status with '$words': $(cat err)"
        failed=1
    fi
done <<'LINES'
2|uetconform list --json --markdown|--json has no effect with --markdown: leave out one of them
2|uetconform list --claims --json|--json has no effect with --claims: leave it out
2|uetconform list --section 3.5.8 --parameters|--section has no effect with --parameters
2|uetconform list --dimensions --profile HPC|--profile has no effect with --dimensions
2|uetconform list --profile HPC --profile AI-Base|'--profile' stands there twice: 'HPC' and 'AI-Base'
2|uetconform run --fep ref --seed 3 --seed 4|'--seed' stands there twice: '3' and '4'
2|uetconform run --fep ref --depth smoke --depth deep|'--depth' stands there twice
2|uetconform coverage --area PDS --area SES|'--area' stands there twice
2|uetconform selftest --sweep --requirement PDS-038|--requirement has no effect with --sweep
2|uetconform report run.json --html run.html --verbose|--verbose has no effect with --html
2|uetconform ut-check --control no.sock --no-tests|--no-tests has no effect without --peer
2|uetconform ut-check --control no.sock --peer no.sock --verb send --no-tests|--no-tests has no effect with --verb
2|uetconform check --rules --spec 1.0.1|--spec has no effect with --rules
2|uetconform check clear.pcapng --summary --max 2|--max has no effect with --summary
2|uetconform check clear.pcapng --summary --json|--summary is of the text
0|uetconform check clear.pcapng --strict --level must|--strict: no effect
2|uetconform check clear.pcapng --protect none --crc-order big|--crc-order is of the CRC
2|uetconform check clear.pcapng --vantage both --vantage middle|'--vantage' stands there twice
2|uetgen packet eth/ip/udp/pds.nack --interval 5us|--interval has no effect without --output
2|uetgen packet eth/ip/udp/pds.nack --comment|--comment has no effect without --output
0|uetgen packet eth/ip/udp/pds.nack --repeat 2 --repeat 3|--repeat stands there twice: the last one counts
0|uetgen packet eth/ip/udp/pds.nack -o a.pcapng --output b.pcapng|--output stands there twice
2|uetgen flood lo eth/ip/udp/pds.nack --count 2 --forever|--count has no effect with --forever
2|uetgen scenario list --seed 4|list takes no option but -q
2|uetgen scenario list -6|list takes no option but -q
2|uetgen scenario lost-request -q|-q is of list
0|uetgen scenario tss --crc|--crc: no effect, as tss is sealed
0|uetgen scenario lost-request --seed 1 --seed 2|--seed stands there twice
0|uetkeys new keys --sdi 1 --sdi 2|--sdi stands there twice
2|uetsim --scenario 1 --plan --json plan.json|--json has no effect with --plan
2|uetsim --scenario 1 --packets 100|--packets has no effect with --scenario
2|uetsim --scenario 1 --findings 4|--findings has no effect with --scenario
2|uetsim --port --packets 1000|--port has no effect without --pcap
0|uetsim --packets 1000 --pcap none.pcapng --quiet|none.pcapng is not written: nothing was found
0|uetsim --packets 1000 --seed 1 --seed 2 --quiet|--seed stands there twice
2|uetsim fabric list --param ARC=1|and not of list
2|uetinterop list --json|--json has no effect here
2|uetinterop list --cases loss|--cases has no effect here
2|uetinterop run --small --large|--small has no effect with --large
2|uetfep --variant list --json|--variant list: prints and ends: leave out all other options
2|uetfep --port x --profile list|--profile list: prints and ends
2|uetfep-bent --list-violations --seed 4|--seed has no effect with --list-violations
2|uetfep --param RTO_Init_Time=1ms --variant lazy|--variant lazy: may undo --param
2|uetfep --max-pdcs 3 --variant tiny|--variant tiny: may undo --max-pdcs
2|uetfep --udp --address 127.0.0.9 --dscp-trimmed 11|--dscp-trimmed has no effect with --udp
0|uetfep --show-params --udp --port lo --address 127.0.0.9|--port lo: no effect with --udp
0|uetfep --show-params --seed 1 --seed 2|--seed stands there twice
LINES
[ ! -e none.pcapng ] || failed=1

# What may stand there twice, or belongs together, has no line.
while read -r command; do
    sh -c "$command" >out 2>err </dev/null
    rc=$?
    if [ "$rc" -ne 0 ] || [ -s err ]; then
        echo "FAILED: $command: status $rc: $(cat err)"
        failed=1
    fi
done <<'LINES'
uetconform list --section 3.5.8 --section 3.5.12 --json
uetconform check clear.pcapng --dscp-trimmed 3 --dscp-trimmed 4 --max 2
uetconform check clear.pcapng --summary --json=found.json
uetgen packet eth/ip/udp/pds.nack --interval 5us --comment --output c.pcapng
uetgen scenario list -q
uetsim --packets 1000 --ignore once --ignore order --quiet
uetinterop list
uetfep --variant=list
uetfep --profile list
uetfep --show-params --variant lazy --param RTO_Init_Time=1ms --param Default_MPR=4
LINES
exit $failed
