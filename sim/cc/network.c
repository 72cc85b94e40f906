/* SPDX-License-Identifier: BSD-2-Clause */
/* Sources, a switch and a sink: FEPs that write without end, and what is seen of them. */
#include "sim/cc/cc.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "port/fabric/fabric.h"
#include "refimpl/fep.h"
#include "refimpl/usage.h"
#include "uet_spec.h"

#define MESSAGE  (4u << 20)
#define KEY      1u
#define JOB      1u
#define AT_ONCE  2u /* messages of a flow */
#define RTO_NS   200000u
#define LINE_NS  2700u /* four of them, and a packet of 4096 bytes at 100 and 50 Gbit/s: 12 us */
#define NO_LIMIT (1u << 30)
#define MBIT     1000000ull

/* Code points (4.1.4.1). */
enum { TRIMMABLE = 10, TRIMMED = 11, LASTHOP = 12, CONTROL = 14 };

struct host {
    struct uet_fep *fep;
    void *memory;
    struct uet_ip ip;
    unsigned open; /* messages under way */
};

struct network {
    const struct cc_scenario *is;
    struct uet_fabric *fabric;
    struct host hosts[CC_FLOWS + 1]; /* the last one in use is the sink */
    uint8_t *bytes, *region;
    uint32_t mbits;
};

/* ---- the fabric's callbacks ---- */

static void deliver(void *ctx, uint16_t host, const uint8_t *frame, uint32_t len, uint64_t now_ns)
{
    struct network *w = ctx;

    uet_fep_receive(w->hosts[host].fep, frame, len, now_ns);
}

static size_t pull(void *ctx, uint16_t host, uint8_t *buffer, size_t cap, uint64_t now_ns)
{
    struct network *w = ctx;

    return uet_fep_transmit(w->hosts[host].fep, buffer, cap, now_ns);
}

static bool goes_on(const struct network *w, uint16_t flow, uint64_t now_ns)
{
    double at = (double)now_ns / 1e3, stop = w->is->stop_us[flow];

    return at >= w->is->start_us[flow] && (stop <= 0 || at < stop);
}

static void write_on(struct network *w, uint16_t flow, uint64_t now_ns)
{
    struct host *h = &w->hosts[flow];
    const struct uet_operation op = {.to = w->hosts[w->is->n_flows].ip,
                                     .opcode = UET_OP_WRITE,
                                     .relative = true,
                                     .job_id = JOB,
                                     .key = KEY,
                                     .data = w->bytes,
                                     .length = MESSAGE};

    while (h->open < AT_ONCE && goes_on(w, flow, now_ns) &&
           uet_fep_submit(h->fep, &op, now_ns) == 0)
        h->open++;
}

static uint64_t advance(void *ctx, uint16_t host, uint64_t now_ns)
{
    struct network *w = ctx;
    struct host *h = &w->hosts[host];
    struct uet_completion completion;

    uet_fep_advance(h->fep, now_ns);
    while (uet_fep_completion(h->fep, &completion))
        h->open--;
    if (host < w->is->n_flows)
        write_on(w, host, now_ns);
    return uet_fep_deadline(h->fep);
}

/* A FEP that looked for a frame in vain may have begun to wait for credit, and is to ask for it. */
static uint64_t deadline(void *ctx, uint16_t host)
{
    const struct network *w = ctx;

    return uet_fep_deadline(w->hosts[host].fep);
}

/* ---- setting it up ---- */

static int make_host(struct network *w, uint16_t i, uint64_t seed)
{
    struct uet_fep_config c;
    struct host *h = &w->hosts[i];
    char text[32];

    snprintf(text, sizeof(text), "192.0.2.%u", i + 1u);
    uet_ip_parse(&h->ip, text);
    uet_fep_config_default(&c);
    c.address = h->ip;
    c.seed = seed + i;
    c.payload_mtu = CC_PAYLOAD_MTU;
    c.max_pdcs = 16;
    c.dscp_request = TRIMMABLE;
    c.dscp_control = CONTROL;
    c.dscp_trimmed = 1ull << TRIMMED;
    c.dscp_trimmed_lasthop = 1ull << LASTHOP;
    c.params.NSCC = !w->is->rccc || w->is->nscc_too;
    c.params.RCCC = w->is->rccc;
    c.params.host_pressure = w->is->pressure;
    c.params.Default_MPR = 16;
    c.params.NACK_Retx_Time = 0;
    c.params.RTO_Init_Time = RTO_NS;
    c.params.LB = w->is->lb;
    c.params.config_base_rtt = CC_BASE_RTT_NS;
    c.params.sender_link_rate = w->is->line_mbits;
    h->memory = malloc(uet_fep_size(&c));
    h->fep = h->memory ? uet_fep_init(h->memory, uet_fep_size(&c), &c, 0) : NULL;
    return h->fep ? 0 : -ENOMEM;
}

