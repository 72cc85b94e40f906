/* SPDX-License-Identifier: BSD-2-Clause */
/* Writing the generated C. The output is meant to be read. */
#include "spec-map/spec.h"
#include "spec-map/specc/model.h"

#include <ctype.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

const char banner[] = "/* Compiled by specc from spec-map/; do not edit. */\n";

const char *upper(const char *text)
{
    static char out[4][128];
    static int turn;
    char *o = out[turn = (turn + 1) % 4];
    size_t i = 0;
    for (; i < sizeof out[0] - 1 && text[i]; i++)
        o[i] = isalnum((unsigned char)text[i]) ? (char)toupper((unsigned char)text[i]) : '_';
    o[i] = '\0';
    return o;
}

void quoted(FILE *out, const char *text)
{
    fputc('"', out);
    for (; *text; text++) {
        if (*text == '"' || *text == '\\')
            fputc('\\', out);
        if (*text == '\n')
            fputs("\\n", out);
        else
            fputc(*text, out);
    }
    fputc('"', out);
}

static const char *c_type(const struct field *f)
{
    if (f->kind == UET_KIND_FLAG)
        return "bool";
    if (f->kind == UET_KIND_INT)
        return f->width <= 8 ? "int8_t" : f->width <= 16 ? "int16_t" : "int32_t";
    return f->width <= 8    ? "uint8_t"
           : f->width <= 16 ? "uint16_t"
           : f->width <= 32 ? "uint32_t"
                            : "uint64_t";
}

/* One getter and one setter: loads and shifts that a compiler turns into a few instructions. */
static void accessor(FILE *out, const struct field *f)
{
    unsigned byte = f->offset / 8, bits = (f->offset % 8 + f->width + 7) / 8 * 8;
    unsigned shift = bits - f->width - f->offset % 8;
    uint64_t mask = f->width >= 64 ? ~UINT64_C(0) : (UINT64_C(1) << f->width) - 1;
    if (f->width > 64) {
        fprintf(out,
                "static inline const uint8_t *uet_%s(const uint8_t *h)\n{\n    return h + %u;\n}\n",
                f->c_name, byte);
        fprintf(out,
                "static inline void uet_%s_set(uint8_t *h, const uint8_t *v)\n{\n"
                "    memcpy(h + %u, v, %u);\n}\n",
                f->c_name, byte, f->width / 8);
        return;
    }
    const char *type = c_type(f);
    fprintf(out, "static inline %s uet_%s(const uint8_t *h)\n{\n    return (%s)", type, f->c_name,
            type);
    if (bits == f->width)
        fprintf(out, "uet_rd%u(h + %u);\n}\n", bits, byte);
    else
        fprintf(out, "((uet_rd%u(h + %u) >> %u) & 0x%" PRIx64 "u);\n}\n", bits, byte, shift, mask);
    fprintf(out, "static inline void uet_%s_set(uint8_t *h, %s v)\n{\n", f->c_name, type);
    if (bits == f->width)
        fprintf(out, "    uet_wr%u(h + %u, (uint64_t)v);\n}\n", bits, byte);
    else
        fprintf(out,
                "    uet_wr%u(h + %u, (uet_rd%u(h + %u) & ~UINT64_C(0x%" PRIx64
                ")) | (((uint64_t)v & 0x%" PRIx64 "u) << %u));\n}\n",
                bits, byte, bits, byte, mask << shift, mask, shift);
}

/* One value, or a range of them, of the field behind `get`. */
static void comparison(FILE *out, const char *get, unsigned long low, unsigned long high)
{
    if (low == high)
        fprintf(out, "%s == %lu", get, low);
    else if (low == 0)
        fprintf(out, "%s <= %lu", get, high);
    else
        fprintf(out, "(%s >= %lu && %s <= %lu)", get, low, get, high);
}

