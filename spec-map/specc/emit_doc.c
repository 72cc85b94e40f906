/* SPDX-License-Identifier: BSD-2-Clause */
/* docs/wire.md: every header drawn and as a table of bits, every enumeration with its values. */
#include "spec-map/spec.h"
#include "spec-map/specc/model.h"

#include <ctype.h>
#include <stdbool.h>
#include <string.h>

/* A table cell: '|' would end it. */
static void cell(FILE *out, const char *text)
{
    for (; *text; text++)
        if (*text == '|')
            fputs("\\|", out);
        else
            fputc(*text, out);
    fputs(" | ", out);
}

/* The field that holds a bit; -1 past the end. */
static int field_at(const struct model *m, const struct header *h, unsigned bit)
{
    for (size_t i = 0; i < h->n_fields; i++) {
        const struct field *f = &m->fields[h->fields[i]];
        if (bit >= f->offset && bit < f->offset + f->width)
            return h->fields[i];
    }
    return -1;
}

#define ROW_BITS 32u

/* Does the field at a bit go on from the row above? */
static bool goes_on(const struct model *m, const struct header *h, unsigned bit)
{
    return bit >= ROW_BITS && bit < h->bytes * 8u &&
           field_at(m, h, bit) == field_at(m, h, bit - ROW_BITS);
}

/* The line between two rows: open where a field goes on below. */
static void rule(const struct model *m, FILE *out, const struct header *h, unsigned row)
{
    unsigned bits = h->bytes * 8u, bit = row * ROW_BITS;
    for (unsigned i = 0; i < ROW_BITS; i++, bit++) {
        if (bit >= bits && (row == 0 || bit - ROW_BITS >= bits))
            break;
        bool inside = i && goes_on(m, h, bit) && goes_on(m, h, bit - 1) &&
                      field_at(m, h, bit) == field_at(m, h, bit - 1);
        fputs(inside ? "  " : goes_on(m, h, bit) ? "+ " : "+-", out);
    }
    fputs("+\n", out);
}

/* The name in the room of a field: cut to it, in the middle of it; reserved bits are 0. */
static void label(FILE *out, const struct field *f, unsigned width, bool first)
{
    const char *dot = strrchr(f->name, '.'), *name = dot ? dot + 1 : f->name;
    int room = (int)(width * 2 - 1);
    if (f->kind == UET_KIND_RESERVED)
        name = "0";
    if (!first)
        name = "";
    int n = (int)strlen(name) < room ? (int)strlen(name) : room, left = (room - n) / 2;
    fprintf(out, "%*s%.*s%*s", left, "", n, name, room - n - left, "");
}

static void diagram_row(const struct model *m, FILE *out, const struct header *h, unsigned row)
{
    unsigned bits = h->bytes * 8u, bit = row * ROW_BITS, end = bit + ROW_BITS;
    if (end > bits)
        end = bits;
    while (bit < end) {
        const struct field *f = &m->fields[field_at(m, h, bit)];
        unsigned stop = f->offset + f->width < end ? f->offset + f->width : end;
        fputc('|', out);
        label(out, f, stop - bit, bit == f->offset);
        bit = stop;
    }
    fputs("|\n", out);
}

/* 32 bits a row, the first on the wire first; two characters a bit. */
static void diagram(const struct model *m, FILE *out, const struct header *h)
{
    unsigned rows = (h->bytes * 8u + ROW_BITS - 1) / ROW_BITS;
    fputs("\n```\n 0                   1                   2                   3\n"
          " 0 1 2 3 4 5 6 7 8 9 0 1 2 3 4 5 6 7 8 9 0 1 2 3 4 5 6 7 8 9 0 1\n",
          out);
    for (unsigned row = 0; row < rows; row++) {
        rule(m, out, h, row);
        diagram_row(m, out, h, row);
    }
    rule(m, out, h, rows);
    fputs("```\n", out);
}

