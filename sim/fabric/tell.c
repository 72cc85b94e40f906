/* SPDX-License-Identifier: BSD-2-Clause */
/* `uetsim fabric`: its arguments, its table, its JSON. */
#include <errno.h>
#include <getopt.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "refimpl/acts_as.h"
#include "sim/fabric/runs.h"
#include "sim/options.h"
#include "tools/bad_option.h"
#include "tools/idle_option.h"
#include "tools/outputs.h"

static const char help[] =
    "uetsim fabric SCENARIO [--hosts N] [--radix R] [--levels L] [--over O] [--message BYTES]\n"
    "              [--count N] [--senders N] [--cc NAME] [--classes NAME] [--lb N]\n"
    "              [--evs N] [--packets N] [--mtu N] [--param NAME=VALUE]... [--seed N]\n"
    "              [--runs N [--jobs N] [--task K/N]] [--svg FILE] [--matrix FILE] [--json FILE]:\n"
    "reference FEPs on a whole fabric, a fat tree with lines of 100 Gbit/s, CE marks from 0.2 to\n"
    "0.8 Plane_BDP and trims at one (3.6.17). Prints each goal and what came of it; with `all`\n"
    "those of every scenario, with `list` their names.\n"
    "\n"
    "  --hosts N        FEPs; when 0 as many as the tree holds, in deadlock-worlds drawn\n"
    "  --radix R        ports of a switch\n"
    "  --levels L       of switches: 2 or 3\n"
    "  --over O         hosts of an edge switch for each of its cables up\n"
    "  --message BYTES  of each write\n"
    "  --count N        writes of each flow\n"
    "  --senders N      of incast (8); it has that many hosts and one more\n"
    "  --cc NAME        nscc, rccc or both, where the scenario's name says nothing of it\n"
    "  --classes NAME   of deadlock and deadlock-worlds: pair, requests and answers in two\n"
    "                   lossless classes; or one, both in one, where deadlocks are found (pair)\n"
    "  --lb N           how entropy values are chosen: 0 random, 1 oblivious, 2 REPS, 3 bitmap\n"
    "  --evs N          entropy values of a flow; 0: a new one for each packet (0). With 1\n"
    "                   nothing sprays, and what rests on that misses its goals\n"
    "  --packets N      that may wait for their ACKs, of each FEP; one PDC may have half\n"
    "  --mtu N          bytes of data in a packet of a workload: 1024, 2048, 4096 or 8192 (4096)\n"
    "  --param NAME=VALUE  a parameter of each FEP (docs/upper-tester.md), so often as there are\n"
    "                   such; what a scenario has of its own is told\n"
    "  --seed N         of the flows, entropy values and marks (1)\n"
    "  --runs N         from so many seeds, that one and those after it: a line for each, and of\n"
    "                   each measure least, mean and most; what some of them tell only, below\n"
    "  --jobs N         so many of them side by side (1)\n"
    "  --task K/N       only every N-th of them, the K-th first, from 0: of N tasks elsewhere\n"
    "                   (docs/lab.md)\n"
    "  --svg FILE       shares over time, of a scenario that has them\n"
    "  --matrix FILE    flows of a workload, as a connection matrix of htsim (docs/cms.md)\n"
    "  --json FILE      goals and measures; - is standard output\n"
    "  --help\n"
    "\n"
    "Completion of a workload (permutation, incast, all-to-all, allreduce-ring, allreduce-tree)\n"
    "is given as a multiple of an ideal that is computed from the speed of the lines and the "
    "bytes\n"
    "on them, headers and gaps included: each host sends its flows one after the other, each\n"
    "host's line takes what is for it one after the other, no packet waits elsewhere; then the "
    "way\n"
    "of the last packet, and its ACK's. A flow that waits for another begins with the end of "
    "that.\n"
    "The longest queue is that of data, of all lines, looked at each microsecond. --message of an\n"
    "allreduce is what each host has to be reduced.\n"
    "\n"
    "  uetsim fabric all\n"
    "  uetsim fabric permutation --radix 16 --hosts 0               1,024 FEPs\n"
    "  uetsim fabric permutation --message 65536 --evs 1            64 FEPs, without spraying\n"
    "  uetsim fabric incast --senders 256                           256 to one\n"
    "  uetsim fabric incast-nscc --runs 20 --jobs 4                 from seeds 1 to 20\n"
    "\n"
    "Exit status: 0 every goal was met, 1 one was not, 2 usage, or a file that cannot be "
    "written.\n";

