/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * What several fields share or dispute: a display filter with one description that is true for all
 * of them (filters.csv), and bits that others read from another place (contested.csv).
 */
#include "spec-map/spec.h"
#include "spec-map/specc/model.h"

#include <string.h>

static int row_of(const struct csv *c, const char *filter)
{
    for (size_t i = 0; i < csv_rows(c); i++)
        if (strcmp(csv_get(c, i, "filter"), filter) == 0)
            return (int)i;
    return -1;
}

const char *filter_text(const struct model *m, const struct filter *x)
{
    int row = row_of(&m->filters_csv, x->abbrev);
    return row >= 0 ? csv_get(&m->filters_csv, (size_t)row, "description")
                    : m->fields[x->field].values;
}

/* A field that says something else than the first one of its filter needs what is true for both. */
static void check_shared(const struct model *m)
{
    for (size_t i = 0; i < m->n_fields; i++) {
        const struct field *f = &m->fields[i];
        if (f->filter_id < 0 || row_of(&m->filters_csv, f->filter) >= 0)
            continue;
        const struct field *first = &m->fields[m->filters[f->filter_id].field];
        if (strcmp(first->values, f->values) != 0)
            csv_error(
                &m->fields_csv, f->row,
                "%s means something else on line %d: filters.csv must say what is true for both",
                f->filter, m->fields_csv.lines[first->row + 1]);
    }
}

static void check_texts(const struct model *m)
{
    const struct csv *c = &m->filters_csv;
    for (size_t i = 0; i < csv_rows(c); i++) {
        const char *filter = csv_get(c, i, "filter");
        bool known = false;
        for (size_t j = 0; j < m->n_filters; j++)
            known |= strcmp(m->filters[j].abbrev, filter) == 0;
        if (!known)
            csv_error(c, i, "no field has the filter %s", filter);
        if (row_of(c, filter) != (int)i)
            csv_error(c, i, "%s stands here twice", filter);
        if (!*csv_get(c, i, "description"))
            csv_error(c, i, "%s has no description", filter);
    }
}

int contested_row(const struct model *m, const struct field *f)
{
    const struct csv *c = &m->contested_csv;
    for (size_t i = 0; i < csv_rows(c); i++)
        if (strcmp(csv_get(c, i, "header"), f->family) == 0 &&
            strcmp(csv_get(c, i, "field"), f->name) == 0)
            return (int)i;
    return -1;
}

/* The bits of the other reading must stand in a header, and be no field of their own there. */
static void check_contested(const struct model *m)
{
    const struct csv *c = &m->contested_csv;
    for (size_t i = 0; i < csv_rows(c); i++) {
        const char *header = csv_get(c, i, "header"), *name = csv_get(c, i, "field");
        int at = model_family_field(m, header, name), family = model_family(m, header);
        unsigned long bit = 0;
        if (at < 0 || family < 0) {
            csv_error(c, i, "%s has no field %s", header, name);
            continue;
        }
        const struct field *f = &m->fields[at];
        if (*f->confidence != 'C')
            csv_error(c, i, "%s.%s is not contested: its confidence is %s", header, name,
                      f->confidence);
        if (!model_number(csv_get(c, i, "bit_offset"), 2047, &bit) ||
            bit + f->width > m->headers[family].bytes * 8 || bit == f->offset)
            csv_error(c, i, "%s.%s: bit_offset must be another place in the header", header, name);
        if (!*csv_get(c, i, "readers"))
            csv_error(c, i, "%s.%s: readers must say who reads it there", header, name);
    }
}

void check_filters(const struct model *m)
{
    check_shared(m);
    check_texts(m);
    check_contested(m);
}

/* Has a section been named by a field of the filter before this one? */
static bool named_before(const struct model *m, int filter, size_t field)
{
    for (size_t i = 0; i < field; i++)
        if (m->fields[i].filter_id == filter &&
            strcmp(m->fields[i].section, m->fields[field].section) == 0)
            return true;
    return false;
}

void filter_blurb(const struct model *m, int filter, char *out, size_t size)
{
    const char *text = filter_text(m, &m->filters[filter]);
    size_t n = (size_t)snprintf(out, size, "%s", text);
    const char *before = *text ? "; section " : "section ";
    for (size_t i = 0; i < m->n_fields && n < size; i++) {
        const char *section = m->fields[i].section;
        if (m->fields[i].filter_id != filter || strcmp(section, "none published") == 0 ||
            named_before(m, filter, i))
            continue;
        n += (size_t)snprintf(out + n, size - n, "%s%s", before, section);
        before = ", ";
    }
}
