#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
# test_same.sh SOURCE: conformance/same.sh with builds made up here, whose runs give the captures
# that lie ready: what is the same, what differs, what did not take place.
set -eu
source=$1
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
failures=0

for b in a b; do
    mkdir -p "$dir/$b/bin" "$dir/$b/ready"
    printf '#!/bin/sh\nprintf "usual  as it is\\ntiny   small\\n"\n' >"$dir/$b/bin/uetfep"
    cat >"$dir/$b/bin/uetconform" <<SH
#!/bin/sh
for last in "\$@"; do :; done
mkdir -p "\$last" && cp $dir/$b/ready/* "\$last" && exit \$(cat $dir/$b/status)
SH
    chmod 755 "$dir/$b/bin"/*
done

# capture FILE BYTES BYTES: a section (12 bytes), two packets (type 6) of 16 bytes with 4 of payload.
capture() {
    {
        printf '\012\015\015\012\014\000\000\000\014\000\000\000'
        printf '\006\000\000\000\020\000\000\000%s\020\000\000\000' "$2"
        printf '\006\000\000\000\020\000\000\000%s\020\000\000\000' "$3"
    } >"$1"
}

# says STATUS WORDS: what same.sh says of a and b, one seed each.
says() {
    status=0
    sh "$source/conformance/same.sh" "$dir/a" "$dir/b" 1 >"$dir/out" 2>&1 || status=$?
    [ $status -eq "$1" ] && grep -qxF -e "$2" "$dir/out" && return
    echo "FAILED: status $status, expected $1 and: $2"
    cat "$dir/out"
    failures=$((failures + 1))
}

for b in a b; do
    capture "$dir/$b/ready/pds.1.one.pcapng" data more
    capture "$dir/$b/ready/pds.2.two.pcapng" data more
    echo 0 >"$dir/$b/status"
done
says 0 '6 captures the same, 0 differ' # of ref, ref:usual and ref:tiny

echo 1 >"$dir/a/status" # a test that fails is no reason to stop
says 0 '6 captures the same, 0 differ'

capture "$dir/b/ready/pds.2.two.pcapng" data mode
says 1 'differs: ref:tiny, seed 1, pds.2.two: packet 2'
says 1 '3 captures the same, 3 differ'
capture "$dir/b/ready/pds.2.two.pcapng" Data more
says 1 'differs: ref, seed 1, pds.2.two: packet 1'

rm "$dir/b/ready/pds.2.two.pcapng"
says 1 "differs: ref, seed 1, pds.2.two: a capture of $dir/a only"
capture "$dir/b/ready/pds.2.two.pcapng" data more
capture "$dir/b/ready/pds.3.new.pcapng" data more
says 1 "differs: ref, seed 1, pds.3.new: a capture of $dir/b only"
rm "$dir/b/ready/pds.3.new.pcapng"

printf '#!/bin/sh\necho "usual  as it is"\n' >"$dir/b/bin/uetfep"
says 1 'differs: ref:tiny: a variant of one build only'
says 1 '4 captures the same, 1 differ'

echo 2 >"$dir/b/status"
says 2 "same: $dir/b: run --fep ref --seed 1 made no captures (exit status 2)"
rm "$dir/b/ready"/*
echo 0 >"$dir/b/status"
sed -i 's/&& cp [^&]*//' "$dir/b/bin/uetconform"
says 2 "same: $dir/b: run --fep ref --seed 1 made no captures (exit status 0)"
rm "$dir/b/bin/uetconform"
says 2 "same: $dir/b/bin/uetconform is missing: build it"
exit $((failures > 0))
