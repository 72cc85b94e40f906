/* SPDX-License-Identifier: BSD-2-Clause */
/* Reading the CSV files, and refusing what cannot be a specification. */
#include "spec-map/specc/model.h"
#include "spec-map/spec.h"

#include <stdlib.h>
#include <string.h>

bool list_has(const char *list, const char *word)
{
    size_t n = strlen(word);
    for (const char *p = list; *p;) {
        size_t part = strcspn(p, "|");
        if (part == n && memcmp(p, word, n) == 0)
            return true;
        p += part + (p[part] == '|');
    }
    return false;
}

int model_header(const struct model *m, const char *name)
{
    for (size_t i = 0; i < m->n_headers; i++)
        if (strcmp(m->headers[i].name, name) == 0)
            return (int)i;
    return -1;
}

int model_enum(const struct model *m, const char *name)
{
    for (size_t i = 0; i < m->n_enums; i++)
        if (strcmp(m->enums[i], name) == 0)
            return (int)i;
    return -1;
}

int model_family_field(const struct model *m, const char *family, const char *name)
{
    for (size_t i = 0; i < m->n_fields; i++)
        if (strcmp(m->fields[i].family, family) == 0 && strcmp(m->fields[i].name, name) == 0)
            return (int)i;
    return -1;
}

static bool number(const char *text, unsigned long max, unsigned long *out)
{
    char *end;
    *out = strtoul(text, &end, 0);
    return *text && *end == '\0' && *out <= max;
}

static void read_enums(struct model *m)
{
    struct csv *c = &m->enums_csv;
    for (size_t i = 0; i < csv_rows(c); i++) {
        const char *e = csv_get(c, i, "enum");
        if (model_enum(m, e) < 0 && m->n_enums < MAX_ENUMS)
            m->enums[m->n_enums++] = e;
        unsigned long low = 0, high = 0;
        if (!number(csv_get(c, i, "low"), UINT32_MAX, &low) ||
            !number(csv_get(c, i, "high"), UINT32_MAX, &high) || low > high)
            csv_error(c, i, "%s: low and high must be numbers, low <= high", csv_get(c, i, "name"));
        for (size_t j = 0; j < i; j++) {
            const char *n = csv_get(c, i, "c_name");
            if (*n && strcmp(n, csv_get(c, j, "c_name")) == 0)
                csv_error(c, i, "%s is named twice, first on line %d", n, c->lines[j + 1]);
            unsigned long l2, h2;
            if (strcmp(csv_get(c, j, "enum"), e) == 0 &&
                number(csv_get(c, j, "low"), UINT32_MAX, &l2) &&
                number(csv_get(c, j, "high"), UINT32_MAX, &h2) && l2 <= high && low <= h2)
                csv_error(c, i, "%s: value taken by line %d", csv_get(c, i, "name"),
                          c->lines[j + 1]);
        }
    }
}

static int read_kind(struct model *m, size_t row, const char *kind, int *enumeration)
{
    static const char *const names[] = {"uint", "int",   "psn", "flag", "reserved",
                                        "enum", "bytes", "mac", "ipv4", "ipv6"};
    *enumeration = -1;
    if (strncmp(kind, "enum:", 5) == 0) {
        *enumeration = model_enum(m, kind + 5);
        if (*enumeration < 0)
            csv_error(&m->fields_csv, row, "unknown enumeration %s", kind + 5);
        return UET_KIND_ENUM;
    }
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        if (strcmp(kind, names[i]) == 0)
            return (int)i;
    csv_error(&m->fields_csv, row, "unknown kind %s", kind);
    return UET_KIND_UINT;
}

static int read_filter(struct model *m, int field)
{
    const struct field *f = &m->fields[field];
    if (!*f->filter)
        return -1;
    for (size_t i = 0; i < m->n_filters; i++)
        if (strcmp(m->filters[i].abbrev, f->filter) == 0) {
            const struct field *first = &m->fields[m->filters[i].field];
            if (first->kind != f->kind || first->enumeration != f->enumeration)
                csv_error(&m->fields_csv, f->row, "%s has another kind on line %d", f->filter,
                          m->fields_csv.lines[first->row + 1]);
            if (f->width > m->filters[i].width)
                m->filters[i].width = f->width;
            return (int)i;
        }
    m->filters[m->n_filters] = (struct filter){f->filter, field, f->width};
    return (int)m->n_filters++;
}

