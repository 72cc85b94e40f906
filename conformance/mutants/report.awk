# SPDX-License-Identifier: BSD-2-Clause
# report.awk: what run.sh tells, from the places (uet_mutants list) and the results that count.
# -v page=FILE has the reasons: `* ID `OLD` -> `NEW`` and, indented, the reason below it. A reason
# holds for that very mistake: when the code has changed since, it is no longer believed.

function place(id) { return id " `" old[id] "` -> `" new[id] "`" }

function table(title, all, killed,    k) {
    printf "\n%-34s %8s %8s\n", title, "killed", "of"
    fflush()
    sort = "LC_ALL=C sort"
    for (k in all)
        printf "%-34s %8d %8d\n", k, killed[k], all[k] | sort
    close(sort)
}

BEGIN {
    FS = "\t"
    while ((getline line < page) > 0) {
        if (line ~ /^\* /)
            key = substr(line, 3)
        else if (key != "" && line ~ /^  [^ ]/)
            reason[key] = reason[key] substr(line, reason[key] == "" ? 3 : 2)
        else
            key = ""
    }
}

FNR == NR { old[$1] = $3; new[$1] = $4; next }

{
    split($1, part, ":")
    n++
    files[part[1]]++
    mistakes[part[3]]++
    if ($2 == "killed") {
        dead++
        dead_in[part[1]]++
        dead_by[part[3]]++
        late += $3 ~ /^late /
    } else {
        survivor[++alive] = $1
        by[$1] = $3
    }
}

# Of a survivor nobody else notices: the reason of the page.
function why(id) {
    if (!(id in old))
        return "no longer in the code"
    return place(id) in reason ? reason[place(id)] : "gap?"
}

END {
    table("file", files, dead_in)
    table("mistake", mistakes, dead_by)
    printf "\n"
    if (alive)
        print "survived:"
    for (i = 1; i <= alive; i++) {
        id = survivor[i]
        print "  " place(id)
        where = by[id]
        if (!look || where == "") {
            group["not looked into"]++
            continue
        }
        if (where ~ /^ref:/ || where ~ /^test_/) {
            group[where ~ /^ref/ ? "a variant's run notices" : "a unit test notices"]++
            print "    " where
            continue
        }
        r = why(id)
        group[r == "gap?" ? "gap?" : substr(r, 1, match(r, /[:.]/) ? RSTART - 1 : length(r))]++
        print "    " (where == "nothing" ? "no capture changes" : "captures change (" substr(where, 6) ")") ": " r
    }
    if (alive)
        print ""
    fflush()
    sort = "LC_ALL=C sort -k 1,1rn -k 2"
    for (g in group)
        printf "  %4d survivors: %s\n", group[g], g | sort
    close(sort)
    if (late)
        printf "  %4d of the killed were told by time alone\n", late
    printf "%d of %d mutants killed (seed %s)\n", dead, n, seed
}
