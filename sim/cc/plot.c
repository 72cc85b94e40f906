/* SPDX-License-Identifier: BSD-2-Clause */
/* A run as SVG: windows, the queue and goodput over time, one panel each. */
#include "sim/cc/cc.h"

enum { LEFT = 70, TOP = 50, PANEL_W = 780, PANEL_H = 150, GAP_Y = 50, PANELS = 3, TICKS = 4 };

static const char *const colours[CC_FLOWS] = {"#1b6ca8", "#c1541e", "#3d8b37", "#7a4ea3",
                                              "#b8860b", "#00838f", "#ad1457", "#5d4037"};

struct panel {
    const struct cc_run *run;
    FILE *f;
    double y, most;
    const char *title, *unit;
    double (*value)(const struct cc_run *run, size_t i, uint16_t flow);
    uint16_t n; /* curves */
};

static double window(const struct cc_run *run, size_t i, uint16_t flow)
{
    return run->samples[i].cwnd[flow] / 1e3;
}

static double credit(const struct cc_run *run, size_t i, uint16_t flow)
{
    int32_t bytes = run->samples[i].credit[flow];

    return bytes > 0 ? bytes / 1e3 : 0;
}

static double queue(const struct cc_run *run, size_t i, uint16_t flow)
{
    (void)flow;
    return run->samples[i].queue / 1e3;
}

static double goodput(const struct cc_run *run, size_t i, uint16_t flow)
{
    return cc_gbits(run, flow, i ? i - 1 : 0, i);
}

static double highest(const struct panel *p)
{
    double most = 1;

    for (size_t i = 0; i < p->run->n; i++)
        for (uint16_t f = 0; f < p->n; f++)
            most = p->value(p->run, i, f) > most ? p->value(p->run, i, f) : most;
    return most;
}

/* The least step of 1, 1.5, 2, 2.5, 3, 4, 5, 6, 8 or 10 times a power of ten with which TICKS steps
 * reach `most`; whole numbers, so no label of an axis is cut or comes twice. */
static double round_step(double most)
{
    static const double steps[] = {1, 1.5, 2, 2.5, 3, 4, 5, 6, 8, 10};
    double unit = 1;

    while (steps[9] * unit * TICKS < most)
        unit *= 10;
    for (size_t i = 0; i < sizeof(steps) / sizeof(*steps); i++) {
        const double step = steps[i] * unit;
        if (step * TICKS >= most && (unit > 1 || step == (double)(int)step))
            return step;
    }
    return steps[9] * unit;
}

static double x_of(const struct panel *p, double i)
{
    return LEFT + i * PANEL_W / (double)(p->run->n - 1);
}

static double y_of(const struct panel *p, double value)
{
    return p->y + PANEL_H - value * PANEL_H / p->most;
}

static void put_axes(const struct panel *p)
{
    double end = p->run->scenario->end_us;

    fprintf(p->f, "<text x='%d' y='%.1f' font-weight='bold'>%s, %s</text>\n", LEFT, p->y - 8,
            p->title, p->unit);
    for (int t = 0; t <= TICKS; t++) {
        double v = p->most * t / TICKS, x = LEFT + (double)PANEL_W * t / TICKS;
        fprintf(p->f,
                "<path d='M%d %.1fh%d' stroke='#ddd'/>"
                "<text x='%d' y='%.1f' text-anchor='end'>%.0f</text>"
                "<text x='%.1f' y='%.1f' text-anchor='middle'>%.1f ms</text>\n",
                LEFT, y_of(p, v), PANEL_W, LEFT - 6, y_of(p, v) + 4, v, x, p->y + PANEL_H + 16,
                end * t / TICKS / 1e3);
    }
}

static void put_curve(const struct panel *p, uint16_t flow)
{
    fprintf(p->f, "<polyline fill='none' stroke='%s' points='", colours[flow]);
    for (size_t i = 0; i < p->run->n; i++)
        fprintf(p->f, "%.1f,%.1f ", x_of(p, (double)i), y_of(p, p->value(p->run, i, flow)));
    fprintf(p->f, "'/>\n");
}

static void put_panel(struct panel *p)
{
    p->most = round_step(highest(p)) * TICKS;
    put_axes(p);
    for (uint16_t f = 0; f < p->n; f++)
        put_curve(p, f);
}

void cc_plot(const struct cc_run *run, FILE *f)
{
    const struct cc_scenario *is = run->scenario;
    struct panel panels[PANELS] = {
        {.title = "Window of each flow", .unit = "kB", .value = window, .n = is->n_flows},
        {.title = "Queue before the narrow line", .unit = "kB", .value = queue, .n = 1},
        {.title = "Goodput of each flow", .unit = "Gbit/s", .value = goodput, .n = is->n_flows},
    };

    if (is->rccc) {
        panels[0].title = "Credit of each flow";
        panels[0].value = credit;
    }
    fprintf(f,
            "<svg xmlns='http://www.w3.org/2000/svg' width='%d' height='%d' font-size='11' "
            "font-family='sans-serif'>\n<rect width='100%%' height='100%%' fill='white'/>\n"
            "<text x='%d' y='20' font-size='14'>%s: %s</text>\n",
            LEFT + PANEL_W + 30, TOP + PANELS * (PANEL_H + GAP_Y), LEFT, is->name, is->text);
    for (int i = 0; i < PANELS; i++) {
        panels[i].run = run;
        panels[i].f = f;
        panels[i].y = TOP + 10 + i * (PANEL_H + GAP_Y);
        put_panel(&panels[i]);
    }
    fprintf(f, "</svg>\n");
}
