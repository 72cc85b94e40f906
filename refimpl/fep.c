/* SPDX-License-Identifier: BSD-2-Clause */
/* The FEP's outside: memory, frames in and out, time, closing (refimpl/fep.h). */
#include "refimpl/fep.h"

#include <errno.h>
#include <stdalign.h>

#include "refimpl/edge.h"
#include "refimpl/pds/pds.h"
#include "refimpl/ses/ses.h"
#include "refimpl/tss/tss.h"

/* ---- memory: one block, divided once ---- */

struct layout {
    uint8_t *base; /* NULL while only measuring */
    size_t at;
};

static void *carve(struct layout *l, size_t bytes)
{
    size_t align = alignof(max_align_t);
    size_t at = (l->at + align - 1) / align * align;
    l->at = at + bytes;
    return l->base ? l->base + at : NULL;
}

static void carve_pool(struct layout *l, struct pool *p, uint32_t n, size_t size)
{
    p->items = carve(l, pool_bytes(n, size));
    p->size = size;
    p->n = n;
}

static uint32_t power_of_two(uint32_t n)
{
    uint32_t p = 1;
    while (p < n)
        p *= 2;
    return p;
}

static void carve_index(struct layout *l, struct uet_index *ix, const struct pool *pool,
                        size_t link)
{
    ix->pool = pool;
    ix->link = link;
    ix->n = power_of_two(pool->n);
    ix->buckets = carve(l, ix->n * sizeof *ix->buckets);
    carve_pool(l, &ix->names, pool->n, sizeof(struct uet_name));
}

/* The bitmap holds the configured MP_Range; Default_MPR may be changed up to that later. */
static uint32_t window_psns(const struct uet_fep_config *c)
{
    uint32_t range = c->params.Default_MPR * UET_MPR_UNIT;
    return power_of_two(range > 8 * UET_MPR_UNIT ? range : 8 * UET_MPR_UNIT);
}

/* Each keeps a slot for its answer (SES-099): not more than half of those, or no error could be
 * told.
 */
static uint32_t max_unexpected(const struct uet_fep_config *c)
{
    uint32_t half = c->max_stored_responses / 2u;
    return c->max_unexpected < half ? c->max_unexpected : half;
}

