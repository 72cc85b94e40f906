# SPDX-License-Identifier: BSD-2-Clause
# seams.awk FILE... FILE...: in how many functions of the reference FEP a fault, a variant or a version
# enters, where else only the rule stands. The files are named twice: words are collected first. It
# leans on the layout that clang-format keeps: a function's braces stand in the first column.
#
# These words are a seam, wherever a function uses one:
#   the names below;
#   a macro whose text has such a word;
#   a plain member (no table, no function) of a struct *_law: a choice kept under another name;
#   what a header of refimpl/faults/ declares (its sources are not counted themselves);
#   a function that asks for nothing but such words, so that hiding one behind a name is no way out.
# -v list=1 prints the functions, too.

BEGIN {
    kind["UET_VIOLATES"] = kind["UET_BENT"] = kind["violated"] = kind["bent_seen"] = "fault"
    kind["choices"] = kind["uet_fep_choices"] = "variant"
    # What is worked out of a choice or of the version, and kept under another name, belongs here.
    kind["UET_SPEC_1_0_1"] = kind["UET_SPEC_1_0_2"] = kind["UET_SPEC_1_0_3"] = "version"
    split("if for while switch return sizeof defined", c_words, " ")
    for (i in c_words)
        no_name[c_words[i]] = 1
}

FNR == 1 {
    if (FILENAME in begun)
        counting = 1
    begun[FILENAME] = 1
    faults = FILENAME ~ /refimpl\/faults\//
    in_comment = in_body = in_macro = in_law = 0
    head = ""
}

# Comments and texts say nothing.
{
    gsub(/\\./, "")
    gsub(/"[^"]*"/, "\"\"")
    line = ""
    while ($0 != "") {
        if (in_comment) {
            if (!(i = index($0, "*/")))
                break
            in_comment = 0
            $0 = " " substr($0, i + 2)
        } else if ((i = index($0, "/*")) > 0) {
            line = line substr($0, 1, i - 1)
            $0 = substr($0, i + 2)
            in_comment = 1
        } else {
            line = line $0
            break
        }
    }
    sub(/\/\/.*/, "", line)
    continued = line ~ /\\$/
}

function name_of(text,    n, part) { # of the function that this head declares: the word before the first (
    sub(/[ \t]*\(.*/, "", text)
    n = split(text, part, /[ \t*]+/)
    return part[n]
}

function kind_of(text,    n, word, i) { # the first seam's kind among the words of a text
    n = split(text, word, /[^A-Za-z0-9_]+/)
    for (i = 1; i <= n; i++)
        if (word[i] in kind && !(i > 1 && word[i - 1] == "struct" && word[i] in by_name))
            return kind[word[i]]
    return ""
}

# Nothing but seams: what is left of a single return when they, their arguments and operators go.
function is_only_seam(text,    was) {
    if (gsub(/;/, ";", text) != 1 || !sub(/^[ \t\n{]*return /, "", text))
        return 0
    sub(/;[ \t\n}]*$/, "", text)
    do {
        was = text
        if (match(text, /[A-Za-z0-9_.>-]+(\([^()]*\))?/) && kind_of(substr(text, RSTART, RLENGTH)) != "")
            text = substr(text, 1, RSTART - 1) substr(text, RSTART + RLENGTH)
    } while (text != was)
    gsub(/[!&|<>=() \t\n0]|UET_[A-Z0-9_]*|true|false/, "", text)
    return text == ""
}

function body_ends(    k, name) {
    name = name_of(head)
    if (faults && FILENAME ~ /\.h$/)
        kind[name] = "fault"
    k = faults ? "" : kind_of(body)
    if (counting && !faults) {
        n++
        if (k != "") {
            with++
            of[k]++
            folder = FILENAME
            sub(/[^\/]*$/, "", folder)
            where[folder]++
            if (list)
                print FILENAME ": " name " (" k ")"
        }
        folder = FILENAME
        sub(/[^\/]*$/, "", folder)
        all[folder]++
    } else if (k != "" && is_only_seam(body)) {
        kind[name] = k
        by_name[name] = 1 # a function: a struct of that name is something else
    }
}

line ~ /^#[ \t]*define / || in_macro {
    if (!in_macro) {
        macro = line
        sub(/^#[ \t]*define[ \t]+/, "", macro)
        sub(/[^A-Za-z0-9_].*/, "", macro)
        sub(/^#[ \t]*define[ \t]+[A-Za-z0-9_]+/, "", line)
    }
    if (!faults && !(macro in kind) && kind_of(line) != "")
        kind[macro] = kind_of(line)
    in_macro = continued
    next
}
line ~ /^#/ { next }

line ~ /^struct [a-z_]+_law \{/ { in_law = 1; next }
in_law && line ~ /^}/ { in_law = 0 }
in_law && line ~ /^ +(bool|u?int[0-9]+_t|unsigned|int|size_t) [a-z0-9_]+;/ {
    member = line
    sub(/;.*/, "", member)
    sub(/.* /, "", member)
    kind[member] = "variant"
}

in_body {
    body = body line "\n"
    if (line ~ /^}/) {
        body_ends()
        in_body = 0
        head = ""
    }
    next
}
line ~ /^\{/ && head ~ /\(/ && head !~ /=/ { in_body = 1; body = ""; next }
line ~ /^[A-Za-z_].*\{/ && line !~ /\)[ \t]*\{/ { head = "" ; next } # a struct, a table
line ~ /^[A-Za-z_]/ && head == "" { head = line; started = FNR }
line ~ /^[ \t]/ && head != "" { head = head line }
line ~ /[;}]$/ {
    if (faults && FILENAME ~ /\.h$/ && head ~ /\(/ && !(name_of(head) in no_name))
        kind[name_of(head)] = "fault"
    head = ""
}

END {
    for (f in all)
        printf "  %-24s %3d of %3d\n", f, where[f], all[f] | "LC_ALL=C sort"
    close("LC_ALL=C sort")
    printf "seams: %d of %d functions of refimpl/: a fault in %d, a variant in %d, a version in %d" \
        " (each function counts once)\n", with, n, of["fault"], of["variant"], of["version"]
}
