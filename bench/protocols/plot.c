/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * The rows as SVG, a panel for each latency and for expected and unexpected messages: what a
 * message takes beyond the time of its bytes on the line, in latencies one way. A bar is the
 * formula, a dashed one the paper's formula read literally, a mark the run.
 */
#include "bench/protocols/protocols.h"

#include <stdio.h>

enum { LEFT = 60, TOP = 70, PANEL_W = 360, PANEL_H = 190, GAP_X = 40, GAP_Y = 70, ALPHAS = 4 };
enum { WIDTH = LEFT + 2 * PANEL_W + GAP_X + 20, BAR = 7 };

static const char *const colours[PROTOCOLS] = {"#1b6ca8", "#c1541e", "#3d8b37", "#7a4ea3"};

struct panel {
    double x, y;
    bool expected;
    const struct row *rows;
    size_t n, n_sizes;
};

static double height_of(const struct panel *p, double alphas)
{
    return p->y + PANEL_H - alphas * PANEL_H / ALPHAS;
}

static double beyond(const struct row *r, uint64_t ns)
{
    return ((double)ns - (double)r->model.transfer) / (double)r->cell.latency_ns;
}

static void put_mark(FILE *f, enum protocol p, double x, double y)
{
    const char *colour = colours[p];
    if (p == RENDEZVOUS)
        fprintf(f, "<circle cx='%.1f' cy='%.1f' r='4' fill='%s'/>\n", x, y, colour);
    else if (p == DEFERRABLE)
        fprintf(f, "<rect x='%.1f' y='%.1f' width='7' height='7' fill='%s'/>\n", x - 3.5, y - 3.5,
                colour);
    else if (p == RECEIVER_INITIATED)
        fprintf(f, "<path d='M%.1f %.1fl4.5 8h-9z' fill='%s'/>\n", x, y - 5, colour);
    else
        fprintf(f, "<path d='M%.1f %.1fl5 5l-5 5l-5 -5z' fill='%s'/>\n", x, y - 5, colour);
}

static void put_bar(FILE *f, double x, double y, const char *dash)
{
    fprintf(f, "<path d='M%.1f %.1fh%d' stroke='#555' stroke-width='1.5' stroke-dasharray='%s'/>\n",
            x - BAR, y, 2 * BAR, dash);
}

static void put_row(FILE *f, const struct panel *p, const struct row *r, size_t size)
{
    double step = (double)PANEL_W / (double)p->n_sizes;
    double x = p->x + ((double)size + 0.5) * step + ((double)r->cell.protocol - 1.5) * step / 4;
    if (r->model.literal != r->model.asked)
        put_bar(f, x, height_of(p, beyond(r, r->model.literal)), "3 3");
    put_bar(f, x, height_of(p, beyond(r, r->model.asked)), "none");
    put_mark(f, r->cell.protocol, x, height_of(p, beyond(r, row_took(r))));
}

static void put_axes(FILE *f, const struct panel *p)
{
    fprintf(f, "<text x='%.1f' y='%.1f' font-weight='bold'>%s, a = %llu us</text>\n", p->x,
            p->y - 8, p->expected ? "expected: since t_s" : "unexpected: since t_r",
            (unsigned long long)(p->rows->cell.latency_ns / 1000));
    for (int a = 0; a <= ALPHAS; a++)
        fprintf(f,
                "<path d='M%.1f %.1fh%d' stroke='#ddd'/>"
                "<text x='%.1f' y='%.1f' text-anchor='end'>%d a</text>\n",
                p->x, height_of(p, a), PANEL_W, p->x - 6, height_of(p, a) + 4, a);
}

static void put_size(FILE *f, const struct cell *c, double x, double y)
{
    uint32_t kib = c->bytes / 1024;
    fprintf(f,
            "<text x='%.1f' y='%.1f' text-anchor='middle'>%u %s</text>\n"
            "<text x='%.1f' y='%.1f' text-anchor='middle'>%s</text>\n",
            x, y, kib < 1024 ? kib : kib / 1024, kib < 1024 ? "KiB" : "MiB", x, y + 14,
            model_is_large(c) ? "large" : "small");
}

static void put_panel(FILE *f, const struct panel *p)
{
    double step = (double)PANEL_W / (double)p->n_sizes;
    uint32_t last = 0;
    size_t size = 0;
    put_axes(f, p);
    for (size_t i = 0; i < p->n; i++) {
        const struct cell *c = &p->rows[i].cell;
        if (c->expected != p->expected)
            continue;
        size += last && c->bytes != last;
        if (c->bytes != last)
            put_size(f, c, p->x + ((double)size + 0.5) * step, p->y + PANEL_H + 16);
        last = c->bytes;
        put_row(f, p, &p->rows[i], size);
    }
}

static void put_legend(FILE *f)
{
    for (int p = 0; p < PROTOCOLS; p++) {
        put_mark(f, (enum protocol)p, LEFT + 8 + p * 124, 42);
        fprintf(f, "<text x='%d' y='46'>%s</text>\n", LEFT + 18 + p * 124, protocol_names[p]);
    }
    put_bar(f, LEFT + 500, 42, "none");
    fprintf(f, "<text x='%d' y='46'>formula</text>\n", LEFT + 518);
    put_bar(f, LEFT + 600, 42, "3 3");
    fprintf(f, "<text x='%d' y='46'>t_r + a + bs, literally</text>\n", LEFT + 618);
}

/* Rows of the latency that begins here, and how many sizes they have. */
static size_t one_latency(const struct row *rows, size_t n, size_t *n_sizes)
{
    size_t i = 0;
    *n_sizes = 0;
    for (; i < n && rows[i].cell.latency_ns == rows->cell.latency_ns; i++)
        *n_sizes += i == 0 || rows[i].cell.bytes != rows[i - 1].cell.bytes;
    return i;
}

bool plot(const char *path, const struct row *rows, size_t n)
{
    FILE *f = fopen(path, "w");
    size_t line = 0, n_sizes, of_latency;
    if (!f)
        return false;
    for (size_t at = 0; at < n; at += one_latency(rows + at, n - at, &n_sizes))
        line++;
    fprintf(f,
            "<svg xmlns='http://www.w3.org/2000/svg' width='%d' height='%zu' font-size='11' "
            "font-family='sans-serif'>\n<rect width='100%%' height='100%%' fill='white'/>\n"
            "<text x='%d' y='22' font-size='14'>Completion at the receiver, less the time of its "
            "bytes on the line (bs), in latencies one way (a)</text>\n",
            WIDTH, TOP + line * (PANEL_H + GAP_Y), LEFT);
    put_legend(f);
    line = 0;
    for (size_t at = 0; at < n; at += of_latency, line++) {
        of_latency = one_latency(rows + at, n - at, &n_sizes);
        for (int column = 0; column < 2; column++)
            put_panel(f, &(struct panel){.x = LEFT + column * (PANEL_W + GAP_X),
                                         .y = (double)(TOP + 14 + line * (PANEL_H + GAP_Y)),
                                         .expected = column == 0,
                                         .rows = rows + at,
                                         .n = of_latency,
                                         .n_sizes = n_sizes});
    }
    fputs("</svg>\n", f);
    return fclose(f) == 0;
}
