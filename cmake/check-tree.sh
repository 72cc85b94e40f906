#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
# check-tree.sh ROOT BUILD: what the shape of the house demands. Prints every breach; exit 1 then.
#  - no include runs up the floors;
#  - refimpl/ includes nothing of the operating system, and its symbols stay out of the harness,
#    the tests and the rules (only conformance/fep_ref.c starts it);
#  - every source file names its licence, dissector/ GPL and the rest BSD.
set -u
root=$1 build=$2
cd "$root" || exit 2
bad=0
breach() { printf 'check: %s\n' "$*" >&2; bad=1; }

floor() {
    case $1 in
    spec-map/*) echo 0 ;;
    wire/* | port/* | ut/*) echo 1 ;;
    track/* | refimpl/*) echo 2 ;;
    rules/*) echo 3 ;;
    conformance/harness/* | conformance/result.h | gen/* | dissector/*) echo 4 ;;
    *) echo 5 ;;
    esac
}

# Same floor, other house: allowed pairs are named here and nowhere else.
allowed() {
    case "$1 $2" in
    "port wire" | "ut wire" | "refimpl-host port" | "refimpl-host ut" | "refimpl-host wire") return 0 ;;
    esac
    return 1
}

room() {
    case $1 in
    refimpl/host/*) echo refimpl-host ;;
    conformance/harness/* | conformance/result.h) echo harness ;;
    *) echo "${1%%/*}" ;;
    esac
}

for f in $(git ls-files '*.c' '*.h'); do
    case $f in */tests/* | fuzz/* | bench/*) continue ;; esac
    from=$(floor "$f") from_room=$(room "$f")
    for inc in $(sed -n 's/^#include "\(.*\)"/\1/p' "$f"); do
        case $inc in
        */*) ;;
        *) continue ;; # generated, or beside the file
        esac
        to=$(floor "$inc") to_room=$(room "$inc")
        [ "$from_room" = "$to_room" ] && continue
        if [ "$to" -gt "$from" ]; then
            breach "$f includes $inc: that runs up from floor $from to $to"
        elif [ "$to" -eq "$from" ] && [ "$from" -lt 5 ] && ! allowed "$from_room" "$to_room" &&
            [ "$from_room $to_room" != "refimpl-host refimpl" ]; then
            breach "$f includes $inc: another house on the same floor"
        fi
        case $f in
        conformance/harness/* | conformance/tests/* | rules/* | track/*)
            case $inc in refimpl/*) breach "$f includes $inc: judges never use the reference FEP" ;; esac
            ;;
        esac
    done
done

for f in $(git ls-files 'refimpl/*.c' 'refimpl/*.h'); do
    case $f in refimpl/host/* | */tests/*) continue ;; esac
    grep -nE '#include <(stdio|stdlib|time|pthread|unistd|poll|signal)\.h>|#include <sys/' "$f" |
        while read -r line; do echo "$f:$line"; done | grep . &&
        breach "$f: the reference FEP's core touches no system"
done

for lib in "$build"/conformance/harness/lib*.a "$build"/rules/lib*.a "$build"/track/lib*.a \
    $(find "$build/conformance" -name '*.o' -path '*tests*' ! -path '*/cli/*' 2>/dev/null); do
    [ -e "$lib" ] || continue
    nm "$lib" 2>/dev/null | grep -E ' [TtUDdBb] uet_(fep|host)_' |
        while read -r line; do echo "$lib: $line"; done | grep . &&
        breach "$lib uses the reference FEP"
done

for f in $(git ls-files '*.c' '*.h' '*.sh' 'dev' '.ci/run' '*CMakeLists.txt' '*.cmake'); do
    want=BSD-2-Clause
    case $f in dissector/*) want=GPL-2.0-or-later ;; esac
    head -3 "$f" | grep -q "SPDX-License-Identifier: $want" || breach "$f: no line SPDX $want"
done
[ $bad -eq 0 ] && echo "floors, symbols and licences: clean"
exit $bad
