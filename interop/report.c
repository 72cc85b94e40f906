/* SPDX-License-Identifier: BSD-2-Clause */
#include "interop/report.h"

#include <errno.h>
#include <string.h>

#include "interop/folder.h"

char report_mark(enum verdict verdict)
{
    static const char marks[] = "+F-?E.";

    return marks[verdict];
}

const char *report_sum(const struct matrix *m, char *out, size_t size)
{
    size_t at = 0;

    out[0] = '\0';
    for (int v = 0; v <= CELL_VERDICTS; v++) {
        const size_t n = matrix_count(m, (enum verdict)v);

        if (n == 0 || at >= size)
            continue;
        const int wrote = snprintf(out + at, size - at, "%s%zu %s", at ? ", " : "", n,
                                   v < CELL_VERDICTS ? verdict_words[v] : "not run");
        at += wrote > 0 ? (size_t)wrote : 0;
    }
    return out;
}

/* ---- terminal ---- */

static const char *colour_of(enum verdict verdict, bool colour)
{
    static const char *const colours[] = {"\033[32m", "\033[31m", "\033[2m",
                                          "\033[33m", "\033[35m", "\033[2m"};

    return colour ? colours[verdict] : "";
}

static void text_row(const struct matrix *m, const struct implementation *client,
                     const struct implementation *server, FILE *out, bool colour)
{
    fprintf(out, "%-12s %-12s", client->name, server->name);
    for (size_t i = 0; i < m->cases->n; i++) {
        const struct interop_case *of = &m->cases->all[i];
        const struct matrix_cell *cell = matrix_find(m, client, server, of);

        if (!matrix_has(m, NULL, NULL, of))
            continue;
        if (!cell) {
            fprintf(out, "   ");
            continue;
        }
        const enum verdict verdict = matrix_verdict(cell);
        fprintf(out, "%s%3c%s", colour_of(verdict, colour), report_mark(verdict),
                colour ? "\033[0m" : "");
    }
    fprintf(out, "\n");
}

static void text_head(const struct matrix *m, FILE *out)
{
    int column = 0;

    for (size_t i = 0; i < m->cases->n; i++)
        if (matrix_has(m, NULL, NULL, &m->cases->all[i]))
            fprintf(out, "%3d %-16s %s\n", ++column, m->cases->all[i].id, m->cases->all[i].shows);
    fprintf(out, "\n%-12s %-12s", "client", "server");
    for (int i = 1; i <= column; i++)
        fprintf(out, "%3d", i);
    fprintf(out, "\n");
}

static void text_bad(const struct matrix *m, FILE *out)
{
    char reason[800], folder[300];
    bool first = true;

    for (size_t i = 0; i < m->n; i++) {
        const enum verdict verdict = matrix_verdict(&m->cells[i]);

        if (verdict == CELL_PASS || verdict == CELL_UNSUPPORTED || verdict == CELL_VERDICTS)
            continue;
        fprintf(out, "%s%s %s -> %s %s: %s\n     %s/%s\n", first ? "\n" : "",
                verdict_words[verdict], m->cells[i].client->name, m->cells[i].server->name,
                m->cells[i].of->id, matrix_reason(&m->cells[i], reason, sizeof(reason)), m->out,
                matrix_folder(&m->cells[i], folder, sizeof(folder)));
        first = false;
    }
}

void report_text(const struct matrix *m, FILE *out, bool colour)
{
    const struct implementations *all = m->implementations;
    char sum[200];

    text_head(m, out);
    for (size_t i = 0; i < all->n; i++)
        for (size_t j = 0; j < all->n; j++)
            if (matrix_has(m, &all->all[i], &all->all[j], NULL))
                text_row(m, &all->all[i], &all->all[j], out, colour);
    text_bad(m, out);
    fprintf(out, "\n%zu cells: %s  (%.1f s, seed %u)\n", m->n, report_sum(m, sum, sizeof(sum)),
            m->seconds, m->seed);
    fprintf(out, "+ pass  F fail  - unsupported  ? not shown  E error of the runner  . not run\n");
}

/* ---- Markdown ---- */

static void markdown_row(const struct matrix *m, const struct implementation *client,
                         const struct implementation *server, FILE *out)
{
    fprintf(out, "| %s | %s |", client->name, server->name);
    for (size_t i = 0; i < m->cases->n; i++) {
        const struct interop_case *of = &m->cases->all[i];
        const struct matrix_cell *cell = matrix_find(m, client, server, of);
        const enum verdict verdict = cell ? matrix_verdict(cell) : CELL_VERDICTS;

        if (matrix_has(m, NULL, NULL, of))
            fprintf(out, " %s |", verdict < CELL_VERDICTS ? verdict_words[verdict] : "");
    }
    fprintf(out, "\n");
}

