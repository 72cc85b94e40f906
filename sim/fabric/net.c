/* SPDX-License-Identifier: BSD-2-Clause */
#include "sim/fabric/net.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "port/fabric/fabric.h"
#include "refimpl/fep.h"
#include "uet_spec.h"
#include "wire/splitmix.h"

#define KEY      1u
#define JOB      1u
#define RTO_NS   200000u
#define STEP_NS  1000u /* between two looks whether all has ended */
#define NO_LIMIT (1u << 30)
#define WIRE     24u /* preamble, FCS and gap, as the fabric counts them */
#define SMALL    60u /* bytes of a Probe, or of an ACK, in a frame */
#define HEADERS  64u /* that a trim leaves: UDP 8, PDS 12, SES 44 */

const char *const net_cc_names[NET_CCS] = {"nscc", "rccc", "both"};

/* Code points (4.1.4.1). */
enum { TRIMMABLE = 10, TRIMMED = 11, LASTHOP = 12, CONTROL = 14, REQUESTS = 20, ANSWERS = 22 };

struct host {
    struct uet_fep *fep;
    void *memory;
    struct uet_ip ip;
    uint32_t first, n_out; /* its flows in struct net's by_source */
    uint32_t n_in, at_once;
    uint32_t n_to, n_from; /* hosts that it writes to, and that write to it */
    bool restless;         /* a flow of it may begin another write */
};

struct net {
    struct net_wish is;
    struct tree tree;
    struct uet_fabric *fabric;
    struct host *hosts;
    uint32_t *by_source; /* flows */
    struct net_done *done;
    uint64_t *starts;        /* of the flows */
    uint32_t n_ended;        /* flows */
    uint8_t *bytes, *region; /* of the longest message: what is written, and where, by all */
    uint32_t longest;
    uint64_t digest, fep_bytes;
};

/* ---- the fabric's callbacks ---- */

static void mix(struct net *net, uint64_t value)
{
    net->digest = (net->digest ^ value) * 0x9e3779b97f4a7c15u;
    net->digest ^= net->digest >> 29;
}

/* The first bytes, those of the headers, and the length. */
static void deliver(void *ctx, uint16_t host, const uint8_t *frame, uint32_t len, uint64_t now_ns)
{
    struct net *net = ctx;
    uint64_t word;

    mix(net, now_ns << 16 | host);
    for (uint32_t i = 0; i + sizeof(word) <= len && i < 96; i += sizeof(word)) {
        memcpy(&word, frame + i, sizeof(word));
        mix(net, word);
    }
    uet_fep_receive(net->hosts[host].fep, frame, len, now_ns);
}

static size_t pull(void *ctx, uint16_t host, uint8_t *buffer, size_t cap, uint64_t now_ns)
{
    struct net *net = ctx;

    return uet_fep_transmit(net->hosts[host].fep, buffer, cap, now_ns);
}

static bool goes_on(const struct net *net, uint32_t flow)
{
    const struct net_flow *is = &net->is.flows[flow];
    const struct net_done *done = &net->done[flow];

    return (is->count == NET_ENDLESS || done->begun < is->count) &&
           done->begun - done->ended < is->at_once;
}

static void write_on(struct net *net, uint32_t flow, uint64_t now_ns)
{
    const struct net_flow *is = &net->is.flows[flow];
    const struct uet_operation op = {.to = net->hosts[is->to].ip,
                                     .opcode = UET_OP_WRITE,
                                     .mode = is->mode,
                                     .relative = true,
                                     .job_id = JOB,
                                     .key = KEY,
                                     .data = net->bytes,
                                     .length = is->message,
                                     .token = flow};

    while (goes_on(net, flow) && uet_fep_submit(net->hosts[is->from].fep, &op, now_ns) == 0)
        if (!net->done[flow].begun++)
            net->done[flow].first_ns = now_ns;
}