/* "; 1.0.3 on", "; up to 1.0.2" */
static void versions(FILE *out, const char *since, const char *until)
{
    if (*since)
        fprintf(out, "; since %s", since);
    if (*until)
        fprintf(out, "; until %s", until);
}

static void header_says(FILE *out, const struct header *h)
{
    fprintf(out, "\n### %s\n\n`%s`, %u bytes, section %s", h->title, h->name, h->bytes, h->section);
    if (*h->when)
        fprintf(out, ", when `%s`", h->when);
    fprintf(out, "; confidence %s", h->confidence);
    versions(out, h->since, h->until);
    if (*h->implementation)
        fprintf(out, "; **not the specification's: %s**", h->implementation);
    fputs(".", out);
    if (*h->note)
        fprintf(out, " Note: %s.", h->note);
    fputs("\n", out);
}

/* The anchor that a heading gets: letters, digits, '-' and '_'; a blank becomes '-'. */
static void anchor(FILE *out, const char *title)
{
    for (; *title; title++)
        if (*title == ' ')
            fputc('-', out);
        else if (isalnum((unsigned char)*title) || *title == '-' || *title == '_')
            fputc(tolower((unsigned char)*title), out);
}

/* What may stand in a field: in words, and where the names of the values are. */
static void values(const struct model *m, FILE *out, const struct field *f)
{
    const char *words = f->values;
    if (f->enumeration >= 0) {
        const char *e = m->enums[f->enumeration];
        if (strstr(words, e)) /* "enum pds_next_hdr": nothing that the name does not say */
            words = "";
        fprintf(out, "[%s](#", e);
        anchor(out, e);
        fprintf(out, ")%s", *words ? "; " : "");
    }
    cell(out, words);
}

/* Where sources disagree or are silent, a reader must know why it is read as it is. */
static void contested(const struct model *m, FILE *out, const struct header *h)
{
    bool first = true;
    for (size_t i = 0; i < h->n_fields; i++) {
        const struct field *f = &m->fields[h->fields[i]];
        if (*f->confidence != 'C' || !*f->note)
            continue;
        fprintf(out, "%s* `%s`: %s\n", first ? "\n" : "", f->name, f->note);
        first = false;
    }
}

static void header_table(const struct model *m, FILE *out, const struct header *h)
{
    header_says(out, h);
    diagram(m, out, h);
    fputs("\n| bits | field | width | values | filter | section | conf. |\n"
          "|---|---|---|---|---|---|---|\n",
          out);
    for (size_t i = 0; i < h->n_fields; i++) {
        const struct field *f = &m->fields[h->fields[i]];
        fprintf(out, "| %u", f->offset);
        if (f->width > 1)
            fprintf(out, "..%u", f->offset + f->width - 1);
        fprintf(out, " | %s | %u | ", f->name, f->width);
        values(m, out, f);
        fprintf(out, "%s | %s", f->filter, f->section);
        versions(out, f->since, f->until);
        fprintf(out, " | %s |\n", f->confidence);
    }
    contested(m, out, h);
}

static void index_of_headers(const struct model *m, FILE *out)
{
    fputs("\n| header | | bytes | section |\n|---|---|---|---|\n", out);
    for (size_t i = 0; i < m->n_headers; i++) {
        const struct header *h = &m->headers[i];
        fprintf(out, "| [%s](#", h->title);
        anchor(out, h->title);
        fprintf(out, ") | %s | %u | %s |\n", h->name, h->bytes, h->section);
    }
}

