/* SPDX-License-Identifier: BSD-2-Clause */
#include "interop/relay/options.h"

#include <ctype.h>
#include <errno.h>
#include <getopt.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tools/bad_option.h"
#include "tools/idle_option.h"

static const char usage[] =
    "usage: uetrelay --left IFACE --right IFACE [options]\n"
    "Stands between two Ethernet interfaces, forwards every frame from each to the other, and\n"
    "does to UET packets what a network may do.\n"
    "\n"
    "  --left IFACE, --right IFACE   the two interfaces (needs CAP_NET_RAW); without addresses of\n"
    "                                the kernel's, offloads off\n"
    "  --plan RULE                   what to do; may be given again. Without: nothing\n"
    "  --seed N                      of every chance (0): the same packets have the same fate\n"
    "  --capture-left FILE           pcapng of all frames on the left cable, with a comment where\n"
    "  --capture-right FILE          the relay did something; the same of the right one\n"
    "  --counters FILE               what was done, as JSON, at the end\n"
    "  --ready FILE                  made as soon as frames are forwarded\n"
    "  --udp-port N                  by which UET packets are known (4793)\n"
    "  --ip-protocol N               the same of native IP (253)\n"
    "  --help, --version\n"
    "\n"
    "Rules:\n"
    "  loss P%                       so many packets are lost\n"
    "  duplicate P% [after TIME]     a second copy comes at once, or TIME later\n"
    "  reorder P% by N               goes after N later ones (after 10 ms if fewer come)\n"
    "  delay TIME [jitter TIME]      later by TIME, and by up to so much more\n"
    "  corrupt P%                    one bit of UET is another; only in packets with a right CRC\n"
    "                                trailer or an ICV, where the receiver must see it\n"
    "  ce P%                         ECN becomes CE, where it was ECT(0) or ECT(1)\n"
    "  trim P% [dscp A to B]         packets of DSCP A (10) are cut as a switch does, and get B "
    "(11)\n"
    "  queue SIZE at RATE [ce above SIZE] [trim above SIZE [dscp A to B]]\n"
    "                                a link of that rate (100Mbit/s) behind a queue of that size\n"
    "                                (64KiB): marks and trims where it is longer, loses when full\n"
    "  rehash N paths TIME [every TIME]\n"
    "                                the entropy value chooses a path; each is TIME longer than\n"
    "                                the one before it; from time to time it chooses anew\n"
    "  cut at TIME for TIME          everything is lost, ARP too\n"
    "`left:` or `right:` before a rule: only for frames that come from there. `of KIND` behind "
    "one:\n"
    "only for requests, syns, retransmissions, answers, acks, nacks, control, rudi, uud or\n"
    "read-data. Times count from the first UET packet. All but `cut` leaves what is not UET "
    "alone.\n"
    "\n"
    "SIGTERM or SIGINT ends it. Exit status: 0 done; 1 frames were lost that no rule meant, an\n"
    "interface failed, or a file could not be written to its end; 2 usage, interface or file.\n"
    "\n"
    "Examples:\n"
    "  uetrelay --left r0 --right r1 --plan 'loss 1%' --plan 'delay 200us jitter 50us'\n"
    "  uetrelay --left r0 --right r1 --seed 7 --plan 'left: trim 2% dscp 10 to 11' \\\n"
    "           --plan 'cut at 200ms for 100ms' --capture-left l.pcapng --counters c.json\n"
    "  uetrelay --left r0 --right r1 --plan 'right: loss 10% of acks' --plan 'reorder 5% by 3'\n"
    "  uetrelay --left r0 --right r1 \\\n"
    "           --plan 'left: queue 200KiB at 1Gbit/s ce above 40KiB trim above 100KiB'\n";

enum option_id {
    OPT_LEFT = 256,
    OPT_RIGHT,
    OPT_PLAN,
    OPT_SEED,
    OPT_CAPTURE_LEFT,
    OPT_CAPTURE_RIGHT,
    OPT_COUNTERS,
    OPT_READY,
    OPT_UDP_PORT,
    OPT_IP_PROTOCOL,
    OPT_HELP,
    OPT_VERSION,
};