static void end(struct net *net, const struct uet_completion *completion, uint64_t now_ns)
{
    struct net_done *done = &net->done[completion->token];

    if (completion->kind != UET_COMPLETION_OPERATION)
        return;
    done->ended++;
    done->failed += completion->status != UET_STATUS_OK;
    done->last_ns = now_ns;
    if (done->ended != net->is.flows[completion->token].count)
        return;
    net->n_ended++;
    if (net->is.ended)
        net->is.ended(net->is.ctx, (uint32_t)completion->token);
}

/* The next beginning of a flow that has not come yet. */
static uint64_t begin(struct net *net, struct host *h, uint64_t now_ns)
{
    uint64_t next = UET_FABRIC_NEVER;

    h->restless = false;
    for (uint32_t i = h->first; i < h->first + h->n_out; i++) {
        uint64_t start = net->starts[net->by_source[i]];
        if (start <= now_ns)
            write_on(net, net->by_source[i], now_ns);
        else if (start < next)
            next = start;
    }
    h->restless = next != UET_FABRIC_NEVER;
    return next;
}

static uint64_t advance(void *ctx, uint16_t host, uint64_t now_ns)
{
    struct net *net = ctx;
    struct host *h = &net->hosts[host];
    struct uet_completion completion;
    uint64_t due, next = UET_FABRIC_NEVER;

    uet_fep_advance(h->fep, now_ns);
    while (uet_fep_completion(h->fep, &completion)) {
        h->restless = true;
        end(net, &completion, now_ns);
    }
    if (h->restless)
        next = begin(net, h, now_ns);
    due = uet_fep_deadline(h->fep);
    return due < next ? due : next;
}

/* A FEP that looked for a frame in vain may have begun to wait for credit, and is to ask for it. */
static uint64_t deadline(void *ctx, uint16_t host)
{
    const struct net *net = ctx;

    return uet_fep_deadline(net->hosts[host].fep);
}

/* ---- setting it up ---- */

static uint64_t wire_ns(const struct net *net, uint32_t bytes)
{
    return (bytes + WIRE) * 8000ull / net->is.mbits;
}

/* Of a line: what small packets themselves leave of the base RTT. */
static uint64_t latency(const struct net *net)
{
    const unsigned lines = tree_lines(&net->tree);
    const uint64_t packets = 2 * lines * wire_ns(net, SMALL);

    return packets < NET_BASE_RTT_NS ? (NET_BASE_RTT_NS - packets) / (2 * lines) : 0;
}

static uint32_t plane_bdp(const struct net *net)
{
    return (uint32_t)((uint64_t)NET_BASE_RTT_NS * net->is.mbits / 8000);
}

void net_params(const struct net_wish *wish, struct uet_fep_params *params)
{
    params->NSCC = wish->cc != NET_RCCC;
    params->RCCC = wish->cc != NET_NSCC;
    params->Default_MPR = 16;
    params->NACK_Retx_Time = 0;
    params->Max_NACK_Retx_Cnt = 255; /* with credit alone a switch may cut most of what comes */
    params->RTO_Init_Time = RTO_NS;
    params->LB = wish->lb;
    params->EV_Slots = wish->evs;
    params->config_base_rtt = NET_BASE_RTT_NS;
    params->sender_link_rate = wish->mbits;
    if (wish->tune)
        wish->tune(params);
    for (size_t p = 0; wish->params && p < NET_PARAMS && wish->params[p].name; p++)
        (void)uet_fep_param_set(params, wish->params[p].name, wish->params[p].value);
}

static struct uet_fep_config config_of(const struct net *net, uint16_t i)
{
    const struct host *h = &net->hosts[i];
    const uint16_t mtu = net->is.mtu ? net->is.mtu : NET_MTU;
    struct uet_fep_config c;

