#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
# test_dev.sh SOURCE: what ./dev does when something is missing at first, in a copy of the tree
# that is configured but not built: cmake --build does nothing here, ctest only counts.
set -eu
source=$1
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
tree=$dir/tree
export UET_HIDE="$dir/hide"
failures=0

[ -n "$(git -C "$source" ls-files dev 2>/dev/null)" ] && command -v clang >/dev/null || {
    echo "skip: no git checkout, or no clang"
    exit 77
}
mkdir "$tree" "$dir/bin"
(cd "$source" && git ls-files -co --exclude-standard -z | xargs -0 cp --parents -t "$tree" 2>/dev/null) ||
    : # a file that was removed and not yet committed

# While $UET_HIDE is there, Wireshark is not, and the search leaves in the cache what it would.
cat >"$dir/toolchain.cmake" <<'CMAKE'
if(EXISTS "$ENV{UET_HIDE}")
  set(CMAKE_DISABLE_FIND_PACKAGE_Wireshark ON)
  set(Wireshark_DIR "Wireshark_DIR-NOTFOUND" CACHE PATH "")
endif()
CMAKE
export CMAKE_TOOLCHAIN_FILE="$dir/toolchain.cmake"
cat >"$dir/bin/cmake" <<SH
#!/bin/sh
case \$1 in --build) exit \${UET_BUILD_STATUS:-0} ;; esac
exec $(command -v cmake) "\$@"
SH
cat >"$dir/bin/ctest" <<SH
#!/bin/sh
case "\$*" in *' -N '*) exec $(command -v ctest) "\$@" ;; esac
echo '1/1 Test #1: x ....   Passed    0.00 sec'
SH
printf '#!/bin/sh\necho installed\n' >"$dir/bin/dpkg-query"
chmod 755 "$dir/bin"/*
PATH=$dir/bin:$PATH

# says STATUS WORDS COMMAND...: the exit status, and WORDS in what is printed; with ! before, not.
says() {
    want=$1 words=$2
    shift 2
    status=0
    (cd "$tree" && "$@") >"$dir/out" 2>&1 || status=$?
    present=1
    grep -qF -e "${words#!}" "$dir/out" || present=0
    case $words in '!'*) present=$((1 - present)) ;; esac
    if [ $status -ne "$want" ] || [ $present -eq 0 ]; then
        echo "FAILED: $*: status $status, expected $want and: $words"
        cat "$dir/out"
        failures=$((failures + 1))
    fi
}

# Wireshark comes after the first build.
touch "$UET_HIDE"
says 0 'build goes without the dissector: install wireshark-dev and build again' ./dev build
says 1 '5 passed, 10 failed' ./dev test
grep -q 'build: 0 tests labelled dissector, expected' "$dir/out" || {
    echo "FAILED: ./dev test does not say which tests are missing"
    failures=$((failures + 1))
}
rm "$UET_HIDE"
says 0 '!goes without' ./dev build
says 0 '5 passed, 0 failed' ./dev test
tail -1 "$dir/out" | grep -qx '5 passed, 0 failed' || {
    echo "FAILED: the last line of ./dev test"
    failures=$((failures + 1))
}

# From here on all is configured; to do it again at each command takes half a minute.
printf '#!/bin/sh\nexit ${UET_BUILD_STATUS:-0}\n' >"$dir/bin/cmake"

# An older report is not that of a run that did not begin.
mkdir -p "$tree/build/bin" "$tree/out"
: >"$tree/out/report.html"
sleep 0.05
printf '#!/bin/sh\nexit 2\n' >"$tree/build/bin/uetconform"
chmod 755 "$tree/build/bin/uetconform"
says 2 '!Report:' ./dev demo --bogus
printf '#!/bin/sh\nsleep 0.05\ntouch out/report.html\nexit 1\n' >"$tree/build/bin/uetconform"
says 1 'Report: out/report.html' ./dev demo
printf '#!/bin/sh\nexit 0\n' >"$tree/build/bin/uetconform"
sleep 0.05
says 0 '!Report:' ./dev demo --help

# CI ends with one line, also where the demo fails.
printf '#!/bin/sh\nexit 1\n' >"$tree/build/bin/uetconform"
says 1 '0 passed, 1 failed' .ci/run
printf '#!/bin/sh\nexit 0\n' >"$tree/build/bin/uetconform"
says 0 '5 passed, 0 failed' .ci/run

# Somebody who may not write here is told so in one line.
chmod 755 "$dir"
as=
[ "$(id -u)" -ne 0 ] || as="setpriv --reuid=65534 --regid=65534 --clear-groups"
[ -n "$as" ] || chmod a-w "$tree/build"
# shellcheck disable=SC2086
says 2 "no right to write in $tree/build" $as ./dev build
[ "$(wc -l <"$dir/out")" -eq 1 ] || {
    echo "FAILED: more than one line for somebody without rights"
    cat "$dir/out"
    failures=$((failures + 1))
}
chmod u+w "$tree/build"
[ $failures -eq 0 ]