enum {
    HOSTS,
    RADIX,
    LEVELS,
    OVER,
    MESSAGE,
    COUNT,
    SENDERS,
    LB,
    EVS,
    PACKETS,
    MTU,
    SEED,
    RUNS,
    JOBS,
    NUMBERS
};

static const struct {
    const char *name;
    uint64_t low, high;
} numbers[NUMBERS] = {
    [HOSTS] = {"hosts", 0, 65535},
    [RADIX] = {"radix", 2, 1024},
    [LEVELS] = {"levels", 2, 3},
    [OVER] = {"over", 1, 64},
    [MESSAGE] = {"message", 1, 1u << 30},
    [COUNT] = {"count", 1, 1u << 20},
    [SENDERS] = {"senders", 1, 8192},
    [LB] = {"lb", 0, 3},
    [EVS] = {"evs", 0, 16384},
    [PACKETS] = {"packets", 4, 65535},
    [MTU] = {"mtu", 1024, 8192},
    [SEED] = {"seed", 0, UINT64_MAX},
    [RUNS] = {"runs", 1, 1u << 20},
    [JOBS] = {"jobs", 1, 1024},
};

struct arguments {
    const char *name, *json, *svg, *matrix;
    bool given[NUMBERS], cc_given;
    uint64_t value[NUMBERS];
    uint8_t cc, classes;
    uint32_t task, tasks; /* tasks 0: --task was not given */
    struct net_param params[NET_PARAMS];
};

/* ---- arguments ---- */

static int usage(const char *what, const char *text)
{
    fprintf(stderr, "uetsim fabric: %s%s; `uetsim fabric --help` tells more\n", text, what);
    return UETSIM_USAGE;
}

static int take_number(struct arguments *a, int i, const char *text)
{
    char *end, what[80];

    errno = 0;
    a->value[i] = strtoull(text, &end, 10);
    a->given[i] = true;
    if (!errno && !*end && end != text && *text != '-' && a->value[i] >= numbers[i].low &&
        a->value[i] <= numbers[i].high)
        return 0;
    snprintf(what, sizeof(what), "--%s wants a number from %" PRIu64 " to %" PRIu64 ", not ",
             numbers[i].name, numbers[i].low, numbers[i].high);
    return usage(text, what);
}

static int take_cc(struct arguments *a, const char *text)
{
    for (a->cc = 0; a->cc < NET_CCS; a->cc++)
        if (!strcmp(text, net_cc_names[a->cc])) {
            a->cc_given = true;
            return 0;
        }
    return usage(text, "--cc wants nscc, rccc or both, not ");
}

static int take_classes(struct arguments *a, const char *text)
{
    a->classes = !strcmp(text, "pair") ? FABRIC_PAIR : FABRIC_ONE;
    return a->classes == FABRIC_PAIR || !strcmp(text, "one")
               ? 0
               : usage(text, "--classes wants pair or one, not ");
}

static int take_param(struct arguments *a, const char *text)
{
    switch (fabric_param_read(a->params, text)) {
    case 0:
        return 0;
    case -ENOENT:
        return usage(text, "--param wants NAME=VALUE, with a parameter of the FEP that has no "
                           "option of its own, not ");
    case -ERANGE:
        return usage(text, "that parameter has no such value: --param ");
    case -EEXIST:
        return usage(text, "that parameter stands there twice: --param ");
    default:
        return usage(text, "too many of --param: ");
    }
}

static int take_task(struct arguments *a, const char *text)
{
    char rest;

    if (sscanf(text, "%6" SCNu32 "/%6" SCNu32 "%c", &a->task, &a->tasks, &rest) == 2 &&
        a->task < a->tasks)
        return 0;
    return usage(text, "--task wants K/N, two numbers with K below N, not ");
}

static int take(struct arguments *a, int option, const char *text)
{
    if (option == 'j')
        a->json = text;
    else if (option == 's')
        a->svg = text;
    else if (option == 'm')
        a->matrix = text;
    else if (option == 'c')
        return take_cc(a, text);
    else if (option == 'l')
        return take_classes(a, text);
    else if (option == 't')
        return take_task(a, text);
    else if (option == 'p')
        return take_param(a, text);
    else
        return take_number(a, option - 256, text);
    return 0;
}

