/* SPDX-License-Identifier: BSD-2-Clause */
/* Refusing what cannot be a specification, once everything is read. */
#include "spec-map/specc/model.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

bool when_next(const char **when, struct when_term *term, bool *bad)
{
    const char *p = *when;
    size_t n = strcspn(p, "="), v;
    if (!*p)
        return false;
    *bad = n == 0 || p[n] != '=' || n >= sizeof term->field;
    if (*bad)
        return false;
    snprintf(term->field, sizeof term->field, "%.*s", (int)n, p);
    p += n + 1;
    v = strcspn(p, "&");
    *bad = v == 0 || v >= sizeof term->values;
    snprintf(term->values, sizeof term->values, "%.*s", (int)v, p);
    p += v;
    *when = p + (*p == '&');
    return !*bad;
}

bool when_range(const char **values, unsigned long *low, unsigned long *high, bool *bad)
{
    const char *p = *values;
    char *end;
    if (!*p)
        return false;
    *low = *high = strtoul(p, &end, 0);
    *bad = end == p;
    if (strncmp(end, "..", 2) == 0) {
        p = end + 2;
        *high = strtoul(p, &end, 0);
        *bad |= end == p;
    }
    *bad |= (*end && *end != '|') || *low > *high;
    *values = end + (*end == '|');
    return !*bad;
}

/* Every term of a `when` cell must name a field of the family and values that fit it. */
static void check_when(const struct model *m, const struct csv *c, size_t row, const char *family,
                       const char *when)
{
    struct when_term t;
    bool bad = false;
    for (const char *p = when; when_next(&p, &t, &bad);) {
        int f = model_family_field(m, family, t.field);
        if (f < 0)
            csv_error(c, row, "%s has no field %s", family, t.field);
        unsigned long low, high;
        for (const char *v = t.values; when_range(&v, &low, &high, &bad);)
            if (f >= 0 && m->fields[f].width < 32 && high >> m->fields[f].width)
                csv_error(c, row, "%s=%lu does not fit the %u bits of the field", t.field, high,
                          m->fields[f].width);
        if (bad)
            break;
    }
    if (bad)
        csv_error(c, row, "%s: must read field=value, field=low..high or field=a|b", when);
}

