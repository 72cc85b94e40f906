/* SPDX-License-Identifier: BSD-2-Clause */
#include "tools/uetcat/replay/run.h"

#include <stdio.h>
#include <stdlib.h>

#include "tools/uetcat/replay/map.h"
#include "wire/build.h"
#include "wire/print.h"

static void show(const struct replay_run *r, char direction, const struct replay_item *item)
{
    char line[UET_LINE_MAX];
    if (!r->verbose)
        return;
    uet_print_line(line, sizeof line, &item->packet);
    if (item->number)
        printf("%c %5u %s\n", direction, item->number, line);
    else
        printf("%c       %s\n", direction, line);
}

/* ---- what comes ---- */

/* The PDC of a packet that came, by our PDCID; UINT32_MAX: none of ours. */
static uint32_t pdc_of(const struct replay_run *r, const struct uet_packet *p)
{
    bool rudi = uet_is_rudi(p) || uet_is_nack_rudi(p);
    for (size_t i = 0; i < r->plan->n_pdcs; i++)
        if (rudi ? r->plan->pdcs[i].rudi
                 : !r->plan->pdcs[i].rudi && uet_has_pdcids(p) && r->live[i].sent &&
                       uet_dpdcid(p) == r->live[i].ipdcid)
            return (uint32_t)i;
    return UINT32_MAX;
}

static void learn(struct replay_run *r, const struct replay_item *got)
{
    struct replay_live *live = &r->live[got->pdc];
    const struct uet_packet *p = &got->packet; /* still in the terms of now */
    if (!live->tpdcid && uet_has_pdcids(p) && !uet_is_nack(p))
        live->tpdcid = uet_spdcid(p);
}

/* The item that it stands for; NULL: none. over: among those that something has stood for. */
static struct replay_item *find(struct replay_run *r, const struct replay_item *got, bool over)
{
    struct replay_item *other = NULL;
    for (size_t i = over ? 0 : r->oldest; i < r->plan->n_items; i++) {
        struct replay_item *e = &r->plan->items[i];
        enum replay_fit fit = e->ours || e->over != over ? REPLAY_FIT_NOT : replay_fits(e, got);
        if (fit == REPLAY_FIT_SAME)
            return e;
        if (fit == REPLAY_FIT_INSTEAD && !other)
            other = e;
    }
    return other;
}

static void note_beside(struct replay_run *r, const struct replay_item *got)
{
    const struct uet_packet *p = &got->packet;
    const struct replay_pdc *pdc = &r->plan->pdcs[got->pdc];
    if (replay_keeps_house(p)) {
        r->house++;
    } else if (find(r, got, true)) {
        r->again++;
    } else if (replay_is_plain_ack(p) && pdc->cack_known &&
               uet_psn_diff(pdc->cack_psn, uet_packet_psn(p)) >= 0) {
        r->coalesced++; /* there a CACK_PSN covered it */
    } else {
        r->beside++;
        if (r->plan->n_theirs == 0)
            return; /* of the capture nobody knows what the FEP answered */
        if (uet_is_nack(p))
            replay_note(r->differences, 0, "a NACK %s came, which the capture has not",
                        uet_enum_name(UET_ENUM_PDS_NACK_CODE, uet_nack_nack_code(uet_pds(p))));
        else if (uet_is_cp(p))
            replay_note(r->differences, 0, "a CP %s came, which the capture has not",
                        uet_print_name(UET_ENUM_PDS_CTL_TYPE, uet_cp_ctl_type(uet_pds(p))));
        else
            replay_note(r->differences, 0, "'%s' came, which the capture has not",
                        uet_headers[p->pds].title);
    }
}

static void take_item(struct replay_run *r, struct replay_item *got)
{
    struct replay_live *live = &r->live[got->pdc];
    const struct replay_pdc *pdc = &r->plan->pdcs[got->pdc];
    const struct replay_map back = {0u - live->shift, pdc->tpdcid, pdc->ipdcid};
    if (live->close_sent && (uet_is_ack(&got->packet) || uet_is_nack(&got->packet)) &&
        uet_packet_psn(&got->packet) == live->highest_psn) {
        live->closed = true; /* our own close, not the capture's */
        return;
    }
    learn(r, got);
    replay_rewrite(got->bytes, &got->packet, &back);
    show(r, '<', got);
    struct replay_item *e = find(r, got, false);
    if (!e) {
        note_beside(r, got);
        return;
    }
    e->over = true;
    *(replay_compare(r->differences, e, got) ? &r->same : &r->differ) += 1;
    while (r->oldest < r->plan->n_items && r->plan->items[r->oldest].over)
        r->oldest++;
}