static size_t lay_out(struct uet_fep *fep, const struct uet_fep_config *c, uint8_t *base)
{
    struct layout l = {base, sizeof *fep};
    uint32_t buckets = power_of_two(c->max_pdcs);
    fep->window_psns = window_psns(c);
    fep->pdc_buckets = buckets;
    fep->packet_buckets = power_of_two(c->max_packets);
    fep->message_buckets = power_of_two(c->max_messages);
    fep->pdcs = carve(&l, (c->max_pdcs + 1u) * sizeof *fep->pdcs);
    uint32_t bitmaps = c->params.PSN_Bitmaps;
    bool fewer = bitmaps && bitmaps < c->max_pdcs;
    carve_pool(&l, &fep->bitmaps, fewer ? bitmaps : c->max_pdcs, fep->window_psns / 8);
    carve_pool(&l, &fep->cccs, c->max_pdcs, sizeof(struct ccc));
    fep->ccc_hash = carve(&l, buckets * sizeof *fep->ccc_hash);
    carve_pool(&l, &fep->grantees, c->max_pdcs, uet_grants_item_size());
    fep->grantee_hash = carve(&l, buckets * sizeof *fep->grantee_hash);
    fep->syn_hash = carve(&l, buckets * sizeof *fep->syn_hash);
    fep->map_hash = carve(&l, buckets * sizeof *fep->map_hash);
    fep->heap = carve(&l, c->max_pdcs * sizeof *fep->heap);
    carve_pool(&l, &fep->packets, c->max_packets, sizeof(struct tx_packet));
    carve_pool(&l, &fep->rudi.packets, c->max_rudi_packets, sizeof(struct tx_packet));
    fep->packet_hash = carve(&l, fep->packet_buckets * sizeof *fep->packet_hash);
    carve_pool(&l, &fep->stored, c->max_stored_responses, sizeof(struct stored));
    carve_pool(&l, &fep->messages, c->max_messages, sizeof(struct message));
    fep->message_hash = carve(&l, fep->message_buckets * sizeof *fep->message_hash);
    carve_pool(&l, &fep->receives, c->max_receives, sizeof(struct posted));
    carve_pool(&l, &fep->operations, c->max_operations + 2u * c->max_held,
               sizeof(struct operation));
    carve_pool(&l, &fep->held, c->max_held, sizeof(struct held));
    carve_pool(&l, &fep->unexpected, max_unexpected(c), sizeof(struct unexpected));
    carve_pool(&l, &fep->unexpected_blocks, c->unexpected_bytes / UNEXPECTED_BLOCK,
               sizeof(struct unexpected_block));
    carve_pool(&l, &fep->parts, c->max_read_parts, sizeof(struct part));
    carve_pool(&l, &fep->kept, c->max_stored_responses, sizeof(uint32_t) + c->payload_mtu);
    fep->replies = carve(&l, REPLIES * sizeof *fep->replies);
    fep->ses_pdcs = carve(&l, (c->max_pdcs + 1u) * sizeof *fep->ses_pdcs);
    carve_pool(&l, &fep->services, c->max_services, sizeof(struct service));
    carve_index(&l, &fep->services_by_name, &fep->services, offsetof(struct service, by_name));
    carve_index(&l, &fep->services_by_family, &fep->services, offsetof(struct service, by_family));
    carve_index(&l, &fep->services_by_job, &fep->services, offsetof(struct service, by_job));
    carve_index(&l, &fep->services_by_pid, &fep->services, offsetof(struct service, by_pid));
    carve_index(&l, &fep->services_by_pid_of_job, &fep->services,
                offsetof(struct service, by_pid_of_job));
    carve_pool(&l, &fep->regions, c->max_regions, sizeof(struct region));
    carve_index(&l, &fep->regions_by_name, &fep->regions, offsetof(struct region, by_name));
    carve_index(&l, &fep->regions_by_family, &fep->regions, offsetof(struct region, by_family));
    carve_index(&l, &fep->receives_by_name, &fep->receives, offsetof(struct posted, by_name));
    carve_index(&l, &fep->receives_by_family, &fep->receives, offsetof(struct posted, by_family));
    fep->domains = carve(&l, c->max_domains * sizeof *fep->domains);
    fep->domain_buckets = power_of_two(c->max_domains);
    fep->domain_hash = carve(&l, fep->domain_buckets * sizeof *fep->domain_hash);
    fep->opened = carve(&l, c->max_domains ? UET_FRAME_MAX : 0);
    fep->message_ids = carve(&l, MESSAGE_IDS / 8);
    fep->completions.cap =
        (uint32_t)c->max_operations + c->max_receives + UET_FEP_WRITE_COMPLETIONS;
    fep->completions.slots = carve(&l, fep->completions.cap * sizeof *fep->completions.slots);
    return l.at;
}

#define MAX_PACKETS  (1u << 20)
#define MAX_RECEIVES (1u << 22)

bool uet_fep_config_dscps(const struct uet_fep_config *c)
{
    const uint64_t whole = 1ull << (c->dscp_request & 63) | 1ull << (c->dscp_control & 63) |
                           (c->dscp_rtx < 64 ? 1ull << c->dscp_rtx : 0);
    return c->dscp_request < 64 && c->dscp_control < 64 && c->dscp_rudi_uud < 64 &&
           (c->dscp_rtx < 64 || c->dscp_rtx == UET_FEP_NO_DSCP) &&
           !((c->dscp_trimmed | c->dscp_trimmed_lasthop) & whole);
}

static bool valid(const struct uet_fep_config *c)
{
    bool mtu = c->payload_mtu == 1024 || c->payload_mtu == 2048 || c->payload_mtu == 4096 ||
               c->payload_mtu == 8192;
    bool ip = c->address.version == 4 || c->address.version == 6;
    bool counts = c->max_pdcs && c->reserved_pdcs < c->max_pdcs && c->max_packets &&
                  c->max_packets <= MAX_PACKETS && c->max_rudi_packets && c->max_stored_responses &&
                  c->max_services && c->max_regions && c->max_receives &&
                  c->max_receives <= MAX_RECEIVES && c->max_operations && c->max_messages &&
                  c->max_read_parts;
    return mtu && ip && counts && c->protect <= UET_PROTECT_TSS &&
           c->crc_order <= UET_CRC_LITTLE_ENDIAN && c->spec <= UET_SPEC_1_0_1 &&
           c->profile <= UET_PROFILE_ALL && c->params.Default_MPR && uet_fep_config_dscps(c);
}

size_t uet_fep_size(const struct uet_fep_config *config)
{
    struct uet_fep measure;
    return valid(config) ? lay_out(&measure, config, NULL) : 0;
}

