/* SPDX-License-Identifier: BSD-2-Clause */
/* uetgen flood: the packets of a line onto an interface, at a rate. */
#include <errno.h>
#include <getopt.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "port/afpacket.h"
#include "tools/bad_option.h"
#include "tools/idle_option.h"
#include "tools/uetgen/command.h"

const char uetgen_flood_help[] =
    "uetgen flood [OPTION...] INTERFACE LINE\n"
    "\n"
    "Sends the packets that LINE describes (see `uetgen packet --help`) to INTERFACE, with the\n"
    "addresses that the line has, and says how many went out how fast. Nothing is waited for.\n"
    "\n"
    "  -c, --count N      packets to send; a line with fewer begins again (default: the line "
    "once)\n"
    "      --forever      until interrupted\n"
    "  -r, --rate N       packets a second at most (default: what the interface takes)\n"
    "      --limit N      packets that LINE may stand for (default 1000000)\n"
    "      --help\n"
    "\n"
    "Needs CAP_NET_RAW. Only for interfaces and addresses that are yours to test.\n"
    "\n"
    "Exit status: 0 done, 1 the interface failed, 2 the line or an option is wrong.\n"
    "\n"
    "Examples:\n"
    "  uetgen flood veth0 'eth/ip/udp/pds.rud_req(psn=1..1000)/ses.std/data(64)' --rate 10000\n"
    "  uetgen flood eth1 'eth(dst=02:00:00:00:00:01)/ip/udp/!data(0..64)' -c 1000000\n";

enum { BATCH = 64, SECOND_NS = 1000000000, FULL_NS = 50000 };

struct flood {
    const char *ifname, *line;
    bool forever;
    uint64_t count, rate, limit; /* 0: the line once; as fast as it goes */
    struct uet_gen *gen;
    struct uet_port *port;
    uint64_t sent, bytes, start_ns;
    struct uet_frame frames[BATCH];
    uint8_t room[BATCH][UET_FRAME_MAX];
};

static volatile sig_atomic_t stopped;

static void stop(int signal)
{
    (void)signal;
    stopped = 1;
}

static void pause_for(uint64_t ns)
{
    const struct timespec t = {.tv_sec = (time_t)(ns / SECOND_NS),
                               .tv_nsec = (long)(ns % SECOND_NS)};
    nanosleep(&t, NULL); /* woken early by a signal: the loop looks again */
}

/* Packets that may go now: a batch, or what the rate has room for; waits until it is one. */
static size_t allowed(const struct flood *f)
{
    uint64_t left = f->forever ? BATCH : f->count - f->sent;
    size_t n = left < BATCH ? (size_t)left : BATCH;
    while (f->rate && !stopped) {
        double seconds = (double)(uet_port_now(f->port) - f->start_ns) / SECOND_NS;
        double due = seconds * (double)f->rate + 1 - (double)f->sent;
        if (due >= 1)
            return due < (double)n ? (size_t)due : n;
        pause_for((uint64_t)((1 - due) / (double)f->rate * SECOND_NS) + 1);
    }
    return n;
}

/* The next n packets of the line into the batch. */
static int make(struct flood *f, size_t n)
{
    for (size_t i = 0; i < n; i++) {
        struct uet_gen_about about;
        struct uet_gen_error error;
        uint64_t which = (f->sent + i) % uet_gen_count(f->gen);
        int len = uet_gen_packet(f->gen, which, f->room[i], UET_FRAME_MAX, &about, &error);
        if (len < 0)
            return uetgen_line_error(f->line, &error);
        if (about.start != UET_START_ETH) {
            fputs("uetgen flood: an interface takes Ethernet frames: begin the line with eth/\n",
                  stderr);
            return UETGEN_USAGE;
        }
        f->frames[i] = (struct uet_frame){.data = f->room[i], .len = (uint32_t)len};
    }
    return UETGEN_DONE;
}

static int send_all(struct flood *f, size_t n)
{
    for (size_t at = 0; at < n && !stopped;) {
        int r = uet_port_send(f->port, f->frames + at, n - at);
        if (r < 0) {
            fprintf(stderr, "uetgen flood: %s: %s%s\n", f->ifname, strerror(-r),
                    r == -EMSGSIZE ? ": no whole Ethernet frame, or longer than the MTU allows"
                                   : "");
            return UETGEN_FAILED;
        }
        if (r == 0)
            pause_for(FULL_NS);
        for (int i = 0; i < r; i++)
            f->bytes += f->frames[at + (size_t)i].len;
        at += (size_t)r;
        f->sent += (size_t)r;
    }
    return UETGEN_DONE;
}

