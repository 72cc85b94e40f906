/* SPDX-License-Identifier: BSD-2-Clause */
/* The checks of a request in their order (checks.csv), checked and written as C. */
#include "spec-map/specc/model.h"

#include <stdbool.h>
#include <string.h>

/* The C name of a code of the layer's enumeration, n bytes at code; NULL when it has none. */
static const char *code_name(const struct model *m, size_t row, const char *code, size_t n)
{
    const struct csv *c = &m->checks_csv, *e = &m->enums_csv;
    bool pds = strcmp(csv_get(c, row, "layer"), "PDS") == 0;
    for (size_t i = 0; i < csv_rows(e); i++) {
        const char *name = csv_get(e, i, "name");
        if (strcmp(csv_get(e, i, "enum"), pds ? "pds_nack_code" : "ses_return_code") == 0 &&
            strlen(name) == n && memcmp(name, code, n) == 0)
            return csv_get(e, i, "c_name");
    }
    return NULL;
}

static void check_codes(const struct model *m, size_t row, const char *column)
{
    const struct csv *c = &m->checks_csv;
    size_t n;
    for (const char *at = csv_get(c, row, column); *at; at += n + (at[n] == '|')) {
        n = strcspn(at, "|");
        if (!code_name(m, row, at, n))
            csv_error(c, row, "unknown code %.*s", (int)n, at);
    }
}

static bool has_requirement(const struct model *m, const char *id)
{
    const struct csv *r = &m->requirements_csv;
    for (size_t i = 0; i < csv_rows(r); i++)
        if (strcmp(csv_get(r, i, "id"), id) == 0)
            return true;
    return false;
}

void check_checks(const struct model *m)
{
    const struct csv *c = &m->checks_csv;
    bool ses = false;
    for (size_t i = 0; i < csv_rows(c); i++) {
        const char *name = csv_get(c, i, "check"), *layer = csv_get(c, i, "layer");
        const char *order = csv_get(c, i, "order");
        bool is_ses = strcmp(layer, "SES") == 0;
        if (!is_ses && strcmp(layer, "PDS") != 0)
            csv_error(c, i, "%s: layer is PDS or SES", name);
        if (ses && !is_ses)
            csv_error(c, i, "%s: the checks of the PDS come before those of SES", name);
        ses |= is_ses;
        if (!*csv_get(c, i, "code") || !*csv_get(c, i, "what"))
            csv_error(c, i, "%s has no code, or does not say what is wrong", name);
        check_codes(m, i, "code");
        check_codes(m, i, "others");
        if (!has_requirement(m, csv_get(c, i, "requirement")))
            csv_error(c, i, "unknown requirement %s", csv_get(c, i, "requirement"));
        if (strlen(order) != 1 || !strchr("ABC", *order))
            csv_error(c, i, "%s: order must be A, B or C", name);
        check_section(m, c, i, name);
        for (size_t j = 0; j < i; j++)
            if (strcmp(csv_get(c, j, "check"), name) == 0)
                csv_error(c, i, "%s stands here twice, first on line %d", name, c->lines[j + 1]);
    }
}

void emit_checks(const struct model *m, FILE *out)
{
    const struct csv *c = &m->checks_csv;
    fputs(banner, out);
    fputs("#include \"uet_spec.h\"\n\nconst struct uet_request_check uet_request_checks[] = {\n",
          out);
    for (size_t i = 0; i < csv_rows(c); i++) {
        const char *code = csv_get(c, i, "code");
        size_t n;
        fprintf(out, "    {\"%s\", \"%s\", %d, %s, {", csv_get(c, i, "check"),
                csv_get(c, i, "requirement"), strcmp(csv_get(c, i, "layer"), "PDS") == 0,
                code_name(m, i, code, strlen(code)));
        for (const char *at = csv_get(c, i, "others"); *at; at += n + (at[n] == '|')) {
            n = strcspn(at, "|");
            fprintf(out, "%s, ", code_name(m, i, at, n));
        }
        fprintf(out, "0}, '%c', ", *csv_get(c, i, "order"));
        quoted(out, csv_get(c, i, "what"));
        fputs("},\n", out);
    }
    fputs("};\n", out);
}
