# SPDX-License-Identifier: BSD-2-Clause
# For scripts that run the suite in real time on a host that does other work meanwhile.
#
# spoilt REPORT COMMAND...: COMMAND is a run of the suite whose JSON report is REPORT and which did
# not end well. True when it was not cut short, all that went wrong are tests that failed once and
# passed when repeated (inconc), and when each of them passes five times more, in five runs of
# COMMAND by itself; for the entry of a rule that is the test in which it was broken first. Such a
# run says nothing against the FEP: the host was late, or a test before it has left something behind
# (then it is inconc in other runs, too: look there). One that fails now and then by itself does not
# get through, and each repetition is told.
spoilt() {
    spoilt_report=$1
    shift
    [ -s "$spoilt_report" ] || return 1
    spoilt_tests=$(awk -F'"' '
        function told() {
            if (inconc)
                print id ~ /^rule\./ && first ? first : id
            inconc = 0
            first = ""
        }
        /^   "id": / { told(); id = $4 }
        /^   "verdict": "inconc"/ { inconc = 1 }
        /^   "as_in": / { first = $4 }
        /^   "verdict": "(fail|error|unexpected-pass)"/ { bad = 1 }
        /^ "complete": true/ { whole = 1 }
        END { told(); exit bad || !whole }' "$spoilt_report") && [ "$spoilt_tests" ] || return 1
    for spoilt_test in $spoilt_tests; do
        for spoilt_try in 1 2 3 4 5; do
            "$@" --quiet --test "$spoilt_test" || {
                echo "$spoilt_test: inconclusive, and not well at repetition $spoilt_try either" >&2
                return 1
            }
        done
        echo "$spoilt_test: inconclusive, then five times well by itself: a late host, or what ran before"
    done
}