static int parse(struct arguments *a, int argc, char **argv)
{
    struct option table[NUMBERS + 9] = {
        {"classes", required_argument, NULL, 'l'}, {"json", required_argument, NULL, 'j'},
        {"svg", required_argument, NULL, 's'},     {"matrix", required_argument, NULL, 'm'},
        {"cc", required_argument, NULL, 'c'},      {"task", required_argument, NULL, 't'},
        {"param", required_argument, NULL, 'p'},   {"help", no_argument, NULL, 'h'}};
    int option, rc;

    for (int i = 0; i < NUMBERS; i++)
        table[8 + i] = (struct option){numbers[i].name, required_argument, NULL, 256 + i};
    static const char *const many[] = {"param", NULL};
    *a = (struct arguments){.name = ""};
    opterr = 0;
    while ((option = getopt_long(argc, argv, ":h", table, NULL)) != -1) {
        if (option == '?' || option == ':')
            return uet_bad_option("uetsim fabric", option, argv, table);
        if (option == 'h') {
            fputs(help, stdout);
            return -1;
        }
        rc = take(a, option, optarg);
        if (rc)
            return rc;
    }
    (void)uet_idle_options("uetsim fabric", argc, argv, ":h", table, NULL, many);
    if (optind + 1 != argc)
        return usage(optind < argc ? argv[optind + 1] : "",
                     optind < argc ? "one scenario at a time, not " : "a scenario is missing");
    a->name = argv[optind];
    return 0;
}

static struct fabric_wish wish_of(const struct arguments *a, const struct fabric_scenario *scenario)
{
    struct fabric_wish w = scenario->usual;
    const uint64_t *v = a->value;
    const bool *given = a->given;

    w.hosts = given[HOSTS] ? (uint16_t)v[HOSTS] : w.hosts;
    w.radix = given[RADIX] ? (uint16_t)v[RADIX] : w.radix;
    w.levels = given[LEVELS] ? (uint8_t)v[LEVELS] : w.levels;
    w.over = given[OVER] ? (uint16_t)v[OVER] : w.over;
    w.message = given[MESSAGE] ? (uint32_t)v[MESSAGE] : w.message;
    w.count = given[COUNT] ? (uint32_t)v[COUNT] : w.count;
    w.senders = given[SENDERS] ? (uint16_t)v[SENDERS] : w.senders;
    w.lb = given[LB] ? (uint8_t)v[LB] : w.lb;
    w.evs = given[EVS] ? (uint16_t)v[EVS] : w.evs;
    w.packets = given[PACKETS] ? (uint16_t)v[PACKETS] : w.packets;
    w.mtu = given[MTU] ? (uint16_t)v[MTU] : w.mtu;
    w.seed = given[SEED] ? v[SEED] : w.seed;
    w.cc = a->cc_given ? a->cc : w.cc;
    w.classes = a->classes ? a->classes : w.classes;
    for (size_t i = 0; i < NET_PARAMS && a->params[i].name; i++)
        (void)fabric_param_put(w.params, &a->params[i]); /* a scenario has few of its own */
    return w;
}

/* ---- results ---- */

/* False: a goal was not met. */
static bool tell(const struct fabric_scenario *scenario, const struct fabric_result *result,
                 FILE *f)
{
    bool all = true;

    fprintf(f, "%s: %s\n", scenario->name, scenario->text);
    for (const struct fabric_row *r = result->rows; r < result->rows + result->n; r++) {
        all = all && fabric_met(r);
        fprintf(f, "  %-6s %-52s %14.3f",
                !r->goal        ? ""
                : fabric_met(r) ? "met"
                                : "MISSED",
                r->what, r->value);
        if (r->goal)
            fprintf(f, "   wanted %.10g to %.10g", r->low, r->high);
        fputc('\n', f);
    }
    if (result->digest)
        fprintf(f, "  digest %016" PRIx64 "\n", result->digest);
    return all;
}

/* Takes the references of results and, of many runs, measures. */
static bool put_json(const struct fabric_scenario *scenario, json_t *results, json_t *measures,
                     FILE *f)
{
    json_t *json = json_pack("{s:s, s:s, s:o, s:o*}", "scenario", scenario->name, "text",
                             scenario->text, "runs", results, "measures", measures);
    bool good = json && json_dumpf(json, f, JSON_INDENT(1)) == 0 && fputc('\n', f) >= 0;

    json_decref(json);
    return good;
}

static int cannot_write(const char *path)
{
    fprintf(stderr, "uetsim fabric: %s: cannot be written: %s\n", path, strerror(errno));
    return UETSIM_USAGE;
}