/* A `when` cell as a C condition over the accessors of a family, applied to `h`. */
static void condition(FILE *out, const struct model *m, const char *family, const char *when,
                      const char *h)
{
    struct when_term t;
    bool bad = false, first = true;
    for (const char *p = when; when_next(&p, &t, &bad); first = false) {
        const struct field *f = &m->fields[model_family_field(m, family, t.field)];
        char get[128];
        bool several = strchr(t.values, '|');
        snprintf(get, sizeof get, "uet_%s(%s)", f->c_name, h);
        fprintf(out, "%s%s", first ? "" : " && ", several ? "(" : "");
        unsigned long low, high;
        bool one = true;
        for (const char *v = t.values; when_range(&v, &low, &high, &bad); one = false) {
            fputs(one ? "" : " || ", out);
            comparison(out, get, low, high);
        }
        fputs(several ? ")" : "", out);
    }
}

/*
 * The part of a `when` that still has to hold after that of the header before it did not: without
 * its last term when the two differ in one bit only, `som=1` and `som=0`.
 */
static void still_open(const struct model *m, const struct header *before, const struct header *h,
                       char *out, size_t size)
{
    size_t n = strlen(h->when), term = n;
    struct when_term t;
    bool bad = false;
    snprintf(out, size, "%s", h->when);
    if (!before || strlen(before->when) != n || n == 0 || n >= size ||
        strncmp(before->when, h->when, n - 1) != 0)
        return;
    while (term > 0 && h->when[term - 1] != '&')
        term--;
    const char *last = h->when + term;
    if (!when_next(&last, &t, &bad) ||
        m->fields[model_family_field(m, h->family, t.field)].width != 1)
        return;
    out[term ? term - 1 : 0] = '\0';
}

/*
 * The headers that a `to` cell lists, as returns: the first whose `when` holds. True when one has
 * none, so that something is returned whatever comes.
 */
static bool choose(FILE *out, const struct model *m, const char *to, const char *indent)
{
    const struct header *before = NULL;
    bool open = true;
    for (const char *p = to; *p && open;) {
        char name[64], when[256];
        size_t n = strcspn(p, "|");
        snprintf(name, sizeof name, "%.*s", (int)n, p);
        p += n + (p[n] == '|');
        const struct header *h = &m->headers[model_header(m, name)];
        still_open(m, before, h, when, sizeof when);
        before = h;
        open = *when;
        fputs(indent, out);
        if (open) {
            fputs("if (", out);
            condition(out, m, h->family, when, "next");
            fprintf(out, ")\n%s    ", indent);
        }
        fprintf(out, "return UET_H_%s;\n", upper(name));
    }
    return !open;
}

/*
 * The kinds of edges: what follows a header, what stands inside one in the place of a field, and
 * what single implementations send, which is never taken unless asked for.
 */
enum edge { EDGE_NEXT, EDGE_INSIDE, EDGE_VARIANT, N_EDGES };

static enum edge edge_of(const struct model *m, size_t row)
{
    char to[64];
    const char *cell = csv_get(&m->next_csv, row, "to");
    snprintf(to, sizeof to, "%.*s", (int)strcspn(cell, "|"), cell);
    if (*m->headers[model_header(m, to)].implementation)
        return EDGE_VARIANT;
    return *csv_get(&m->next_csv, row, "inside") ? EDGE_INSIDE : EDGE_NEXT;
}

static bool same_edges(const struct model *m, size_t a, size_t b)
{
    const struct csv *c = &m->next_csv;
    return edge_of(m, a) == edge_of(m, b) &&
           strcmp(csv_get(c, a, "from"), csv_get(c, b, "from")) == 0;
}

