#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
# files.sh BIN SOURCE: wrong manifests, cases and options get one line that says where and what, and exit
# status 2. Nothing is run.
set -u
bin=$1 source=$2
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
bad=0
fail() {
    echo "files.sh: $*" >&2
    bad=1
}

# line WHAT PATTERN OPTION...: exit status 2, and one line like this.
line() {
    what=$1 pattern=$2
    shift 2
    "$bin/uetinterop" run --out "$dir/out" "$@" >"$dir/told" 2>&1
    status=$?
    [ $status -eq 2 ] && [ "$(wc -l <"$dir/told")" -eq 1 ] && grep -qE -- "$pattern" "$dir/told" ||
        fail "$what: $status: $(cat "$dir/told")"
}

mkdir -p "$dir/feps/one" "$dir/empty"
manifest() { # PATTERN LINE...
    pattern=$1
    shift
    printf '%s\n' "$@" >"$dir/feps/one/manifest.yaml"
    line "$*" "$pattern" --implementations "$dir/feps"
}
manifest "manifest.yaml:1: 'name' is missing" 'description: x' 'client: x'
manifest "manifest.yaml:1: 'description' is missing" 'name: x' 'client: x'
manifest "manifest.yaml:1: neither 'client' nor 'server'" 'name: x' 'description: x'
manifest "manifest.yaml:3: unknown key 'cleint'.*client" 'name: x' 'description: x' 'cleint: x'
manifest "manifest.yaml:4: 'name' stands here a second time" 'name: x' 'description: x' 'client: x' 'name: y'
manifest "manifest.yaml:4: 'modes' does not know 'rdu'.*rud" 'name: x' 'description: x' 'client: x' 'modes: [rdu]'
manifest "manifest.yaml:4: 'modes' must be a list" 'name: x' 'description: x' 'client: x' 'modes: {a: b}'
manifest "manifest.yaml:4: 'spec' does not know '2.0'" 'name: x' 'description: x' 'client: x' 'spec: 2.0'
manifest "manifest.yaml:4: 'max_payload_mtu' must be a number from 0 to 8192, not 'big'" 'name: x' \
    'description: x' 'client: x' 'max_payload_mtu: big'
manifest "manifest.yaml:1: 'name' has a space" 'name: a b' 'description: x' 'client: x'
manifest "manifest.yaml:[0-9]*: no YAML" 'name: [x'
manifest "manifest.yaml:1: keys and values" '- x'
manifest "manifest.yaml:1: keys and values" ''
mkdir -p "$dir/feps/two"
printf '%s\n' 'name: x' 'description: x' 'client: x' | tee "$dir/feps/one/manifest.yaml" \
    >"$dir/feps/two/manifest.yaml"
line twins "two/manifest.yaml:1: another manifest has the name 'x'" --implementations "$dir/feps"
rm "$dir/feps/two/manifest.yaml"
line 'no manifest' 'two/manifest.yaml: No such file' --implementations "$dir/feps"
line 'no folder' 'nowhere: No such file' --implementations "$dir/nowhere"
line 'no more' 'nowhere: No such file' --with "$dir/nowhere"
line 'empty folder' 'empty: no folder with a manifest' --implementations "$dir/empty"

rmdir "$dir/feps/two"
"$bin/uetinterop" list --with "$dir/feps" >"$dir/told" && grep -q '^  ref  ' "$dir/told" &&
    grep -q '^  x  .* client ' "$dir/told" || fail "--with does not add: $(cat "$dir/told")"

cases() { # PATTERN LINE...
    pattern=$1
    shift
    printf '%s\n' "$@" >"$dir/cases.yaml"
    line "$*" "$pattern" --case-file "$dir/cases.yaml"
}
good='id: a, section: 3.5.15, shows: x'
cases "cases.yaml:1: a list is expected" 'id: a'
cases "cases.yaml:1: a list is expected" ''
cases "cases.yaml:1: 'lengths' is missing" "- {$good}"
cases "cases.yaml:2: its 'id' is that of a case before" "- {$good, lengths: 1}" "- {$good, lengths: 1}"
cases "cases.yaml:1: 'lengths' must be lengths" "- {$good, lengths: many}"
cases "cases.yaml:1: 'lengths' must be lengths" "- {$good, lengths: 5000 x 1}"
cases "cases.yaml:1: 'lengths' must be lengths" "- {$good, lengths: 0 x 1}"
cases "cases.yaml:1: 'lengths' must be lengths" "- {$good, lengths: 4096 MiB}"
cases "cases.yaml:1: 'needs' has something that nobody counts" "- {$good, lengths: 1, needs: luck}"
cases "cases.yaml:1: 'operation: read' needs" "- {$good, lengths: 1, operation: read}"
cases "cases.yaml:1: 'direction: from-server' is for" "- {$good, lengths: 1, direction: from-server}"
cases "cases.yaml:1: 'restart' needs two files" "- {$good, lengths: 1, restart: client}"
cases "cases.yaml:1: 'restart' needs two files" "- {$good, lengths: 2 x 1, restart: server, direction: both}"
cases "cases.yaml:1: 'payload_mtu' must be 1024" "- {$good, lengths: 1, payload_mtu: 1500}"
cases "cases.yaml:1: 'section' is none" "- {id: a, section: 9.9, shows: x, lengths: 1}"
cases "cases.yaml:1: 'operation' does not know 'wirte'.*write" "- {$good, lengths: 1, operation: wirte}"
cases "cases.yaml:1: 'timeout_s' must be a number" "- {$good, lengths: 1, timeout_s: -1}"
line 'no cases' 'nowhere: No such file' --case-file "$dir/nowhere"

line 'unknown client' "there is no implementation 'rfe'" --clients rfe
line 'unknown server' "there is no implementation 'x'" --servers ref,x
line 'unknown case' "there is no case 'los'" --cases loss,los
line 'bad jobs' '--jobs must be a number from 1 to 64' --jobs 0
line 'bad slow' '--slow must be a factor' --slow fast
line 'bad seed' '--seed must be a number' --seed x
line 'unknown option' 'is not an option' --fast
line 'extra word' "'now' is no option" now
line 'nothing to go on with' 'results.jsonl: No such file' --resume --cases handshake
exit $bad
