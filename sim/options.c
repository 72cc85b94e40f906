/* SPDX-License-Identifier: BSD-2-Clause */
#include "sim/options.h"

#include <errno.h>
#include <getopt.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "tools/bad_option.h"
#include "tools/idle_option.h"
#include "tools/outputs.h"

#define HOURS_MAX 1e6

#define TEXT(x)    #x
#define TEXT_OF(x) TEXT(x)

static const char help[] =
    "uetsim [OPTION...]: reference FEPs on a simulated fabric with faults\n"
    "\n"
    "Scenarios are drawn from the seed one after the other: 2 to 32 FEPs, a topology, operations\n"
    "in all delivery modes, faults, small limits, restarts. Each scenario is checked against the\n"
    "invariants below. The first one that breaks ends the scenario. uetsim then makes the "
    "scenario\n"
    "smaller and prints what broke, with the command that repeats it. Time is virtual; the same\n"
    "command gives the same result.\n"
    "\n"
    "  --seed N            where the scenarios come from (1)\n"
    "  --hours H           virtual hours to run, 0.01 and the like too (1)\n"
    "  --packets N         ... or packets, whichever comes first; alone: no limit of hours\n"
    "  --scenario K        only scenario K\n"
    "  --ops SET           of that scenario only these operations: 0-3,7 or all or none\n"
    "  --faults SET        ... only these faults\n"
    "  --restarts SET      ... only these restarts\n"
    "  --max-length N      ... operations cut to N bytes\n"
    "  --feps N            N FEPs in every scenario instead of 2 to 32\n"
    "  --modes LIST        only these delivery modes: rud,rod,rudi,uud\n"
    "  --secure KIND       a secure domain (3.7) in every scenario: cluster, cluster-ssi, server,\n"
    "                      server-ssi or direct; none: in no one; mixed: in some (the default)\n"
    "  --congestion KIND   congestion control (3.6) in every scenario, with storms of marks and\n"
    "                      trims: nscc, rccc, both, each (as each FEP likes); none: in no one;\n"
    "                      mixed: in some (the default)\n"
    "  --findings N        end after N scenarios that break something (1)\n"
    "  --ignore NAME       do not look at this invariant, or rule (PDS-060); may be repeated\n"
    "  --no-shrink         do not make a scenario that breaks something smaller\n"
    "  --plan              print what happens in scenario K, and do not run it\n"
    "  --pcap FILE         the frames of scenario K, or of the last finding made small (pcapng);\n"
    "                      where they are sealed, FILE.keys opens them\n"
    "  --port              ... those at the port of the FEP that is watched there\n"
    "  --json FILE         the result as JSON; - is standard output\n"
    "  -q, --quiet         no progress, findings only\n"
    "  --violate ID        uetsim_bent only: FEPs that break this requirement\n"
    "  --mutate NAME       a mutant: payload, cack-back, clear-back, mode, clock, read-data,\n"
    "                      into, forgetful, stale\n"
    "  --help, --version\n"
    "\n"
    "Invariants: intact once delivered order memory cack clear window completion quiet leak clock\n"
    "read atomic tag iv sealed forged overrun starved inflight credit rule.\n"
    "Exit status: 0 nothing found, 1 a finding, 2 usage or no memory, 130 interrupted (Ctrl-C,\n"
    "SIGTERM) with no finding till then.\n"
    "\n"
    "  uetsim cc SCENARIO                      congestion control; `uetsim cc --help`\n"
    "  uetsim fabric SCENARIO                  fat trees and workloads; `uetsim fabric --help`\n"
    "  uetsim --hours 10                       ten virtual hours\n"
    "  uetsim --seed 7 --scenario 12 --pcap w.pcapng   one scenario and its packets\n";

enum {
    OPT_SEED = 256,
    OPT_HOURS,
    OPT_PACKETS,
    OPT_SCENARIO,
    OPT_OPS,
    OPT_FAULTS,
    OPT_RESTARTS,
    OPT_MAX_LENGTH,
    OPT_FEPS,
    OPT_MODES,
    OPT_SECURE,
    OPT_CONGESTION,
    OPT_FINDINGS,
    OPT_IGNORE,
    OPT_NO_SHRINK,
    OPT_PLAN,
    OPT_PCAP,
    OPT_PORT,
    OPT_JSON,
    OPT_VIOLATE,
    OPT_MUTATE,
    OPT_HELP,
    OPT_VERSION
};