static void next_function(FILE *out, const struct model *m, size_t row)
{
    static const char *const names[N_EDGES] = {"next", "inside", "variant"};
    static const char *const says[N_EDGES] = {"What follows %s", "What stands inside %s",
                                              "What a single implementation sends after %s"};
    const struct csv *c = &m->next_csv;
    const char *from = csv_get(c, row, "from"), *family = model_from(m, from);
    enum edge edge = edge_of(m, row);
    fputs("\n/* ", out);
    fprintf(out, says[edge], from);
    fprintf(out,
            "; two bytes of it must be there. */\n"
            "static inline enum uet_header_id uet_%s_%s(const uint8_t *h, const uint8_t *next)\n"
            "{\n    (void)h;\n    (void)next;\n",
            names[edge], from);
    bool always = false;
    for (size_t j = row; j < csv_rows(c) && !always; j++) {
        const char *when = csv_get(c, j, "when");
        if (!same_edges(m, row, j))
            continue;
        if (!*when) {
            always = choose(out, m, csv_get(c, j, "to"), "    ");
            continue;
        }
        fputs("    if (", out);
        condition(out, m, family, when, "h");
        fputs(") {\n", out);
        choose(out, m, csv_get(c, j, "to"), "        ");
        fputs("    }\n", out);
    }
    fputs(always ? "}\n" : "    return UET_H_NONE;\n}\n", out);
}

/* uet_next_X, uet_inside_X, uet_variant_X: the parse graph. */
static void next_functions(FILE *out, const struct model *m)
{
    for (size_t i = 0; i < csv_rows(&m->next_csv); i++) {
        bool first = true;
        for (size_t j = 0; j < i; j++)
            first &= !same_edges(m, i, j);
        if (first)
            next_function(out, m, i);
    }
}

/* uet_in_FAMILY: the forms of a family are neighbours (check_family_together). */
static void family_predicates(FILE *out, const struct model *m)
{
    for (size_t i = 0, last; i < m->n_headers; i = last + 1) {
        const char *family = m->headers[i].family;
        for (last = i; last + 1 < m->n_headers && strcmp(m->headers[last + 1].family, family) == 0;)
            last++;
        fprintf(out,
                "\nstatic inline bool uet_in_%s(unsigned id)\n{\n"
                "    return id >= UET_H_%s && id <= UET_H_%s;\n}\n",
                family, upper(m->headers[i].name), upper(m->headers[last].name));
    }
}

static void enum_constants(FILE *out, const struct model *m)
{
    const struct csv *c = &m->enums_csv;
    fputs("\nenum uet_enum_id {\n", out);
    for (size_t i = 0; i < m->n_enums; i++)
        fprintf(out, "    UET_ENUM_%s,\n", upper(m->enums[i]));
    fputs("};\n", out);
    for (size_t e = 0; e < m->n_enums; e++) {
        bool own = strncmp(m->enums[e], "uet_", 4) == 0, empty = true; /* ranges have no constant */
        for (size_t i = 0; i < csv_rows(c); i++)
            empty &= strcmp(csv_get(c, i, "enum"), m->enums[e]) != 0 || !*csv_get(c, i, "c_name");
        if (empty)
            continue;
        fprintf(out, "\nenum uet_%s {\n", m->enums[e] + (own ? 4 : 0));
        for (size_t i = 0; i < csv_rows(c); i++)
            if (strcmp(csv_get(c, i, "enum"), m->enums[e]) == 0 && *csv_get(c, i, "c_name"))
                fprintf(out, "    %s = %s,\n", csv_get(c, i, "c_name"), csv_get(c, i, "low"));
        fputs("};\n", out);
    }
}

static void check_names(FILE *out, const struct model *m)
{
    const struct csv *c = &m->checks_csv;
    fputs("\n/* What a request must stand, in order. */\nenum uet_check_id {\n", out);
    for (size_t i = 0; i < csv_rows(c); i++)
        fprintf(out, "    UET_CHECK_%s,\n", upper(csv_get(c, i, "check")));
    fputs("    UET_N_CHECKS,\n};\n", out);
}

