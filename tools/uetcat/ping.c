/* SPDX-License-Identifier: BSD-2-Clause */
/* uetcat ping: is a FEP there, and how long does it take to answer. */
#include <stdio.h>
#include <stdlib.h>

#include "tools/bad_option.h"
#include "tools/uetcat/args.h"
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
    struct pinger_config config;
    struct pinger pinger;
    struct ping_report report;
    uint64_t count, interval_ns; /* count 0: no end */
};

static void on_event(void *ctx, const struct pinger_event *event)
{
    struct run *r = ctx;
    ping_report_event(&r->report, event);
}

static void take(void *ctx, const struct uet_packet *packet, uint64_t now_ns)
{
    struct run *r = ctx;
    size_t len;
    pinger_receive(&r->pinger, packet, now_ns);
    while ((len = pinger_reply(&r->pinger, r->link.frame, sizeof r->link.frame)) > 0)
        uetcat_link_send(&r->link, len);
}

/* Receives until the deadline, once; then sends again what is due. */
static void wait_until(struct run *r, uint64_t deadline_ns)
{
    uint64_t due = pinger_due(&r->pinger);
    size_t len;
    uetcat_link_receive(&r->link, due < deadline_ns ? due : deadline_ns, take, r);
    while ((len = pinger_resend(&r->pinger, uetcat_link_now(&r->link), r->link.wait_ns,
                                r->link.frame, sizeof r->link.frame)) > 0)
        uetcat_link_send(&r->link, len);
}

/* Waits for what is outstanding, then the Close Command a few times. */
static void close_pdc(struct run *r)
{
    size_t len;
    uint64_t end = uetcat_link_now(&r->link) + r->link.wait_ns;
    while (!r->link.broken && !r->pinger.abandoned && !pinger_idle(&r->pinger) &&
           uetcat_link_now(&r->link) < end)
        wait_until(r, end);
    for (int i = 0; i < CLOSE_TRIES && !uetcat_interrupted && !r->link.broken; i++) {
        len = pinger_close(&r->pinger, r->link.frame, sizeof r->link.frame);
        if (len == 0)
            break;
        uetcat_link_send(&r->link, len);
        end = uetcat_link_now(&r->link) + r->link.wait_ns;
        while (!uetcat_interrupted && !r->link.broken && !r->pinger.closed &&
               uetcat_link_now(&r->link) < end)
            wait_until(r, end);
    }
    if (r->pinger.closing && !r->pinger.closed)
        ping_report_note(&r->report, "the Close Command was not acknowledged");
}

static void next_request(struct run *r)
{
    if (!pinger_ready(&r->pinger)) {
        close_pdc(r);
        pinger_open(&r->pinger, uetcat_random());
    }
    size_t len = pinger_request(&r->pinger, uetcat_link_now(&r->link), r->link.wait_ns,
                                r->link.frame, sizeof r->link.frame);
    r->report.sent++;
    uetcat_link_send(&r->link, len);
}

static bool more(const struct run *r)
{
    return !uetcat_interrupted && !r->link.broken && (r->count == 0 || r->report.sent < r->count);
}

static void ping(struct run *r)
{
    uint64_t next = uetcat_link_now(&r->link);
    while (more(r)) {
        if (uetcat_link_now(&r->link) >= next) {
            next_request(r);
            next += r->interval_ns;
        }
        if (more(r))
            wait_until(r, next);
    }
    uint64_t end = uetcat_link_now(&r->link) + r->link.wait_ns;
    while (!uetcat_interrupted && !r->link.broken && !r->pinger.abandoned &&
           !pinger_idle(&r->pinger) && uetcat_link_now(&r->link) < end)
        wait_until(r, end);
    uetcat_interrupted = 0; /* a second Ctrl-C ends the closing, too */
    close_pdc(r);
}

static int run_ping(struct run *r)
{
    const struct uetcat_link *l = &r->link;
    r->config = (struct pinger_config){.src = l->src,
                                       .dst = l->dst,
                                       .native = l->native,
                                       .ip_protocol = l->ip_protocol,
                                       .job_id = l->job_id,
                                       .pid_on_fep = l->pid_on_fep,
                                       .resource_index = l->resource_index,
                                       .relative = l->relative,
                                       .protect = l->protect,
                                       .crc_order = l->crc_order};
    if (!uetcat_link_open(&r->link))
        return UETCAT_USAGE;
    pinger_init(&r->pinger, &r->config, on_event, r);
    ping_report_start(&r->report, &r->config, r->link.ifname, uetcat_link_now(&r->link));
    if (uetcat_link_resolve(&r->link, r->link.wait_ns))
        ping(r);
    else if (!uetcat_interrupted)
        ping_report_note(&r->report, "nobody answers ARP or neighbour discovery for the address");
    ping_report_end(&r->report, uetcat_link_now(&r->link));
    uetcat_link_close(&r->link);
    if (r->link.broken)
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
