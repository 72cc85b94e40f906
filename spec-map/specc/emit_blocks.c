/* SPDX-License-Identifier: BSD-2-Clause */
/* Blocks and terms: what the specification fixes and no header carries as it is. */
#include "spec-map/specc/model.h"

#include <stdlib.h>
#include <string.h>

static void emit_rows(const struct model *m, FILE *out)
{
    const struct csv *c = &m->blocks_csv;
    fputs("\nstatic const struct uet_block_row rows[] = {\n", out);
    for (size_t i = 0; i < csv_rows(c); i++) {
        fputs("    {", out);
        quoted(out, csv_get(c, i, "field"));
        fprintf(out, ", %s, %s, ", csv_get(c, i, "bit_offset"), csv_get(c, i, "width"));
        quoted(out, csv_get(c, i, "value"));
        fputs(", ", out);
        quoted(out, csv_get(c, i, "section"));
        fprintf(out, ", '%c', ", *csv_get(c, i, "confidence"));
        quoted(out, csv_get(c, i, "note"));
        fputs("},\n", out);
    }
    fputs("};\n", out);
}

static void emit_block_list(const struct model *m, FILE *out)
{
    const struct csv *c = &m->blocks_csv;
    size_t n = 0;
    fputs("\nconst struct uet_block uet_blocks[] = {\n", out);
    for (size_t i = 0, last; i < csv_rows(c); i = last, n++) {
        const char *block = csv_get(c, i, "block"), *header = csv_get(c, i, "header");
        for (last = i; last < csv_rows(c) && strcmp(csv_get(c, last, "block"), block) == 0;)
            last++;
        fputs("    {", out);
        quoted(out, block);
        fprintf(out, ", UET_H_%s, &rows[%zu], %zu},\n", *header ? upper(header) : "NONE", i,
                last - i);
    }
    fprintf(out, "};\nconst size_t uet_n_blocks = %zu;\n", n);
}

static void emit_terms(const struct model *m, FILE *out)
{
    static const char *const cells[] = {"table", "name", "value", "meaning", "section", "note"};
    const struct csv *c = &m->terms_csv;
    fputs("\nconst struct uet_term uet_terms[] = {\n", out);
    for (size_t i = 0; i < csv_rows(c); i++) {
        fputs("    {", out);
        for (size_t j = 0; j < sizeof cells / sizeof *cells; j++) {
            quoted(out, csv_get(c, i, cells[j]));
            fputs(", ", out);
        }
        fprintf(out, "'%c'},\n", *csv_get(c, i, "confidence"));
    }
    fprintf(out, "};\nconst size_t uet_n_terms = %zu;\n", csv_rows(c));
}

void emit_blocks(const struct model *m, FILE *out)
{
    fputs(banner, out);
    fputs("#include \"uet_spec.h\"\n", out);
    emit_rows(m, out);
    emit_block_list(m, out);
    emit_terms(m, out);
}