size_t uet_fep_pdc_size(void)
{
    /*
     * The state, its window at Default_MPR 8, its buckets and its place in the timer heap. Not the
     * congestion control context: the PDCs to one destination share that.
     */
    return sizeof(struct pdc) + sizeof(struct ses_pdc) + 8 * UET_MPR_UNIT / 8 +
           3 * sizeof(uint32_t);
}

struct uet_fep *uet_fep_init(void *memory, size_t size, const struct uet_fep_config *config,
                             uint64_t now_ns)
{
    size_t need = uet_fep_size(config);
    if (!need || size < need)
        return NULL;
    memset(memory, 0, need);
    struct uet_fep *fep = memory;
    fep->config = *config;
    if (config->choices)
        fep->choices = *config->choices;
    fep->config.choices = &fep->choices;
    fep->prng = config->seed;
    uint64_t id = ~config->seed;
    fep->ccc_id = (uint8_t)uet_splitmix64(&id); /* where it begins is nobody's business */
    fep->secrets = config->secret;
    fep->secured = fep->all_sealed = config->protect == UET_PROTECT_TSS;
    uet_edge_init(fep);
    lay_out(fep, config, memory);
    uet_fep_reset(fep, now_ns);
    return fep;
}

/*
 * The generator, the last PSN of each PDCID, the domains with their keys, counters and floors, and
 * the violations outlive a reset: a FEP that has been reset is the same FEP to its peers.
 */
void uet_fep_reset(struct uet_fep *fep, uint64_t now_ns)
{
    *uet_faults_told(fep) = fep->config.params;
    uet_faults_before(fep);
    uet_law_make(fep);
    fep->now = now_ns > fep->now ? now_ns : fep->now;
    pool_reset(&fep->bitmaps);
    uet_ccc_reset(fep);
    uet_grants_reset(fep);
    pool_reset(&fep->packets);
    pool_reset(&fep->stored);
    pool_reset(&fep->messages);
    pool_reset(&fep->receives);
    pool_reset(&fep->operations);
    pool_reset(&fep->held);
    pool_reset(&fep->unexpected);
    pool_reset(&fep->unexpected_blocks);
    fep->unexpected_line = (struct line){0, 0};
    fep->held_line = (struct line){0, 0};
    fep->held_deadline = UET_FEP_NEVER;
    fep->n_own_operations = 0;
    pool_reset(&fep->parts);
    pool_reset(&fep->kept);
    memset(fep->packet_hash, 0, fep->packet_buckets * sizeof *fep->packet_hash);
    memset(fep->message_hash, 0, fep->message_buckets * sizeof *fep->message_hash);
    memset(fep->message_ids, 0, MESSAGE_IDS / 8);
    memset(fep->ses_pdcs, 0, (fep->config.max_pdcs + 1u) * sizeof *fep->ses_pdcs);
    uet_pdc_pool_reset(fep);
    uet_sd_reset(fep);
    pool_reset(&fep->services);
    fep->n_exhausted = 0;
    pool_reset(&fep->regions);
    uet_index_reset(&fep->services_by_name);
    uet_index_reset(&fep->services_by_family);
    uet_index_reset(&fep->services_by_job);
    uet_index_reset(&fep->services_by_pid);
    uet_index_reset(&fep->services_by_pid_of_job);
    uet_index_reset(&fep->regions_by_name);
    uet_index_reset(&fep->regions_by_family);
    uet_index_reset(&fep->receives_by_name);
    uet_index_reset(&fep->receives_by_family);
    fep->waiting_head = fep->waiting_tail = 0;
    fep->uud_head = fep->uud_tail = 0;
    uet_rudi_reset(fep);
    fep->waiting_deadline = UET_FEP_NEVER;
    fep->dispatch = false;
    fep->reply_head = fep->reply_n = 0;
    fep->completions.head = fep->completions.n = 0;
    fep->completions.n_op = fep->completions.n_receive = fep->completions.n_write = 0;
    memset(fep->counters, 0, sizeof fep->counters);
    uet_faults_reset(fep);
}

struct uet_fep_params *uet_fep_params(struct uet_fep *fep)
{
    return uet_faults_told(fep);
}

const struct uet_fep_config *uet_fep_config(const struct uet_fep *fep)
{
    return &fep->config;
}

/* ---- time ---- */

static void set_now(struct uet_fep *fep, uint64_t now_ns)
{
    if (now_ns > fep->now)
        fep->now = now_ns;
    uet_faults_before(fep);
}

