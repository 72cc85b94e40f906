# SPDX-License-Identifier: BSD-2-Clause
# Of the places that `uet_mutants list` names, those in code that only runs with a secure domain: the
# files of refimpl/tss/, functions elsewhere that do nothing else, and single lines that name what is
# of a domain.
BEGIN {
    FS = "\t"
    n = split("edge.c:parse_peeked edge.c:open_sealed edge.c:of_pdc edge.c:uet_edge_parse_opened " \
        "law.c:choose_security reply.c:uet_reply_start_clear pds/in/lookup.c:start_psn_ok " \
        "pds/in/nacked.c:uet_nacked_renumber pds/source.c:uet_source_restart pds/pdc.c:uet_pdc_raise_floor " \
        "pds/pdc.c:uet_start_psn_positive", whole, " ")
    for (i = 1; i <= n; i++)
        all["refimpl/" whole[i]]
}

# Lines of the file that name it; comments do not count.
function read_file(file,    line, at) {
    while ((getline line < file) > 0) {
        at++
        sub(/\/\*.*|^ \*.*|\/\/.*/, "", line)
        if (line ~ /uet_sd_|law[.]tss|tss_|[^_a-z]tss[^_a-z]|sealed|secured/)
            named[file, at]
    }
    close(file)
    known[file]
}

{
    split($1, part, ":")
    if (!(part[1] in known))
        read_file(part[1])
    if (part[1] ~ /^refimpl\/tss\// || (part[1] ":" part[2]) in all || (part[1], $2) in named)
        print
}
