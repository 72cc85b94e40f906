/* SPDX-License-Identifier: BSD-2-Clause */
/* uetgen scenario: conversations of two reference FEPs as captures. */
#include "gen/scenario.h"

#include <errno.h>
#include <getopt.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>

#include "port/pcapng.h"
#include "tools/bad_option.h"
#include "tools/idle_option.h"
#include "tools/uetgen/command.h"
#include "wire/print.h"

const char uetgen_scenario_help[] =
    "uetgen scenario [OPTION...] NAME\n"
    "uetgen scenario list\n"
    "\n"
    "Two reference FEPs hold a conversation in virtual time, 192.0.2.11 (initiator) and 192.0.2.1\n"
    "(target). The network between them loses, duplicates, delays or alters packets. The capture\n"
    "is taken there: it shows a packet as it was after delay and alteration, and also when it was\n"
    "lost behind that point. Comments say what was done to a packet. The same command gives the\n"
    "same bytes.\n"
    "\n"
    "  -o, --output FILE  write a capture (pcapng); - is standard output. Without it: one line of\n"
    "                     text for each packet\n"
    "  -6                 2001:db8::b and 2001:db8::1\n"
    "      --crc          packets end in a CRC trailer, unless they are sealed\n"
    "      --keys FILE    write the keys of a sealed scenario: a key log for tshark, and for\n"
    "                     uetconform check --keys. Everybody knows them\n"
    "      --seed N       PDCIDs and PSNs to begin with (default 1)\n"
    "      --help\n"
    "\n"
    "Exit status: 0 done, 1 the output could not be written, 2 the name or an option is wrong.\n"
    "\n"
    "Examples:\n"
    "  uetgen scenario list\n"
    "  uetgen scenario lost-request\n"
    "  uetgen scenario tss --keys keys -o tss.pcapng && uetconform check --keys keys tss.pcapng\n"
    "  uetgen scenario psn-wrap -o wrap.pcapng && wireshark wrap.pcapng\n"
    "  for s in $(uetgen scenario list -q); do uetgen scenario $s -o $s.pcapng; done\n";

struct player {
    const char *output, *keys;
    uint8_t protect;
    struct uet_pcapng *capture;
    int rc;
};

static void print(const struct player *p, const struct uet_gen_scene_frame *f)
{
    char line[UET_LINE_MAX + 2 * UET_IP_TEXT];
    struct uet_packet packet;
    const struct uet_parse_options o = {
        .protect = p->protect,
        .lenient = true,
        .dscp_trimmed = UINT64_C(1) << UET_GEN_DSCP_TRIMMED | UINT64_C(1) << UET_GEN_DSCP_LASTHOP,
        .dscp_trimmed_lasthop = UINT64_C(1) << UET_GEN_DSCP_LASTHOP};
    uet_parse(&packet, f->bytes, f->len, &o);
    uet_print_line(line, sizeof line, &packet);
    printf("%12.3f us %s %s%s%s\n", (double)(f->time_ns % 1000000000) / 1e3,
           f->from_initiator ? "->" : "<-", line, f->comment ? "   # " : "",
           f->comment ? f->comment : "");
}

static int take(void *ctx, const struct uet_gen_scene_frame *f)
{
    struct player *p = ctx;
    if (p->capture)
        p->rc =
            uet_pcapng_write(p->capture, f->bytes, f->len, f->time_ns,
                             f->from_initiator ? UET_DIRECTION_OUT : UET_DIRECTION_IN, f->comment);
    else
        print(p, f);
    return p->rc;
}

static int list(bool names_only)
{
    for (size_t i = 0; i < uet_gen_n_scenarios(); i++) {
        const struct uet_gen_scenario *s = uet_gen_scenario(i);
        if (names_only)
            puts(s->name);
        else
            printf("%-24s %s (%s)\n", s->name, s->title, s->sections);
    }
    if (names_only)
        return UETGEN_DONE;
    puts("\nNot yet:");
    for (size_t i = 0; uet_gen_missing_scenario(i); i++)
        printf("%-24s %s\n", uet_gen_missing_scenario(i)->name, uet_gen_missing_scenario(i)->why);
    return UETGEN_DONE;
}