/* After every call: whatever waited for a PDC may have one now. */
static void settle(struct uet_fep *fep)
{
    if (fep->dispatch)
        uet_ses_dispatch(fep);
    if (uet_grants_wait(fep))
        uet_cp_grant(fep);
    uet_arc_settle(fep);
    uet_faults_after(fep);
}

void uet_fep_advance(struct uet_fep *fep, uint64_t now_ns)
{
    set_now(fep, now_ns);
    uet_pdc_timers(fep);
    uet_rudi_timer(fep);
    if (fep->held_deadline <= fep->now)
        uet_held_timer(fep);
    if (fep->waiting_deadline <= fep->now)
        fep->dispatch = true;
    settle(fep);
}

uint64_t uet_fep_deadline(const struct uet_fep *fep)
{
    uint64_t first = uet_pdc_first_deadline(fep);
    if (fep->rudi.deadline < first)
        first = fep->rudi.deadline;
    if (fep->held_deadline < first)
        first = fep->held_deadline;
    if (uet_grants_wait(fep) && !uet_reply_scarce(fep) && uet_grants_deadline(fep) < first)
        first = uet_grants_deadline(fep);
    uint64_t answer = uet_reply_deadline(fep); /* what may leave now waits for uet_fep_transmit */
    if (answer > fep->now && answer < first)
        first = answer;
    return fep->waiting_deadline < first ? fep->waiting_deadline : first;
}

/* ---- frames ---- */

/* What the parser reads and this FEP does not do: CC Requests without RCCC, and what its profile
 * goes without; dropped without an answer (PDS-239; of RUDI no public source says what else). */
static bool is_done_here(const struct uet_fep *fep, const struct uet_packet *p)
{
    bool rudi = p->pds == UET_H_RUDI_REQ || p->pds == UET_H_RUDI_RESP;
    return p->pds && (fep->params.RCCC || !uet_is_cc_request(p)) && (fep->law.rudi || !rudi) &&
           uet_ses_knows_form(fep, p);
}

static void dispatch(struct uet_fep *fep, const struct uet_packet *p)
{
    if (uet_is_request(p))
        uet_target_request(fep, p);
    else if (uet_is_ack(p))
        uet_initiator_ack(fep, p);
    else if (uet_is_nack_rudi(p))
        uet_rudi_nacked(fep, p);
    else if (uet_is_nack(p))
        uet_initiator_nack(fep, p);
    else if (uet_is_cp(p))
        uet_cp_receive(fep, p);
    else if (p->pds == UET_H_RUDI_REQ)
        uet_rudi_request(fep, p);
    else if (p->pds == UET_H_RUDI_RESP)
        uet_rudi_response(fep, p);
    else if (uet_is_uud(p))
        uet_uud_request(fep, p);
    else
        COUNT(fep, drop_unsupported);
}

void uet_fep_receive(struct uet_fep *fep, const uint8_t *frame, size_t len, uint64_t now_ns)
{
    struct uet_packet p;
    set_now(fep, now_ns);
    COUNT(fep, frames_in);
    if (!uet_edge_open(fep, frame, len, &p))
        return;
    if (uet_edge_trimmed(&p))
        uet_trim_receive(fep, &p);
    else if (is_done_here(fep, &p))
        dispatch(fep, &p);
    else
        COUNT(fep, drop_unsupported);
    settle(fep);
}

static size_t pdcs_transmit(struct uet_fep *fep, uint8_t *buffer, size_t cap)
{
    struct pdc *pdc;
    size_t n = 0;
    while (!n && (pdc = uet_pdc_next_ready(fep))) {
        n = uet_pdc_transmit(fep, pdc, buffer, cap);
        if (n) /* one packet, then the next PDC's turn (PDS-015) */
            uet_pdc_ready(fep, pdc);
        uet_pdc_schedule(fep, pdc);
    }
    return n;
}

/* Answers first; then PDCs, RUDI and UUD take turns: none is limited by another (CMS-072, 073). */
static size_t next_frame(struct uet_fep *fep, uint8_t *buffer, size_t cap)
{
    static size_t (*const senders[])(struct uet_fep *, uint8_t *,
                                     size_t) = {pdcs_transmit, uet_rudi_transmit, uet_uud_transmit};
    const uint32_t count = sizeof senders / sizeof *senders;
    size_t n = uet_reply_take(fep, buffer, cap);
    for (uint32_t i = 0; !n && i < count; i++) {
        n = senders[fep->turn](fep, buffer, cap);
        fep->turn = (fep->turn + 1) % count;
    }
    return n;
}