    uet_fep_config_default(&c);
    c.address = h->ip;
    c.seed = net->is.seed * 65536 + i;
    c.payload_mtu = mtu;
    /* What its flows need, and no more: there are many FEPs. */
    c.max_pdcs = (uint16_t)(h->n_to + h->n_from + 2);
    c.max_operations = (uint16_t)(h->at_once + 2);
    c.max_messages = (uint16_t)(2 * h->n_in + 2);
    c.max_packets = 2 * (2 * plane_bdp(net) / mtu * (h->n_to < 4 ? 4 : h->n_to));
    if (net->is.max_packets)
        c.max_packets = net->is.max_packets;
    c.max_rudi_packets = 1;
    c.max_stored_responses = 8; /* writes without data to send back need none */
    c.max_services = c.max_regions = 1;
    c.max_receives = 1;
    c.max_held = 0;
    c.max_unexpected = 0;
    c.unexpected_bytes = 0;
    c.max_read_parts = 1;
    const bool lossless = net->is.lossless && net->is.lossless(net->is.ctx, i);
    c.dscp_request = lossless ? REQUESTS : TRIMMABLE;
    c.dscp_control = lossless ? ANSWERS : CONTROL;
    c.dscp_trimmed = 1ull << TRIMMED;
    c.dscp_trimmed_lasthop = 1ull << LASTHOP;
    net_params(&net->is, &c.params);
    return c;
}

static int make_host(struct net *net, uint16_t i)
{
    const struct uet_service rma = {.job_id = JOB, .ri_class = UET_RI_RMA};
    const struct uet_region region = {.job_id = JOB,
                                      .key = KEY,
                                      .rights = UET_RIGHT_WRITE,
                                      .base = net->region,
                                      .length = net->longest};
    struct host *h = &net->hosts[i];

    h->ip = (struct uet_ip){.version = 4, .bytes = {10, 0, (uint8_t)(i >> 8), (uint8_t)i}};
    h->restless = true;
    const struct uet_fep_config c = config_of(net, i);
    const size_t size = uet_fep_size(&c);
    h->memory = size ? malloc(size) : NULL;
    h->fep = h->memory ? uet_fep_init(h->memory, size, &c, 0) : NULL;
    if (!h->fep)
        return size ? -ENOMEM : -EINVAL;
    net->fep_bytes += size;
    return uet_fep_service_add(h->fep, &rma) < 0 || uet_fep_region_add(h->fep, &region) < 0
               ? -ENOMEM
               : 0;
}

static int make_hosts(struct net *net)
{
    int rc = 0;

    for (uint16_t i = 0; i < net->tree.n_hosts && rc == 0; i++)
        rc = make_host(net, i);
    return rc;
}

static int take_flows(struct net *net)
{
    uint32_t at = 0;

    for (uint32_t f = 0; f < net->is.n_flows; f++) {
        const struct net_flow *flow = &net->is.flows[f];
        if (flow->from >= net->tree.n_hosts || flow->to >= net->tree.n_hosts ||
            flow->from == flow->to || !flow->message || !flow->at_once)
            return -EINVAL;
        net->hosts[flow->from].n_out++;
        net->hosts[flow->from].at_once += flow->at_once;
        net->hosts[flow->to].n_in++;
        if (flow->message > net->longest)
            net->longest = flow->message;
    }
    for (uint16_t h = 0; h < net->tree.n_hosts; h++) {
        net->hosts[h].first = at;
        at += net->hosts[h].n_out;
        net->hosts[h].n_out = 0;
    }
    for (uint32_t f = 0; f < net->is.n_flows; f++) {
        struct host *from = &net->hosts[net->is.flows[f].from];
        net->by_source[from->first + from->n_out++] = f;
        net->starts[f] = net->is.flows[f].start_ns;
    }
    return 0;
}

