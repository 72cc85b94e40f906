/* SPDX-License-Identifier: BSD-2-Clause */
/* Congestion as SVG: in flight and window, RTT, what went wrong, goodput; a panel each. */
#include "conformance/cli/check/congestion.h"

enum { LEFT = 70, TOP = 60, WIDE = 780, HIGH = 130, GAP = 52, PANELS = 5, TICKS = 4, COLOURS = 8 };

static const char *const colours[COLOURS] = {"#1b6ca8", "#c1541e", "#3d8b37", "#7a4ea3",
                                             "#b8860b", "#00838f", "#ad1457", "#5d4037"};

struct panel {
    const struct check_congestion *c;
    FILE *f;
    double y, most;
    const char *title;
    double (*value)(const struct check_congestion *c, const struct check_span *s);
    bool held; /* where nothing happened the value before holds */
};

static double in_flight(const struct check_congestion *c, const struct check_span *s)
{
    (void)c;
    return s->in_flight / 1e3;
}

static double window(const struct check_congestion *c, const struct check_span *s)
{
    (void)c;
    return s->window / 1e3;
}

static double rtt(const struct check_congestion *c, const struct check_span *s)
{
    (void)c;
    return s->rtts ? (double)s->rtt_ns / s->rtts / 1e3 : 0;
}

static double trouble(const struct check_congestion *c, const struct check_span *s)
{
    (void)c;
    return s->marks + s->trims + s->again;
}

static double goodput(const struct check_congestion *c, const struct check_span *s)
{
    return check_congestion_gbits(c, s->bytes, 1);
}

static double highest(const struct panel *p)
{
    double most = 0;

    for (uint32_t i = 0; i < p->c->n; i++)
        for (uint32_t k = 0; k < CHECK_SPANS; k++) {
            double v = p->value(p->c, &p->c->flow[i]->span[k]);
            most = v > most ? v : most;
        }
    return most > 0 ? most * 1.05 : 1;
}

static void put_axes(const struct panel *p)
{
    double ms = (double)check_congestion_spans(p->c) * (double)p->c->span_ns / 1e6;

    fprintf(p->f, "<text x='%d' y='%.1f' font-weight='bold'>%s</text>\n", LEFT, p->y - 8, p->title);
    for (int t = 0; t <= TICKS; t++) {
        double v = p->most * t / TICKS, y = p->y + HIGH - (double)HIGH * t / TICKS;
        fprintf(p->f,
                "<path d='M%d %.1fh%d' stroke='#ddd'/>"
                "<text x='%d' y='%.1f' text-anchor='end'>%.4g</text>"
                "<text x='%.1f' y='%.1f' text-anchor='middle'>%.4g ms</text>\n",
                LEFT, y, WIDE, LEFT - 6, y + 4, v, LEFT + (double)WIDE * t / TICKS,
                p->y + HIGH + 16, ms * t / TICKS);
    }
}

static void put_curve(const struct panel *p, uint32_t flow)
{
    uint32_t n = check_congestion_spans(p->c);
    double v = 0;

    fprintf(p->f, "<polyline fill='none' stroke='%s' points='", colours[flow % COLOURS]);
    for (uint32_t i = 0; i < n; i++) {
        double now = p->value(p->c, &p->c->flow[flow]->span[i]);
        v = p->held && now <= 0 ? v : now;
        fprintf(p->f, "%.1f,%.1f ", LEFT + (double)WIDE * i / (n > 1 ? n - 1 : 1),
                p->y + HIGH - v * HIGH / p->most);
    }
    fprintf(p->f, "'/>\n");
}

static void put_names(const struct check_congestion *c, FILE *f)
{
    for (uint32_t i = 0; i < c->n && i < COLOURS; i++)
        fprintf(f, "<text x='%u' y='40' fill='%s'>0x%04x&gt;0x%04x%s</text>\n", LEFT + 100 * i,
                colours[i], c->flow[i]->pdcid, c->flow[i]->peer_pdcid,
                i + 1 == COLOURS && c->n > COLOURS ? " ..." : "");
}

/* The title is a path, which may hold what XML does not. */
static void put_title(const char *title, FILE *f)
{
    fprintf(f, "<text x='%d' y='20' font-size='14'>", LEFT);
    for (const char *at = title; *at; at++)
        fputc(*at >= ' ' && *at != '<' && *at != '&' && (unsigned char)*at < 127 ? *at : '?', f);
    fprintf(f, "</text>\n");
}

void check_congestion_plot(const struct check_congestion *c, const char *title, FILE *svg)
{
    struct panel panels[PANELS] = {
        {.title = "In flight, kB (counted low)", .value = in_flight},
        {.title = "Window at least: most in flight of a round trip, kB",
         .value = window,
         .held = 1},
        {.title = "RTT at this place, us", .value = rtt, .held = true},
        {.title = "Marks, trims and resends", .value = trouble},
        {.title = "Goodput, Gbit/s", .value = goodput},
    };

    fprintf(svg,
            "<svg xmlns='http://www.w3.org/2000/svg' width='%d' height='%d' font-size='11' "
            "font-family='sans-serif'>\n<rect width='100%%' height='100%%' fill='white'/>\n",
            LEFT + WIDE + 40, TOP + PANELS * (HIGH + GAP));
    put_title(title, svg);
    put_names(c, svg);
    for (int i = 0; i < PANELS; i++) {
        panels[i].c = c;
        panels[i].f = svg;
        panels[i].y = TOP + 10 + i * (HIGH + GAP);
        panels[i].most = highest(&panels[i]);
        put_axes(&panels[i]);
        for (uint32_t k = 0; k < c->n; k++)
            put_curve(&panels[i], k);
    }
    fprintf(svg, "</svg>\n");
}
