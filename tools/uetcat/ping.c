/* SPDX-License-Identifier: BSD-2-Clause */
/* uetcat ping: is a FEP there, and how long does it take to answer. */
#include <stdio.h>
#include <stdlib.h>

#include "tools/bad_option.h"
#include "tools/uetcat/args.h"
#include "tools/uetcat/client.h"
#include "tools/uetcat/command.h"
#include "tools/uetcat/options.h"
#include "tools/uetcat/ping_report.h"

const char uetcat_ping_help[] =
    "uetcat ping [OPTION...] ADDR\n"
    "\n"
    "Opens a PDC to the FEP at ADDR, sends UET_NO_OP requests, shows the answers with their\n"
    "round-trip times, and closes the PDC. Ctrl-C ends it with the statistics.\n"
    "\n" UETCAT_FEP_HELP_LINK "  -c, --count N      stop after N requests\n"
    "  -i, --interval S   seconds between requests (default 1)\n"
    "  -W, --wait S       seconds to wait for each answer (default 1)\n"
    "  -q, --quiet        statistics only\n" UETCAT_FEP_HELP_SERVICE
    "      --json         JSON lines\n"
    "      --pcap FILE    write what was sent and received to a pcapng file\n"
    "      --help\n"
    "\n"
    "Needs the right to open raw sockets (root, or CAP_NET_RAW). Exit status: 0 an answer came,\n"
    "1 none came, 2 the arguments or the interface are wrong.\n"
    "\n"
    "Examples:\n"
    "  uetcat ping -S 192.0.2.77 192.0.2.2\n"
    "  uetcat ping -c 10 -i 0.1 -I eth1 -S 2001:db8::77 --job 1 --pid 3 --ri 5 2001:db8::2\n";

enum { CLOSE_TRIES = 3 };

/* Everything one run needs. */
struct run {
    struct uetcat_link link;
    struct uetcat_client client;
    struct ping_watch watch;
    struct ping_report report;
    uint64_t count, interval_ns; /* count 0: no end */
    uint64_t submitted;
};

static void on_event(void *ctx, const struct ping_event *event)
{
    struct run *r = ctx;
    ping_report_event(&r->report, event);
}

static void on_packet(void *ctx, const struct uet_packet *p, bool sent, uint64_t now_ns)
{
    struct run *r = ctx;
    ping_watch_packet(&r->watch, p, sent, now_ns);
    r->report.sent = r->watch.seq;
}

/* Receives until the deadline, once; then tells what has waited too long. */
static void wait_until(struct run *r, uint64_t deadline_ns)
{
    struct uet_completion done;
    uint64_t due_ns = ping_watch_due(&r->watch);
    uetcat_client_step(&r->client, due_ns < deadline_ns ? due_ns : deadline_ns);
    while (uet_fep_completion(r->client.fep, &done)) {
        /* the watch has told how it went: this makes room for the next one */
    }
    ping_watch_advance(&r->watch, uetcat_link_now(&r->link));
}

/* False when as many are outstanding as there may be: the next answer makes room. */
static bool request(struct run *r)
{
    const struct uet_operation op = {.to = r->link.dst,
                                     .opcode = UET_OP_NO_OP,
                                     .mode = UET_MODE_RUD,
                                     .relative = r->link.relative,
                                     .job_id = r->link.job_id,
                                     .pid_on_fep = r->link.pid_on_fep,
                                     .resource_index = r->link.resource_index};
    if (uet_fep_submit(r->client.fep, &op, uetcat_link_now(&r->link)) < 0)
        return false;
    r->submitted++;
    return true;
}

static bool goes_on(const struct run *r)
{
    return !uetcat_interrupted && !r->link.broken && !r->watch.failed;
}

static bool more(const struct run *r)
{
    return goes_on(r) && (r->count == 0 || r->submitted < r->count);
}