static int no_such(const char *name)
{
    for (size_t i = 0; uet_gen_missing_scenario(i); i++)
        if (strcmp(uet_gen_missing_scenario(i)->name, name) == 0) {
            fprintf(stderr, "uetgen scenario: %s is not there yet: %s\n", name,
                    uet_gen_missing_scenario(i)->why);
            return UETGEN_USAGE;
        }
    fprintf(stderr,
            "uetgen scenario: there is no scenario '%s'; `uetgen scenario list` shows them\n",
            name);
    return UETGEN_USAGE;
}

/* False after a message. Who writes keys lets nobody else read them, though these are known. */
static bool write_keys(const char *path, const struct uet_gen_scenario *scenario)
{
    const char *text = uet_gen_scenario_keys(scenario);
    if (!text) {
        fprintf(stderr, "uetgen scenario: %s is not sealed: it has no --keys\n", scenario->name);
        return false;
    }
    mode_t before = umask(077);
    FILE *f = fopen(path, "w");
    umask(before);
    bool bad = !f || fputs(text, f) < 0;
    bad |= f && fclose(f) != 0;
    if (bad)
        fprintf(stderr, "uetgen scenario: %s: %s\n", path, strerror(errno));
    return !bad;
}

static int play(struct player *p, const char *name, const struct uet_gen_scene_options *options)
{
    const struct uet_gen_scenario *scenario = uet_gen_scenario_find(name);
    struct uet_gen_scene_end end;
    char err[300];
    if (!scenario)
        return no_such(name);
    if (options->crc && uet_gen_scenario_keys(scenario))
        fprintf(stderr, "uetgen scenario: --crc: no effect, as %s is sealed\n", name);
    if (p->keys && !write_keys(p->keys, scenario))
        return UETGEN_USAGE;
    if (p->output && uet_pcapng_open(&p->capture, p->output, err, sizeof err) != 0) {
        fprintf(stderr, "uetgen scenario: %s\n", err);
        return UETGEN_USAGE;
    }
    snprintf(err, sizeof err, "out of memory");
    int rc = uet_gen_scenario_run(scenario, options, take, p, &end, err, sizeof err);
    if (rc && !p->rc)
        fprintf(stderr, "uetgen scenario: %s\n", err);
    int closed = p->capture ? uet_pcapng_close(p->capture) : 0;
    if (p->rc || closed)
        fprintf(stderr, "uetgen scenario: %s: %s\n", p->output, strerror(p->rc ? -p->rc : -closed));
    return rc || closed ? UETGEN_FAILED : UETGEN_DONE;
}

enum { OPT_CRC = 256, OPT_SEED, OPT_KEYS };

static const struct option long_options[] = {
    {"output", required_argument, NULL, 'o'},
    {"crc", no_argument, NULL, OPT_CRC},
    {"seed", required_argument, NULL, OPT_SEED},
    {"keys", required_argument, NULL, OPT_KEYS},
    {0},
};

int uetgen_scenario(int argc, char **argv)
{
    struct uet_gen_scene_options options = {.seed = 1};
    struct player p = {.output = NULL};
    bool quiet = false, of_a_run = false, is_list;
    int c;
    opterr = 0;
    while ((c = getopt_long(argc, argv, ":o:6q", long_options, NULL)) != -1) {
        if (c == '?' || c == ':')
            return uet_bad_option("uetgen scenario", c, argv, long_options);
        if (c == 'o')
            p.output = optarg;
        if (c == OPT_KEYS)
            p.keys = optarg;
        options.ipv6 |= c == '6';
        options.crc |= c == OPT_CRC;
        quiet |= c == 'q';
        of_a_run |= c != 'q';
        if (c == OPT_SEED &&
            !uetgen_number("scenario", "--seed", optarg, 0, UINT32_MAX, &options.seed))
            return UETGEN_USAGE;
    }
    if (argc - optind != 1) {
        fputs("uetgen scenario: give one name, or list; see uetgen scenario --help\n", stderr);
        return UETGEN_USAGE;
    }
    is_list = strcmp(argv[optind], "list") == 0;
    if (is_list ? of_a_run : quiet) {
        fprintf(stderr, "uetgen scenario: %s\n",
                is_list ? "list takes no option but -q: leave out the others"
                        : "-q is of list, and has no effect here: leave it out");
        return UETGEN_USAGE;
    }
    (void)uet_idle_options("uetgen scenario", argc, argv, ":o:6q", long_options, NULL, NULL);
    p.protect = options.crc ? UET_PROTECT_CRC : UET_PROTECT_NONE;
    return is_list ? list(quiet) : play(&p, argv[optind], &options);
}