static int run(struct flood *f)
{
    int status = UETGEN_DONE;
    f->start_ns = uet_port_now(f->port);
    while (status == UETGEN_DONE && !stopped && (f->forever || f->sent < f->count)) {
        size_t n = allowed(f);
        status = make(f, n);
        if (status == UETGEN_DONE)
            status = send_all(f, n);
    }
    double seconds = (double)(uet_port_now(f->port) - f->start_ns) / SECOND_NS;
    printf("%llu packets, %llu bytes in %.3f s: %.0f packets/s\n", (unsigned long long)f->sent,
           (unsigned long long)f->bytes, seconds, seconds > 0 ? (double)f->sent / seconds : 0);
    return status;
}

/* The line, then the interface: a wrong line needs no privilege to be told. */
static int open_both(struct flood *f)
{
    struct uet_gen_error error;
    char err[300];
    const struct uet_afpacket_config config = {.ifname = f->ifname, .all = true, .keep_macs = true};
    int rc = uet_gen_new(&f->gen, f->line, f->limit, &error);
    if (rc == -ENOMEM) {
        fputs("uetgen flood: out of memory\n", stderr);
        return UETGEN_FAILED;
    }
    if (rc)
        return uetgen_line_error(f->line, &error);
    if (!f->count)
        f->count = uet_gen_count(f->gen);
    int status = make(f, 1);
    if (status != UETGEN_DONE)
        return status;
    rc = uet_afpacket_open(&f->port, &config, err, sizeof err);
    if (rc == 0)
        return UETGEN_DONE;
    fprintf(stderr, "uetgen flood: %s\n", err);
    return rc == -ENODEV || rc == -EINVAL || rc == -EPERM ? UETGEN_USAGE : UETGEN_FAILED;
}

enum { OPT_FOREVER = 256, OPT_LIMIT };

static const struct option long_options[] = {
    {"count", required_argument, NULL, 'c'},
    {"rate", required_argument, NULL, 'r'},
    {"forever", no_argument, NULL, OPT_FOREVER},
    {"limit", required_argument, NULL, OPT_LIMIT},
    {0},
};

static bool take_option(struct flood *f, int o)
{
    switch (o) {
    case 'c':
        return uetgen_number("flood", "--count", optarg, 1, UINT64_MAX / 2, &f->count);
    case 'r':
        return uetgen_number("flood", "--rate", optarg, 1, 1000000000, &f->rate);
    case OPT_FOREVER:
        return f->forever = true;
    default:
        return uetgen_number("flood", "--limit", optarg, 1, UINT32_MAX, &f->limit);
    }
}

static int flood(struct flood *f, int argc, char **argv)
{
    static const struct uet_idle_option idle[] = {{"count", "forever", NULL}, {NULL, NULL, NULL}};
    int o;
    opterr = 0;
    while ((o = getopt_long(argc, argv, ":c:r:", long_options, NULL)) != -1) {
        if (o == '?' || o == ':')
            return uet_bad_option("uetgen flood", o, argv, long_options);
        if (!take_option(f, o))
            return UETGEN_USAGE;
    }
    if (uet_idle_options("uetgen flood", argc, argv, ":c:r:", long_options, idle, NULL) >= 0)
        return UETGEN_USAGE;
    if (argc - optind != 2) {
        fputs("uetgen flood: give an interface and one line, in single quotes; see uetgen flood "
              "--help\n",
              stderr);
        return UETGEN_USAGE;
    }
    f->ifname = argv[optind];
    f->line = argv[optind + 1];
    int status = open_both(f);
    if (status != UETGEN_DONE)
        return status;
    const struct sigaction act = {.sa_handler = stop};
    sigaction(SIGINT, &act, NULL);
    sigaction(SIGTERM, &act, NULL);
    return run(f);
}

int uetgen_flood(int argc, char **argv)
{
    struct flood *f = calloc(1, sizeof *f);
    if (!f) {
        fputs("uetgen flood: out of memory\n", stderr);
        return UETGEN_FAILED;
    }
    f->limit = UET_GEN_COUNT_MAX;
    int status = flood(f, argc, argv);
    uet_port_close(f->port);
    uet_gen_free(f->gen);
    free(f);
    return status;
}
