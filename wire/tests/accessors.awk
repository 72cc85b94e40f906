# SPDX-License-Identifier: BSD-2-Clause
# Reads spec-map/fields.csv and writes a table of the generated accessors, so that the tests can
# call every one of them by the name of its field. No quoting occurs in the first eight columns.
# Fields of more than 64 bits are read and set as bytes.
BEGIN {
    FS = ","
    print "/* Made from fields.csv by accessors.awk; do not edit. */"
}
NR == 1 || $7 ~ /^(mac|ipv4|ipv6)$/ { next }
$6 > 64 {
    rows = rows sprintf("    {\"%s\", \"%s\", \"%s\", NULL, NULL, uet_%s, uet_%s_set},\n",
                        $1, $2, $8, $3, $3)
    next
}
{
    printf "static uint64_t get_%d(const uint8_t *h) { return (uint64_t)uet_%s(h); }\n", NR, $3
    printf "static void set_%d(uint8_t *h, uint64_t v) ", NR
    printf "{ uet_%s_set(h, (__typeof__(uet_%s(h)))v); }\n", $3, $3
    rows = rows sprintf("    {\"%s\", \"%s\", \"%s\", get_%d, set_%d, NULL, NULL},\n",
                        $1, $2, $8, NR, NR)
}
END { printf "static const struct accessor accessors[] = {\n%s};\n", rows }
