/* SPDX-License-Identifier: BSD-2-Clause */
/* uetsim: a simulator that tries to break the reference FEP. */
#include <errno.h>
#include <inttypes.h>
#include <signal.h>
#include <string.h>
#include <time.h>

#include "sim/cc/cc.h"
#include "sim/fabric/scenario.h"
#include "sim/report.h"
#include "sim/shrink.h"
#include "ut/descriptors.h"

static volatile sig_atomic_t stopped;

static void on_signal(int signal_number)
{
    (void)signal_number;
    stopped = 1;
}

static double now_s(void)
{
    struct timespec t;

    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + (double)t.tv_nsec / 1e9;
}

static int fail(const char *what, int rc)
{
    fprintf(stderr, "uetsim: %s: %s\n", what, strerror(-rc));
    return UETSIM_USAGE;
}

/* ---- one scenario ---- */

static int choose(const struct options *o, const struct sim_plan *plan, struct sim_choice *choice)
{
    const struct {
        const char *option, *text;
        struct sim_set *set;
    } sets[] = {{"ops", o->ops, &choice->ops},
                {"faults", o->faults, &choice->faults},
                {"restarts", o->restarts, &choice->restarts}};
    int rc = sim_choice_all(choice, plan);

    choice->max_length = o->max_length;
    for (size_t i = 0; i < 3 && rc == 0; i++) {
        if (!sets[i].text)
            continue;
        rc = sim_set_parse(sets[i].set, sets[i].text);
        if (rc)
            fprintf(stderr,
                    "uetsim: --%s %s: numbers from 0 to %u like 0-3,7 are wanted, or all, "
                    "or none\n",
                    sets[i].option, sets[i].text, sets[i].set->n ? sets[i].set->n - 1 : 0);
    }
    return rc;
}

struct shrinking {
    const struct options *o;
    const struct sum *sum;
};

static bool asked_to_stop(void *ctx)
{
    (void)ctx;
    return stopped;
}

static void tried(void *ctx, unsigned runs, const struct sim_choice *best)
{
    const struct shrinking *s = ctx;
    char what[64];

    snprintf(what, sizeof(what), "; making it small: %u runs, %u operations", runs,
             sim_set_count(&best->ops));
    report_progress(s->o, s->sum, what);
}

/* Beside the packets the keys to open them with. */
static int write_keys(const struct options *o, const struct sim_plan *plan)
{
    char path[4096];
    int n = snprintf(path, sizeof(path), "%s.keys", o->pcap);

    if (plan->secure.kind == SIM_IN_CLEAR)
        return 0;
    return n < (int)sizeof(path) ? sim_write_keys(plan, path) : -ENAMETOOLONG;
}

/* The packets of a run: the same scenario once more. */
static int capture(const struct options *o, struct sim_run run)
{
    char error[200];
    struct sim_result result;
    int rc = uet_pcapng_open(&run.pcap, o->pcap, error, sizeof(error));

    if (rc) {
        fprintf(stderr, "uetsim: %s\n", error);
        return rc;
    }
    rc = sim_run(&run, &result);
    if (uet_pcapng_close(run.pcap) && !rc)
        rc = -EIO;
    if (!rc)
        rc = write_keys(o, run.plan);
    if (rc)
        fprintf(stderr, "uetsim: --pcap %s: %s\n", o->pcap, strerror(-rc));
    return rc;
}

static int found(const struct options *o, struct sum *sum, const struct sim_run *run,
                 struct sim_choice *choice, struct sim_result *result)
{
    struct shrinking shrinking = {o, sum};
    const struct sim_shrink how = {o->shrink_runs, asked_to_stop, tried, &shrinking};
    int runs = o->shrink_runs ? sim_shrink(run, choice, result, &how) : 0;

    report_progress_end(o);
    if (runs < 0)
        return runs;
    return report_finding(o, sum, &(struct finding){run->plan, choice, result, (unsigned)runs});
}

