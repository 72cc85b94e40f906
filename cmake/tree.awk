# SPDX-License-Identifier: BSD-2-Clause
# tree.awk: judges who uses what. Reads the table cmake/houses.txt, then edges, one a line:
#   file PATH              a source file
#   include FROM TO        a source file and the header it includes, both from the root
#   symbol FROM NAME TO... a source file, a name that its object uses, the files that define it
# Prints a line for each breach; exit status 1 then.

function breach(text) { print "check: " text; bad = 1 }

# The house of a file: the longest name in the table that its path begins with.
function house_of(path,    name, best) {
    if (path in known)
        return known[path]
    for (name in floor)
        if ((path == name || index(path, name "/") == 1) && length(name) > length(best))
            best = name
    return known[path] = best
}

# Tests of units may use the houses in their own: theirs is the whole of it.
function tests_all_of(path, b) { return is_unit_test(path) && index(b, house_of(path) "/") == 1 }

# Tests of units stand in a folder tests/ of their house; conformance/tests is a house of its own.
function is_unit_test(path) {
    return substr(path, length(house_of(path)) + 1) ~ /^\/(.*\/)?tests\//
}

function names(list, name) { return index(" " list " ", " " name " ") > 0 }

# Does a house, or one that it stands in, never use b?
function never_uses(a, b,    name) {
    for (name in never)
        if ((a == name || index(a, name "/") == 1) && names(never[name], b))
            return 1
    return 0
}

# What speaks against house a using house b; "" when nothing does.
function against(a, b) {
    if (a == b)
        return ""
    if (never_uses(a, b))
        return a " never uses " b
    if (floor[b] > floor[a])
        return "that runs up from floor " floor[a] " to " floor[b]
    if (floor[b] == floor[a] && floor[a] < top && !names(beside[a], b))
        return "another house on the same floor"
    return ""
}

/^#/ || NF == 0 { next }

$1 == "house" {
    floor[$2] = $3
    if ($3 > top)
        top = $3
    for (i = 4; i <= NF; i++)
        if ($i == "beside" || $i == "never")
            word = $i
        else if (word == "beside")
            beside[$2] = beside[$2] " " $i
        else
            never[$2] = never[$2] " " $i
    next
}

$1 == "offer" {
    offered[$2] = 1
    for (i = 4; i <= NF; i++)
        to_whom[$2] = to_whom[$2] " " $i
    next
}

# The folder of a file in its house; "" for the house itself.
function folder_in(path, house) {
    path = substr(path, length(house) + 2)
    return path ~ /\// ? substr(path, 1, match(path, /\/[^\/]*$/) - 1) : ""
}

$1 == "apart" {
    apart[$2] = 1
    if (!($2 in floor))
        breach("cmake/houses.txt: apart " $2 ": no house above is called so")
    next
}

$1 == "file" && house_of($2) == "" { breach($2 " stands in no house of cmake/houses.txt") }

$1 == "include" {
    a = house_of($2)
    b = house_of($3)
    if (a == b) {
        from = folder_in($3, a)
        if (a in apart && from != "" && from != folder_in($2, a))
            breach($2 " includes " $3 ": what folders of " a " share stands in " a)
        next
    }
    used[$3] = 1
    if (tests_all_of($2, b))
        next
    if ((why = against(a, b)) != "")
        breach($2 " includes " $3 ": " why)
    else if (!($3 in offered))
        breach($2 " includes " $3 ": private to " b " (cmake/houses.txt does not offer it)")
    else if (to_whom[$3] != "" && !names(to_whom[$3], a))
        breach($2 " includes " $3 ": cmake/houses.txt does not offer it to " a)
    else if (is_unit_test($3) && !is_unit_test($2) && a != "fuzz")
        breach($2 " includes " $3 ": a header of tests")
    next
}

# symbol FROM NAME TO...: programs of tests define names of their own, so one fit definer is enough.
$1 == "symbol" {
    why = ""
    for (i = 4; i <= NF; i++) {
        if ((now = against(house_of($2), house_of($i))) == "" || tests_all_of($2, house_of($i)))
            next
        why = " of " $i ": " now
    }
    breach($2 " uses " $3 why)
}

END {
    for (header in offered)
        if (!used[header])
            breach("cmake/houses.txt offers " header ", which no other house includes")
    exit bad
}
