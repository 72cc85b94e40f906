/* SPDX-License-Identifier: BSD-2-Clause */
/* uetcat ping: is a FEP there, and how long does it take to answer. */
#include <errno.h>
#include <getopt.h>
#include <ifaddrs.h>
#include <net/if.h>
#include <netinet/in.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/random.h>
#include <time.h>

#include "port/afpacket.h"
#include "port/pcapng.h"
#include "tools/bad_option.h"
#include "tools/uetcat/args.h"
#include "tools/uetcat/command.h"
#include "tools/uetcat/ping_report.h"

const char uetcat_ping_help[] =
    "uetcat ping [OPTION...] ADDR\n"
    "\n"
    "Opens a PDC to the FEP at ADDR, sends UET_NO_OP requests, shows the answers with their\n"
    "round-trip times, and closes the PDC. Ctrl-C ends it with the statistics.\n"
    "\n"
    "  -S, --source ADDR  our address: a free one of that network, which no interface has (the\n"
    "                     kernel would answer for it). Needed\n"
    "  -I, --interface IF Ethernet interface (default: the one whose network ADDR is in)\n"
    "  -c, --count N      stop after N requests\n"
    "  -i, --interval S   seconds between requests (default 1)\n"
    "  -W, --wait S       seconds to wait for each answer (default 1)\n"
    "  -q, --quiet        statistics only\n"
    "      --job N        JobID (default 0)\n"
    "      --pid N        PIDonFEP (default 0)\n"
    "      --ri N         resource index (default 0)\n"
    "      --rel          relative addressing\n"
    "      --crc none|crc whether packets end in a CRC trailer (default none)\n"
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

enum { BATCH = 32, CLOSE_TRIES = 3 };

/* Everything one run needs. */
struct run {
    struct pinger_config config;
    struct pinger pinger;
    struct ping_report report;
    struct uet_port *port;
    struct uet_pcapng *capture;
    uint64_t to_real_ns; /* from the port's clock to the time of day */
    const char *ifname, *pcap;
    uint64_t count, interval_ns, wait_ns; /* count 0: no end */
    bool have_source, broken;
    uint8_t frame[UET_FRAME_MAX];
};

/* Set by the signal; a signal handler can reach nothing else. */
static volatile sig_atomic_t interrupted;

static void on_signal(int number)
{
    (void)number;
    interrupted = 1;
}

static void fail(struct run *r, const char *what, int error)
{
    if (!r->broken)
        fprintf(stderr, "uetcat ping: %s: %s\n", what, strerror(-error));
    r->broken = true;
}

static void record(struct run *r, const uint8_t *data, uint32_t len, uint64_t now_ns,
                   enum uet_direction direction)
{
    if (!r->capture)
        return;
    int e = uet_pcapng_write(r->capture, data, len, now_ns + r->to_real_ns, direction, NULL);
    if (e < 0)
        fail(r, r->pcap, e);
}

/* Sends the frame in r->frame. */
static void send_frame(struct run *r, size_t len)
{
    struct uet_frame f = {.data = r->frame, .len = (uint32_t)len};
    int e = uet_port_send(r->port, &f, 1);
    record(r, r->frame, (uint32_t)len, uet_port_now(r->port), UET_DIRECTION_OUT);
    if (e < 0)
        fail(r, r->ifname, e);
}

static uint64_t random64(void)
{
    uint64_t v;
    if (getrandom(&v, sizeof v, 0) != (ssize_t)sizeof v) /* cannot be short; be sure all the same */
        v = (uint64_t)time(NULL) * UINT64_C(0x9e3779b97f4a7c15);
    return v;
}

static void on_event(void *ctx, const struct pinger_event *event)
{
    struct run *r = ctx;
    ping_report_event(&r->report, event);
}

static void take_frame(struct run *r, const struct uet_frame *f)
{
    /* Whether a trailer is there is the sender's setting: take both. */
    static const struct uet_parse_options options = {.protect = UET_PROTECT_AUTO};
    struct uet_packet packet;
    size_t len;
    record(r, f->data, f->len, f->time_ns, UET_DIRECTION_IN);
    uet_parse(&packet, f->data, f->len, &options);
    pinger_receive(&r->pinger, &packet, f->time_ns);
    while ((len = pinger_reply(&r->pinger, r->frame, sizeof r->frame)) > 0)
        send_frame(r, len);
}

/* Receives until the deadline, once; then sends again what is due. */
static void wait_until(struct run *r, uint64_t deadline_ns)
{
    struct uet_frame frames[BATCH];
    uint64_t due = pinger_due(&r->pinger);
    int n = uet_port_receive(r->port, frames, BATCH, due < deadline_ns ? due : deadline_ns);
    for (int i = 0; i < n; i++)
        take_frame(r, &frames[i]);
    if (n < 0 && n != -EINTR)
        fail(r, r->ifname, n);
    size_t len;
    while ((len = pinger_resend(&r->pinger, uet_port_now(r->port), r->wait_ns, r->frame,
                                sizeof r->frame)) > 0)
        send_frame(r, len);
}

