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
uetkeys new keys || exit 2
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
2|uetconform check --rules clear.pcapng|--rules lists them and ends: leave 'clear.pcapng' out
2|uetconform run --fep ref --slow 3|--slow has no effect with --fep ref
2|uetconform run --fep ref --in-place 3 --depth deep|--depth deep has no effect with --in-place
2|uetconform check clear.pcapng --summary --max 2|--max has no effect with --summary
2|uetconform check clear.pcapng --summary --json|--summary is of the text
0|uetconform check clear.pcapng --strict --level must|--strict: no effect
2|uetconform check clear.pcapng --protect none --crc-order big|--crc-order is of the CRC
2|uetconform check clear.pcapng --dscp-trimmed 3 --dscp-control 4,3|--dscp-control: 3 is of trimmed packets, too
2|uetconform check clear.pcapng --dscp-lasthop 5 --dscp-control 5|--dscp-control: 5 is of trimmed packets, too
0|uetconform check clear.pcapng --keys keys|--keys: no effect, as nothing there is sealed
2|uetconform check clear.pcapng --vantage both --vantage middle|'--vantage' stands there twice
2|uetcat decode --ip clear.pcapng|--ip has no effect on a capture
2|uetcat decode --pds - <clear.pcapng|--pds has no effect on a capture
2|uetcat decode --ip --pds 0000|--ip has no effect with --pds
2|uetcat decode --pds --keys keys 0000|--keys has no effect with --pds
2|uetcat decode --pds --udp-port 5000 0000|--udp-port has no effect with --pds
2|uetcat decode --pds --ip-protocol 5 0000|--ip-protocol has no effect with --pds
2|uetcat decode --json -q clear.pcapng|--quiet has no effect with --json
2|uetcat decode --json -v clear.pcapng|--verbose has no effect with --json
2|uetcat decode -v -q clear.pcapng|--verbose has no effect with --quiet
2|uetcat decode --as-spec --json clear.pcapng|--json has no effect with --as-spec
2|uetcat decode --as-spec -v clear.pcapng|--verbose has no effect with --as-spec
2|uetcat decode --as-spec -q clear.pcapng|--quiet has no effect with --as-spec
2|uetcat decode --as-spec --keys keys clear.pcapng|--keys has no effect with --as-spec
2|uetcat decode --header nack --ip 00|--ip has no effect with --header
2|uetcat decode --header nack --keys keys 00|--keys has no effect with --header
2|uetcat decode --header nack -v 00|--verbose has no effect with --header
2|uetcat decode --header nack --crc crc 00|--crc has no effect with --header
2|uetcat decode --header nack --as-spec 00|--as-spec has no effect with --header
2|uetcat decode --crc none --crc-order big clear.pcapng|--crc-order has no effect with --crc none
0|uetcat decode --keys keys clear.pcapng|--keys: no effect, as nothing there is sealed
2|uetcat craft --header nack -o a.pcapng|--output has no effect with --header
2|uetcat craft --header nack --limit 3|--limit has no effect with --header
0|uetcat craft --keys keys "eth/ip/udp/pds.nack"|--keys: no effect, as no tss() of the line
2|uetcat ping -O 8 127.0.0.1|--offset has no effect without --length
2|uetcat ping --mtu 1024 127.0.0.1|--mtu has no effect without --length
2|uetcat ping -v 127.0.0.1|--verbose has no effect without --entropy
2|uetcat ping --crc-order little 127.0.0.1|--crc-order has no effect without --crc
2|uetcat ping --crc none --crc-order little 127.0.0.1|--crc-order has no effect with --crc none
2|uetcat ping --keys keys --crc crc 127.0.0.1|--crc has no effect with --keys
2|uetcat read -k 1 -w 4 127.0.0.1|--at-once has no effect without --count
2|uetcat read -k 1 --json -q 127.0.0.1|--quiet has no effect with --json
2|uetcat write -k 1 -n 8 -i 0.1 127.0.0.1|--interval has no effect without --count
2|uetcat send -n 8 --crc-order big 127.0.0.1|--crc-order has no effect without --crc
2|uetcat tsend -t 1 -n 8 --keys keys --crc-order big --crc crc 127.0.0.1|--crc has no effect with --keys
2|uetcat atomic -k 1 --rate 5 127.0.0.1|--rate has no effect without --count
2|uetcat probe -O 8 127.0.0.1|--offset has no effect without --key
2|uetcat listen --udp --hex -q|--hex has no effect with --quiet
2|uetcat listen --udp --crc-order big|--crc-order has no effect without --crc
2|uetcat listen -M 0:0:0:1:8 --from a --from b|--from b has a already
2|uetcat listen -M 0:0:0:1:8 --save a --save b|--save b has a already
2|uetcat replay --udp --pcap ./clear.pcapng clear.pcapng 127.0.0.1|clear.pcapng would be overwritten, and it is read
2|uetcat replay --udp --keys keys --pcap keys clear.pcapng 127.0.0.1|keys would be overwritten, and it is read
2|uetcat craft --keys keys -o keys "eth/ip/udp/tss(sdi=1,an=0)/pds.nack"|keys would be overwritten, and it is read
2|uetcat write --udp -k 1 -F clear.pcapng --pcap clear.pcapng 127.0.0.1|clear.pcapng would be overwritten
2|uetcat read --udp -k 1 -n 8 -o both --pcap both 127.0.0.1|both and both are one file
2|uetcat read --udp -k 1 -n 8 -o . 127.0.0.1|uetcat read: .: cannot be written: Is a directory
2|uetcat replay --json -q clear.pcapng 127.0.0.1|--quiet has no effect with --json
2|uetcat replay --json -v clear.pcapng 127.0.0.1|--verbose has no effect with --json
2|uetcat replay --crc-order big clear.pcapng 127.0.0.1|--crc-order has no effect, as the packets of clear.pcapng
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
2|uetgen packet eth/ip/udp/pds.nack -o - --hex|-o - and --hex or --json would both write to standard output
2|uetgen packet eth/ip/udp/pds.nack -o - --json|-o - and --hex or --json would both write to standard output
0|uetkeys new twice --sdi 1 --sdi 2|--sdi stands there twice
2|uetkeys new shift --rekey-shift 3|--rekey-shift has no effect without --rekey-mask
2|uetsim cc list --seed 2|--seed is of a scenario, and not of list
2|uetsim cc list --json cc.json|--svg and --json are of one scenario, not of list
2|ut-exec --check --timeout 5 no.verbs|--timeout has no effect with --check
2|ut-exec --check --control unix:no.sock no.verbs|--control has no effect with --check
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
0|uetfep --show-params --param Trimmable_ACK_Size=4096|no effect without a larger Max_ACK_Data_Size
0|uetfep --show-params --seed 1 --seed 2|--seed stands there twice
LINES
[ ! -e none.pcapng ] || failed=1
[ ! -e both ] || failed=1
uetcat decode clear.pcapng >out 2>err || { echo "FAILED: a capture that was read is overwritten"; failed=1; }
grep -q '^UET_SD ' keys || { echo "FAILED: a key file that was read is overwritten"; failed=1; }