static const struct option table[] = {
    {"seed", required_argument, NULL, OPT_SEED},
    {"hours", required_argument, NULL, OPT_HOURS},
    {"packets", required_argument, NULL, OPT_PACKETS},
    {"scenario", required_argument, NULL, OPT_SCENARIO},
    {"world", required_argument, NULL, OPT_SCENARIO}, /* its former name */
    {"ops", required_argument, NULL, OPT_OPS},
    {"faults", required_argument, NULL, OPT_FAULTS},
    {"restarts", required_argument, NULL, OPT_RESTARTS},
    {"max-length", required_argument, NULL, OPT_MAX_LENGTH},
    {"feps", required_argument, NULL, OPT_FEPS},
    {"modes", required_argument, NULL, OPT_MODES},
    {"secure", required_argument, NULL, OPT_SECURE},
    {"congestion", required_argument, NULL, OPT_CONGESTION},
    {"findings", required_argument, NULL, OPT_FINDINGS},
    {"ignore", required_argument, NULL, OPT_IGNORE},
    {"no-shrink", no_argument, NULL, OPT_NO_SHRINK},
    {"plan", no_argument, NULL, OPT_PLAN},
    {"pcap", required_argument, NULL, OPT_PCAP},
    {"port", no_argument, NULL, OPT_PORT},
    {"json", required_argument, NULL, OPT_JSON},
    {"violate", required_argument, NULL, OPT_VIOLATE},
    {"mutate", required_argument, NULL, OPT_MUTATE},
    {"quiet", no_argument, NULL, 'q'},
    {"help", no_argument, NULL, OPT_HELP},
    {"version", no_argument, NULL, OPT_VERSION},
    {0}};

static int refuse(const char *option, const char *text, const char *wanted)
{
    fprintf(stderr, "uetsim: --%s %s: %s\n", option, text, wanted);
    return UETSIM_USAGE;
}

static int number(const char *option, const char *text, uint64_t low, uint64_t high,
                  uint64_t *value)
{
    char wanted[80], *end;

    errno = 0;
    *value = strtoull(text, &end, 10);
    if (*text >= '0' && *text <= '9' && !*end && !errno && *value >= low && *value <= high)
        return 0;
    snprintf(wanted, sizeof(wanted), "a whole number from %llu to %llu is wanted",
             (unsigned long long)low, (unsigned long long)high);
    return refuse(option, text, wanted);
}

static int hours(const char *text, double *value)
{
    char *end;

    *value = strtod(text, &end);
    if (end != text && !*end && isfinite(*value) && *value > 0 && *value <= HOURS_MAX)
        return 0;
    return refuse("hours", text, "a number above 0 and up to 1000000 is wanted");
}

static int modes(const char *text, uint32_t *value)
{
    static const char *const names[] = {"rud", "rod", "rudi", "uud"};

    *value = 0;
    for (const char *at = text;; at++) {
        size_t n = strcspn(at, ","), i = 0;
        while (i < 4 && (strlen(names[i]) != n || strncmp(names[i], at, n) != 0))
            i++;
        if (i == 4)
            return refuse("modes", text, "names out of rud,rod,rudi,uud are wanted");
        *value |= 1u << i;
        at += n;
        if (!*at)
            return 0;
    }
}

static int secure(const char *text, uint8_t *value)
{
    for (*value = SIM_IN_CLEAR; *value < SIM_SECURE_KINDS; (*value)++)
        if (!strcmp(text, sim_secure_name(*value)))
            return 0;
    if (strcmp(text, "beside") == 0) /* a mode of uetconform */
        return refuse("secure", text,
                      "the FEPs of a scenario send all sealed or all in clear, and mixed draws "
                      "which; jobs in clear beside sealed ones has uetconform run --secure=beside");
    return refuse("secure", text,
                  "none, cluster, cluster-ssi, server, server-ssi, direct or mixed is wanted");
}

static int congestion(const char *text, uint8_t *value)
{
    for (*value = SIM_UNCONTROLLED; *value < SIM_CONGESTION_KINDS; (*value)++)
        if (!strcmp(text, sim_congestion_name(*value)))
            return 0;
    return refuse("congestion", text, "none, nscc, rccc, both, each or mixed is wanted");
}

static int mutation(const char *text, uint8_t *value)
{
    for (*value = SIM_MUTATE_NOTHING; *value < SIM_MUTATIONS; (*value)++)
        if (!strcmp(text, sim_mutation_name(*value)))
            return 0;
    return refuse("mutate", text,
                  "payload, cack-back, clear-back, mode, clock, read-data, into, forgetful or "
                  "stale is wanted");
}

static int ignore(struct options *o, const char *text)
{
    bool known = strlen(text) > 4 && text[3] == '-';

    for (int i = 1; i < SIM_INVARIANTS; i++)
        known |= !strcmp(text, sim_invariant_name((enum sim_invariant)i));
    if (!known)
        return refuse("ignore", text, "an invariant (see --help) or a requirement id is wanted");
    if (o->n_ignore == UETSIM_IGNORES)
        return refuse("ignore", text, "32 at most");
    o->ignore[o->n_ignore++] = text;
    return 0;
}