static int run_scenario(const struct options *o, struct sum *sum, const struct sim_plan *plan,
                        struct sim_choice *choice)
{
    const struct sim_run run = {.plan = plan,
                                .choice = choice,
                                .violate = o->violate,
                                .mutation = o->mutation,
                                .at_port = o->port,
                                .ignore = o->ignore,
                                .n_ignore = o->n_ignore};
    struct sim_result result;
    int rc = sim_run(&run, &result);

    if (rc == -ENOENT)
        fprintf(stderr,
                "uetsim: --violate %s: no such violation in this program (uetsim_bent has "
                "them)\n",
                o->violate);
    else if (rc)
        fprintf(stderr, "uetsim: scenario %" PRIu64 ": %s\n", plan->scenario, strerror(-rc));
    if (rc)
        return rc;
    sum_add(sum, &result);
    if (result.breach.what != SIM_NOTHING)
        rc = found(o, sum, &run, choice, &result);
    if (rc == 0 && o->pcap && (o->one_scenario || result.breach.what != SIM_NOTHING))
        rc = capture(o, run);
    return rc;
}

static int one_scenario(const struct options *o, struct sum *sum, uint64_t scenario)
{
    struct sim_plan *plan = sim_plan_new(o->seed, scenario, &o->limits);
    struct sim_choice choice = {0};
    int rc = plan ? choose(o, plan, &choice) : -ENOMEM;

    if (rc == 0 && o->plan)
        sim_plan_print(plan, &choice, stdout);
    else if (rc == 0)
        rc = run_scenario(o, sum, plan, &choice);
    sim_choice_free(&choice);
    sim_plan_free(plan);
    return rc;
}

/* ---- all of them ---- */

static int all_scenarios(const struct options *o, struct sum *sum)
{
    double begin = now_s(), told = 0;
    uint64_t scenario = o->one_scenario ? o->scenario : 0;
    int rc = 0;

    do {
        rc = one_scenario(o, sum, scenario++);
        sum->seconds = now_s() - begin;
        if (sum->seconds - told > 0.2) {
            told = sum->seconds;
            report_progress(o, sum, "");
        }
    } while (rc == 0 && !o->one_scenario && !stopped && sum->findings < o->max_findings &&
             (double)sum->virtual_ns < o->hours * 3.6e12 &&
             (!o->max_packets || sum->frames < o->max_packets));
    report_progress_end(o);
    if (rc == 0 && o->pcap && !o->one_scenario && !sum->findings)
        fprintf(stderr, "uetsim: --pcap: %s is not written: nothing was found\n", o->pcap);
    sum->stopped = stopped;
    return rc;
}

int main(int argc, char **argv)
{
    if (!uet_hold_descriptors())
        return UETSIM_USAGE;

    struct options o;
    struct sum sum = {0};
    struct sigaction action = {.sa_handler = on_signal, .sa_flags = (int)SA_RESETHAND};
    if (argc > 1 && !strcmp(argv[1], "cc"))
        return cc_main(argc - 1, argv + 1);
    if (argc > 1 && !strcmp(argv[1], "fabric"))
        return fabric_main(argc - 1, argv + 1);

    int rc = options_parse(&o, argc, argv);

    if (rc)
        return rc < 0 ? UETSIM_NONE : rc;
    sum.list = json_array();
    if (!sum.list)
        return fail("no memory", -ENOMEM);
    sigaction(SIGINT, &action, NULL); /* a second one kills */
    sigaction(SIGTERM, &action, NULL);
    rc = all_scenarios(&o, &sum);
    if (!o.plan && !rc) {
        report_sum(&o, &sum);
        if (o.json)
            rc = report_json(&o, &sum);
    }
    json_decref(sum.list);
    if (fflush(stdout) != 0)
        return fail("standard output", -errno);
    if (rc)
        return UETSIM_USAGE;
    if (sum.findings)
        return UETSIM_FOUND;
    return sum.stopped ? UETSIM_INTERRUPTED : UETSIM_NONE;
}