static void enumeration(const struct model *m, FILE *out, size_t e)
{
    const struct csv *c = &m->enums_csv;
    fprintf(out,
            "\n### %s\n\n| value | name | meaning | section | conf. |\n|---|---|---|---|---|\n",
            m->enums[e]);
    for (size_t i = 0; i < csv_rows(c); i++) {
        if (strcmp(csv_get(c, i, "enum"), m->enums[e]) != 0)
            continue;
        const char *low = csv_get(c, i, "low"), *high = csv_get(c, i, "high");
        fprintf(out, "| %s%s%s | %s | ", low, strcmp(low, high) ? "-" : "",
                strcmp(low, high) ? high : "", csv_get(c, i, "name"));
        const char *who = csv_get(c, i, "implementation");
        if (*who)
            fprintf(out, "(%s) ", who);
        cell(out, csv_get(c, i, "meaning"));
        fputs(csv_get(c, i, "section"), out);
        versions(out, csv_get(c, i, "since"), csv_get(c, i, "until"));
        fprintf(out, " | %s |\n", csv_get(c, i, "confidence"));
    }
}

static void edges(const struct model *m, FILE *out)
{
    const struct csv *c = &m->next_csv;
    fputs("\n## What follows what\n\n| from | when | to | inside |\n|---|---|---|---|\n", out);
    for (size_t i = 0; i < csv_rows(c); i++) {
        fputs("| ", out);
        cell(out, csv_get(c, i, "from"));
        cell(out, csv_get(c, i, "when"));
        cell(out, csv_get(c, i, "to"));
        fprintf(out, "%s |\n", csv_get(c, i, "inside"));
    }
}

/* Rows that share their first column, each group a table. */
static void groups(const struct csv *c, FILE *out, const char *group, const char *const *columns,
                   size_t n)
{
    for (size_t i = 0; i < csv_rows(c); i++) {
        const char *name = csv_get(c, i, group);
        if (i == 0 || strcmp(csv_get(c, i - 1, group), name) != 0) {
            fprintf(out, "\n### %s\n\n|", name);
            for (size_t j = 0; j < n; j++)
                fprintf(out, " %s |", columns[j]);
            fputs("\n|", out);
            for (size_t j = 0; j < n; j++)
                fputs("---|", out);
            fputs("\n", out);
        }
        fputs("| ", out);
        for (size_t j = 0; j < n; j++)
            cell(out, csv_get(c, i, columns[j]));
        fputs("\n", out);
    }
}

void emit_doc(const struct model *m, FILE *out)
{
    static const char *const layers[][2] = {{"link", "Link and network"},
                                            {"net", ""},
                                            {"tss", "Transport security sublayer"},
                                            {"pds", "Packet delivery sublayer"},
                                            {"ses", "Semantic sublayer"}};
    static const char *const block[] = {"field", "bit_offset", "width",
                                        "value", "section",    "confidence"};
    static const char *const term[] = {"name", "value", "meaning", "section", "confidence"};
    fputs(
        "# Wire formats\n\nGenerated by specc from `spec-map/`; do not edit. Bit 0 is the first "
        "bit on the wire; a name too long for its bits is cut. conf. is how sure a row is: A, two "
        "independent public sources or more; B, one; C, inferred, or the sources disagree: then "
        "the "
        "reading taken is told below the table. Names of sources are explained in "
        "`spec-map/README.md`.\n",
        out);
    index_of_headers(m, out);
    for (size_t l = 0; l < sizeof layers / sizeof *layers; l++) {
        if (*layers[l][1])
            fprintf(out, "\n## %s\n", layers[l][1]);
        for (size_t i = 0; i < m->n_headers; i++)
            if (strcmp(m->headers[i].layer, layers[l][0]) == 0)
                header_table(m, out, &m->headers[i]);
    }
    edges(m, out);
    fputs("\n## Enumerations\n", out);
    for (size_t e = 0; e < m->n_enums; e++)
        enumeration(m, out, e);
    fputs("\n## Blocks: bits that no packet carries as they are\n", out);
    groups(&m->blocks_csv, out, "block", block, sizeof block / sizeof *block);
    fputs("\n## Constants, rules and names\n", out);
    groups(&m->terms_csv, out, "table", term, sizeof term / sizeof *term);
}
