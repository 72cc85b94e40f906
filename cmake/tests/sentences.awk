# SPDX-License-Identifier: BSD-2-Clause
# sentences.awk MAX=N PAGE...: the sentences of Markdown pages with more than N words, as
# "PAGE: WORDS words: the first of them ...". Exit status 1 when there is one. Blocks of code and tables
# are no sentences; a word in backticks is one word.
function told(    n, i, m, parts, words, s) {
    gsub(/`[^`]*`/, "X", text)
    gsub(/\*\*/, "", text)
    n = split(text, parts, /[.!?:;]["')]*[ \t]+/)
    for (i = 1; i <= n; i++) {
        m = split(parts[i], words, /[ \t]+/)
        if (m > MAX) {
            print page ": " m " words: " substr(parts[i], 1, 70) " ..."
            bad = 1
        }
    }
    text = ""
}
FNR == 1 { told(); page = FILENAME; code = 0 }
/^```/ { told(); code = !code; next }
code || /^    / || /^[ \t]*\|/ || /^#/ || /^<!--/ { told(); next }
/^[ \t]*$/ { told(); next }
/^[ \t]*([*-]|[0-9]+\.) / { told(); sub(/^[ \t]*([*-]|[0-9]+\.) /, "") }
{ text = text (text == "" ? "" : " ") $0 }
END { told(); exit bad }