/* Waits for what is outstanding, then the Close Command a few times. */
static void close_pdc(struct run *r)
{
    size_t len;
    uint64_t end = uet_port_now(r->port) + r->wait_ns;
    while (!r->broken && !r->pinger.abandoned && !pinger_idle(&r->pinger) &&
           uet_port_now(r->port) < end)
        wait_until(r, end);
    for (int i = 0; i < CLOSE_TRIES && !interrupted && !r->broken; i++) {
        len = pinger_close(&r->pinger, r->frame, sizeof r->frame);
        if (len == 0)
            break;
        send_frame(r, len);
        end = uet_port_now(r->port) + r->wait_ns;
        while (!interrupted && !r->broken && !r->pinger.closed && uet_port_now(r->port) < end)
            wait_until(r, end);
    }
    if (r->pinger.closing && !r->pinger.closed)
        ping_report_note(&r->report, "the Close Command was not acknowledged");
}

static void next_request(struct run *r)
{
    if (!pinger_ready(&r->pinger)) {
        close_pdc(r);
        pinger_open(&r->pinger, random64());
    }
    size_t len =
        pinger_request(&r->pinger, uet_port_now(r->port), r->wait_ns, r->frame, sizeof r->frame);
    r->report.sent++;
    send_frame(r, len);
}

static bool more(const struct run *r)
{
    return !interrupted && !r->broken && (r->count == 0 || r->report.sent < r->count);
}

static void ping(struct run *r)
{
    uint64_t next = uet_port_now(r->port);
    while (more(r)) {
        if (uet_port_now(r->port) >= next) {
            next_request(r);
            next += r->interval_ns;
        }
        if (more(r))
            wait_until(r, next);
    }
    uint64_t end = uet_port_now(r->port) + r->wait_ns;
    while (!interrupted && !r->broken && !r->pinger.abandoned && !pinger_idle(&r->pinger) &&
           uet_port_now(r->port) < end)
        wait_until(r, end);
    interrupted = 0; /* a second Ctrl-C ends the closing, too */
    close_pdc(r);
}

/* ---- setting up ---- */

static bool same_network(const struct uet_ip *ip, const struct sockaddr *a,
                         const struct sockaddr *mask)
{
    const uint8_t *net, *bits;
    if (!a || !mask || a->sa_family != (ip->version == 4 ? AF_INET : AF_INET6))
        return false;
    if (ip->version == 4) {
        net = (const uint8_t *)&((const struct sockaddr_in *)(const void *)a)->sin_addr;
        bits = (const uint8_t *)&((const struct sockaddr_in *)(const void *)mask)->sin_addr;
    } else {
        net = ((const struct sockaddr_in6 *)(const void *)a)->sin6_addr.s6_addr;
        bits = ((const struct sockaddr_in6 *)(const void *)mask)->sin6_addr.s6_addr;
    }
    bool same = true, any = false;
    for (size_t i = 0; i < uet_ip_len(ip); i++) {
        same &= ((net[i] ^ ip->bytes[i]) & bits[i]) == 0;
        any |= bits[i] != 0;
    }
    return same && any;
}

/* The interface whose network holds the address, into name; false when there is none. */
static bool find_interface(const struct uet_ip *ip, char name[IF_NAMESIZE])
{
    struct ifaddrs *all;
    bool found = false;
    if (getifaddrs(&all) != 0)
        return false;
    for (const struct ifaddrs *a = all; a && !found; a = a->ifa_next)
        if (!(a->ifa_flags & IFF_LOOPBACK) && same_network(ip, a->ifa_addr, a->ifa_netmask)) {
            snprintf(name, IF_NAMESIZE, "%s", a->ifa_name);
            found = true;
        }
    freeifaddrs(all);
    return found;
}

static bool open_port(struct run *r, char name[IF_NAMESIZE])
{
    char err[300];
    if (!r->ifname && !find_interface(&r->config.dst, name)) {
        fputs("uetcat ping: no interface is in the network of ADDR; name one with -I\n", stderr);
        return false;
    }
    if (!r->ifname)
        r->ifname = name;
    struct uet_afpacket_config c = {
        .ifname = r->ifname, .addresses = &r->config.src, .n_addresses = 1};
    if (uet_afpacket_open(&r->port, &c, err, sizeof err) < 0) {
        fprintf(stderr, "uetcat ping: %s\n", err);
        return false;
    }
    struct timespec real;
    clock_gettime(CLOCK_REALTIME, &real);
    r->to_real_ns =
        (uint64_t)real.tv_sec * 1000000000u + (uint64_t)real.tv_nsec - uet_port_now(r->port);
    if (r->pcap && uet_pcapng_open(&r->capture, r->pcap, err, sizeof err) < 0) {
        fprintf(stderr, "uetcat ping: %s\n", err);
        return false;
    }
    return true;
}

static void ping_resolved(struct run *r)
{
    int e = 0;
    if (uet_port_resolve(r->port, &r->config.dst, uet_port_now(r->port) + r->wait_ns) == 0) {
        ping(r);
    } else if (!interrupted) {
        ping_report_note(&r->report, "nobody answers ARP or neighbour discovery for the address");
    }
    if (r->capture)
        e = uet_pcapng_close(r->capture);
    if (e < 0)
        fail(r, r->pcap, e);
    ping_report_end(&r->report, uet_port_now(r->port));
}