static void feature_names(const struct model *m, FILE *out)
{
    const struct csv *c = &m->profiles_csv;
    fputs("\n/* Rows of uet_profiles. */\nenum uet_profile_feature {\n", out);
    for (size_t i = 0; i < csv_rows(c); i++)
        fprintf(out, "    UET_FEATURE_%s,\n", upper(csv_get(c, i, "name")));
    fputs("};\n", out);
}

void emit_header(const struct model *m, FILE *out)
{
    fputs(banner, out);
    fputs("#ifndef UET_SPEC_GENERATED_H\n#define UET_SPEC_GENERATED_H\n\n"
          "#include \"spec-map/bits.h\"\n#include \"spec-map/spec.h\"\n\n"
          "enum uet_header_id {\n    UET_H_NONE, /* no header */\n",
          out);
    for (size_t i = 0; i < m->n_headers; i++)
        fprintf(out, "    UET_H_%s,\n", upper(m->headers[i].name));
    fputs("    UET_H_COUNT\n};\n\n", out);
    for (size_t i = 0; i < m->n_headers; i++)
        fprintf(out, "#define UET_%s_BYTES %u\n", upper(m->headers[i].name), m->headers[i].bytes);
    enum_constants(out, m);
    check_names(out, m);
    feature_names(m, out);
    fputs("\nenum uet_filter_id {\n", out);
    for (size_t i = 0; i < m->n_filters; i++)
        fprintf(out, "    UET_F_%s,\n",
                upper(m->filters[i].abbrev + strcspn(m->filters[i].abbrev, ".") + 1));
    fputs("};\n", out);
    for (size_t i = 0; i < m->n_fields; i++) {
        const struct field *f = &m->fields[i];
        fprintf(out, "\n/* %s.%s, section %s */\n", f->family, f->name, f->section);
        accessor(out, f);
    }
    fputs("\n/* Is the header one of a family? */", out);
    family_predicates(out, m);
    next_functions(out, m);
    fputs("\n#endif\n", out);
}

static void emit_enumerations(const struct model *m, FILE *out)
{
    const struct csv *c = &m->enums_csv;
    for (size_t e = 0; e < m->n_enums; e++) {
        fprintf(out, "\nstatic const struct uet_enumerator %s[] = {\n", m->enums[e]);
        for (size_t i = 0; i < csv_rows(c); i++) {
            if (strcmp(csv_get(c, i, "enum"), m->enums[e]) != 0)
                continue;
            fputs("    {", out);
            quoted(out, csv_get(c, i, "name"));
            fprintf(out, ", %s, %s, ", csv_get(c, i, "low"), csv_get(c, i, "high"));
            quoted(out, csv_get(c, i, "meaning"));
            fprintf(out, ", \"%s\", \"%s\", ", csv_get(c, i, "since"), csv_get(c, i, "until"));
            quoted(out, csv_get(c, i, "implementation"));
            fputs("},\n", out);
        }
        fputs("};\n", out);
    }
    fputs("\nconst struct uet_enumeration uet_enumerations[] = {\n", out);
    for (size_t e = 0; e < m->n_enums; e++)
        fprintf(out, "    {\"%s\", %s, sizeof %s / sizeof *%s},\n", m->enums[e], m->enums[e],
                m->enums[e], m->enums[e]);
    fprintf(out, "};\nconst size_t uet_n_enumerations = %zu;\n", m->n_enums);
}

static const char *const kinds[] = {"UINT", "INT",   "PSN", "FLAG", "RESERVED",
                                    "ENUM", "BYTES", "MAC", "IPV4", "IPV6"};

