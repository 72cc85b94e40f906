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

int model_family(const struct model *m, const char *family)
{
    for (size_t i = 0; i < m->n_headers; i++)
        if (strcmp(m->headers[i].family, family) == 0)
            return (int)i;
    return -1;
}

const char *model_from(const struct model *m, const char *from)
{
    int h = model_header(m, from);
    if (h >= 0)
        return m->headers[h].family;
    return model_family(m, from) >= 0 ? from : NULL;
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

bool model_number(const char *text, unsigned long max, unsigned long *out)
{
    char *end;
    *out = strtoul(text, &end, 0);
    return *text && *end == '\0' && *out <= max;
}

/* Versions are those of version-deltas: a row may hold from one on, or up to one. */
static void check_versions(const struct csv *c, size_t row, const char *what)
{
    static const char *const columns[] = {"since", "until"};
    for (size_t i = 0; i < 2; i++) {
        const char *v = csv_get(c, row, columns[i]);
        if (*v && strcmp(v, "1.0.1") != 0 && strcmp(v, "1.0.2") != 0 && strcmp(v, "1.0.3") != 0)
            csv_error(c, row, "%s: %s must be 1.0.1, 1.0.2 or 1.0.3", what, columns[i]);
    }
}

void check_confidence(const struct csv *c, size_t row, const char *what)
{
    const char *confidence = csv_get(c, row, "confidence");
    if (strlen(confidence) != 1 || !strchr("ABC", *confidence))
        csv_error(c, row, "%s: confidence must be A, B or C", what);
}

static void read_enums(struct model *m)
{
    struct csv *c = &m->enums_csv;
    for (size_t i = 0; i < csv_rows(c); i++) {
        const char *e = csv_get(c, i, "enum");
        if (model_enum(m, e) < 0 && m->n_enums < MAX_ENUMS)
            m->enums[m->n_enums++] = e;
        unsigned long low = 0, high = 0;
        if (!model_number(csv_get(c, i, "low"), UINT32_MAX, &low) ||
            !model_number(csv_get(c, i, "high"), UINT32_MAX, &high) || low > high)
            csv_error(c, i, "%s: low and high must be numbers, low <= high", csv_get(c, i, "name"));
        check_versions(c, i, csv_get(c, i, "name"));
        check_confidence(c, i, csv_get(c, i, "name"));
        for (size_t j = 0; j < i; j++) {
            const char *n = csv_get(c, i, "c_name");
            if (*n && strcmp(n, csv_get(c, j, "c_name")) == 0)
                csv_error(c, i, "%s is named twice, first on line %d", n, c->lines[j + 1]);
            unsigned long l2, h2;
            if (strcmp(csv_get(c, j, "enum"), e) == 0 &&
                model_number(csv_get(c, j, "low"), UINT32_MAX, &l2) &&
                model_number(csv_get(c, j, "high"), UINT32_MAX, &h2) && l2 <= high && low <= h2)
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

/* Each value of an enumeration must fit the fields that hold it. */
static void check_enum_fits(const struct model *m, const struct field *f)
{
    const struct csv *c = &m->enums_csv;
    for (size_t i = 0; f->enumeration >= 0 && f->width < 32 && i < csv_rows(c); i++) {
        unsigned long high = 0;
        if (strcmp(csv_get(c, i, "enum"), m->enums[f->enumeration]) == 0 &&
            model_number(csv_get(c, i, "high"), UINT32_MAX, &high) && high >> f->width)
            csv_error(c, i, "%s does not fit the %u bits of %s.%s", csv_get(c, i, "name"), f->width,
                      f->family, f->name);
    }
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
                            .since = csv_get(c, i, "since"),
                            .until = csv_get(c, i, "until"),
                            .section = csv_get(c, i, "section"),
                            .confidence = csv_get(c, i, "confidence"),
                            .note = csv_get(c, i, "note")};
        if (!model_number(csv_get(c, i, "bit_offset"), 2047, &offset) ||
            !model_number(csv_get(c, i, "width"), 128, &width) || width == 0)
            csv_error(c, i, "%s: bit_offset and width must be numbers", f->name);
        if ((width > 64 && (offset % 8 || width % 8)) || offset % 8 + width % 8 > 64)
            csv_error(c, i, "%s: wider than 64 bits and not on whole bytes", f->name);
        f->offset = (unsigned)offset;
        f->width = (unsigned)width;
        f->kind = read_kind(m, i, csv_get(c, i, "kind"), &f->enumeration);
        f->filter_id = read_filter(m, (int)i);
        if (!*f->section)
            csv_error(c, i, "%s has no section", f->name);
        check_confidence(c, i, f->name);
        check_versions(c, i, f->name);
        check_enum_fits(m, f);
        for (size_t j = 0; j < i && *f->c_name; j++)
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

/* A field is found by its name: no form of a header may have a name twice. */
static void check_field_names(struct model *m, const struct header *h)
{
    for (size_t i = 0; i < h->n_fields; i++)
        for (size_t j = 0; j < i; j++) {
            const struct field *f = &m->fields[h->fields[i]], *g = &m->fields[h->fields[j]];
            if (strcmp(f->name, g->name) == 0)
                csv_error(&m->fields_csv, f->row, "%s has two fields %s, the first on line %d",
                          h->name, f->name, m->fields_csv.lines[g->row + 1]);
        }
}

/* The predicates uet_in_FAMILY() compare with the first and the last: nothing may stand between. */
static void check_family_together(const struct model *m, size_t i)
{
    const struct header *h = &m->headers[i];
    int first = model_family(m, h->family);
    if ((size_t)first != i && strcmp(m->headers[i - 1].family, h->family) != 0)
        csv_error(&m->headers_csv, h->row, "%s stands apart from its family %s on line %d", h->name,
                  h->family, m->headers_csv.lines[m->headers[first].row + 1]);
}

/* Every word of a `variants` cell must be a form of the family. */
static void check_variants(const struct model *m, const struct field *f)
{
    for (const char *p = f->variants; *p;) {
        char name[64];
        size_t n = strcspn(p, "|");
        snprintf(name, sizeof name, "%.*s", (int)n, p);
        int h = model_header(m, name);
        if (h < 0 || strcmp(m->headers[h].family, f->family) != 0)
            csv_error(&m->fields_csv, f->row, "%s: %s is no form of %s", f->name, name, f->family);
        p += n + (p[n] == '|');
    }
}

static void read_headers(struct model *m)
{
    static const char *const layers[] = {"link", "net", "pds", "ses", "tss"};
    struct csv *c = &m->headers_csv;
    for (size_t i = 0; i < csv_rows(c) && m->n_headers < MAX_HEADERS; i++) {
        unsigned long bytes;
        if (!model_number(csv_get(c, i, "bytes"), 255, &bytes))
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
                             .since = csv_get(c, i, "since"),
                             .until = csv_get(c, i, "until"),
                             .implementation = csv_get(c, i, "implementation"),
                             .note = csv_get(c, i, "note"),
                             .confidence = csv_get(c, i, "confidence"),
                             .bytes = (unsigned)bytes};
        bool layer = false;
        for (size_t j = 0; j < sizeof layers / sizeof *layers; j++)
            layer |= strcmp(h->layer, layers[j]) == 0;
        if (!layer)
            csv_error(c, i, "%s: unknown layer %s", h->name, h->layer);
        check_versions(c, i, h->name);
        check_confidence(c, i, h->name);
        check_family_together(m, m->n_headers - 1);
        for (size_t j = 0; j < m->n_fields && h->n_fields < MAX_PER; j++) {
            const struct field *f = &m->fields[j];
            if (strcmp(f->family, h->family) == 0 &&
                (!*f->variants || list_has(f->variants, h->name)))
                h->fields[h->n_fields++] = (int)j;
        }
        check_tiling(m, h);
        check_field_names(m, h);
    }
    for (size_t j = 0; j < m->n_fields; j++) {
        const struct field *f = &m->fields[j];
        bool used = false;
        for (size_t i = 0; i < m->n_headers; i++)
            used |= strcmp(m->headers[i].family, f->family) == 0;
        if (!used)
            csv_error(&m->fields_csv, f->row, "no header of family %s", f->family);
        check_variants(m, f);
    }
}

const char *const model_profiles[MODEL_PROFILES] = {"AI-Base", "AI-Full", "HPC"};

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
    csv_read(&m->covered_csv, dir, "covered.csv");
    csv_read(&m->tables_csv, dir, "tables.csv");
    csv_read(&m->blocks_csv, dir, "blocks.csv");
    csv_read(&m->terms_csv, dir, "terms.csv");
    csv_read(&m->params_csv, dir, "params.csv");
    csv_read(&m->transitions_csv, dir, "transitions.csv");
    csv_read(&m->filters_csv, dir, "filters.csv");
    csv_read(&m->contested_csv, dir, "contested.csv");
    csv_read(&m->checks_csv, dir, "checks.csv");
    read_enums(m);
    read_fields(m);
    read_headers(m);
}