static void read_fields(struct model *m)
{
    struct csv *c = &m->fields_csv;
    for (size_t i = 0; i < csv_rows(c) && m->n_fields < MAX_FIELDS; i++) {
        struct field *f = &m->fields[m->n_fields++];
        unsigned long offset = 0, width = 0;
        *f = (struct field){.row = i,
                            .family = csv_get(c, i, "header"),
                            .name = csv_get(c, i, "field"),
                            .c_name = csv_get(c, i, "c_name"),
                            .filter = csv_get(c, i, "filter"),
                            .variants = csv_get(c, i, "variants"),
                            .values = csv_get(c, i, "values"),
                            .section = csv_get(c, i, "section"),
                            .confidence = csv_get(c, i, "confidence"),
                            .note = csv_get(c, i, "note")};
        if (!number(csv_get(c, i, "bit_offset"), 2047, &offset) ||
            !number(csv_get(c, i, "width"), 128, &width) || width == 0)
            csv_error(c, i, "%s: bit_offset and width must be numbers", f->name);
        f->offset = (unsigned)offset;
        f->width = (unsigned)width;
        f->kind = read_kind(m, i, csv_get(c, i, "kind"), &f->enumeration);
        f->filter_id = read_filter(m, (int)i);
        if (!*f->section)
            csv_error(c, i, "%s has no section", f->name);
        if (!strchr("ABC", *f->confidence) || !*f->confidence)
            csv_error(c, i, "%s: confidence must be A, B or C", f->name);
        for (size_t j = 0; j < i; j++)
            if (strcmp(m->fields[j].c_name, f->c_name) == 0)
                csv_error(c, i, "%s is named twice, first on line %d", f->c_name, c->lines[j + 1]);
    }
}

/* A header's fields must cover it bit by bit, in wire order, once. */
static void check_tiling(struct model *m, const struct header *h)
{
    unsigned at = 0;
    for (size_t i = 0; i < h->n_fields; i++) {
        const struct field *f = &m->fields[h->fields[i]];
        if (f->offset > at)
            csv_error(&m->fields_csv, f->row, "%s: bits %u to %u stand in no field", h->name, at,
                      f->offset - 1);
        if (f->offset < at)
            csv_error(&m->fields_csv, f->row, "%s.%s overlaps the field before it", h->name,
                      f->name);
        at = f->offset + f->width;
    }
    if (at != h->bytes * 8)
        csv_error(&m->headers_csv, h->row, "%s: fields end at bit %u, the header at %u", h->name,
                  at, h->bytes * 8);
}

static void read_headers(struct model *m)
{
    struct csv *c = &m->headers_csv;
    for (size_t i = 0; i < csv_rows(c) && m->n_headers < MAX_HEADERS; i++) {
        unsigned long bytes;
        if (!number(csv_get(c, i, "bytes"), 255, &bytes))
            csv_error(c, i, "bytes must be a number up to 255");
        if (model_header(m, csv_get(c, i, "header")) >= 0)
            csv_error(c, i, "%s stands here twice", csv_get(c, i, "header"));
        struct header *h = &m->headers[m->n_headers++];
        *h = (struct header){.row = i,
                             .name = csv_get(c, i, "header"),
                             .family = csv_get(c, i, "family"),
                             .layer = csv_get(c, i, "layer"),
                             .when = csv_get(c, i, "when"),
                             .title = csv_get(c, i, "title"),
                             .section = csv_get(c, i, "section"),
                             .bytes = (unsigned)bytes};
        for (size_t j = 0; j < m->n_fields && h->n_fields < MAX_PER; j++) {
            const struct field *f = &m->fields[j];
            if (strcmp(f->family, h->family) == 0 &&
                (!*f->variants || list_has(f->variants, h->name)))
                h->fields[h->n_fields++] = (int)j;
        }
        check_tiling(m, h);
    }
    for (size_t j = 0; j < m->n_fields; j++) {
        const struct field *f = &m->fields[j];
        bool used = false;
        for (size_t i = 0; i < m->n_headers; i++)
            used |= strcmp(m->headers[i].family, f->family) == 0;
        if (!used)
            csv_error(&m->fields_csv, f->row, "no header of family %s", f->family);
    }
}

