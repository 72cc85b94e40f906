/* SPDX-License-Identifier: BSD-2-Clause */
/* The page of a matrix: servers by clients, a chip a case, each with its story below. */
#include <string.h>
#include <sys/stat.h>

#include "interop/folder.h"
#include "interop/report.h"

static const char style[] =
    ":root{--bg:#fff;--ink:#1b1f24;--soft:#59636e;--line:#d1d9e0;--card:#f6f8fa;"
    "--pass:#1a7f37;--fail:#cf222e;--none:#818b98;--odd:#9a6700;--error:#8250df}\n"
    "@media(prefers-color-scheme:dark){:root{--bg:#0d1117;--ink:#e6edf3;--soft:#9198a1;"
    "--line:#30363d;--card:#161b22;--pass:#3fb950;--fail:#f85149;--none:#6e7681;--odd:#d29922;"
    "--error:#ab7df8}}\n"
    "body{font:15px/1.5 system-ui,sans-serif;background:var(--bg);color:var(--ink);"
    "max-width:1400px;margin:2em auto;padding:0 1.5em}\n"
    "h1{font-size:1.5em;margin:0}h2{font-size:1.15em;margin:2em 0 .5em}\n"
    ".sum{color:var(--soft);margin:.2em 0 1.5em}.scroll{overflow-x:auto}\n"
    "table{border-collapse:collapse}th,td{border:1px solid var(--line);padding:.35em .5em;"
    "vertical-align:top;text-align:left}thead th,tbody th{background:var(--card);font-weight:600}\n"
    ".chips{display:flex;flex-wrap:wrap;gap:3px;max-width:20em}\n"
    "a.chip,span.chip{font-size:.75em;padding:.1em .5em;border-radius:1em;color:#fff;"
    "text-decoration:none;white-space:nowrap}\n"
    "a.chip:hover{outline:2px solid var(--ink)}\n"
    ".pass{background:var(--pass)}.fail{background:var(--fail)}.unsupported{background:var(--none)}"
    ".not-shown{background:var(--odd)}.error{background:var(--error)}"
    ".not-run{background:var(--none);opacity:.5}\n"
    ".plain{color:var(--soft)}td.why{max-width:46em}tr:target{outline:2px solid var(--odd)}\n"
    "code{font-size:.9em}\n";

static void text(FILE *out, const char *s)
{
    for (; s && *s; s++)
        switch (*s) {
        case '<':
            fputs("&lt;", out);
            break;
        case '>':
            fputs("&gt;", out);
            break;
        case '&':
            fputs("&amp;", out);
            break;
        case '"':
            fputs("&quot;", out);
            break;
        default:
            fputc(*s, out);
        }
}

static const char *word_of(const struct matrix_cell *cell)
{
    const enum verdict verdict = matrix_verdict(cell);

    return verdict < CELL_VERDICTS ? verdict_words[verdict] : "not-run";
}

static void chip(const struct matrix_cell *cell, FILE *out)
{
    fprintf(out, "<a class=\"chip %s\" href=\"#%s_%s_%s\" title=\"%s: ", word_of(cell),
            cell->client->name, cell->server->name, cell->of->id, word_of(cell));
    text(out, cell->of->shows);
    fprintf(out, "\">%s</a>", cell->of->id);
}

static void grid_cell(const struct matrix *m, const struct implementation *client,
                      const struct implementation *server, FILE *out)
{
    fprintf(out, "<td><div class=\"chips\">");
    for (size_t i = 0; i < m->cases->n; i++) {
        const struct matrix_cell *cell = matrix_find(m, client, server, &m->cases->all[i]);

        if (cell)
            chip(cell, out);
    }
    fprintf(out, "</div></td>");
}

static void grid(const struct matrix *m, FILE *out)
{
    const struct implementations *all = m->implementations;

    fprintf(out, "<div class=\"scroll\"><table><thead><tr><th>server \\ client</th>");
    for (size_t i = 0; i < all->n; i++)
        if (matrix_has(m, &all->all[i], NULL, NULL))
            fprintf(out, "<th>%s</th>", all->all[i].name);
    fprintf(out, "</tr></thead><tbody>\n");
    for (size_t j = 0; j < all->n; j++) {
        if (!matrix_has(m, NULL, &all->all[j], NULL))
            continue;
        fprintf(out, "<tr><th>%s</th>", all->all[j].name);
        for (size_t i = 0; i < all->n; i++)
            if (matrix_has(m, &all->all[i], NULL, NULL))
                grid_cell(m, &all->all[i], &all->all[j], out);
        fprintf(out, "</tr>\n");
    }
    fprintf(out, "</tbody></table></div>\n");
}

/* ---- what there is ---- */

static void list_cases(const struct matrix *m, FILE *out)
{
    fprintf(out, "<h2>Cases</h2><table><thead><tr><th>case</th><th>section</th><th>what it shows"
                 "</th><th>network</th></tr></thead><tbody>\n");
    for (size_t i = 0; i < m->cases->n; i++) {
        const struct interop_case *c = &m->cases->all[i];

        if (!matrix_has(m, NULL, NULL, c))
            continue;
        fprintf(out, "<tr><td>%s</td><td>%s</td><td>", c->id, c->section);
        text(out, c->shows);
        fprintf(out, "</td><td>");
        for (size_t k = 0; k < c->plan.n; k++) {
            fputs(k ? ", " : "", out);
            text(out, c->plan.text[k]);
        }
        fprintf(out, "</td></tr>\n");
    }
    fprintf(out, "</tbody></table>\n");
}

