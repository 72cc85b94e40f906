/* SPDX-License-Identifier: BSD-2-Clause */
/* uetcat ping: is a FEP there, and how long does it take to answer. */
#include <stdio.h>
#include <stdlib.h>

#include "tools/uetcat/client.h"
#include "tools/uetcat/command.h"
#include "tools/uetcat/ping/report.h"

enum { CLOSE_TRIES = 3, PAYLOAD_LEAST = 1024, PAYLOAD_USUAL = 4096, PAYLOAD_MAX = 8192 };

#define FLOOD_PATIENCE   UINT64_C(10000000) /* as ping -f has it */
#define ENTROPY_INTERVAL UINT64_C(10000000)

/* Everything one run needs. */
struct run {
    struct uetcat_args *args;
    struct uetcat_link *link; /* of args */
    struct uetcat_client client;
    struct ping_watch watch;
    struct ping_report report;
    uint64_t count; /* 0: no end */
    uint64_t submitted;
    uint64_t next_ns; /* when the next request is due */
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
    bool picked = r->link->entropy.n && ping_watch_is_new(&r->watch, p);
    /* Each round in another order: who comes behind a lost one finds a host that has slept. */
    if (picked && r->link->entropy.next == 0)
        uetcat_entropy_shuffle(&r->link->entropy, uetcat_random);
    if (picked)
        *entropy = uetcat_entropy_take(&r->link->entropy);
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
    ping_watch_advance(&r->watch, uetcat_link_now(r->link));
}

/* False when as many are outstanding as there may be: the next answer makes room. */
static bool request(struct run *r)
{
    const struct uet_operation op = {.to = r->link->dst,
                                     .opcode = r->watch.opcode,
                                     .mode = UET_MODE_RUD,
                                     .relative = r->link->relative,
                                     .job_id = r->link->job_id,
                                     .pid_on_fep = r->link->pid_on_fep,
                                     .resource_index = r->link->resource_index,
                                     .key = r->args->key,
                                     .buffer_offset = r->args->offset,
                                     .data = r->bytes,
                                     .length = (uint32_t)r->args->length};
    if (uet_fep_submit(r->client.fep, &op, uetcat_link_now(r->link)) < 0)
        return false;
    r->submitted++;
    return true;
}

static bool goes_on(const struct run *r)
{
    return !uetcat_interrupted && !r->link->broken && !r->watch.failed;
}

static bool more(const struct run *r)
{
    return goes_on(r) && (r->count == 0 || r->submitted < r->count);
}

static void ping(struct run *r)
{
    r->next_ns = uetcat_link_now(r->link);
    while (more(r)) {
        bool full = false;
        uint64_t now_ns = uetcat_link_now(r->link);
        if (now_ns >= r->next_ns) {
            full = !request(r);
            if (r->report.flood)
                r->next_ns = now_ns + FLOOD_PATIENCE;
            else
                r->next_ns += full ? 0 : r->args->interval_ns;
        }
        wait_until(r, full ? UET_FEP_NEVER : more(r) ? r->next_ns : 0);
    }
    while (goes_on(r) && ping_watch_waits(&r->watch))
        wait_until(r, UET_FEP_NEVER);
    uetcat_client_hang_up(&r->client, uetcat_link_now(r->link) + CLOSE_TRIES * r->link->wait_ns);
    if (r->client.not_had)
        ping_report_note(&r->report,
                         "some entropy values belong to other programs' UDP ports: their "
                         "packets left by another value");
    if (ping_watch_unclosed(&r->watch))
        ping_report_note(&r->report, "the Close Command was not acknowledged");
}

/* What the link carries is not known yet, but that it carries the least (0: the FEP's client asks).
 */
static uint16_t payload_mtu(const struct uetcat_args *a)
{
    return !a->payload_mtu && a->length > PAYLOAD_LEAST ? PAYLOAD_USUAL : a->payload_mtu;
}

/* False after a message. */
static bool ping_as_client(struct run *r)
{
    struct uet_fep_config config = uetcat_client_config(r->link, PING_OUTSTANDING);
    config.max_operations = PING_OUTSTANDING;
    config.payload_mtu = payload_mtu(r->args);
    if (!uetcat_client_open(&r->client, r->link, &config))
        return false;
    r->client.watch = on_packet;
    r->client.pick = pick_entropy;
    r->client.watch_ctx = r;
    r->watch.failed =
        !ping_watch_open(&r->watch, r->link->ip_protocol, r->link->wait_ns, on_event, r);
    r->watch.opcode = r->args->length ? UET_OP_WRITE : UET_OP_NO_OP;
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
    if (!uetcat_link_open(r->link))
        return UETCAT_USAGE;
    ping_report_start(&r->report, r->link, uetcat_link_now(r->link));
    if (uetcat_link_resolve(r->link))
        able = ping_as_client(r);
    else if (!uetcat_interrupted)
        ping_report_note(&r->report, "nobody answers ARP or neighbour discovery for the address");
    const char *silence = r->report.answered ? NULL : uetcat_link_silence(r->link);
    if (silence)
        ping_report_note(&r->report, silence);
    r->report.explained = silence != NULL;
    ping_report_end(&r->report, uetcat_link_now(r->link));
    uetcat_link_close(r->link);
    if (r->link->broken || !able)
        return UETCAT_USAGE;
    return r->report.answered && !r->report.paths.bad ? UETCAT_YES : UETCAT_NO;
}

/* ---- options ---- */