static int make_sink(struct network *w)
{
    const struct uet_service rma = {.job_id = JOB, .ri_class = UET_RI_RMA};
    const struct uet_region region = {
        .job_id = JOB, .key = KEY, .rights = UET_RIGHT_WRITE, .base = w->region, .length = MESSAGE};
    struct uet_fep *fep = w->hosts[w->is->n_flows].fep;
    int rc = uet_fep_service_add(fep, &rma);

    if (!rc)
        rc = uet_fep_region_add(fep, &region);
    return rc < 0 ? rc : 0;
}

uint32_t cc_plane_bdp(const struct cc_scenario *scenario)
{
    return (uint32_t)((uint64_t)scenario->narrow_mbits * CC_BASE_RTT_NS / 8000);
}

/* The switch of 3.6.17: marks from 0.2 to 0.8 Plane_BDP, trims at one. */
static struct uet_fabric_line line_of(const struct cc_scenario *is, uint32_t mbits)
{
    const uint32_t bdp = cc_plane_bdp(is);

    return (struct uet_fabric_line){
        .latency_ns = is->spines ? LINE_NS / 2 : LINE_NS, /* twice as many of them */
        .bits_per_s = mbits * MBIT,
        .drop_bytes = {NO_LIMIT, bdp, bdp},
        .trim_bytes = bdp,
        .ecn_min_bytes = bdp / 5,
        .ecn_max_bytes = bdp / 5 * 4,
        .ecn_at_dequeue = true,
    };
}

/* Hosts at one switch; or the sink at a second one, behind spines. How many cables. */
static size_t tie(const struct network *w, struct uet_fabric_cable *cables)
{
    const uint16_t n = w->is->n_flows, near = (uint16_t)(n + 1), far = (uint16_t)(n + 2);
    const struct uet_fabric_line line = line_of(w->is, w->is->line_mbits);
    size_t at = 0;

    for (uint16_t i = 0; i < n; i++)
        cables[at++] = (struct uet_fabric_cable){i, near, line};
    struct uet_fabric_line last = line_of(w->is, w->is->narrow_mbits);
    if (w->is->rccc)
        last.ecn_min_bytes = last.ecn_max_bytes = 0;
    cables[at++] = (struct uet_fabric_cable){n, w->is->spines ? far : near, last};
    for (uint16_t s = 0; s < w->is->spines; s++) {
        const uint16_t spine = (uint16_t)(far + 1 + s);
        cables[at++] = (struct uet_fabric_cable){near, spine, line};
        cables[at++] = (struct uet_fabric_cable){spine, far, line};
    }
    return at;
}

static int make_fabric(struct network *w, uint64_t seed)
{
    const uint16_t n = w->is->n_flows;
    struct uet_fabric_cable cables[CC_FLOWS + 1 + 2 * CC_SPINES];
    struct uet_ip addresses[CC_FLOWS + 1];

    for (uint16_t i = 0; i <= n; i++)
        addresses[i] = w->hosts[i].ip;
    const struct uet_fabric_config config = {
        .seed = seed,
        .addresses = addresses,
        .n_hosts = (uint16_t)(n + 1),
        .n_switches = (uint16_t)(w->is->spines ? 2 + w->is->spines : 1),
        .cables = cables,
        .n_cables = tie(w, cables),
        .dscp_trimmable = TRIMMABLE,
        .dscp_trimmable_rtx = UET_FABRIC_NO_DSCP,
        .dscp_trimmed = TRIMMED,
        .dscp_trimmed_lasthop = LASTHOP,
        .dscp_control = CONTROL,
        .trim_keep = 128,
        .ctx = w,
        .deliver = deliver,
        .pull = pull,
        .advance = advance,
        .deadline = deadline,
    };
    return uet_fabric_new(&w->fabric, &config, 0);
}