static int take(struct options *o, int option, const char *text)
{
    uint64_t n = 0;
    int rc = 0;

    switch (option) {
    case OPT_SEED:
        return number("seed", text, 0, UINT64_MAX, &o->seed);
    case OPT_HOURS:
        return hours(text, &o->hours);
    case OPT_PACKETS:
        return number("packets", text, 1, UINT64_MAX, &o->max_packets);
    case OPT_SCENARIO:
        o->one_scenario = true;
        return number("scenario", text, 0, UINT64_MAX, &o->scenario);
    case OPT_MAX_LENGTH:
        rc = number("max-length", text, 0, UINT32_MAX, &n);
        o->max_length = (uint32_t)n;
        return rc;
    case OPT_FEPS:
        rc = number("feps", text, 2, SIM_FEPS_MAX, &n);
        o->limits.feps = (uint16_t)n;
        return rc;
    case OPT_FINDINGS:
        return number("findings", text, 1, 1000000, &o->max_findings);
    case OPT_MODES:
        return modes(text, &o->limits.modes);
    case OPT_SECURE:
        return secure(text, &o->limits.secure);
    case OPT_CONGESTION:
        return congestion(text, &o->limits.congestion);
    case OPT_MUTATE:
        return mutation(text, &o->mutation);
    case OPT_IGNORE:
        return ignore(o, text);
    default:
        return 0;
    }
}

static int take_word(struct options *o, int option, const char *text)
{
    switch (option) {
    case OPT_OPS:
        o->ops = text;
        return 0;
    case OPT_FAULTS:
        o->faults = text;
        return 0;
    case OPT_RESTARTS:
        o->restarts = text;
        return 0;
    case OPT_PCAP:
        o->pcap = text;
        return 0;
    case OPT_PORT:
        o->port = true;
        return 0;
    case OPT_JSON:
        o->json = text;
        return 0;
    case OPT_VIOLATE:
        o->violate = text;
        return 0;
    case OPT_NO_SHRINK:
        o->shrink_runs = 0;
        return 0;
    case OPT_PLAN:
        o->plan = true;
        return 0;
    case 'q':
        o->quiet = true;
        return 0;
    case OPT_HELP:
        fputs(help, stdout);
        return -1;
    case OPT_VERSION:
        puts("uetsim " TEXT_OF(UETSIM_VERSION));
        return -1;
    default:
        return take(o, option, text);
    }
}

static int fit_together(const struct options *o)
{
    bool part = o->ops || o->faults || o->restarts || o->max_length != UINT32_MAX;

    if ((part || o->plan) && !o->one_scenario) {
        fputs(
            "uetsim: --ops, --faults, --restarts, --max-length and --plan are about one scenario: "
            "name it with --scenario K\n",
            stderr);
        return UETSIM_USAGE;
    }
    return uet_outputs("uetsim", (const char *const[]){o->json, o->pcap}, 2, NULL, 0)
               ? 0
               : UETSIM_USAGE;
}

int options_parse(struct options *o, int argc, char **argv)
{
    static const struct uet_idle_option idle[] = {
        {"json", "plan", NULL},        {"pcap", "plan", NULL},
        {"quiet", "plan", NULL},       {"ignore", "plan", NULL},
        {"no-shrink", "plan", NULL},   {"hours", "scenario", NULL},
        {"packets", "scenario", NULL}, {"findings", "scenario", NULL},
        {"port", NULL, "pcap"},        {NULL, NULL, NULL},
    };
    static const char *const many[] = {"ignore", NULL};
    int option, rc;

    *o = (struct options){
        .seed = 1,
        .max_findings = 1,
        .limits = {.modes = 15, .secure = SIM_SECURE_MIXED, .congestion = SIM_CONGESTION_MIXED},
        .max_length = UINT32_MAX,
        .shrink_runs = 400};
    opterr = 0;
    while ((option = getopt_long(argc, argv, ":qh", table, NULL)) != -1) {
        if (option == '?' || option == ':')
            return uet_bad_option("uetsim", option, argv, table);
        rc = take_word(o, option == 'h' ? OPT_HELP : option, optarg);
        if (rc)
            return rc;
    }
    if (uet_idle_options("uetsim", argc, argv, ":qh", table, idle, many) >= 0)
        return UETSIM_USAGE;
    if (optind < argc) {
        fprintf(stderr, "uetsim: '%s' is no option; `uetsim --help` tells them\n", argv[optind]);
        return UETSIM_USAGE;
    }
    if (o->hours <= 0)
        o->hours = o->max_packets ? HOURS_MAX : 1;
    return fit_together(o);
}