static void emit_fields(const struct model *m, FILE *out)
{
    fputs("\nstatic const struct uet_field fields[] = {\n", out);
    for (size_t i = 0; i < m->n_fields; i++) {
        const struct field *f = &m->fields[i];
        fprintf(out, "    /* %zu: %s */\n    {\"%s\", ", i, f->family, f->name);
        if (f->filter_id < 0)
            fputs("UET_NO_FILTER", out);
        else
            fprintf(out, "%d", f->filter_id);
        fprintf(out, ", %u, %u, UET_KIND_%s, %d, '%c', ", f->offset, f->width, kinds[f->kind],
                f->enumeration < 0 ? 0 : f->enumeration, *f->confidence);
        quoted(out, f->values);
        fputs(", ", out);
        quoted(out, f->section);
        fputs(", ", out);
        quoted(out, f->note);
        fprintf(out, ", \"%s\", \"%s\", ", f->since, f->until);
        int contested = contested_row(m, f);
        const struct csv *c = &m->contested_csv;
        fprintf(out, "%s, ", contested < 0 ? "0" : csv_get(c, (size_t)contested, "bit_offset"));
        quoted(out, contested < 0 ? "" : csv_get(c, (size_t)contested, "readers"));
        fputs("},\n", out);
    }
    fputs("};\n", out);
}

static void emit_headers(const struct model *m, FILE *out)
{
    for (size_t i = 0; i < m->n_headers; i++) {
        const struct header *h = &m->headers[i];
        fprintf(out, "\nstatic const struct uet_field *const %s[] = {", h->name);
        for (size_t j = 0; j < h->n_fields; j++)
            fprintf(out, "%s&fields[%d],", j % 6 ? " " : "\n    ", h->fields[j]);
        fputs("\n};\n", out);
    }
    fputs("\n/* By enum uet_header_id. */\nconst struct uet_header uet_headers[] = {\n"
          "    {\"none\", \"none\", \"no header\", \"\", 0, 0, 0, NULL, \"\", \"\", \"\", \"\", "
          "'A'},\n",
          out);
    for (size_t i = 0; i < m->n_headers; i++) {
        const struct header *h = &m->headers[i];
        fprintf(out, "    {\"%s\", \"%s\", ", h->name, h->family);
        quoted(out, h->title);
        fprintf(out, ", \"%s\", UET_LAYER_%s, %u, %zu, %s, \"%s\", \"%s\", ", h->section,
                upper(h->layer), h->bytes, h->n_fields, h->name, h->since, h->until);
        quoted(out, h->implementation);
        fputs(", ", out);
        quoted(out, h->note);
        fprintf(out, ", '%c'},\n", *h->confidence);
    }
    fprintf(out, "};\nconst size_t uet_n_headers = %zu;\n", m->n_headers + 1);
    fputs("\nconst uint8_t uet_header_bytes[] = {0", out);
    for (size_t i = 0; i < m->n_headers; i++)
        fprintf(out, ",%s%u", (i + 1) % 20 ? " " : "\n    ", m->headers[i].bytes);
    fputs("};\n", out);
}

static void emit_filters(const struct model *m, FILE *out)
{
    fputs("\nconst struct uet_filter uet_filters[] = {\n", out);
    for (size_t i = 0; i < m->n_filters; i++) {
        const struct filter *x = &m->filters[i];
        const struct field *f = &m->fields[x->field];
        const char *name = strrchr(x->abbrev, '.');
        char blurb[1024];
        filter_blurb(m, (int)i, blurb, sizeof blurb);
        fprintf(out, "    {\"%s\", \"%s\", ", x->abbrev, name ? name + 1 : x->abbrev);
        quoted(out, blurb);
        fprintf(out, ", UET_KIND_%s, %d, %u},\n", kinds[f->kind],
                f->enumeration < 0 ? 0 : f->enumeration, x->width);
    }
    fprintf(out, "};\nconst size_t uet_n_filters = %zu;\n", m->n_filters);
}

