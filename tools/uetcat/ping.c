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
    "\n" UETCAT_FEP_HELP_LINK
    "  -c, --count N      stop after N requests; with --entropy: N on each value\n"
    "  -i, --interval S   seconds between requests (default 1; with --entropy 0.01)\n"
    "  -f, --flood        each one as soon as the one before is answered, or after 10 ms; on a\n"
    "                     terminal a dot is a request, and its answer takes the dot away\n"
    "      --size N       with a payload of N bytes. A NO_OP has none (SES-027): these are "
    "UET_WRITE\n"
    "                     requests of one packet, which overwrite memory of the region of -k\n"
    "  -k, --key KEY      memory key of that region\n"
    "  -O, --offset N     where in it the bytes go (default 0)\n"
    "      --mtu N        Payload MTU of the FEP: 1024, 2048, 4096 (default) or 8192\n"
    "  -W, --wait S       seconds to wait for each answer (default 1)\n"
    "  -q, --quiet        statistics only\n" UETCAT_FEP_HELP_SERVICE
    "                     Here each request takes the next one, copies that are sent again take\n"
    "                     others, and at the end stands which values lose packets or are slow\n"
    "      --json         JSON lines\n"
    "      --pcap FILE    write what was sent and received to a pcapng file\n"
    "      --help\n"
    "\n"
    "Needs the right to open raw sockets (root, or CAP_NET_RAW). Exit status: 0 an answer came,\n"
    "and no entropy value is bad; 1 none came, or one is; 2 the arguments or the interface are\n"
    "wrong.\n"
    "\n"
    "Examples:\n"
    "  uetcat ping -S 192.0.2.77 192.0.2.2\n"
    "  uetcat ping -c 10 -i 0.1 -I eth1 -S 2001:db8::77 --job 1 --pid 3 --ri 5 2001:db8::2\n"
    "  uetcat ping --flood -c 100000 --size 4096 -k 1 -S 192.0.2.77 192.0.2.2\n"
    "  uetcat ping --entropy all:64 -c 20 -W 0.1 -S 192.0.2.77 192.0.2.2\n";

enum { CLOSE_TRIES = 3, PAYLOAD_MAX = 8192 };

#define NO_INTERVAL      UINT64_MAX
#define FLOOD_PATIENCE   UINT64_C(10000000) /* as ping -f has it */
#define ENTROPY_INTERVAL UINT64_C(10000000)

/* Everything one run needs. */
struct run {
    struct uetcat_link link;
    struct uetcat_client client;
    struct ping_watch watch;
    struct ping_report report;
    uint64_t count, interval_ns; /* count 0: no end; interval_ns NO_INTERVAL: not given */
    uint64_t submitted;
    uint64_t next_ns; /* when the next request is due */
    uint64_t size, key, offset;
    uint16_t payload_mtu;
    bool have_key;
    uint8_t bytes[PAYLOAD_MAX];
};

static void on_event(void *ctx, const struct ping_event *event)
{
    struct run *r = ctx;
    if (r->report.flood && event->kind != PING_NACK)
        r->next_ns = 0;
    ping_report_event(&r->report, event);
}

static void on_packet(void *ctx, const struct uet_packet *p, bool sent, uint64_t now_ns)
{
    struct run *r = ctx;
    ping_watch_packet(&r->watch, p, sent, now_ns);
    if (r->report.sent != r->watch.seq)
        ping_report_sent(&r->report, p->entropy);
    r->report.sent = r->watch.seq;
}

/* First copies take turns; what is sent again must not fail on the same bad path. */
static bool pick_entropy(void *ctx, const struct uet_packet *p, uint16_t *entropy)
{
    struct run *r = ctx;
    bool picked = r->link.entropy.n && ping_watch_is_new(&r->watch, p);
    /* Each round in another order: who comes behind a lost one finds a host that has slept. */
    if (picked && r->link.entropy.next == 0)
        uetcat_entropy_shuffle(&r->link.entropy, uetcat_random);
    if (picked)
        *entropy = uetcat_entropy_take(&r->link.entropy);
    return picked;
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
                                     .opcode = r->watch.opcode,
                                     .mode = UET_MODE_RUD,
                                     .relative = r->link.relative,
                                     .job_id = r->link.job_id,
                                     .pid_on_fep = r->link.pid_on_fep,
                                     .resource_index = r->link.resource_index,
                                     .key = r->key,
                                     .buffer_offset = r->offset,
                                     .data = r->bytes,
                                     .length = (uint32_t)r->size};
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
    r->next_ns = uetcat_link_now(&r->link);
    while (more(r)) {
        bool full = false;
        uint64_t now_ns = uetcat_link_now(&r->link);
        if (now_ns >= r->next_ns) {
            full = !request(r);
            if (r->report.flood)
                r->next_ns = now_ns + FLOOD_PATIENCE;
            else
                r->next_ns += full ? 0 : r->interval_ns;
        }
        wait_until(r, full ? UET_FEP_NEVER : more(r) ? r->next_ns : 0);
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
    config.payload_mtu = r->payload_mtu;
    if (!uetcat_client_open(&r->client, &r->link, &config))
        return false;
    r->client.watch = on_packet;
    r->client.pick = pick_entropy;
    r->client.watch_ctx = r;
    r->watch.failed =
        !ping_watch_open(&r->watch, r->link.ip_protocol, r->link.wait_ns, on_event, r);
    r->watch.opcode = r->size ? UET_OP_WRITE : UET_OP_NO_OP;
    r->watch.by_name = r->report.paths.n > 0;
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
    return r->report.answered && !r->report.paths.bad ? UETCAT_YES : UETCAT_NO;
}