/* Options that do not fit each other; false after a message. */
static bool fits(const struct run *r)
{
    const struct uetcat_args *a = r->args;
    const char *wrong = NULL;
    if (a->length && !a->given[UETCAT_KEY])
        wrong =
            "a NO_OP has no payload (SES-027): with --size, give the memory key of a region whose "
            "bytes may be overwritten with -k";
    else if (a->given[UETCAT_KEY] && !a->length)
        wrong = "-k is for --size: give that, too, with one byte or more";
    else if (a->length > PAYLOAD_USUAL && a->length > a->payload_mtu)
        wrong = "--size is more than one packet carries: give --mtu, or fewer bytes";
    else if (a->flood && (a->given[UETCAT_INTERVAL] || a->given[UETCAT_RATE]))
        wrong = "give -f, or -i or --rate, not both";
    if (wrong)
        fprintf(stderr, "uetcat ping: %s\n", wrong);
    return !wrong;
}

static bool prepare(struct run *r)
{
    struct uetcat_args *a = r->args;
    r->count = a->count;
    if (!a->given[UETCAT_INTERVAL] && !a->given[UETCAT_RATE])
        a->interval_ns = a->link.entropy.n ? ENTROPY_INTERVAL : 1000000000;
    for (size_t i = 0; i < sizeof r->bytes; i++)
        r->bytes[i] = (uint8_t)(i + i / 256);
    r->report.size = (uint32_t)a->length;
    r->report.flood = a->flood;
    r->report.json = a->json;
    r->report.quiet = a->quiet;
    r->report.verbose = a->verbose;
    if (a->link.entropy.n == 0)
        return true;
    r->count *= a->link.entropy.n;
    if (ping_paths_open(&r->report.paths, &a->link.entropy))
        return true;
    fputs("uetcat ping: out of memory\n", stderr);
    return false;
}

static int run_if_right(struct run *r)
{
    struct uetcat_args *a = r->args;
    int status = UETCAT_USAGE;
    r->link = &a->link;
    if (uetcat_link_address(r->link, a->n_words, a->words) && fits(r) && prepare(r))
        status = run_ping(r);
    ping_paths_close(&r->report.paths);
    return status;
}

static int run(int argc, char **argv)
{
    struct uetcat_args *a = uetcat_args_new(&uetcat_ping);
    struct run *r = calloc(1, sizeof *r);
    int status = UETCAT_USAGE;
    if (a && !r)
        fputs("uetcat ping: out of memory\n", stderr);
    if (a && r && uetcat_options(&uetcat_ping, a, argc, argv, NULL, NULL)) {
        r->args = a;
        status = run_if_right(r);
    }
    free(r);
    free(a);
    return status;
}

static const struct uetcat_use uses[] = {
    UETCAT_USES_LINK,
    {UETCAT_COUNT, "stop after N requests; with --entropy: N on each value"},
    {UETCAT_INTERVAL, "seconds between requests (default 1; with --entropy 0.01)"},
    {UETCAT_RATE, NULL},
    {UETCAT_FLOOD, NULL},
    {UETCAT_LENGTH, "with a payload of N bytes. A NO_OP has none (SES-027): these are UET_WRITE\n"
                    "requests of one packet, which overwrite memory of the region of -k"},
    {UETCAT_KEY, "memory key of that region"},
    {UETCAT_OFFSET, "where in it the bytes go (default 0)"},
    {UETCAT_MTU, NULL},
    {UETCAT_WAIT, "seconds to wait for each answer (default 1)"},
    UETCAT_USES_SERVICE,
    {UETCAT_CRC, NULL},
    {UETCAT_CRC_ORDER, NULL},
    {UETCAT_ENCAPSULATION, NULL},
    {UETCAT_IP_PROTOCOL, NULL},
    {UETCAT_ENTROPY, "entropy values (UDP source ports) that the requests use in turn: N, A-B,\n"
                     "all:N (N of them, spread over all), or some of these with commas. What is\n"
                     "sent again takes others. At the end stands which values lose packets or\n"
                     "are slow (told from ten answers of a value on): which paths are bad"},
    UETCAT_USES_KEYS,
    {UETCAT_PCAP, NULL},
    {UETCAT_JSON, "JSON lines"},
    {UETCAT_QUIET, "the statistics only"},
    {UETCAT_VERBOSE, "every entropy value at the end, not only the bad ones, if they are many"},
    {0}};

static const struct uet_idle_option idle[] = {UETCAT_IDLE_CRC,
                                              {"offset", NULL, "length"},
                                              {"mtu", NULL, "length"},
                                              {"verbose", NULL, "entropy"},
                                              {NULL, NULL, NULL}};

const struct uetcat_command uetcat_ping = {
    .name = "ping",
    .purpose = "is a FEP there, and how long does it take to answer",
    .synopsis = "[OPTION...] ADDR",
    .text =
        "Opens a PDC to the FEP at ADDR, sends UET_NO_OP requests, shows the answers with their\n"
        "round-trip times, and closes the PDC. Ctrl-C ends it with the statistics.\n",
    .uses = uses,
    .idle = idle,
    .status = "Exit status: 0 an answer\n"
              "came, and no entropy value is bad; 1 none came, or one is; 2 the arguments or the\n"
              "interface are wrong.\n",
    .examples = "-S 192.0.2.77 192.0.2.2\n"
                "-c 10 -i 0.1 -I eth1 -S 2001:db8::77 --job 1 --pid 3 --ri 5 2001:db8::2\n"
                "--flood -c 100000 --size 4096 -k 1 -S 192.0.2.77 192.0.2.2\n"
                "--entropy all:64 -c 20 -W 0.1 -S 192.0.2.77 192.0.2.2\n",
    .run = run,
};