static void check_graph(const struct model *m)
{
    for (size_t i = 0; i < m->n_headers; i++)
        check_when(m, &m->headers_csv, m->headers[i].row, m->headers[i].family, m->headers[i].when);
    const struct csv *c = &m->next_csv;
    for (size_t i = 0; i < csv_rows(c); i++) {
        const char *from = csv_get(c, i, "from");
        const char *family = model_from(m, from), *inside = csv_get(c, i, "inside");
        if (!family)
            csv_error(c, i, "unknown header %s", from);
        else
            check_when(m, c, i, family, csv_get(c, i, "when"));
        if (family && *inside && model_family_field(m, family, inside) < 0)
            csv_error(c, i, "%s has no field %s", family, inside);
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

void check_section(const struct model *m, const struct csv *c, size_t row, const char *what)
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

static bool is_may(const struct csv *requirements, const char *id)
{
    int row = find_row(requirements, "id", id, strlen(id));
    return row < 0 || strcmp(csv_get(requirements, (size_t)row, "level"), "MAY") == 0;
}

/* Where no violator can be: the test elsewhere, why there is none yet, or that nothing is asked. */
static void check_covered(const struct model *m)
{
    const struct csv *c = &m->requirements_csv, *r = &m->covered_csv;
    for (size_t i = 0; i < csv_rows(r); i++) {
        const char *id = csv_get(r, i, "requirement"), *how = csv_get(r, i, "how");
        if (find_row(c, "id", id, strlen(id)) < 0)
            csv_error(r, i, "unknown requirement %s", id);
        if (find_row(r, "requirement", id, strlen(id)) != (int)i)
            csv_error(r, i, "%s stands here twice", id);
        if (strcmp(how, "elsewhere") != 0 && strcmp(how, "deferred") != 0 &&
            strcmp(how, "freedom") != 0)
            csv_error(r, i, "%s: how must be elsewhere, deferred or freedom", id);
        if (strcmp(how, "freedom") == 0 && !is_may(c, id))
            csv_error(r, i, "%s: only a MAY is a freedom", id);
        if (!*csv_get(r, i, "what"))
            csv_error(r, i, "%s: what must name the test, or the reason", id);
    }
}

/*
 * Robustness (ROB) is no text of the standard, and looks like none: in no profile, of no
 * confidence, never a MUST; its source is uetkit.
 */
static void check_own(const struct csv *c, size_t i, const char *id)
{
    bool own = strncmp(id, "ROB-", 4) == 0;
    if (own != (strcmp(csv_get(c, i, "confidence"), "-") == 0))
        csv_error(c, i, "%s: confidence must be %s", id, own ? "-" : "A, B or C");
    if (own != (strcmp(csv_get(c, i, "profile"), "none") == 0))
        csv_error(c, i, "%s: profile none is that of robustness (ROB), and of nothing else", id);
    if (own && strncmp(csv_get(c, i, "level"), "SHOULD", 6) != 0)
        csv_error(c, i, "%s: robustness is SHOULD or SHOULD NOT", id);
    if (own != (strncmp(csv_get(c, i, "sources"), "uetkit. Reason: ", 16) == 0))
        csv_error(c, i, "%s: sources \"uetkit. Reason: \" are those of robustness (ROB)", id);
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
        if (strlen(confidence) != 1 || !strchr("ABC-", *confidence))
            csv_error(c, i, "%s: confidence must be A, B or C", id);
        check_own(c, i, id);
        if (find_row(c, "id", id, strlen(id)) != (int)i)
            csv_error(c, i, "%s stands here twice", id);
        check_section(m, c, i, id);
        check_aliases(c, i);
    }
    check_readings(m);
    check_covered(m);
}

/* "write-immediate" */
static bool is_name(const char *name)
{
    bool good = islower((unsigned char)*name);
    for (; *name; name++)
        good &= islower((unsigned char)*name) || isdigit((unsigned char)*name) || *name == '-';
    return good;
}

static void check_profiles(const struct model *m)
{
    const struct csv *c = &m->profiles_csv;
    for (size_t i = 0; i < csv_rows(c); i++) {
        const char *name = csv_get(c, i, "name");
        if (!is_name(name))
            csv_error(c, i, "'%s': a name is lower case letters, digits and -", name);
        for (size_t j = 0; j < i; j++)
            if (strcmp(csv_get(c, j, "name"), name) == 0)
                csv_error(c, i, "%s stands here twice, first on line %d", name, c->lines[j + 1]);
        for (size_t p = 0; p < MODEL_PROFILES; p++) {
            const char *duty = csv_get(c, i, model_profiles[p]);
            if (strlen(duty) != 1 || !strchr("MON", *duty))
                csv_error(c, i, "%s: %s must be M, O or N", name, model_profiles[p]);
        }
    }
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

/* The width of the run that the rows of a block from `row` on cover, each where the last ended. */
static unsigned long tiled(const struct csv *c, size_t row)
{
    unsigned long at = 0, offset = 0, width = 0;
    const char *block = csv_get(c, row, "block");
    for (; row < csv_rows(c) && strcmp(csv_get(c, row, "block"), block) == 0; row++) {
        if (!model_number(csv_get(c, row, "bit_offset"), 2047, &offset) ||
            !model_number(csv_get(c, row, "width"), 2047, &width)) {
            csv_error(c, row, "%s: bit_offset and width must be numbers", block);
            return at;
        }
        if (offset == 0 && width == at) /* one that goes over all of it, as a mask does */
            continue;
        if (offset != at)
            csv_error(c, row, "%s: %s begins at bit %lu, the one before it ends at %lu", block,
                      csv_get(c, row, "field"), offset, at);
        at = offset + width;
    }
    return at;
}

/* A row that names a header must stand where that header has its field. */
static void check_block_header(const struct model *m, size_t row)
{
    const struct csv *c = &m->blocks_csv;
    const char *name = csv_get(c, row, "header"), *field = csv_get(c, row, "header_field");
    int h = model_header(m, name);
    if (h < 0) {
        csv_error(c, row, "unknown header %s", name);
        return;
    }
    for (size_t i = 0; i < m->headers[h].n_fields; i++) {
        const struct field *f = &m->fields[m->headers[h].fields[i]];
        unsigned long offset = 0, width = 0;
        if (strcmp(f->name, field) != 0)
            continue;
        if (!model_number(csv_get(c, row, "bit_offset"), 2047, &offset) ||
            !model_number(csv_get(c, row, "width"), 2047, &width) || offset != f->offset ||
            width != f->width)
            csv_error(c, row, "%s.%s stands at bit %u, %u wide", name, field, f->offset, f->width);
        return;
    }
    csv_error(c, row, "%s has no field %s", name, field);
}

static void check_blocks(const struct model *m)
{
    const struct csv *c = &m->blocks_csv;
    for (size_t i = 0; i < csv_rows(c); i++) {
        const char *block = csv_get(c, i, "block");
        bool first = i == 0 || strcmp(csv_get(c, i - 1, "block"), block) != 0;
        check_confidence(c, i, block);
        if (!*csv_get(c, i, "section"))
            csv_error(c, i, "%s has no section", block);
        if (first && find_row(c, "block", block, strlen(block)) != (int)i)
            csv_error(c, i, "%s: its rows must stand together", block);
        if (*csv_get(c, i, "header"))
            check_block_header(m, i);
        else if (first)
            tiled(c, i);
    }
}

/* A name stands once in its table. */
static void check_terms(const struct model *m)
{
    const struct csv *c = &m->terms_csv;
    for (size_t i = 0; i < csv_rows(c); i++) {
        check_confidence(c, i, csv_get(c, i, "name"));
        if (!*csv_get(c, i, "section"))
            csv_error(c, i, "%s has no section", csv_get(c, i, "name"));
        for (size_t j = 0; j < i; j++)
            if (same_cell(c, i, j, "table") && same_cell(c, i, j, "name"))
                csv_error(c, i, "%s stands here twice, first on line %d", csv_get(c, i, "name"),
                          c->lines[j + 1]);
    }
}

void check_specification(const struct model *m)
{
    check_graph(m);
    check_requirements(m);
    check_profiles(m);
    check_tables(m);
    check_blocks(m);
    check_terms(m);
}