static int make(struct network *w, uint64_t seed)
{
    int rc = 0;

    w->mbits = w->is->narrow_mbits;
    w->bytes = calloc(1, MESSAGE);
    w->region = calloc(1, MESSAGE);
    if (!w->bytes || !w->region)
        return -ENOMEM;
    for (uint16_t i = 0; i <= w->is->n_flows && !rc; i++)
        rc = make_host(w, i, seed);
    if (!rc)
        rc = make_sink(w);
    return rc ? rc : make_fabric(w, seed);
}

static void take_down(struct network *w)
{
    uet_fabric_free(w->fabric);
    for (uint16_t i = 0; i <= CC_FLOWS; i++)
        free(w->hosts[i].memory);
    free(w->bytes);
    free(w->region);
}

/* ---- running it ---- */

/* Credit in hand comes from grants, and from nothing else. */
static uint64_t strayed(const struct network *w, uint16_t flow, const struct uet_fep_congestion *cc)
{
    const struct host *sink = &w->hosts[w->is->n_flows];
    uint32_t granted = uet_fep_granted(sink->fep, &w->hosts[flow].ip, cc->ccc_id);

    return cc->strayed + (cc->heard > granted ? (cc->heard - granted) * 256ull : 0);
}

static struct cc_sample sample(const struct network *w)
{
    const uint16_t n = w->is->n_flows;
    const struct uet_fabric_stats stats = uet_fabric_stats(w->fabric);
    struct cc_sample s = {
        .mbits = w->mbits, .trimmed = stats.trimmed, .marked = stats.marked, .lost = stats.down};

    for (uint16_t i = 0; i < n; i++) {
        struct uet_fep_congestion cc;
        uet_fep_congestion(w->hosts[i].fep, &w->hosts[n].ip, &cc);
        s.cwnd[i] = cc.cwnd;
        s.inflight[i] = cc.inflight > 0 ? (uint32_t)cc.inflight : 0;
        s.credit[i] = cc.credit;
        s.strayed += strayed(w, i, &cc);
        s.rcvd[i] = uet_fep_rcvd_bytes(w->hosts[n].fep, &w->hosts[i].ip);
    }
    s.queue = uet_fabric_waiting(w->fabric, n, true, UET_FABRIC_LOW);
    return s;
}

static void change(struct network *w, double from_us, double to_us)
{
    for (size_t i = 0; i < CC_CHANGES; i++) {
        uint32_t mbits = w->is->changes[i].mbits;
        double at = w->is->changes[i].at_us;

        if (!mbits || at < from_us || at >= to_us)
            continue;
        w->mbits = mbits;
        uet_fabric_set_rate(w->fabric, w->is->n_flows, true, mbits * MBIT);
    }
}

/* Both ways of the first spine. */
static void fail(struct network *w, double from_us, double to_us)
{
    const struct uet_fabric_faults down = {.down = true};
    const size_t first = w->is->n_flows + 1u;

    if (w->is->fails_us <= 0 || w->is->fails_us < from_us || w->is->fails_us >= to_us)
        return;
    for (size_t i = 0; i < 2; i++) {
        uet_fabric_set_faults(w->fabric, first + i, false, &down);
        uet_fabric_set_faults(w->fabric, first + i, true, &down);
    }
}

/* Flows that begin have nothing else that would wake them. */
static void step(struct network *w, uint64_t now_ns)
{
    const double from = (double)now_ns / 1e3, to = (double)(now_ns + CC_STEP_NS) / 1e3;

    change(w, from, to);
    fail(w, from, to);
    for (uint16_t i = 0; i < w->is->n_flows; i++)
        uet_fabric_wake(w->fabric, i, now_ns);
    uet_fabric_advance(w->fabric, now_ns + CC_STEP_NS);
}

int cc_run(struct cc_run *run, const struct cc_scenario *scenario, uint64_t seed)
{
    struct network w = {.is = scenario};
    size_t steps = (size_t)(scenario->end_us * 1e3 / CC_STEP_NS);
    int rc;

    *run =
        (struct cc_run){.scenario = scenario, .samples = calloc(steps + 1, sizeof(*run->samples))};
    rc = run->samples ? make(&w, seed) : -ENOMEM;
    for (size_t i = 0; i < steps && !rc; i++) {
        run->samples[run->n++] = sample(&w);
        step(&w, (uint64_t)i * CC_STEP_NS);
    }
    if (!rc)
        run->samples[run->n++] = sample(&w);
    take_down(&w);
    if (rc)
        cc_run_free(run);
    return rc;
}

void cc_run_free(struct cc_run *run)
{
    free(run->samples);
    *run = (struct cc_run){0};
}