size_t uet_fep_transmit(struct uet_fep *fep, uint8_t *buffer, size_t cap, uint64_t now_ns)
{
    set_now(fep, now_ns);
    if (cap < UET_FRAME_MAX)
        return 0;
    size_t n;
    while ((n = next_frame(fep, buffer, cap))) {
        n = uet_faults_out(fep, buffer, n);
        if (n && fep->secured)
            n = uet_sd_seal(fep, buffer, n);
        if (n)
            break; /* else it may not go, or a fault has kept it back: the next one */
    }
    if (n)
        COUNT(fep, frames_out);
    uet_faults_after(fep);
    return n;
}

/* ---- closing, control, looking inside ---- */

static bool matches(const struct pdc *pdc, bool initiator, const struct uet_ip *peer)
{
    return pdc->state != PDC_CLOSED && pdc->initiator == initiator &&
           (!peer || uet_ip_equal(&pdc->peer, peer));
}

void uet_fep_close(struct uet_fep *fep, const struct uet_ip *to, uint64_t now_ns)
{
    set_now(fep, now_ns);
    for (uint32_t i = 1; i <= fep->config.max_pdcs; i++) {
        if (matches(pdc_at(fep, i), true, to))
            uet_pdc_close(fep, pdc_at(fep, i));
    }
    settle(fep);
}

void uet_fep_close_request(struct uet_fep *fep, const struct uet_ip *from, uint64_t now_ns)
{
    set_now(fep, now_ns);
    for (uint32_t i = 1; i <= fep->config.max_pdcs; i++) {
        if (matches(pdc_at(fep, i), false, from))
            uet_pdc_close(fep, pdc_at(fep, i));
    }
    settle(fep);
}

int uet_fep_control(struct uet_fep *fep, const struct uet_ip *to, uint8_t ctl_type, uint64_t now_ns)
{
    const struct uet_operation call = {.to = *to};
    if (to->version != fep->config.address.version || ctl_type >= 32 ||
        !(fep->law.callable & WANT(ctl_type)))
        return -EINVAL;
    struct tss_context tss;
    if (!uet_sd_of_job(fep, call.job_id, to, &tss))
        return -EACCES;
    set_now(fep, now_ns);
    uint32_t n;
    struct pdc *pdc = uet_pdc_by_tuple(fep, &call, &tss, &n);
    if (!pdc && ctl_type == UET_CTL_PROBE) /* a Probe cannot open a PDC (PDS-046) */
        return -ENOENT;
    if (!pdc)
        pdc = uet_initiator_open(fep, &call, &tss);
    if (!pdc)
        return -ENOSPC;
    pdc->wants |= (uint16_t)WANT(ctl_type);
    uet_pdc_ready(fep, pdc);
    settle(fep);
    return 0;
}

/* ---- domains that go ---- */

/* Nothing of a domain that was removed leaves any more, and nothing of it can end by itself. */
static void end_what_was_removed(struct uet_fep *fep)
{
    uet_pdc_end_removed(fep);
    uet_rudi_end_removed(fep);
    fep->dispatch = true;
}

int uet_fep_domain_remove(struct uet_fep *fep, uint32_t sdi)
{
    struct tss_domain *own = uet_sd_find(fep, sdi);
    if (!own)
        return -ENOENT;
    fep->law.tss.remove(fep, own);
    end_what_was_removed(fep);
    return 0;
}

int uet_fep_domain_replace(struct uet_fep *fep, const struct uet_fep_domain *domain)
{
    struct tss_domain *own = uet_sd_find(fep, domain->keys.sdi);
    if (!own)
        return -ENOENT;
    int rc = uet_sd_replace(fep, own, domain);
    end_what_was_removed(fep); /* where no other has come */
    return rc;
}

/* ---- what is asked of it ---- */

size_t uet_fep_pdcs(const struct uet_fep *fep, bool initiator)
{
    return initiator ? fep->n_initiator : fep->n_target;
}

static const char *const counter_names[] = {
#define COUNTER_NAME(name, text) #name,
    UET_COUNTERS(COUNTER_NAME)
#undef COUNTER_NAME
};

size_t uet_fep_n_counters(void)
{
    return CNT_COUNT;
}

const char *uet_fep_counter_name(size_t i)
{
    return i < CNT_COUNT ? counter_names[i] : NULL;
}

uint64_t uet_fep_counter(const struct uet_fep *fep, size_t i)
{
    return i < CNT_COUNT ? fep->counters[i] : 0;
}
