#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
# page.sh docs/mutants.md: every reason has the form that report.awk reads, and a known kind. The sum is
# that of the run at the head of the page: behind it are mistakes of other runs.
set -eu
awk '
    /^## Mistakes in the code of security/ { other_run = 1 }
    /^\* refimpl\// {
        key = $0
        if (key !~ /^\* refimpl\/[a-z_\/]+\.c:[a-z0-9_]+:[a-z]+:[0-9]+ `.*` -> `.*`$/)
            wrong("not of the form FILE:FUNCTION:KIND:N `OLD` -> `NEW`")
        if (key in seen)
            wrong("twice")
        seen[key] = 1
        if ((getline line) <= 0 || line !~ /^  (equivalent|not visible|allowed|fault|gap): ./)
            wrong("no reason of a known kind below it")
        split(substr(line, 3), word, ":")
        if (!other_run) {
            n++
            kinds[word[1]]++
        }
    }
    /^\* [0-9]+ by nobody \(/ { said = $0 }
    function wrong(what) { print FILENAME ": " key ": " what; bad = 1 }
    END {
        key = "the sum"
        if (said !~ ("^\\* " n " by nobody"))
            wrong("another number of reasons: " n)
        for (k in kinds)
            if (!index(said, " " kinds[k] " " k) && !index(said, "(" kinds[k] " " k))
                wrong("another number of reasons that are " k ": " kinds[k])
        exit bad
    }' "$1"