static void emit_nack(const struct model *m, FILE *out)
{
    const struct csv *c = &m->nack_csv, *e = &m->enums_csv;
    fputs("\nconst struct uet_nack_info uet_nack_table[256] = {\n", out);
    for (size_t i = 0; i < csv_rows(c); i++) {
        const char *code = csv_get(c, i, "code"), *z = csv_get(c, i, "spdcid_zero"), *c_name = "";
        for (size_t j = 0; j < csv_rows(e); j++)
            if (strcmp(csv_get(e, j, "enum"), "pds_nack_code") == 0 &&
                strcmp(csv_get(e, j, "name"), code) == 0)
                c_name = csv_get(e, j, "c_name");
        if (!*c_name)
            csv_error(c, i, "unknown NACK code %s", code);
        fprintf(out, "    [%s] = {UET_CLASS_%s, UET_ACTION_%s, UET_SPDCID_%s},\n", c_name,
                csv_get(c, i, "class"), csv_get(c, i, "action"),
                strcmp(z, "always") == 0      ? "ZERO"
                : strcmp(z, "if_no_pdc") == 0 ? "ZERO_IF_NO_PDC"
                : strcmp(z, "either") == 0    ? "ANY"
                                              : "OWN");
    }
    fputs("};\n", out);
}

void emit_tables(const struct model *m, FILE *out)
{
    fputs(banner, out);
    fputs("#include \"uet_spec.h\"\n", out);
    emit_enumerations(m, out);
    emit_fields(m, out);
    emit_headers(m, out);
    emit_filters(m, out);
    emit_nack(m, out);
    if (csv_errors())
        exit(2);
}

static const char *reading(const struct model *m, const char *id, const char *column)
{
    const struct csv *r = &m->readings_csv;
    for (size_t i = 0; i < csv_rows(r); i++)
        if (strcmp(csv_get(r, i, "requirement"), id) == 0)
            return csv_get(r, i, column);
    return "";
}

static const char *covered(const struct model *m, const char *id, const char *how)
{
    const struct csv *r = &m->covered_csv;
    for (size_t i = 0; i < csv_rows(r); i++)
        if (strcmp(csv_get(r, i, "requirement"), id) == 0 && strcmp(csv_get(r, i, "how"), how) == 0)
            return csv_get(r, i, "what");
    return "";
}

static void emit_requirement(const struct model *m, FILE *out, size_t row)
{
    static const char *const cells[] = {"role",     "profile", "section",     "since",
                                        "until",    "spec",    "requirement", "observable",
                                        "stimulus", "expected"};
    const struct csv *c = &m->requirements_csv;
    const char *id = csv_get(c, row, "id");
    fprintf(out, "    {\"%s\", \"%s\", \"%.*s\", UET_%s", id, csv_get(c, row, "same_as"),
            (int)strcspn(id, "-"), id, upper(csv_get(c, row, "level")));
    for (size_t i = 0; i < sizeof cells / sizeof *cells; i++) {
        fputs(",\n     ", out);
        quoted(out, csv_get(c, row, cells[i]));
    }
    fprintf(out, ", '%c',\n     ", *csv_get(c, row, "confidence"));
    quoted(out, csv_get(c, row, "sources"));
    fputs(", ", out);
    quoted(out, reading(m, id, "reading"));
    fputs(", ", out);
    quoted(out, reading(m, id, "other_reading"));
    fputs(", ", out);
    quoted(out, covered(m, id, "elsewhere"));
    fputs(", ", out);
    quoted(out, covered(m, id, "deferred"));
    fputs(", ", out);
    quoted(out, covered(m, id, "freedom"));
    fputs("},\n", out);
}

static void emit_table_numbers(const struct model *m, FILE *out)
{
    static const char *const cells[] = {"section", "topic", "v1_0_1", "v1_0_2", "v1_0_3"};
    const struct csv *c = &m->tables_csv;
    fputs("\nconst struct uet_table_number uet_table_numbers[] = {\n", out);
    for (size_t i = 0; i < csv_rows(c); i++) {
        fputs("    {", out);
        for (size_t j = 0; j < sizeof cells / sizeof *cells; j++) {
            quoted(out, csv_get(c, i, cells[j]));
            fputs(", ", out);
        }
        fprintf(out, "'%c'},\n", *csv_get(c, i, "confidence"));
    }
    fprintf(out, "};\nconst size_t uet_n_table_numbers = %zu;\n", csv_rows(c));
}

