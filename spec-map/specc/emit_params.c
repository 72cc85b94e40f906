/* SPDX-License-Identifier: BSD-2-Clause */
/* Table 3-28: the configuration parameters of the PDS, checked and written as C. */
#include "spec-map/specc/model.h"

#include <limits.h>
#include <string.h>

/* An empty cell is 0: what is not public. */
static unsigned long number(const struct csv *c, size_t row, const char *column, bool *known)
{
    const char *text = csv_get(c, row, column);
    unsigned long value = 0;
    *known = *text != 0;
    if (*known && !model_number(text, ULONG_MAX, &value))
        csv_error(c, row, "%s: %s must be a number", csv_get(c, row, "name"), column);
    return value;
}

void check_params(const struct model *m)
{
    const struct csv *c = &m->params_csv;
    for (size_t i = 0; i < csv_rows(c); i++) {
        const char *name = csv_get(c, i, "name"), *optional = csv_get(c, i, "optional");
        bool has_low, has_high, has_standard;
        unsigned long low = number(c, i, "low", &has_low), high = number(c, i, "high", &has_high),
                      standard = number(c, i, "default", &has_standard);
        check_confidence(c, i, name);
        if (!*csv_get(c, i, "section") || !*csv_get(c, i, "unit"))
            csv_error(c, i, "%s needs a section and a unit", name);
        if (*optional && strcmp(optional, "yes") != 0)
            csv_error(c, i, "%s: optional is yes or nothing", name);
        if (has_low != has_high || low > high)
            csv_error(c, i, "%s: low and high go together, low <= high", name);
        if (has_low && has_standard && (standard < low || standard > high))
            csv_error(c, i, "%s: the default is out of range", name);
        for (size_t j = 0; j < i; j++)
            if (strcmp(csv_get(c, j, "name"), name) == 0)
                csv_error(c, i, "%s stands here twice, first on line %d", name, c->lines[j + 1]);
    }
}

void emit_params(const struct model *m, FILE *out)
{
    static const char *const cells[] = {"since", "section", "note"};
    const struct csv *c = &m->params_csv;
    fputs(banner, out);
    fputs("#include \"uet_spec.h\"\n\nconst struct uet_param uet_params[] = {\n", out);
    for (size_t i = 0; i < csv_rows(c); i++) {
        bool ranged, any, defaulted;
        unsigned long low = number(c, i, "low", &ranged), high = number(c, i, "high", &any),
                      standard = number(c, i, "default", &defaulted);
        fputs("    {", out);
        quoted(out, csv_get(c, i, "name"));
        fputs(", ", out);
        quoted(out, csv_get(c, i, "unit"));
        fprintf(out, ", %luu, %luu, %luu, %d, %d, %d, ", low, high, standard, ranged, defaulted,
                *csv_get(c, i, "optional") != 0);
        for (size_t j = 0; j < sizeof cells / sizeof *cells; j++) {
            quoted(out, csv_get(c, i, cells[j]));
            fputs(", ", out);
        }
        fprintf(out, "'%c'},\n", *csv_get(c, i, "confidence"));
    }
    fprintf(out, "};\nconst size_t uet_n_params = %zu;\n", csv_rows(c));
}
