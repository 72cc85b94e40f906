# SPDX-License-Identifier: BSD-2-Clause
# parts.awk: reads refimpl/state.h and then sources of refimpl/pds and refimpl/ses. The headings in
# struct uet_fep say whose the fields below them are. Prints each use of the other's field; exit
# status 1 then, or when no field was found.

FNR == 1 {
    first = NR == 1
    mine = FILENAME ~ /^refimpl\/pds\// ? "PDS" : "SES"
}

first && /^struct uet_fep \{/ { inside = 1 }
first && /^\};/ { inside = 0 }
first && inside && match($0, /---- (PDS|SES):/) { part = substr($0, RSTART + 5, 3) }
first && inside && part != "" && /;/ {
    gsub(/\/\*.*/, "")
    sub(/^ *(struct )?[a-z0-9_]+ /, "")
    gsub(/[*; ]|\[.*\]/, "")
    n = split($0, names, ",")
    for (i = 1; i <= n; i++)
        owner[names[i]] = part
    fields += n
}

!first {
    rest = $0
    while (match(rest, /fep->[a-z_0-9]+/)) {
        name = substr(rest, RSTART + 5, RLENGTH - 5)
        rest = substr(rest, RSTART + RLENGTH)
        if (name in owner && owner[name] != mine) {
            print "check: " FILENAME " names " name ", which is " owner[name] "'s own"
            bad = 1
        }
    }
}

END {
    if (!fields) {
        print "check: refimpl/state.h: no parts of struct uet_fep found"
        bad = 1
    }
    exit bad
}