static void emit_profiles(const struct model *m, FILE *out)
{
    const struct csv *c = &m->profiles_csv;
    fputs("\nconst char *const uet_profile_names[] = {", out);
    for (size_t p = 0; p < MODEL_PROFILES; p++)
        fprintf(out, "\"%s\", ", model_profiles[p]);
    fputs("\"all\", NULL};\n\nconst struct uet_profile_row uet_profiles[] = {\n", out);
    for (size_t i = 0; i < csv_rows(c); i++) {
        fprintf(out, "    {\"%s\", ", csv_get(c, i, "name"));
        quoted(out, csv_get(c, i, "feature"));
        fputs(", ", out);
        quoted(out, csv_get(c, i, "area"));
        fputs(", {", out);
        for (size_t p = 0; p < MODEL_PROFILES; p++)
            fprintf(out, "'%c', ", *csv_get(c, i, model_profiles[p]));
        fputs("'O'}, ", out); /* of no profile: all is free */
        quoted(out, csv_get(c, i, "spec"));
        fprintf(out, ", '%c', ", *csv_get(c, i, "confidence"));
        quoted(out, csv_get(c, i, "notes"));
        fputs("},\n", out);
    }
    fprintf(out, "};\nconst size_t uet_n_profiles = %zu;\n", csv_rows(c));
}

void emit_requirements(const struct model *m, FILE *out)
{
    const struct csv *s = &m->sections_csv;
    fputs(banner, out);
    fputs("#include \"spec-map/spec.h\"\n\nconst struct uet_requirement uet_requirements[] = {\n",
          out);
    for (size_t i = 0; i < csv_rows(&m->requirements_csv); i++)
        emit_requirement(m, out, i);
    fprintf(out, "};\nconst size_t uet_n_requirements = %zu;\n", csv_rows(&m->requirements_csv));

    fputs("\nconst struct uet_section uet_sections[] = {\n", out);
    for (size_t i = 0; i < csv_rows(s); i++) {
        fprintf(out, "    {\"%s\", ", csv_get(s, i, "section"));
        quoted(out, csv_get(s, i, "title"));
        fprintf(out, ", \"%s\", \"%s\", ", csv_get(s, i, "version"), csv_get(s, i, "layer"));
        quoted(out, csv_get(s, i, "tables_figures"));
        fputs("},\n", out);
    }
    fprintf(out, "};\nconst size_t uet_n_sections = %zu;\n", csv_rows(s));

    emit_profiles(m, out);
    emit_table_numbers(m, out);
}

/* A libFuzzer dictionary: the code points as bytes, and the first bytes of each PDS type. */
void emit_dictionary(const struct model *m, FILE *out)
{
    const struct csv *c = &m->enums_csv;
    fputs("# Compiled by specc from spec-map/; do not edit.\n", out);
    for (size_t i = 0; i < csv_rows(c); i++) {
        unsigned long low = strtoul(csv_get(c, i, "low"), NULL, 0);
        const char *e = csv_get(c, i, "enum");
        if (strcmp(e, "pds_type") == 0)
            fprintf(out, "pds_type_%s=\"\\x%02lx\\x%02lx\"\n", csv_get(c, i, "name"),
                    (low << 3 | 1) & 0xff, 0x80ul);
        else if (low < 256)
            fprintf(out, "%s_%s=\"\\x%02lx\"\n", e, upper(csv_get(c, i, "name")), low);
        else if (low < 65536)
            fprintf(out, "%s_%s=\"\\x%02lx\\x%02lx\"\n", e, upper(csv_get(c, i, "name")), low >> 8,
                    low & 0xff);
    }
}