static void ping(struct run *r)
{
    uint64_t next_ns = uetcat_link_now(&r->link);
    while (more(r)) {
        bool full = false;
        if (uetcat_link_now(&r->link) >= next_ns) {
            full = !request(r);
            next_ns += full ? 0 : r->interval_ns;
        }
        wait_until(r, full ? UET_FEP_NEVER : more(r) ? next_ns : 0);
    }
    while (goes_on(r) && ping_watch_waits(&r->watch))
        wait_until(r, UET_FEP_NEVER);
    uetcat_client_hang_up(&r->client, uetcat_link_now(&r->link) + CLOSE_TRIES * r->link.wait_ns);
    if (ping_watch_unclosed(&r->watch))
        ping_report_note(&r->report, "the Close Command was not acknowledged");
}

/* False after a message. */
static bool ping_as_client(struct run *r)
{
    struct uet_fep_config config = uetcat_client_config(&r->link, PING_OUTSTANDING);
    config.max_operations = PING_OUTSTANDING;
    if (!uetcat_client_open(&r->client, &r->link, &config))
        return false;
    r->client.watch = on_packet;
    r->client.watch_ctx = r;
    r->watch.failed =
        !ping_watch_open(&r->watch, r->link.ip_protocol, r->link.wait_ns, on_event, r);
    if (!r->watch.failed)
        ping(r);
    if (r->watch.failed)
        fputs("uetcat ping: out of memory\n", stderr);
    ping_watch_close(&r->watch);
    uetcat_client_close(&r->client);
    return !r->watch.failed;
}

static int run_ping(struct run *r)
{
    bool able = true;
    if (!uetcat_link_open(&r->link))
        return UETCAT_USAGE;
    ping_report_start(&r->report, &r->link, uetcat_link_now(&r->link));
    if (uetcat_link_resolve(&r->link))
        able = ping_as_client(r);
    else if (!uetcat_interrupted)
        ping_report_note(&r->report, "nobody answers ARP or neighbour discovery for the address");
    ping_report_end(&r->report, uetcat_link_now(&r->link));
    uetcat_link_close(&r->link);
    if (r->link.broken || !able)
        return UETCAT_USAGE;
    return r->report.answered ? UETCAT_YES : UETCAT_NO;
}

/* ---- options ---- */

enum { OPT_JSON = UETCAT_OPT_OWN };

static const struct option long_options[] = {
    {"count", required_argument, NULL, 'c'},
    {"interval", required_argument, NULL, 'i'},
    {"quiet", no_argument, NULL, 'q'},
    {"json", no_argument, NULL, OPT_JSON},
    UETCAT_FEP_OPTIONS,
    {0},
};

static bool take_option(struct run *r, int o)
{
    switch (o) {
    case 'c':
        return uetcat_number("ping", "-c", optarg, 1, UINT32_MAX, &r->count);
    case 'i':
        return uetcat_seconds("ping", "-i", optarg, 0, 86400, &r->interval_ns);
    case 'q':
        r->report.quiet = true;
        return true;
    case OPT_JSON:
        r->report.json = true;
        return true;
    default:
        return uetcat_fep_option(&r->link, o) == 1;
    }
}

int uetcat_ping(int argc, char **argv)
{
    struct run *r = calloc(1, sizeof *r);
    if (!r) {
        fputs("uetcat ping: out of memory\n", stderr);
        return UETCAT_USAGE;
    }
    r->link.command = "ping";
    r->interval_ns = r->link.wait_ns = 1000000000;
    int o, status = -1;
    opterr = 0;
    while (status < 0 &&
           (o = getopt_long(argc, argv, ":c:i:q" UETCAT_FEP_SHORT, long_options, NULL)) != -1) {
        if (o == '?' || o == ':')
            status = uet_bad_option("uetcat ping", o, argv, long_options);
        else if (!take_option(r, o))
            status = UETCAT_USAGE;
    }
    if (status < 0)
        status = uetcat_link_address(&r->link, argc - optind, argv + optind) ? run_ping(r)
                                                                             : UETCAT_USAGE;
    free(r);
    return status;
}