/* Opens a packet that is sealed; one that does not open stays as it is. */
static void open_sealed(struct replay_run *r, struct uet_packet *p)
{
    const struct uet_parse_options options = {.ip_protocol = r->link->ip_protocol};
    if (p->error == UET_PARSE_SEALED && r->keys->ring)
        (void)uet_keyring_open(r->keys->ring, p, p->len, &options, r->clear);
}

static void restart(struct replay_run *r, uint32_t pdc, uint32_t start_psn);

/* Our SYN was refused, and the FEP says where it wants the PDC to begin (3.5.8.2). */
static bool is_told_start(const struct replay_run *r, uint32_t pdc, const struct uet_packet *p)
{
    enum { PATIENCE = 4 }; /* a FEP that never means it is none to follow */
    const struct replay_live *live = &r->live[pdc];
    return r->plan->pdcs[pdc].sealed && p->tss && uet_is_nack(p) &&
           uet_nack_nack_code(uet_pds(p)) == UET_NACK_NEW_START_PSN && !live->tpdcid &&
           live->begun_anew < PATIENCE;
}

static void take(void *ctx, const struct uet_packet *came, uint64_t now_ns)
{
    struct replay_run *r = ctx;
    struct replay_item got = {.time_ns = now_ns};
    struct uet_packet opened = *came, *p = &opened;
    open_sealed(r, p);
    if (p->error != UET_PARSE_OK || !p->pds || !p->ip_end)
        return;
    struct uet_ip src = uet_src_ip(p), dst = uet_dst_ip(p);
    if (!uet_ip_equal(&src, &r->link->dst) || !uet_ip_equal(&dst, &r->link->src))
        return;
    uetcat_domain_heard(r->keys, r->link->command, p);
    got.pdc = pdc_of(r, p);
    if (got.pdc == UINT32_MAX)
        return;
    if (!uet_track_add_packet(r->track, p, now_ns))
        r->differences->failed = true;
    if (is_told_start(r, got.pdc, p))
        restart(r, got.pdc, uet_nack_payload(uet_pds(p)));
    else if (replay_item_make(&got, p->frame + p->pds_offset, replay_end(p) - p->pds_offset))
        take_item(r, &got);
    else
        r->differences->failed = true;
    free(got.bytes);
}

static bool goes_on(const struct replay_run *r)
{
    return !r->link->broken && !uetcat_interrupted && !r->differences->failed;
}

static void receive_until(struct replay_run *r, uint64_t deadline_ns)
{
    uetcat_link_receive(r->link, deadline_ns, take, r);
}

/* ---- what is waited for ---- */

static bool is_covered(const struct replay_run *r, const struct replay_item *e)
{
    const struct replay_live *live = &r->live[e->pdc];
    const struct uet_track_dir *forward = live->track ? &live->track->dir[0] : NULL;
    return replay_is_plain_ack(&e->packet) && forward && forward->cack_known &&
           uet_psn_diff(forward->cack_psn, uet_packet_psn(&e->packet) + live->shift) >= 0;
}

static bool is_waited_for(const struct replay_run *r, const struct replay_item *e)
{
    return !e->ours && !e->over && !e->given_up && !e->copy && !replay_keeps_house(&e->packet) &&
           !is_covered(r, e);
}

/* Has all come that stands before the n-th item in the capture? */
static bool came_before(const struct replay_run *r, size_t n)
{
    for (size_t i = r->oldest; i < n; i++)
        if (is_waited_for(r, &r->plan->items[i]))
            return false;
    return true;
}

/* Waits for that, as long as for an answer; what has not come then is not waited for again. */
static void wait_before(struct replay_run *r, size_t n)
{
    uint64_t until_ns = r->sent_ns + r->link->wait_ns;
    while (goes_on(r) && !came_before(r, n) && uetcat_link_now(r->link) < until_ns)
        receive_until(r, until_ns);
    for (size_t i = r->oldest; i < n; i++)
        r->plan->items[i].given_up = true;
}

/* ---- what is sent ---- */

/* The tracker sees what is sent, and knows its PDC. */
static void note_sent(struct replay_run *r, const struct replay_item *item, size_t len)
{
    const struct uet_parse_options options = {.protect = (uint8_t)r->link->protect,
                                              .crc_order = r->link->crc_order,
                                              .ip_protocol = r->link->ip_protocol};
    struct uet_packet p;
    uet_parse(&p, r->link->frame, len, &options);
    open_sealed(r, &p);
    const struct uet_tracked *t = uet_track_add_packet(r->track, &p, r->sent_ns);
    if (!t)
        r->differences->failed = true;
    else if (uet_has_syn(&p) && t->pdc)
        r->live[item->pdc].track = t->pdc;
}