/* "-": standard output. path NULL: nobody wants it. Takes the references, as put_json. */
static bool put(const struct fabric_scenario *scenario, json_t *results, json_t *measures,
                const char *path)
{
    bool to_stdout = path && !strcmp(path, "-");
    FILE *f = !path ? NULL : to_stdout ? stdout : fopen(path, "w");
    bool good = !path || f;

    if (f)
        good = put_json(scenario, results, measures, f);
    else {
        json_decref(results);
        json_decref(measures);
    }
    if (f && (to_stdout ? fflush(f) : fclose(f)))
        good = false;
    if (!good)
        cannot_write(path);
    return good;
}

static int once(const struct fabric_scenario *scenario, const struct fabric_wish *wish, FILE *f,
                json_t **json)
{
    struct fabric_result result = {0};
    int rc = fabric_run(scenario, wish, &result);

    *json = rc ? NULL : json_pack("[o]", fabric_json(wish->seed, &result));
    return rc ? rc : tell(scenario, &result, f) ? FABRIC_MET : FABRIC_MISSED;
}

/* path NULL: nobody wants it. */
static bool open_for(const char *path, FILE **f)
{
    *f = path ? fopen(path, "w") : NULL;
    if (path && !*f)
        cannot_write(path);
    return !path || *f;
}

static bool close_it(FILE *f, const char *path)
{
    if (!f || fclose(f) == 0)
        return true;
    cannot_write(path);
    return false;
}

/* The tree is none, or its hosts are not those of which the scenario's flows are. */
static int misfit(const struct fabric_scenario *scenario, const struct fabric_wish *wish)
{
    struct tree tree;
    const bool there_is = !fabric_tree(wish, &tree);

    if (there_is)
        tree_free(&tree);
    fputs("uetsim fabric: ", stderr);
    if (!there_is)
        fprintf(stderr, "%s: there is no such tree, or it has not so many hosts%s", scenario->name,
                scenario->needs ? "; " : "");
    else if (!scenario->needs)
        fprintf(stderr, "%s: these options do not fit together", scenario->name);
    if (scenario->needs)
        fprintf(stderr, "%s needs %s", scenario->name, scenario->needs);
    fputs("; `uetsim fabric --help` tells more\n", stderr);
    return UETSIM_USAGE;
}

static int run_one(const struct arguments *a, const struct fabric_scenario *scenario)
{
    const struct fabric_runs runs = {.n = (uint32_t)(a->given[RUNS] ? a->value[RUNS] : 1),
                                     .jobs = (uint32_t)(a->given[JOBS] ? a->value[JOBS] : 1),
                                     .task = a->task,
                                     .tasks = a->tasks ? a->tasks : 1};
    struct fabric_wish wish = wish_of(a, scenario);
    FILE *f = a->json && !strcmp(a->json, "-") ? stderr : stdout;
    json_t *json = NULL, *measures = NULL;
    int rc;

    if (!open_for(a->svg, &wish.svg) || !open_for(a->matrix, &wish.matrix))
        return UETSIM_USAGE;
    rc = a->given[RUNS] ? fabric_runs(scenario, &wish, &runs, f, &json, &measures)
                        : once(scenario, &wish, f, &json);
    if (!close_it(wish.svg, a->svg) || !close_it(wish.matrix, a->matrix)) {
        json_decref(json);
        json_decref(measures);
        return UETSIM_USAGE;
    }
    if (rc >= 0)
        return put(scenario, json, measures, a->json) ? rc : UETSIM_USAGE;
    json_decref(json);
    json_decref(measures);
    if (rc == -EINVAL)
        return misfit(scenario, &wish);
    if (rc == -E2BIG)
        return usage(scenario->name, "so many hosts would have more than 65536 flows in ");
    fprintf(stderr, "uetsim fabric: %s: %s\n", scenario->name, strerror(-rc));
    return UETSIM_USAGE;
}

/* An option that this scenario would not read, or NULL. */
static const char *unread(const struct arguments *a, const struct fabric_scenario *s)
{
    if (a->given[MESSAGE] && !s->usual.message)
        return "--message is not read by ";
    if (a->given[COUNT] && !s->usual.count)
        return "--count is not read by ";
    if (a->given[SENDERS] && !s->usual.senders)
        return "--senders is not read by ";
    if (a->given[HOSTS] && s->usual.senders)
        return "--hosts is one more than --senders, and not read by ";
    if (a->given[MTU] && !s->load)
        return "--mtu is of flows that begin and end, and not of ";
    if (a->classes && !s->usual.classes)
        return "--classes is not read by ";
    if ((a->given[LB] || a->cc_given || a->given[PACKETS] || a->params->name) && s->still)
        return "--cc, --lb, --packets and --param are not read by ";
    if (a->cc_given && a->cc != s->usual.cc && s->by_cc)
        return "its name says which congestion control, so --cc cannot be another in ";
    if (a->given[LB] && a->value[LB] != s->usual.lb && s->by_lb)
        return "its name says how entropy values are chosen, so --lb cannot be another in ";
    return NULL;
}