static const struct option long_options[] = {
    {"left", required_argument, NULL, OPT_LEFT},
    {"right", required_argument, NULL, OPT_RIGHT},
    {"plan", required_argument, NULL, OPT_PLAN},
    {"seed", required_argument, NULL, OPT_SEED},
    {"capture-left", required_argument, NULL, OPT_CAPTURE_LEFT},
    {"capture-right", required_argument, NULL, OPT_CAPTURE_RIGHT},
    {"counters", required_argument, NULL, OPT_COUNTERS},
    {"ready", required_argument, NULL, OPT_READY},
    {"udp-port", required_argument, NULL, OPT_UDP_PORT},
    {"ip-protocol", required_argument, NULL, OPT_IP_PROTOCOL},
    {"help", no_argument, NULL, OPT_HELP},
    {"version", no_argument, NULL, OPT_VERSION},
    {0},
};

static int take_plan(struct relay_options *options, const char *text)
{
    char err[400];

    if (relay_plan_add(&options->plan, text, err, sizeof err) == 0)
        return -1;
    fprintf(stderr, "uetrelay: --plan '%s': at %s\n", text, err);
    return 2;
}

/* The programs that wait for the relay read its standard output. */
static int take_file(const char *option, const char *text, const char **file)
{
    *file = text;
    if (strcmp(text, "-") != 0)
        return -1;
    fprintf(stderr, "uetrelay: --%s -: standard output has other lines: give a file\n", option);
    return 2;
}

static int take_number(const char *option, const char *text, uint64_t min, uint64_t max,
                       uint64_t *value)
{
    char *end;

    errno = 0;
    *value = strtoull(text, &end, 0);
    if (isdigit((unsigned char)text[0]) && !*end && errno == 0 && *value >= min && *value <= max)
        return -1;
    fprintf(stderr, "uetrelay: --%s '%s': give a number from %" PRIu64 " to %" PRIu64 "\n", option,
            text, min, max);
    return 2;
}

static int take(struct relay_options *options, int option)
{
    switch (option) {
    case OPT_LEFT:
        options->ifnames[RELAY_LEFT] = optarg;
        return -1;
    case OPT_RIGHT:
        options->ifnames[RELAY_RIGHT] = optarg;
        return -1;
    case OPT_PLAN:
        return take_plan(options, optarg);
    case OPT_SEED:
        return take_number("seed", optarg, 0, UINT64_MAX, &options->seed);
    case OPT_CAPTURE_LEFT:
        return take_file("capture-left", optarg, &options->captures[RELAY_LEFT]);
    case OPT_CAPTURE_RIGHT:
        return take_file("capture-right", optarg, &options->captures[RELAY_RIGHT]);
    case OPT_COUNTERS:
        return take_file("counters", optarg, &options->counters);
    case OPT_READY:
        return take_file("ready", optarg, &options->ready);
    case OPT_UDP_PORT:
        return take_number("udp-port", optarg, 1, 65535, &options->udp_port);
    case OPT_IP_PROTOCOL:
        return take_number("ip-protocol", optarg, 1, 255, &options->ip_protocol);
    case OPT_HELP:
        fputs(usage, stdout);
        return 0;
    default:
        puts("uetrelay " UETKIT_VERSION);
        return 0;
    }
}

static bool same_file(const char *const *captures)
{
    return captures[RELAY_LEFT] && captures[RELAY_RIGHT] &&
           strcmp(captures[RELAY_LEFT], captures[RELAY_RIGHT]) == 0;
}

int relay_options_read(struct relay_options *options, int argc, char **argv)
{
    static const char *const many[] = {"plan", NULL};
    const char *const *ifnames = options->ifnames;
    int option;

    opterr = 0;
    while ((option = getopt_long(argc, argv, ":", long_options, NULL)) != -1) {
        int status = option == '?' || option == ':'
                         ? uet_bad_option("uetrelay", option, argv, long_options)
                         : take(options, option);
        if (status >= 0)
            return status;
    }
    (void)uet_idle_options("uetrelay", argc, argv, ":", long_options, NULL, many);
    if (optind < argc)
        fprintf(stderr, "uetrelay: %s: only options are taken; see uetrelay --help\n",
                argv[optind]);
    else if (!ifnames[RELAY_LEFT] || !ifnames[RELAY_RIGHT])
        fprintf(stderr, "uetrelay: --%s is missing: give the interface on that side\n",
                ifnames[RELAY_LEFT] ? "right" : "left");
    else if (strcmp(ifnames[RELAY_LEFT], ifnames[RELAY_RIGHT]) == 0)
        fprintf(stderr, "uetrelay: --right %s is --left, too: give two interfaces\n",
                ifnames[RELAY_RIGHT]);
    else if (same_file(options->captures))
        fprintf(stderr, "uetrelay: --capture-right %s is --capture-left, too: give two files\n",
                options->captures[RELAY_RIGHT]);
    else
        return -1;
    return 2;
}
