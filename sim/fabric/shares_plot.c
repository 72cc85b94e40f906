/* SPDX-License-Identifier: BSD-2-Clause */
/* Shares over time as SVG. */
#include "sim/fabric/shares.h"

enum { LEFT = 60, TOP = 50, WIDTH = 780, HEIGHT = 300, TICKS = 4, COLOURS = 13, LEGEND = 150 };

static const char *const colours[COLOURS] = {"#1b6ca8", "#c1541e", "#3d8b37", "#7a4ea3", "#b8860b",
                                             "#00838f", "#ad1457", "#5d4037", "#78909c", "#9ccc65",
                                             "#f06292", "#4fc3f7", "#000000"};

static double y_of(double percent)
{
    return TOP + HEIGHT - percent * HEIGHT / 100;
}

static void put_axes(const struct shares *is, FILE *f)
{
    const double ms = (double)is->n_samples * is->step_ns / 1e6;

    for (int t = 0; t <= TICKS; t++)
        fprintf(f,
                "<path d='M%d %.1fh%d' stroke='#ddd'/><text x='%d' y='%.1f' text-anchor='end'>%d "
                "%%</text><text x='%d' y='%d' text-anchor='middle'>%.1f ms</text>\n",
                LEFT, y_of(25 * t), WIDTH, LEFT - 6, y_of(25 * t) + 4, 25 * t,
                LEFT + WIDTH * t / TICKS, TOP + HEIGHT + 16, ms * t / TICKS);
}

static void put_curve(const struct shares *is, uint32_t flow, FILE *f)
{
    const char *colour = colours[flow % COLOURS];
    const int name_y = TOP + 12 + 16 * (int)flow;

    fprintf(f, "<polyline fill='none' stroke='%s' points='", colour);
    for (size_t i = 0; i < is->n_samples; i++)
        fprintf(f, "%.1f,%.1f ", LEFT + (double)(i + 1) * WIDTH / (double)is->n_samples,
                y_of(is->percent[i * is->n_flows + flow]));
    fprintf(f, "'/><text x='%d' y='%d' fill='%s'>%s</text>\n", LEFT + WIDTH + 10, name_y, colour,
            is->flows[flow].name);
}

void shares_plot(const struct shares *is, FILE *f)
{
    fprintf(
        f,
        "<svg xmlns='http://www.w3.org/2000/svg' width='%d' height='%d' font-size='11' "
        "font-family='sans-serif'>\n<rect width='100%%' height='100%%' fill='white'/>\n"
        "<text x='%d' y='20' font-size='14'>%s, %s: share of a line (means over %.4g ms)</text>\n",
        LEFT + WIDTH + LEGEND, TOP + HEIGHT + 40, LEFT, is->text, net_cc_names[is->cc],
        is->step_ns / 1e6);
    put_axes(is, f);
    for (uint32_t flow = 0; flow < is->n_flows; flow++)
        put_curve(is, flow, f);
    fprintf(f, "</svg>\n");
}