/* Every `field=value` of a `when` cell must name a field of the family. */
static void check_when(const struct model *m, const struct csv *c, size_t row, const char *family,
                       const char *when)
{
    for (const char *p = when; *p;) {
        char name[64];
        size_t n = strcspn(p, "=");
        if (n == 0 || n >= sizeof name || p[n] != '=') {
            csv_error(c, row, "%s: must read field=value", when);
            return;
        }
        memcpy(name, p, n);
        name[n] = '\0';
        if (model_family_field(m, family, name) < 0)
            csv_error(c, row, "%s has no field %s", family, name);
        p += strcspn(p, "&");
        p += *p == '&';
    }
}

static void check_graph(const struct model *m)
{
    for (size_t i = 0; i < m->n_headers; i++)
        check_when(m, &m->headers_csv, m->headers[i].row, m->headers[i].family, m->headers[i].when);
    const struct csv *c = &m->next_csv;
    for (size_t i = 0; i < csv_rows(c); i++) {
        const char *from = csv_get(c, i, "from");
        int h = model_header(m, from);
        if (h < 0)
            csv_error(c, i, "unknown header %s", from);
        else
            check_when(m, c, i, m->headers[h].family, csv_get(c, i, "when"));
        for (const char *p = csv_get(c, i, "to"); *p;) {
            char name[64];
            size_t n = strcspn(p, "|");
            snprintf(name, sizeof name, "%.*s", (int)n, p);
            if (model_header(m, name) < 0)
                csv_error(c, i, "unknown header %s", name);
            p += n + (p[n] == '|');
        }
    }
}

/* The row whose cell in column is the n bytes at text; -1 when there is none. */
static int find_row(const struct csv *c, const char *column, const char *text, size_t n)
{
    for (size_t i = 0; i < csv_rows(c); i++) {
        const char *cell = csv_get(c, i, column);
        if (strlen(cell) == n && memcmp(cell, text, n) == 0)
            return (int)i;
    }
    return -1;
}

static void check_section(const struct model *m, const struct csv *c, size_t row, const char *what)
{
    const char *section = csv_get(c, row, "section");
    if (!*section)
        csv_error(c, row, "%s has no section", what);
    else if (find_row(&m->sections_csv, "section", section, strlen(section)) < 0)
        csv_error(c, row, "%s: section %s is not in sections.csv", what, section);
}

static bool same_cell(const struct csv *c, size_t a, size_t b, const char *column)
{
    return strcmp(csv_get(c, a, column), csv_get(c, b, column)) == 0;
}

/*
 * What a requirement is the same as must exist, hold for the same versions, and end: following
 * the first alias must never come back.
 */
static void check_aliases(const struct csv *c, size_t row)
{
    const char *id = csv_get(c, row, "id");
    for (const char *p = csv_get(c, row, "same_as"); *p;) {
        size_t n = strcspn(p, "|");
        int other = find_row(c, "id", p, n);
        if (other < 0)
            csv_error(c, row, "%s: same as %.*s, which does not exist", id, (int)n, p);
        else if (!same_cell(c, row, (size_t)other, "since") ||
                 !same_cell(c, row, (size_t)other, "until"))
            csv_error(c, row, "%s: same as %.*s, which holds for other versions", id, (int)n, p);
        p += n + (p[n] == '|');
    }
    int at = (int)row;
    for (size_t steps = 0; at >= 0; steps++) {
        const char *up = csv_get(c, (size_t)at, "same_as");
        if (!*up)
            return;
        if (steps > csv_rows(c)) {
            csv_error(c, row, "%s: same as itself, by a circle of aliases", id);
            return;
        }
        at = find_row(c, "id", up, strcspn(up, "|"));
    }
}