/* Is a --param of what is switched off in this scenario? Then told, with the status of that. */
static int idle_param(const struct arguments *a, const struct fabric_scenario *s)
{
    const struct fabric_wish wish = wish_of(a, s);
    const struct net_wish net = fabric_net(&wish, NULL, 0);
    struct uet_fep_config config;
    struct uet_fep_needs needs;
    char text[160];

    uet_fep_config_default(&config);
    net_params(&net, &config.params);
    for (size_t i = 0; i < NET_PARAMS && a->params[i].name; i++) {
        if (!uet_fep_param_needs(&config, false, a->params[i].name, &needs))
            continue;
        snprintf(text, sizeof(text), "--param %s has no effect without %s in ", a->params[i].name,
                 needs.text);
        return usage(s->name, text);
    }
    return 0;
}

static bool is_asked(const struct arguments *a, const struct fabric_scenario *s)
{
    return !strcmp(a->name, "all") || !strcmp(a->name, s->name);
}

/* What this scenario cannot do, or would not read: told, with the status of that. */
static int check_one(const struct arguments *a, const struct fabric_scenario *s)
{
    if (a->svg && !s->plots)
        return usage(a->name, "--svg is of shares over time, and not of ");
    if (a->matrix && !s->load)
        return usage(a->name, "--matrix is of flows that begin and end, and not of ");
    return unread(a, s) ? usage(s->name, unread(a, s)) : idle_param(a, s);
}

static bool any_option(const struct arguments *a)
{
    bool any =
        a->cc_given || a->classes || a->params->name || a->tasks || a->json || a->svg || a->matrix;

    for (int i = 0; i < NUMBERS; i++)
        any = any || a->given[i];
    return any;
}

/* What needs no run to be refused. */
static int check(const struct arguments *a)
{
    int rc = 0;
    bool found = !strcmp(a->name, "list");

    if (found && any_option(a))
        return usage(a->name, "options are of what runs, and not of ");
    if (a->given[MTU] && a->value[MTU] & (a->value[MTU] - 1))
        return usage("", "--mtu wants 1024, 2048, 4096 or 8192");
    if (a->given[RUNS] && (a->svg || a->matrix))
        return usage("", "--svg and --matrix are of one run, and not of --runs");
    if (!a->given[RUNS] && (a->given[JOBS] || a->tasks))
        return usage("", "--jobs and --task are of --runs");
    if ((a->json || a->svg || a->matrix) && !strcmp(a->name, "all"))
        return usage(a->name, "--svg, --matrix and --json are of one scenario, not of ");
    for (size_t i = 0; !rc && i < fabric_n_scenarios; i++) {
        if (!is_asked(a, &fabric_scenarios[i]))
            continue;
        found = true;
        rc = check_one(a, &fabric_scenarios[i]);
    }
    if (!found)
        return usage(a->name, "there is no scenario ");
    if (!rc && !uet_outputs("uetsim fabric", (const char *const[]){a->svg, a->matrix, a->json}, 3,
                            NULL, 0))
        rc = UETSIM_USAGE;
    return rc;
}

static void list_scenarios(void)
{
    for (size_t i = 0; i < fabric_n_scenarios; i++)
        printf("%-16s %s\n", fabric_scenarios[i].name, fabric_scenarios[i].text);
}

int fabric_main(int argc, char **argv)
{
    struct arguments a;
    int rc = parse(&a, argc, argv), worst = FABRIC_MET;

    if (rc)
        return rc < 0 ? FABRIC_MET : rc;
    rc = check(&a);
    if (rc)
        return rc;
    if (!strcmp(a.name, "list"))
        list_scenarios();
    for (size_t i = 0; i < fabric_n_scenarios; i++) {
        if (!is_asked(&a, &fabric_scenarios[i]))
            continue;
        rc = run_one(&a, &fabric_scenarios[i]);
        worst = rc > worst ? rc : worst;
    }
    if (fflush(stdout))
        return usage(strerror(errno), "standard output: ");
    return worst;
}