static int run_ping(struct run *r)
{
    char name[IF_NAMESIZE];
    struct sigaction sa = {.sa_handler = on_signal}; /* no SA_RESTART: receive must return */
    if (!open_port(r, name)) {
        uet_port_close(r->port);
        return UETCAT_USAGE;
    }
    sigaction(SIGINT, &sa, NULL);
    sigaction(SIGTERM, &sa, NULL);
    pinger_init(&r->pinger, &r->config, on_event, r);
    ping_report_start(&r->report, &r->config, r->ifname, uet_port_now(r->port));
    ping_resolved(r);
    uet_port_close(r->port);
    if (r->broken)
        return UETCAT_USAGE;
    return r->report.answered ? UETCAT_YES : UETCAT_NO;
}

/* ---- options ---- */

enum { OPT_JOB = 256, OPT_PID, OPT_RI, OPT_REL, OPT_CRC, OPT_JSON, OPT_PCAP };

static const struct option long_options[] = {
    {"source", required_argument, NULL, 'S'},    {"interface", required_argument, NULL, 'I'},
    {"count", required_argument, NULL, 'c'},     {"interval", required_argument, NULL, 'i'},
    {"wait", required_argument, NULL, 'W'},      {"quiet", no_argument, NULL, 'q'},
    {"job", required_argument, NULL, OPT_JOB},   {"pid", required_argument, NULL, OPT_PID},
    {"ri", required_argument, NULL, OPT_RI},     {"rel", no_argument, NULL, OPT_REL},
    {"crc", required_argument, NULL, OPT_CRC},   {"json", no_argument, NULL, OPT_JSON},
    {"pcap", required_argument, NULL, OPT_PCAP}, {0},
};

/* Options whose value is a number of the SES header. */
static bool take_number(struct run *r, int o)
{
    uint64_t v;
    switch (o) {
    case OPT_JOB:
        if (!uetcat_number("ping", "--job", optarg, 0, 0xffffff, &v))
            return false;
        r->config.job_id = (uint32_t)v;
        return true;
    case OPT_PID:
        if (!uetcat_number("ping", "--pid", optarg, 0, 0xfff, &v))
            return false;
        r->config.pid_on_fep = (uint16_t)v;
        return true;
    default:
        if (!uetcat_number("ping", "--ri", optarg, 0, 0xfff, &v))
            return false;
        r->config.resource_index = (uint16_t)v;
        return true;
    }
}

static bool take_option(struct run *r, int o)
{
    switch (o) {
    case 'S':
        r->have_source = true;
        return uetcat_address("ping", "-S", optarg, &r->config.src);
    case 'I':
        r->ifname = optarg;
        return true;
    case 'c':
        return uetcat_number("ping", "-c", optarg, 1, UINT32_MAX, &r->count);
    case 'i':
        return uetcat_seconds("ping", "-i", optarg, 0, 86400, &r->interval_ns);
    case 'W':
        return uetcat_seconds("ping", "-W", optarg, 0.000001, 86400, &r->wait_ns);
    case 'q':
        r->report.quiet = true;
        return true;
    case OPT_REL:
        r->config.relative = true;
        return true;
    case OPT_CRC:
        return uetcat_protect("ping", optarg, false, &r->config.protect);
    case OPT_JSON:
        r->report.json = true;
        return true;
    case OPT_PCAP:
        r->pcap = optarg;
        return true;
    default:
        return take_number(r, o);
    }
}

static bool take_address(struct run *r, int n, char **words)
{
    if (n != 1) {
        fprintf(stderr, "uetcat ping: give one address to ping, not %d; see uetcat ping --help\n",
                n);
        return false;
    }
    if (!uetcat_address("ping", "", words[0], &r->config.dst))
        return false;
    if (!r->have_source) {
        fputs("uetcat ping: give our address with -S: a free one of that network, which no "
              "interface has\n",
              stderr);
        return false;
    }
    if (r->config.src.version != r->config.dst.version ||
        uet_ip_equal(&r->config.src, &r->config.dst)) {
        fputs("uetcat ping: -S must differ from ADDR and be of the same IP version\n", stderr);
        return false;
    }
    return true;
}

int uetcat_ping(int argc, char **argv)
{
    struct run *r = calloc(1, sizeof *r);
    if (!r) {
        fputs("uetcat ping: out of memory\n", stderr);
        return UETCAT_USAGE;
    }
    r->interval_ns = r->wait_ns = 1000000000;
    int o, status = -1;
    opterr = 0;
    while (status < 0 && (o = getopt_long(argc, argv, ":S:I:c:i:W:q", long_options, NULL)) != -1) {
        if (o == '?' || o == ':')
            status = uet_bad_option("uetcat ping", o, argv, long_options);
        else if (!take_option(r, o))
            status = UETCAT_USAGE;
    }
    if (status < 0)
        status = take_address(r, argc - optind, argv + optind) ? run_ping(r) : UETCAT_USAGE;
    free(r);
    return status;
}
