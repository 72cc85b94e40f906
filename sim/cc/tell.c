/* SPDX-License-Identifier: BSD-2-Clause */
/* `uetsim cc`: its arguments, its table, its JSON. */
#include <errno.h>
#include <getopt.h>
#include <jansson.h>
#include <stdlib.h>
#include <string.h>

#include "sim/cc/cc.h"
#include "sim/options.h"
#include "tools/bad_option.h"
#include "tools/idle_option.h"
#include "tools/outputs.h"

static const char help[] =
    "uetsim cc SCENARIO [--svg FILE] [--json FILE] [--seed N]: congestion control of reference "
    "FEPs\n"
    "that write through one narrow line: a base RTT of 12 us, CE marks from 0.2 to 0.8 Plane_BDP,\n"
    "trims at one (3.6.17). Prints each goal and what came of it; with `all` those of every\n"
    "scenario, with `list` their names.\n"
    "\n"
    "  --svg FILE    window, queue and goodput over time\n"
    "  --json FILE   goals and samples; - is standard output\n"
    "  --seed N      of entropy values and marks (1)\n"
    "  --help\n"
    "\n"
    "Exit status: 0 every goal was met, 1 one was not, 2 usage, or a file that cannot be "
    "written.\n";

struct wish {
    const char *name, *svg, *json;
    uint64_t seed;
    bool seeded;
};

/* ---- arguments ---- */

static int usage(const char *what, const char *text)
{
    fprintf(stderr, "uetsim cc: %s%s; `uetsim cc --help` tells more\n", text, what);
    return UETSIM_USAGE;
}

static int parse(struct wish *w, int argc, char **argv)
{
    static const struct option table[] = {{"svg", required_argument, NULL, 's'},
                                          {"json", required_argument, NULL, 'j'},
                                          {"seed", required_argument, NULL, 'n'},
                                          {"help", no_argument, NULL, 'h'},
                                          {0}};
    char *end;
    int option;

    *w = (struct wish){.name = "", .seed = 1};
    opterr = 0;
    while ((option = getopt_long(argc, argv, ":h", table, NULL)) != -1) {
        if (option == '?' || option == ':')
            return uet_bad_option("uetsim cc", option, argv, table);
        if (option == 'h') {
            fputs(help, stdout);
            return -1;
        }
        if (option == 's')
            w->svg = optarg;
        if (option == 'j')
            w->json = optarg;
        if (option != 'n')
            continue;
        errno = 0;
        w->seed = strtoull(optarg, &end, 10);
        if (errno || *end || end == optarg || *optarg == '-')
            return usage(optarg, "--seed wants a number, not ");
        w->seeded = true;
    }
    (void)uet_idle_options("uetsim cc", argc, argv, ":h", table, NULL, NULL);
    if (optind + 1 != argc)
        return usage(optind < argc ? argv[optind + 1] : "",
                     optind < argc ? "one scenario at a time, not " : "a scenario is missing");
    w->name = argv[optind];
    return 0;
}

/* ---- results ---- */

static bool met(const struct cc_goal *goal, double value)
{
    return value >= goal->low && value <= goal->high;
}

/* False: one was not met. */
static bool tell(const struct cc_run *run, FILE *f)
{
    bool all = true;

    fprintf(f, "%s: %s\n", run->scenario->name, run->scenario->text);
    for (const struct cc_goal *g = run->scenario->goals; g->what; g++) {
        double value = cc_measured(run, g);
        all = all && met(g, value);
        fprintf(f, "  %-6s %-30s %10.1f   wanted %.0f to %.0f, from %.0f to %.0f us\n",
                met(g, value) ? "met" : "MISSED", cc_measure_names[g->what], value, g->low, g->high,
                g->from_us, g->to_us);
    }
    return all;
}

static json_t *goals_json(const struct cc_run *run)
{
    json_t *list = json_array();

    for (const struct cc_goal *g = run->scenario->goals; list && g->what; g++) {
        double value = cc_measured(run, g);
        json_array_append_new(list, json_pack("{s:s, s:f, s:f, s:f, s:f, s:f, s:b}", "what",
                                              cc_measure_names[g->what], "from_us", g->from_us,
                                              "to_us", g->to_us, "low", g->low, "high", g->high,
                                              "value", value, "met", met(g, value)));
    }
    return list;
}