/* ---- options ---- */

enum { OPT_JSON = UETCAT_OPT_OWN, OPT_SIZE, OPT_MTU };

static const struct option long_options[] = {
    {"count", required_argument, NULL, 'c'},
    {"interval", required_argument, NULL, 'i'},
    {"quiet", no_argument, NULL, 'q'},
    {"flood", no_argument, NULL, 'f'},
    {"size", required_argument, NULL, OPT_SIZE},
    {"key", required_argument, NULL, 'k'},
    {"offset", required_argument, NULL, 'O'},
    {"mtu", required_argument, NULL, OPT_MTU},
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
        return r->report.quiet = true;
    case 'f':
        return r->report.flood = true;
    case 'k':
        r->have_key = true;
        return uetcat_number("ping", "-k", optarg, 0, UINT64_MAX, &r->key);
    case 'O':
        return uetcat_number("ping", "-O", optarg, 0, UINT64_MAX, &r->offset);
    case OPT_SIZE:
        return uetcat_number("ping", "--size", optarg, 0, PAYLOAD_MAX, &r->size);
    case OPT_MTU:
        return uetcat_mtu("ping", optarg, &r->payload_mtu);
    case OPT_JSON:
        return r->report.json = true;
    default:
        return uetcat_fep_option(&r->link, o) == 1;
    }
}

/* Options that do not fit each other; false after a message. */
static bool fits(const struct run *r)
{
    const char *wrong = NULL;
    if (r->size && !r->have_key)
        wrong =
            "a NO_OP has no payload (SES-027): with --size, give the memory key of a region whose "
            "bytes may be overwritten with -k";
    else if (r->have_key && !r->size)
        wrong = "-k is for --size: give that, too, with one byte or more";
    else if (r->size > r->payload_mtu)
        wrong = "--size is more than one packet carries: give --mtu, or fewer bytes";
    else if (r->report.flood && r->interval_ns != NO_INTERVAL)
        wrong = "give -f or -i, not both";
    if (wrong)
        fprintf(stderr, "uetcat ping: %s\n", wrong);
    return !wrong;
}

static int run_if_right(struct run *r, int n, char **words)
{
    int status;
    if (!uetcat_link_address(&r->link, n, words) || !fits(r))
        return UETCAT_USAGE;
    if (r->interval_ns == NO_INTERVAL)
        r->interval_ns = r->link.entropy.n ? ENTROPY_INTERVAL : 1000000000;
    for (size_t i = 0; i < sizeof r->bytes; i++)
        r->bytes[i] = (uint8_t)(i + i / 256);
    r->report.size = (uint32_t)r->size;
    if (r->link.entropy.n) {
        r->count *= r->link.entropy.n;
        if (!ping_paths_open(&r->report.paths, &r->link.entropy)) {
            fputs("uetcat ping: out of memory\n", stderr);
            return UETCAT_USAGE;
        }
    }
    status = run_ping(r);
    ping_paths_close(&r->report.paths);
    return status;
}

int uetcat_ping(int argc, char **argv)
{
    struct run *r = calloc(1, sizeof *r);
    if (!r) {
        fputs("uetcat ping: out of memory\n", stderr);
        return UETCAT_USAGE;
    }
    r->link.command = "ping";
    r->link.wait_ns = 1000000000;
    r->interval_ns = NO_INTERVAL;
    r->payload_mtu = 4096;
    int o, status = -1;
    opterr = 0;
    while (status < 0 && (o = getopt_long(argc, argv, ":c:i:qfk:O:" UETCAT_FEP_SHORT, long_options,
                                          NULL)) != -1) {
        if (o == '?' || o == ':')
            status = uet_bad_option("uetcat ping", o, argv, long_options);
        else if (!take_option(r, o))
            status = UETCAT_USAGE;
    }
    if (status < 0)
        status = run_if_right(r, argc - optind, argv + optind);
    free(r);
    return status;
}