static void send_bytes(struct replay_run *r, const struct replay_item *item, const uint8_t *bytes)
{
    struct uetcat_link *l = r->link;
    struct uet_build b;
    const struct uet_route route = {.src = l->src,
                                    .dst = l->dst,
                                    .entropy = l->entropy.n ? uetcat_entropy_take(&l->entropy)
                                                            : item->entropy,
                                    .dscp = item->traffic_class >> 2,
                                    .ecn = item->traffic_class & 3,
                                    .native = l->native,
                                    .ip_protocol = l->ip_protocol,
                                    .crc_order = l->crc_order};
    uet_build_start(&b, l->frame, sizeof l->frame, &route);
    uet_build_payload(&b, bytes, item->len);
    int built = uet_build_finish(&b, item->sealed ? UET_PROTECT_NONE : l->protect, NULL);
    size_t len = built > 0 ? (size_t)built : 0;
    if (len && item->sealed) {
        len = uetcat_seals_frame(r->seals, l->command, item->sdi, l->frame, len, sizeof l->frame,
                                 l->ip_protocol);
        l->broken |= len == 0;
    }
    r->sent_ns = uetcat_link_now(l);
    if (len > 0) {
        note_sent(r, item, len);
        uetcat_link_send(l, len);
    }
}

/* A PDCID that is wrong in the capture is as wrong now. */
static uint16_t as_wrong(uint16_t now, uint16_t there, uint16_t right)
{
    return right ? now ^ there ^ right : now;
}

static void send_item(struct replay_run *r, struct replay_item *item)
{
    struct replay_live *live = &r->live[item->pdc];
    const struct replay_pdc *pdc = &r->plan->pdcs[item->pdc];
    const struct uet_packet *p = &item->packet;
    const struct replay_map map = {live->shift, as_wrong(live->ipdcid, uet_spdcid(p), pdc->ipdcid),
                                   as_wrong(live->tpdcid, uet_dpdcid(p), pdc->tpdcid)};
    uint8_t bytes[REPLAY_ITEM_MAX];
    item->over = true;
    if (replay_needs_dpdcid(p) && !live->tpdcid) {
        r->unsent++;
        replay_note(r->differences, item->number,
                    "it could not be sent: the FEP has told no PDCID of its own");
        return;
    }
    memcpy(bytes, item->bytes, item->len);
    replay_rewrite(bytes, p, &map);
    if (uet_consumes_psn(p)) {
        uint32_t psn = uet_packet_psn(p) + live->shift;
        if (!live->sent || uet_psn_diff(psn, live->highest_psn) > 0)
            live->highest_psn = psn;
        live->sent = true;
        live->rod |= uet_is_request(p) && uet_pds_prologue_type(uet_pds(p)) == UET_PDS_ROD_REQ;
        live->closed |= uet_is_cp(p) && uet_cp_ctl_type(uet_pds(p)) == UET_CTL_CLOSE_COMMAND;
    }
    show(r, '>', item);
    r->sent++;
    send_bytes(r, item, bytes);
}

/* Sends again what was sent on the PDC, which begins at that PSN now. */
static void restart(struct replay_run *r, uint32_t pdc, uint32_t start_psn)
{
    struct replay_live *live = &r->live[pdc];
    live->shift = start_psn - r->plan->pdcs[pdc].start_psn;
    live->sent = false;
    live->begun_anew++;
    for (size_t i = 0; i < r->plan->n_items && !r->link->broken; i++) {
        struct replay_item *item = &r->plan->items[i];
        if (!item->ours || item->pdc != pdc || !item->over || replay_needs_dpdcid(&item->packet))
            continue;
        r->sent--;
        send_item(r, item);
    }
}

static void send_all(struct replay_run *r)
{
    const struct replay_plan *plan = r->plan;
    uint64_t start_ns = r->sent_ns = uetcat_link_now(r->link);
    uint64_t first_ns = plan->n_items ? plan->items[0].time_ns : 0;
    for (size_t i = 0; i < plan->n_items && goes_on(r); i++) {
        struct replay_item *item = &plan->items[i];
        uint64_t after_ns = item->time_ns > first_ns ? item->time_ns - first_ns : 0;
        if (!item->ours)
            continue;
        while (!r->fast && goes_on(r) && uetcat_link_now(r->link) < start_ns + after_ns)
            receive_until(r, start_ns + after_ns);
        wait_before(r, i);
        if (goes_on(r))
            send_item(r, item);
    }
    wait_before(r, plan->n_items);
}