/* A contested requirement must say which reading is taken, and what the other one is. */
static void check_readings(const struct model *m)
{
    const struct csv *c = &m->requirements_csv, *r = &m->readings_csv;
    for (size_t i = 0; i < csv_rows(c); i++) {
        const char *id = csv_get(c, i, "id");
        if (strcmp(csv_get(c, i, "confidence"), "C") == 0 &&
            find_row(r, "requirement", id, strlen(id)) < 0)
            csv_error(c, i, "%s has confidence C and no reading in readings.csv", id);
    }
    for (size_t i = 0; i < csv_rows(r); i++) {
        const char *id = csv_get(r, i, "requirement");
        if (find_row(c, "id", id, strlen(id)) < 0)
            csv_error(r, i, "unknown requirement %s", id);
        if (find_row(r, "requirement", id, strlen(id)) != (int)i)
            csv_error(r, i, "%s stands here twice", id);
        if (!*csv_get(r, i, "reading") || !*csv_get(r, i, "other_reading"))
            csv_error(r, i, "%s: both readings must be given", id);
    }
}

static void check_requirements(const struct model *m)
{
    static const char *const levels[] = {"MUST", "MUST NOT", "SHOULD", "SHOULD NOT", "MAY"};
    const struct csv *c = &m->requirements_csv;
    for (size_t i = 0; i < csv_rows(c); i++) {
        const char *id = csv_get(c, i, "id"), *confidence = csv_get(c, i, "confidence");
        bool level = false;
        for (size_t j = 0; j < sizeof levels / sizeof *levels; j++)
            level |= strcmp(csv_get(c, i, "level"), levels[j]) == 0;
        if (!level)
            csv_error(c, i, "%s: unknown level %s", id, csv_get(c, i, "level"));
        if (strlen(confidence) != 1 || !strchr("ABC", *confidence))
            csv_error(c, i, "%s: confidence must be A, B or C", id);
        if (find_row(c, "id", id, strlen(id)) != (int)i)
            csv_error(c, i, "%s stands here twice", id);
        check_section(m, c, i, id);
        check_aliases(c, i);
    }
    check_readings(m);
}

/* One number names one table of a version. */
static void check_tables(const struct model *m)
{
    static const char *const versions[] = {"v1_0_1", "v1_0_2", "v1_0_3"};
    const struct csv *c = &m->tables_csv;
    for (size_t i = 0; i < csv_rows(c); i++) {
        check_section(m, c, i, csv_get(c, i, "topic"));
        for (size_t v = 0; v < sizeof versions / sizeof *versions; v++) {
            const char *table = csv_get(c, i, versions[v]);
            int first = find_row(c, versions[v], table, strlen(table));
            if (*table && first != (int)i)
                csv_error(c, i, "table %s of %s stands here twice, first on line %d", table,
                          versions[v], c->lines[first + 1]);
        }
    }
}

void model_read(struct model *m, const char *dir)
{
    csv_read(&m->enums_csv, dir, "enums.csv");
    csv_read(&m->fields_csv, dir, "fields.csv");
    csv_read(&m->headers_csv, dir, "headers.csv");
    csv_read(&m->next_csv, dir, "next.csv");
    csv_read(&m->nack_csv, dir, "nack.csv");
    csv_read(&m->requirements_csv, dir, "requirements.csv");
    csv_read(&m->sections_csv, dir, "sections.csv");
    csv_read(&m->profiles_csv, dir, "profiles.csv");
    csv_read(&m->readings_csv, dir, "readings.csv");
    csv_read(&m->tables_csv, dir, "tables.csv");
    read_enums(m);
    read_fields(m);
    read_headers(m);
    check_graph(m);
    check_requirements(m);
    check_tables(m);
}