static json_t *sample_json(const struct cc_run *run, size_t i)
{
    const struct cc_sample *s = &run->samples[i];
    json_t *flows = json_array();

    for (uint16_t f = 0; flows && f < run->scenario->n_flows; f++)
        json_array_append_new(
            flows, json_pack("{s:I, s:I, s:I, s:I}", "cwnd", (json_int_t)s->cwnd[f], "credit",
                             (json_int_t)s->credit[f], "inflight", (json_int_t)s->inflight[f],
                             "rcvd_bytes", (json_int_t)s->rcvd[f]));
    return json_pack("{s:f, s:I, s:I, s:I, s:I, s:I, s:o}", "us", (double)i * CC_STEP_NS / 1e3,
                     "queue", (json_int_t)s->queue, "mbits", (json_int_t)s->mbits, "marked",
                     (json_int_t)s->marked, "trimmed", (json_int_t)s->trimmed, "lost",
                     (json_int_t)s->lost, "flows", flows);
}

static json_t *run_json(const struct cc_run *run)
{
    json_t *samples = json_array();

    for (size_t i = 0; samples && i < run->n; i++)
        json_array_append_new(samples, sample_json(run, i));
    return json_pack("{s:s, s:s, s:o, s:o}", "scenario", run->scenario->name, "text",
                     run->scenario->text, "goals", goals_json(run), "samples", samples);
}

static bool put_json(const struct cc_run *run, FILE *f)
{
    json_t *json = run_json(run);
    bool good = json && json_dumpf(json, f, JSON_INDENT(1)) == 0 && fputc('\n', f) >= 0;

    json_decref(json);
    return good;
}

static bool put_svg(const struct cc_run *run, FILE *f)
{
    cc_plot(run, f);
    return !ferror(f);
}

/* "-": standard output. path NULL: nobody wants it. */
static bool put(const struct cc_run *run, const char *path,
                bool (*write)(const struct cc_run *run, FILE *f))
{
    bool to_stdout = path && !strcmp(path, "-");
    FILE *f = !path ? NULL : to_stdout ? stdout : fopen(path, "w");
    bool good = !path || (f && write(run, f));

    if (f && (to_stdout ? fflush(f) : fclose(f)))
        good = false;
    if (!good)
        fprintf(stderr, "uetsim cc: %s: cannot be written: %s\n", path, strerror(errno));
    return good;
}

static int run_one(const struct wish *w, const struct cc_scenario *scenario)
{
    struct cc_run run;
    int rc = cc_run(&run, scenario, w->seed);

    if (rc) {
        fprintf(stderr, "uetsim cc: %s: %s\n", scenario->name, strerror(-rc));
        return UETSIM_USAGE;
    }
    bool to_stdout = w->json && !strcmp(w->json, "-");
    bool good = tell(&run, to_stdout ? stderr : stdout);
    bool written = put(&run, w->svg, put_svg) && put(&run, w->json, put_json);
    cc_run_free(&run);
    return !written ? UETSIM_USAGE : good ? CC_MET : CC_MISSED;
}

int cc_main(int argc, char **argv)
{
    struct wish w;
    int rc = parse(&w, argc, argv), worst = CC_MET;
    bool list = !rc && !strcmp(w.name, "list"), all = !rc && !strcmp(w.name, "all"), found = false;

    if (rc)
        return rc < 0 ? CC_MET : rc;
    if ((w.svg || w.json) && (list || all))
        return usage(w.name, "--svg and --json are of one scenario, not of ");
    if (w.seeded && list)
        return usage(w.name, "--seed is of a scenario, and not of ");
    if (!uet_outputs("uetsim cc", (const char *const[]){w.svg, w.json}, 2, NULL, 0))
        return UETSIM_USAGE;
    for (size_t i = 0; i < cc_n_scenarios; i++) {
        const struct cc_scenario *s = &cc_scenarios[i];
        if (list)
            printf("%-10s %s\n", s->name, s->text);
        if (!all && strcmp(s->name, w.name) != 0)
            continue;
        found = true;
        rc = run_one(&w, s);
        worst = rc > worst ? rc : worst;
    }
    if (!found && !list)
        return usage(w.name, "there is no scenario ");
    if (fflush(stdout))
        return usage(strerror(errno), "standard output: ");
    return worst;
}
