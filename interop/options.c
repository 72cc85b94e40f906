/* SPDX-License-Identifier: BSD-2-Clause */
#include "interop/options.h"

#include <errno.h>
#include <getopt.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "tools/bad_option.h"
#include "tools/idle_option.h"

static const char usage[] =
    "usage: uetinterop run  [OPTION...]    run the matrix\n"
    "       uetinterop list [OPTION...]    implementations and cases\n"
    "       uetinterop drive ...           an endpoint made of a FEP with an upper tester\n"
    "\n"
    "Each cell is one case between one client and one server, in network namespaces of their own,\n"
    "with uetrelay between them. It passes when the bytes at both ends are the same, no rule is\n"
    "broken in the captures, and what the case is about did happen (docs/interop.md).\n"
    "\n"
    "  --small            the quick matrix (default): short files; each implementation with the "
    "hub\n"
    "  --large            every pair, every case, long files\n"
    "  --clients A,B      only these as client; --servers A,B: as server\n"
    "  --cases A,B        only these cases\n"
    "  --jobs N           cells at once, 1 to 64 (default: two for each processor)\n"
    "  --out DIR          results, logs and captures (default: out/interop)\n"
    "  --resume           go on with the run whose results are there\n"
    "  --json             the matrix as JSON on standard output, in the place of the table\n"
    "  --seed N           of files, FEPs and relay (default 1)\n"
    "  --slow X           all waiting takes X times as long (default 1)\n"
    "  --keep             keep long captures of cells that passed, too\n"
    "  --with DIR         more implementations: a folder of folders with a manifest.yaml each\n"
    "  --implementations DIR   those in the place of uetkit's own; --case-file FILE: the cases\n"
    "  --help, --version\n"
    "\n"
    "OUT/index.html shows the matrix, with log and captures of each cell; matrix.json and "
    "matrix.md\n"
    "say the same. Exit status: 0 every cell passed or is unsupported, 1 another one did not, 2 "
    "wrong\n"
    "usage, a wrong manifest or no network namespace, 130 interrupted, with the results so far.\n"
    "\n"
    "Examples:\n"
    "  uetinterop run\n"
    "  uetinterop run --clients ref --servers hpc,eager --cases loss,trims --out out/two\n"
    "  uetinterop run --large --jobs 8 --out out/large; uetinterop run --large --resume --out "
    "out/large\n"
    "  uetinterop run --with my-feps --clients acme,ref --servers acme,ref\n";

static int bad(const char *option, const char *what)
{
    fprintf(stderr, "uetinterop: --%s must be %s, not '%s'\n", option, what, optarg);
    return 2;
}

static bool number(uint32_t *out, unsigned long min, unsigned long max)
{
    char *end;

    errno = 0;
    const unsigned long n = strtoul(optarg, &end, 10);
    if (*optarg < '0' || *optarg > '9' || *end || errno || n < min || n > max)
        return false;
    *out = (uint32_t)n;
    return true;
}

static int set_number(struct options *o, int option)
{
    char *end;

    switch (option) {
    case 'j':
        return number(&o->jobs, 1, 64) ? -1 : bad("jobs", "a number from 1 to 64");
    case 's':
        return number(&o->seed, 0, 1000000) ? -1 : bad("seed", "a number from 0 to 1000000");
    default:
        o->slow = strtod(optarg, &end);
        return *end == '\0' && o->slow >= 0.1 && o->slow <= 1000
                   ? -1
                   : bad("slow", "a factor from 0.1 to 1000");
    }
}

static int set(struct options *o, int option)
{
    switch (option) {
    case 'L':
    case 'S':
        o->large = option == 'L';
        break;
    case 'C':
        o->choice.clients = optarg;
        break;
    case 'V':
        o->choice.servers = optarg;
        break;
    case 'c':
        o->choice.cases = optarg;
        break;
    case 'o':
        o->out = optarg;
        break;
    case 'r':
        o->resume = true;
        break;
    case 'J':
        o->json = true;
        break;
    case 'k':
        o->keep = true;
        break;
    case 'i':
        o->implementations = optarg;
        break;
    case 'W':
        o->with = optarg;
        break;
    case 'f':
        o->cases = optarg;
        break;
    default:
        return set_number(o, option);
    }
    return -1;
}

static int told(int option)
{
    if (option == 'h')
        return fputs(usage, stdout) < 0 || fflush(stdout) ? 2 : 0;
    return printf("uetinterop %s\n", UETKIT_VERSION) < 0 || fflush(stdout) ? 2 : 0;
}

int options_read(struct options *o, bool list, int argc, char **argv)
{
    static const struct uet_idle_option run[] = {{"small", "large", NULL}, {NULL, NULL, NULL}};
    /* What nothing is run with. */
    static const struct uet_idle_option listed[] = {
        {"small", NULL, ""}, {"large", NULL, ""}, {"clients", NULL, ""}, {"servers", NULL, ""},
        {"cases", NULL, ""}, {"jobs", NULL, ""},  {"out", NULL, ""},     {"resume", NULL, ""},
        {"json", NULL, ""},  {"seed", NULL, ""},  {"slow", NULL, ""},    {"keep", NULL, ""},
        {NULL, NULL, NULL},
    };
    static const struct option options[] = {
        {"small", no_argument, NULL, 'S'},
        {"large", no_argument, NULL, 'L'},
        {"clients", required_argument, NULL, 'C'},
        {"servers", required_argument, NULL, 'V'},
        {"cases", required_argument, NULL, 'c'},
        {"jobs", required_argument, NULL, 'j'},
        {"out", required_argument, NULL, 'o'},
        {"resume", no_argument, NULL, 'r'},
        {"json", no_argument, NULL, 'J'},
        {"seed", required_argument, NULL, 's'},
        {"slow", required_argument, NULL, 'w'},
        {"keep", no_argument, NULL, 'k'},
        {"with", required_argument, NULL, 'W'},
        {"implementations", required_argument, NULL, 'i'},
        {"case-file", required_argument, NULL, 'f'},
        {"help", no_argument, NULL, 'h'},
        {"version", no_argument, NULL, 'v'},
        {NULL, 0, NULL, 0},
    };
    const long processors = sysconf(_SC_NPROCESSORS_ONLN);
    int option, rc = -1;

    *o = (struct options){.out = "out/interop",
                          .implementations = UETINTEROP_FOLDER "/implementations",
                          .cases = UETINTEROP_FOLDER "/cases.yaml",
                          .seed = 1,
                          .jobs = processors > 0 && processors < 32 ? 2 * (uint32_t)processors : 2,
                          .slow = 1};
    opterr = 0;
    while (rc < 0 && (option = getopt_long(argc, argv, ":", options, NULL)) != -1) {
        if (option == 'h' || option == 'v')
            return told(option);
        if (option == '?' || option == ':')
            return uet_bad_option("uetinterop", option, argv, options);
        rc = set(o, option);
    }
    if (rc < 0)
        rc = uet_idle_options(list ? "uetinterop list" : "uetinterop run", argc, argv, ":", options,
                              list ? listed : run, NULL);
    if (rc < 0 && optind < argc) {
        fprintf(stderr, "uetinterop: '%s' is no option: `uetinterop --help` lists them\n",
                argv[optind]);
        return 2;
    }
    return rc;
}
