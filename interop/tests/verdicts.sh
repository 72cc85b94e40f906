#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
# verdicts.sh BIN SOURCE: endpoints that do wrong on purpose, each in one way; the runner must say which.
# And one by the template, with tools that are none of ours. Exit status 77: no network namespace.
set -u
bin=$1 source=$2
. "$source/interop/tests/common.sh"
ours=$source/interop/implementations

ref="$ours/uetfep.sh"
implementation ref "client: $ref" "server: $ref"
cp -r "$source/interop/template" "$dir/feps/acme"
cp "$source/interop/tests/acme-write" "$source/interop/tests/acme-serve" "$dir/feps/acme"
implementation liar "client: true"
implementation crash "client: sh -c 'exit 3'" "server: sh -c 'exit 4'"
implementation cannot "client: sh -c 'exit 127'" "server: sh -c 'exit 127'"
implementation humble "client: $ref" "operations: [read]"
implementation hangs "client: sh -c 'setsid sleep 1000 & echo \$! >$dir/left; wait'"
implementation deaf "server: sleep 1000"
implementation gone "server: sh -c 'touch \$UET_READY; sleep 0.1; exit 0'"
cat >"$dir/spoils.sh" <<'SH'
#!/bin/sh
# A server that does something else to what came, too.
"$1" &
trap 'kill $!' TERM
wait $!
wait $! || exit 1
cd "$UET_OUT" && eval "$2"
SH
chmod +x "$dir/spoils.sh"
implementation flips "server: $dir/spoils.sh $ref 'printf x | dd of=0000 bs=1 seek=7 conv=notrunc status=none'"
implementation drops "server: $dir/spoils.sh $ref 'rm 0001'"
implementation cuts "server: $dir/spoils.sh $ref 'truncate -s 4999 0001'"

# Keys that a FEP has chosen itself: acme's server with others, told in UET_READY; and one that tells rubbish.
cat >"$dir/chooses.sh" <<SH
#!/bin/sh
sed 's/0x1/0x7/' "\$UET_RECEIVE" >"\$UET_SCRATCH/mine"
sed 's/ .* / /' "\$UET_SCRATCH/mine" >"\$UET_SCRATCH/keys"
[ "\$1" = well ] || echo 'what?' >>"\$UET_SCRATCH/keys"
$dir/feps/acme/acme-serve -i "\$UET_INTERFACE" -a "\$UET_ADDRESS" -m "\$UET_PAYLOAD_MTU" -r "\$UET_RESOURCE_INDEX" \
    --regions "\$UET_SCRATCH/mine" --ready "\$UET_SCRATCH/up" --save "\$UET_OUT" &
trap 'kill \$!' TERM
until [ -e "\$UET_SCRATCH/up" ]; do sleep 0.01; done
mv "\$UET_SCRATCH/keys" "\$UET_READY"
wait \$!
wait \$!
SH
chmod +x "$dir/chooses.sh"
implementation chooses "server: $dir/chooses.sh well"
implementation babbles "server: $dir/chooses.sh badly"

cat >"$dir/cases.yaml" <<'YAML'
- {id: two, section: 3.5.15, shows: two files, lengths: [100, 5000], timeout_s: 2}
- id: calm
  section: 3.5.15
  shows: nothing happens here
  lengths: 100
  needs: [lost, cut, trimmed, marked, corrupted, duplicated, delayed, reordered, rehashed, ipv6, native, crc,
          pdcs 2, psn_wraps]
  timeout_s: 10
YAML
run() {
    uetinterop run --implementations "$dir/feps" --case-file "$dir/cases.yaml" --out "$dir/out" --slow 3 "$@" \
        >"$dir/text" 2>&1
    status=$?
}

run --cases two --clients ref,acme --servers ref,acme
[ "$status" -eq 0 ] || fail "the good ones: $status: $(cat "$dir/text")"
for client in ref acme; do
    for server in ref acme; do
        cell $client $server two | grep -q '"verdict":"pass","reasons":\[\]' || fail "$client $server"
    done
done

run --cases two --clients liar,crash,cannot,humble,hangs --servers ref --jobs 5
[ "$status" -eq 1 ] || fail "the wrong clients: $status"
told liar ref two fail bytes '2 of 2 files'
told liar ref two fail capture 'sent no packet'
told crash ref two fail client 'ended with 3'
told cannot ref two unsupported client 127
told humble ref two unsupported client 'not this operation'
told hangs ref two fail time
[ ! -e "/proc/$(cat "$dir/left")" ] || fail "what an endpoint started is still there"

run --cases two --clients ref --servers crash,cannot,gone,flips,drops,cuts --jobs 5
[ "$status" -eq 1 ] || fail "the wrong servers: $status"
told ref crash two fail server 'ended with 4'
told ref cannot two unsupported server 127
told ref gone two fail server 'ended with 0 too early'
told ref flips two fail bytes '0000: byte 7'
told ref drops two fail bytes '0001: has not arrived'
told ref cuts two fail bytes '0001: has another length'

run --cases two --clients ref,acme --servers chooses,babbles
for client in ref acme; do
    cell $client chooses two | grep -q '"verdict":"pass"' || fail "keys of its own: $(cat "$dir/text")"
    told $client babbles two fail server "UET_READY: 'what?' is not NAME KEY"
done

# Never ready: the runner waits 20 s, at --slow 0.1 two.
run --cases two --clients ref --servers deaf --slow 0.1
told ref deaf two fail time 'not ready'

run --cases calm --clients ref --servers ref
[ "$status" -eq 1 ] || fail "what is not shown must not pass: $status"
for name in lost cut trimmed marked corrupted duplicated delayed reordered rehashed ipv6 native crc; do
    told ref ref calm not-shown evidence "$name: 0, at least 1"
done
told ref ref calm not-shown evidence 'pdcs: 1, at least 2'
told ref ref calm not-shown evidence 'psn_wraps: 0'
# What nobody has ever heard of is not supported, and no failure.
env UET_ROLE=client UET_OPERATION=fly uetinterop drive --control unix:/nowhere 2>"$dir/err"
[ $? -eq 127 ] || fail "an unknown operation: not 127: $(cat "$dir/err")"
env UET_ROLE=client UET_OPERATION=write UET_MODE=rud uetinterop drive --control unix:/nowhere 2>"$dir/err"
[ $? -eq 2 ] && grep -q '^uetinterop drive: UET_[A-Z_]*: is not set' "$dir/err" ||
    fail "half an environment: $(cat "$dir/err")"

# Two that agree on something wrong: all bytes arrive, and the capture fails both.
uetinterop run --clients bent --servers bent --cases many-small --out "$dir/out" >"$dir/text" 2>&1
[ $? -eq 1 ] || fail "two bent ones pass"
told bent bent many-small fail capture PDS-034
cell bent bent many-small | grep -q '"wrong":0' || fail "the bytes of the bent ones did not arrive"
cell bent bent many-small | grep -q '"by":"\(bytes\|client\|server\|time\)"' && fail "not the capture alone"
exit $bad
