#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
# cms_page.sh finds a figure that is another one, and mends it; and a text or a measure that is not there.
#   cms_page_self.sh UETSIM CMS_PAGE_SH
set -u
uetsim=$1 cms_page=$2
dir=$(mktemp -d) || exit 1
trap 'rm -rf "$dir"' EXIT
bad=0
fail() { echo "cms_page_self.sh: $*" >&2; bad=1; }
page() { sh "$cms_page" "$uetsim" "$dir/list" "$dir/page" "$@" 2>"$dir/told"; }

cat >"$dir/list" <<'END'
run fabric permutation --hosts 4
says | {FEPs;%.0f} hosts | {least:^writes that;%.1f} | {memory of the process;,;0.001} |
run fabric permutation --hosts 4 --runs 2
says {FEPs;%.0f;2;most} and {completion, x;%.0f;1;missed}, {*} us
END
said=$("$uetsim" fabric permutation --hosts 4 --json "$dir/json" | awk '/memory of the process/ {printf "%.0f", $(NF - 4) * 1000}')
[ "$said" -gt 1000 ] || fail "no memory is told"
printf '%s\n' 'before' 'x | 5 hosts | 4.0 | 1,234 | y' '2 and 0, 17.3 us' >"$dir/page"
page && fail "another figure is not found"
grep -q '  the page: | 5 hosts | 4.0 | 1,234 |' "$dir/told" || fail "it is not told: $(cat "$dir/told")"
page --texts || fail "--texts looks at figures: $(cat "$dir/told")"
page --text && fail "an option that is none is taken"
page --write && fail "with --write neither"
head -1 "$dir/page" | grep -q '^before$' || fail "another line is lost"
grep -qE '^x \| 4 hosts \| 4\.0 \| [0-9]+,[0-9]{3} \| y$' "$dir/page" || fail "it is not mended: $(cat "$dir/page")"
grep -q '^2 and 0, 17.3 us$' "$dir/page" || fail "what depends on the machine is changed"
sed '/^says | /d; s/^run fabric permutation --hosts 4$/# nothing/' "$dir/list" >"$dir/list2" && mv "$dir/list2" "$dir/list"
page || fail "figures that are right: $(cat "$dir/told")"
echo 'says no such {FEPs;%.0f}' >>"$dir/list"
page && fail "a text that is not there is not missed"
page --texts && fail "nor with --texts"
grep -q 'has no such text' "$dir/told" || fail "$(cat "$dir/told")"
goal() { # MAX_WND MARK: what a line of that goal says
    printf '%s\n' "run fabric permutation --hosts 4 $1" 'says x {completion, x;%.2f}{completion, x;mark} |' >"$dir/list"
    printf 'x 9.99%s |\n' "$2" >"$dir/page"
    page --write && fail "another mark is not found"
    cat "$dir/page"
}
goal '--param MaxWnd=5000' '' | grep -qE '^x [0-9.]+: \*\*not met\*\* \|$' || fail "a goal that is missed has no mark"
goal '' ': **not met**' | grep -qE '^x [0-9.]+ \|$' || fail "a goal that is met keeps its mark"
printf '%s\n' 'run fabric permutation --hosts 4' 'says {nothing like that;%.0f}' >"$dir/list"
page && fail "a measure that is not there is not missed"
exit $bad