static void list_implementations(const struct matrix *m, FILE *out)
{
    fprintf(out, "<h2>Implementations</h2><table><thead><tr><th>name</th><th>what it is</th>"
                 "<th>version</th><th>UE</th></tr></thead><tbody>\n");
    for (size_t i = 0; i < m->implementations->n; i++) {
        const struct implementation *im = &m->implementations->all[i];

        if (!matrix_has(m, im, NULL, NULL) && !matrix_has(m, NULL, im, NULL))
            continue;
        fprintf(out, "<tr><td>%s</td><td>", im->name);
        text(out, im->description);
        fprintf(out, "</td><td>");
        text(out, im->version);
        fprintf(out, "</td><td>%s</td></tr>\n", word_specs[im->spec]);
    }
    fprintf(out, "</tbody></table>\n");
}

/* ---- each cell ---- */

/* Links to those of its files that are there. */
static void links(const struct matrix *m, const struct matrix_cell *cell, FILE *out)
{
    static const char *const names[] = {"client.log",        "server.log",       "client.pcapng",
                                        "server.pcapng",     "relay.json",       "relay.log",
                                        "client.check.json", "server.check.json"};
    char folder[300], path[PATH_LENGTH];

    matrix_folder(cell, folder, sizeof(folder));
    for (size_t i = 0; i < sizeof(names) / sizeof(*names); i++)
        if (file_exists(path_of(path, "%s/%s/%s", m->out, folder, names[i])))
            fprintf(out, "<a href=\"%s/%s\">%s</a> ", folder, names[i], names[i]);
}

static void story(const struct matrix_cell *cell, FILE *out)
{
    const json_t *reasons = json_object_get(cell->result, "reasons");
    size_t i;
    json_t *at;

    json_array_foreach((json_t *)(uintptr_t)reasons, i, at)
    {
        fprintf(out, "%s<b>%s</b>: ", i ? "<br>" : "",
                json_string_value(json_object_get(at, "by")));
        text(out, json_string_value(json_object_get(at, "text")));
    }
}

static void facts(const struct matrix_cell *cell, FILE *out)
{
    const json_t *evidence = json_object_get(cell->result, "evidence");
    const char *name;
    json_t *value;
    bool first = true;

    json_object_foreach((json_t *)(uintptr_t)evidence, name, value)
    {
        if (json_integer_value(value) == 0)
            continue;
        fprintf(out, "%s%s %" JSON_INTEGER_FORMAT, first ? "" : ", ", name,
                json_integer_value(value));
        first = false;
    }
}

static bool is_bad(const struct matrix_cell *cell)
{
    const enum verdict verdict = matrix_verdict(cell);

    return verdict == CELL_FAIL || verdict == CELL_NOT_SHOWN || verdict == CELL_ERROR;
}

static void bad_cells(const struct matrix *m, FILE *out)
{
    char reason[800];
    bool any = false;

    for (size_t i = 0; i < m->n; i++) {
        const struct matrix_cell *cell = &m->cells[i];

        if (!is_bad(cell))
            continue;
        fprintf(out, "%s<li>", any ? "" : "<h2>Did not pass</h2><ul>\n");
        chip(cell, out);
        fprintf(out, " %s &rarr; %s: ", cell->client->name, cell->server->name);
        text(out, matrix_reason(cell, reason, sizeof(reason)));
        fprintf(out, "</li>\n");
        any = true;
    }
    fputs(any ? "</ul>\n" : "", out);
}

static void cells(const struct matrix *m, FILE *out)
{
    fprintf(out, "<h2>Each cell</h2><div class=\"scroll\"><table><thead><tr><th>client</th>"
                 "<th>server</th><th>case</th><th>verdict</th><th>why</th><th>seen</th><th>s</th>"
                 "<th>files</th></tr></thead><tbody>\n");
    for (size_t i = 0; i < m->n; i++) {
        const struct matrix_cell *cell = &m->cells[i];

        fprintf(out,
                "<tr id=\"%s_%s_%s\"><td>%s</td><td>%s</td><td>%s</td>"
                "<td><span class=\"chip %s\">%s</span></td><td class=\"why\">",
                cell->client->name, cell->server->name, cell->of->id, cell->client->name,
                cell->server->name, cell->of->id, word_of(cell), word_of(cell));
        story(cell, out);
        fprintf(out, "</td><td class=\"plain\">");
        facts(cell, out);
        fprintf(out, "</td><td>%.1f</td><td>",
                json_real_value(json_object_get(cell->result, "seconds")));
        links(m, cell, out);
        fprintf(out, "</td></tr>\n");
    }
    fprintf(out, "</tbody></table></div>\n");
}

void report_html(const struct matrix *m, FILE *out)
{
    char sum[200];

    fprintf(out,
            "<!doctype html><html lang=\"en\"><head><meta charset=\"utf-8\">"
            "<meta name=\"viewport\" content=\"width=device-width\">"
            "<title>UET interop matrix</title><style>%s</style></head><body>\n"
            "<h1>UET interop matrix</h1><p class=\"sum\">%zu cells: %s. Seed %u, %.1f s, uetkit "
            "%s.</p>\n",
            style, m->n, report_sum(m, sum, sizeof(sum)), m->seed, m->seconds, UETKIT_VERSION);
    grid(m, out);
    fprintf(out, "<p class=\"sum\">");
    for (int v = 0; v < CELL_VERDICTS; v++)
        fprintf(out, "<span class=\"chip %s\">%s</span> ", verdict_words[v], verdict_words[v]);
    fprintf(out, "A cell passes when the bytes at both ends are the same, no side "
                 "breaks a rule in the capture of its own side, and what the case is about did "
                 "happen.</p>\n");
    bad_cells(m, out);
    list_cases(m, out);
    list_implementations(m, out);
    cells(m, out);
    fprintf(out, "</body></html>\n");
}