/* Flows between the same two share a PDC. */
static int count_peers(struct net *net)
{
    uint32_t *last = calloc(net->tree.n_hosts, sizeof(*last)); /* that wrote there; from 1 */

    for (uint16_t h = 0; last && h < net->tree.n_hosts; h++) {
        struct host *from = &net->hosts[h];
        for (uint32_t i = from->first; i < from->first + from->n_out; i++) {
            uint16_t to = net->is.flows[net->by_source[i]].to;
            bool another = last[to] != h + 1u;
            last[to] = h + 1u;
            from->n_to += another;
            net->hosts[to].n_from += another;
        }
    }
    free(last);
    return last ? 0 : -ENOMEM;
}

static struct uet_fabric_line line_of(const struct net *net)
{
    const uint32_t bdp = plane_bdp(net);

    return (struct uet_fabric_line){
        .latency_ns = latency(net),
        .bits_per_s = net->is.mbits * 1000000ull,
        .drop_bytes = {NO_LIMIT, bdp, bdp},
        .trim_bytes = bdp,
        .ecn_min_bytes = bdp / 5,
        .ecn_max_bytes = bdp / 5 * 4,
        .ecn_at_dequeue = true,
        .credit_bytes = net->is.credit_bytes,
    };
}

static int make_tree(struct net *net)
{
    const struct tree_wish wish = {.radix = net->is.radix,
                                   .levels = net->is.levels,
                                   .over = net->is.over,
                                   .hosts = net->is.hosts};
    int rc = tree_make(&net->tree, &wish);

    if (rc)
        return rc;
    for (size_t c = 0; c < net->tree.n_cables; c++) {
        struct uet_fabric_line *line = &net->tree.cables[c].line;
        *line = line_of(net);
        if (c < net->tree.n_hosts &&
            net->is.cc != NET_NSCC) /* no marks at the last hop (CMS-107) */
            line->ecn_min_bytes = line->ecn_max_bytes = 0;
    }
    return 0;
}

static int make_fabric(struct net *net)
{
    const uint16_t n = net->tree.n_hosts;
    struct uet_ip *addresses = calloc(n, sizeof(*addresses));

    if (!addresses)
        return -ENOMEM;
    for (uint16_t i = 0; i < n; i++)
        addresses[i] = net->hosts[i].ip;
    const struct uet_fabric_config config = {
        .seed = net->is.seed,
        .addresses = addresses,
        .n_hosts = n,
        .n_switches = tree_switches(&net->tree),
        .cables = net->tree.cables,
        .n_cables = net->tree.n_cables,
        .dscp_trimmable = TRIMMABLE,
        .dscp_trimmable_rtx = UET_FABRIC_NO_DSCP,
        .dscp_trimmed = TRIMMED,
        .dscp_trimmed_lasthop = LASTHOP,
        .dscp_control = CONTROL,
        .trim_keep = HEADERS,
        .lossless = net->is.lossless,
        .one_class = net->is.one_class,
        .dscp_requests = REQUESTS,
        .dscp_answers = ANSWERS,
        .answer_room = net->is.answer_room ? net->is.answer_room : NET_ANSWER_ROOM,
        .turns = net->is.turns,
        .ctx = net,
        .deliver = deliver,
        .pull = pull,
        .advance = advance,
        .deadline = deadline,
    };
    int rc = uet_fabric_new(&net->fabric, &config, 0);
    free(addresses);
    return rc;
}

static int make(struct net *net)
{
    int rc = make_tree(net);

    if (rc)
        return rc;
    net->hosts = calloc(net->tree.n_hosts, sizeof(*net->hosts));
    net->by_source = calloc(net->is.n_flows + 1u, sizeof(*net->by_source));
    net->done = calloc(net->is.n_flows + 1u, sizeof(*net->done));
    net->starts = calloc(net->is.n_flows + 1u, sizeof(*net->starts));
    if (!net->hosts || !net->by_source || !net->done || !net->starts)
        return -ENOMEM;
    rc = take_flows(net);
    if (!rc)
        rc = count_peers(net);
    if (rc)
        return rc;
    net->bytes = calloc(1, net->longest + 1u);
    net->region = calloc(1, net->longest + 1u);
    if (!net->bytes || !net->region)
        return -ENOMEM;
    if (!net->longest)
        net->longest = 1;
    rc = make_hosts(net);
    return rc ? rc : make_fabric(net);
}

