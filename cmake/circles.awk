# SPDX-License-Identifier: BSD-2-Clause
# circles.awk: no files of a folder need each other in a circle. Reads cmake/houses.txt, then the
# edges of tree.awk, of which it takes:
#   symbol FROM NAME TO... a source file, a name that its object uses, the files that define it
# Prints for each circle how many files are in it, and one way round; exit status 1 then. A row
# `circles FOLDER N` of cmake/houses.txt grants a folder and those in it N files in circles: what
# there was when this was first looked at. Tests of units, and what is generated, stand aside.

function breach(text) { print "check: " text; bad = 1 }

function aside(path) { return path !~ /\.c$/ || path ~ /(^|\/)tests\/[^\/]*$/ }

# The folder whose row grants circles to this file, or its first folder.
function folder_of(path,    name, best) {
    for (name in granted)
        if (index(path, name "/") == 1 && length(name) > length(best))
            best = name
    return best != "" ? best : substr(path, 1, index(path, "/") - 1)
}

# Tarjan's strongly connected components.
function visit(v,    i, n, next_ones, w) {
    place[v] = low[v] = ++places
    stack[++depth] = v
    on_stack[v] = 1
    n = split(uses[v], next_ones, " ")
    for (i = 1; i <= n; i++) {
        w = next_ones[i]
        if (!(w in place)) {
            visit(w)
            if (low[w] < low[v])
                low[v] = low[w]
        } else if (on_stack[w] && place[w] < low[v]) {
            low[v] = place[w]
        }
    }
    if (low[v] == place[v])
        do {
            w = stack[depth--]
            on_stack[w] = 0
            component[w] = v
            size[v]++
        } while (w != v)
}

# The shortest way from v back to v, with a name that is used at each step.
function way_round(v,    queue, head, tail, seen, i, n, next_ones, w, text) {
    queue[head = tail = 1] = v
    while (head <= tail) {
        n = split(uses[queue[head]], next_ones, " ")
        for (i = 1; i <= n; i++) {
            w = next_ones[i]
            if (component[w] != component[v] || (w in seen))
                continue
            seen[w] = queue[head]
            if (w == v)
                break
            queue[++tail] = w
        }
        if (v in seen)
            break
        head++
    }
    w = v
    do {
        text = " -> " name_of[seen[w], w] " of " w text
        w = seen[w]
    } while (w != v)
    return v text
}

# The file that alone defines the name; "" when each program has its own, as main is.
function definer(    i) {
    for (i = 5; i <= NF; i++)
        if ($i != $4)
            return ""
    return $4
}

/^#/ || NF == 0 { next }

$1 == "circles" { granted[$2] = $3; next }

# A source may be built more than once, and then stands there more than once.
$1 == "symbol" {
    to = definer()
    if (to == "" || to == $2 || aside($2) || aside(to) || ($2, to) in name_of)
        next
    name_of[$2, to] = $3
    uses[$2] = uses[$2] " " to
    if (!($2 in known)) {
        known[$2] = 1
        files[++n_files] = $2
    }
}

END {
    for (f = 1; f <= n_files; f++)
        if (!(files[f] in place))
            visit(files[f])
    for (v in component)
        if (size[component[v]] > 1) {
            folder = folder_of(v)
            n_in[folder]++
            if (!(folder in first) || v < first[folder])
                first[folder] = v
        }
    for (folder in n_in)
        if (n_in[folder] > granted[folder] + 0)
            breach(n_in[folder] " files of " folder " need each other in circles" \
                   (granted[folder] ? ", more than the " granted[folder] " of old" : "") \
                   ": " way_round(first[folder]))
    for (folder in granted)
        if (!(folder in n_in))
            breach("cmake/houses.txt grants circles to " folder ", which has none")
    exit bad
}