# What is told beside another complaint: two lines.
while IFS='|' read -r command words; do
    sh -c "$command" >out 2>err </dev/null
    if [ $? -ne 2 ] || ! grep -qF -e "$words" err; then
        echo "FAILED: $command: not 2 with '$words': $(cat err)"
        failed=1
    fi
done <<'LINES'
uetkeys serve --mode direct --ssi --control unix:no/such/directory|--ssi: no effect, as packets carry an SSI
uetkeys status --control unix:a.sock --control unix:b.sock|--control stands there twice: the last one counts
uetkeys follow --name a --name b --control unix:a.sock keys|--name stands there twice: the last one counts
uetsim cc nothing --seed 1 --seed 2|--seed stands there twice: the last one counts
LINES

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
uetcat decode --json clear.pcapng
uetcat decode --crc auto clear.pcapng
uetcat decode --header nack --json 5000 0e00 12345678 0000 1001 00000000
uetcat craft --json --limit 4 eth/ip/udp/pds.nack
uetcat craft --keys keys "eth/ip/udp/tss(sdi=1,counter=1)/pds.nack"
uetgen scenario list -q
uetsim --packets 1000 --ignore once --ignore order --quiet
uetinterop list
uetfep --variant=list
uetfep --profile list
uetfep --show-params --variant lazy --param RTO_Init_Time=1ms --param Default_MPR=4
LINES
exit $failed
