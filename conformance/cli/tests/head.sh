# SPDX-License-Identifier: BSD-2-Clause
# What the shell tests of uetconform begin with: $u is the program, $dir a folder of their own; fail
# tells what is wrong and lets the script go on, and it ends with: exit $bad
set -u
u=$1
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
bad=0

fail() {
    echo "${0##*/}: $*" >&2
    bad=1
}