void report_markdown(const struct matrix *m, FILE *out)
{
    const struct implementations *all = m->implementations;
    char sum[200];
    int columns = 2;

    fprintf(out, "%zu cells: %s (seed %u)\n\n| client | server |", m->n,
            report_sum(m, sum, sizeof(sum)), m->seed);
    for (size_t i = 0; i < m->cases->n; i++)
        if (matrix_has(m, NULL, NULL, &m->cases->all[i])) {
            fprintf(out, " %s |", m->cases->all[i].id);
            columns++;
        }
    fprintf(out, "\n|");
    while (columns-- > 0)
        fprintf(out, "---|");
    fprintf(out, "\n");
    for (size_t i = 0; i < all->n; i++)
        for (size_t j = 0; j < all->n; j++)
            if (matrix_has(m, &all->all[i], &all->all[j], NULL))
                markdown_row(m, &all->all[i], &all->all[j], out);
}

/* ---- JSON ---- */

static json_t *told_implementations(const struct matrix *m)
{
    json_t *list = json_array();

    for (size_t i = 0; i < m->implementations->n; i++) {
        const struct implementation *im = &m->implementations->all[i];

        if (matrix_has(m, im, NULL, NULL) || matrix_has(m, NULL, im, NULL))
            json_array_append_new(list, json_pack("{s:s, s:s, s:s, s:s}", "name", im->name,
                                                  "description", im->description, "version",
                                                  im->version, "spec", word_specs[im->spec]));
    }
    return list;
}

static json_t *told_cases(const struct matrix *m)
{
    json_t *list = json_array();

    for (size_t i = 0; i < m->cases->n; i++) {
        const struct interop_case *c = &m->cases->all[i];

        if (matrix_has(m, NULL, NULL, c))
            json_array_append_new(list, json_pack("{s:s, s:s, s:s}", "id", c->id, "section",
                                                  c->section, "shows", c->shows));
    }
    return list;
}

static json_t *told_cells(const struct matrix *m)
{
    json_t *list = json_array();
    char folder[300];

    for (size_t i = 0; i < m->n; i++) {
        const struct matrix_cell *cell = &m->cells[i];
        json_t *told = cell->result ? json_deep_copy(cell->result)
                                    : json_pack("{s:s, s:s, s:s, s:s}", "client",
                                                cell->client->name, "server", cell->server->name,
                                                "case", cell->of->id, "verdict", "not-run");

        json_object_set_new(told, "folder",
                            json_string(matrix_folder(cell, folder, sizeof(folder))));
        json_object_set_new(told, "seed", json_integer(cell->seed));
        json_array_append_new(list, told);
    }
    return list;
}

json_t *report_json(const struct matrix *m)
{
    json_t *summary = json_object();

    for (int v = 0; v < CELL_VERDICTS; v++)
        json_object_set_new(summary, verdict_words[v],
                            json_integer((json_int_t)matrix_count(m, (enum verdict)v)));
    json_object_set_new(summary, "not-run",
                        json_integer((json_int_t)matrix_count(m, CELL_VERDICTS)));
    return json_pack("{s:s, s:i, s:b, s:f, s:o, s:o, s:o, s:o}", "version", UETKIT_VERSION, "seed",
                     (int)m->seed, "small", m->small, "seconds", m->seconds, "summary", summary,
                     "implementations", told_implementations(m), "cases", told_cases(m), "cells",
                     told_cells(m));
}

/* ---- files ---- */

static int write_one(const struct matrix *m, const char *name,
                     void (*write)(const struct matrix *, FILE *), char *err, size_t errlen)
{
    char path[PATH_LENGTH];
    FILE *out = fopen(path_of(path, "%s/%s", m->out, name), "w");
    bool good = out != NULL;

    if (out) {
        write(m, out);
        good = !ferror(out);
        good = fclose(out) == 0 && good;
    }
    if (good)
        return 0;
    snprintf(err, errlen, "%s: cannot be written: %s", path, strerror(errno));
    return -EIO;
}

static void dump_json(const struct matrix *m, FILE *out)
{
    json_t *all = report_json(m);

    json_dumpf(all, out, JSON_INDENT(2));
    fputc('\n', out);
    json_decref(all);
}

int report_write(const struct matrix *m, char *err, size_t errlen)
{
    int rc = write_one(m, "matrix.json", dump_json, err, errlen);

    if (rc == 0)
        rc = write_one(m, "matrix.md", report_markdown, err, errlen);
    return rc ? rc : write_one(m, "index.html", report_html, err, errlen);
}