int net_new(struct net **out, const struct net_wish *wish)
{
    struct net *net = calloc(1, sizeof(*net));
    int rc;

    if (!net)
        return -ENOMEM;
    net->is = *wish;
    rc = make(net);
    if (rc)
        net_free(net);
    else
        *out = net;
    return rc;
}

void net_free(struct net *net)
{
    if (!net)
        return;
    uet_fabric_free(net->fabric);
    for (uint16_t h = 0; net->hosts && h < net->tree.n_hosts; h++)
        free(net->hosts[h].memory);
    free(net->hosts);
    free(net->by_source);
    free(net->done);
    free(net->starts);
    free(net->bytes);
    free(net->region);
    tree_free(&net->tree);
    free(net);
}

/* ---- running it ---- */

bool net_over(const struct net *net)
{
    return net->n_ended == net->is.n_flows;
}

void net_begin(struct net *net, uint32_t flow)
{
    const uint64_t now_ns = uet_fabric_now(net->fabric);
    const uint16_t from = net->is.flows[flow].from;

    net->starts[flow] = now_ns;
    net->hosts[from].restless = true;
    uet_fabric_wake(net->fabric, from, now_ns);
}

void net_run(struct net *net, uint64_t until_ns)
{
    uint64_t next;

    while (!net_over(net) && !net_deadlock(net, NULL, 0) &&
           (next = uet_fabric_deadline(net->fabric)) <= until_ns)
        uet_fabric_advance(net->fabric, until_ns - next > STEP_NS ? next + STEP_NS : until_ns);
}

size_t net_deadlock(const struct net *net, struct uet_fabric_stuck *circle, size_t cap)
{
    return net->is.lossless ? uet_fabric_deadlock(net->fabric, circle, cap) : 0;
}

uint32_t net_fullest(const struct net *net)
{
    uint32_t most = 0;

    for (size_t c = 0; c < net->tree.n_cables; c++)
        for (int back = 0; back < 2; back++) {
            uint32_t here = uet_fabric_port(net->fabric, c, back).highest_lossless;
            most = here > most ? here : most;
        }
    return most;
}

const struct net_done *net_done(const struct net *net, uint32_t flow)
{
    return &net->done[flow];
}

uint64_t net_rcvd(const struct net *net, uint32_t flow)
{
    const struct net_flow *is = &net->is.flows[flow];

    return uet_fep_rcvd_bytes(net->hosts[is->to].fep, &net->hosts[is->from].ip);
}

struct uet_fep_congestion net_congestion(const struct net *net, uint32_t flow)
{
    const struct net_flow *is = &net->is.flows[flow];
    struct uet_fep_congestion cc;

    uet_fep_congestion(net->hosts[is->from].fep, &net->hosts[is->to].ip, &cc);
    return cc;
}

const struct tree *net_tree(const struct net *net)
{
    return &net->tree;
}

struct uet_fabric *net_fabric(struct net *net)
{
    return net->fabric;
}

uint64_t net_digest(const struct net *net)
{
    return net->digest;
}

uint64_t net_fep_bytes(const struct net *net)
{
    return net->fep_bytes;
}

static uint64_t counter(const struct uet_fep *fep, const char *name)
{
    const char *is;

    for (size_t i = 0; (is = uet_fep_counter_name(i)); i++)
        if (!strcmp(is, name))
            return uet_fep_counter(fep, i);
    return 0;
}

uint64_t net_resent(const struct net *net)
{
    uint64_t sum = 0;

    for (uint16_t h = 0; h < net->tree.n_hosts; h++)
        sum += counter(net->hosts[h].fep, "tx_retx");
    return sum;
}