/* ---- the end ---- */

/* No PDC stays open at the FEP, though the capture ends before its close. */
static void close_pdc(struct replay_run *r, struct replay_live *live)
{
    uint8_t bytes[UET_CP_BYTES] = {0};
    struct replay_item item = {
        .pdc = (uint32_t)(live - r->live), .bytes = bytes, .len = sizeof bytes, .entropy = 0xc000};
    item.sealed = r->plan->pdcs[item.pdc].sealed;
    item.sdi = r->plan->pdcs[item.pdc].sdi;
    uet_pds_prologue_type_set(bytes, UET_PDS_CP);
    uet_cp_ctl_type_set(bytes, UET_CTL_CLOSE_COMMAND);
    uet_cp_isrod_set(bytes, live->rod);
    uet_cp_ar_set(bytes, true);
    uet_cp_psn_set(bytes, ++live->highest_psn);
    uet_cp_spdcid_set(bytes, live->ipdcid);
    uet_cp_dpdcid_set(bytes, live->tpdcid);
    live->close_sent = true;
    send_bytes(r, &item, bytes);
}

static bool all_closed(const struct replay_run *r)
{
    for (size_t i = 0; i < r->plan->n_pdcs; i++)
        if (r->live[i].close_sent && !r->live[i].closed)
            return false;
    return true;
}

/* A PDC of ours whose other PDCID may still come. */
static bool some_untold(const struct replay_run *r)
{
    for (size_t i = 0; i < r->plan->n_pdcs; i++)
        if (r->live[i].sent && !r->live[i].tpdcid && !r->live[i].closed)
            return true;
    return false;
}

static void close_all(struct replay_run *r)
{
    uint64_t told_ns = r->sent_ns + r->link->wait_ns;
    while (goes_on(r) && some_untold(r) && uetcat_link_now(r->link) < told_ns)
        receive_until(r, told_ns);
    for (size_t i = 0; i < r->plan->n_pdcs && !r->link->broken; i++)
        if (r->live[i].sent && r->live[i].tpdcid && !r->live[i].closed)
            close_pdc(r, &r->live[i]);
    uint64_t until_ns = r->sent_ns + r->link->wait_ns;
    while (!r->link->broken && !all_closed(r) && uetcat_link_now(r->link) < until_ns)
        receive_until(r, until_ns);
}

static void note_missing(struct replay_run *r)
{
    for (size_t i = 0; i < r->plan->n_items; i++) {
        const struct replay_item *e = &r->plan->items[i];
        if (e->ours || e->over)
            continue;
        if (replay_keeps_house(&e->packet)) {
            r->house++;
        } else if (e->copy) {
            r->again++;
        } else if (is_covered(r, e)) {
            r->coalesced++;
        } else {
            r->missing++;
            replay_note(r->differences, e->number, "nothing came in the place of this '%s'",
                        uet_headers[e->packet.pds].title);
        }
    }
}

static void *get(void *ctx, size_t bytes)
{
    (void)ctx;
    return calloc(1, bytes);
}

static void give_back(void *ctx, void *block)
{
    (void)ctx;
    free(block);
}

bool replay_run(struct replay_run *r)
{
    const struct uet_track_config config = {.vantage = UET_VANTAGE_INITIATOR,
                                            .ip_protocol = r->link->ip_protocol,
                                            .from_start = true,
                                            .window = UET_TRACK_WINDOW_MIN,
                                            .allocator = {NULL, get, give_back}};
    uint16_t pdcid = (uint16_t)uetcat_random();
    r->track = uet_track_new(&config);
    r->live = calloc(r->plan->n_pdcs ? r->plan->n_pdcs : 1, sizeof *r->live);
    if (!r->live || !r->track) {
        fprintf(stderr, "uetcat %s: out of memory\n", r->link->command);
        return false;
    }
    for (size_t i = 0; i < r->plan->n_pdcs; i++) {
        r->live[i].ipdcid = ++pdcid ? pdcid : ++pdcid;
        r->live[i].shift = (uint32_t)uetcat_random() - r->plan->pdcs[i].start_psn;
    }
    send_all(r);
    note_missing(r);
    close_all(r);
    return !r->differences->failed;
}

void replay_run_free(struct replay_run *r)
{
    uet_track_free(r->track);
    free(r->live);
    r->live = NULL;
    r->track = NULL;
}
