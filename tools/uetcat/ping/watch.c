/* SPDX-License-Identifier: BSD-2-Clause */
#include "tools/uetcat/ping/watch.h"

#include <stdlib.h>

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

bool ping_watch_open(struct ping_watch *w, uint8_t ip_protocol, uint64_t wait_ns,
                     void (*event)(void *ctx, const struct ping_event *event), void *ctx)
{
    const struct uet_track_config config = {.vantage = UET_VANTAGE_INITIATOR,
                                            .ip_protocol = ip_protocol,
                                            .from_start = true,
                                            .window = UET_TRACK_WINDOW_MIN, /* a ping has no end */
                                            .allocator = {NULL, get, give_back}};
    *w = (struct ping_watch){.track = uet_track_new(&config),
                             .wait_ns = wait_ns,
                             .opcode = UET_OP_NO_OP,
                             .event = event,
                             .ctx = ctx};
    return w->track;
}

void ping_watch_close(struct ping_watch *w)
{
    uet_track_free(w->track);
    w->track = NULL;
}

/* ---- requests ---- */

/* The request of this PSN; NULL: none that waits. */
static struct ping_request *find(struct ping_watch *w, const struct uet_track_pdc *pdc,
                                 uint32_t psn)
{
    for (size_t i = 0; i < PING_REMEMBERED; i++) {
        struct ping_request *r = &w->requests[i];
        if (r->seq && r->pdc == pdc && r->psn == psn)
            return r;
    }
    return NULL;
}

static void tell(struct ping_watch *w, const struct ping_event *event)
{
    w->event(w->ctx, event);
}

/* Did some CACK_PSN or SACK tell that it arrived, of which there was one copy then? */
static bool only_copy_arrived(const struct ping_watch *w, const struct ping_request *r)
{
    const struct uet_track_psn *psn = uet_track_find_psn(w->track, r->pdc, true, r->psn);
    return r->arrived || (!r->moved && r->sends == 1 && psn && psn->told_by);
}

static void give_up(struct ping_watch *w, struct ping_request *r)
{
    r->late = true;
    tell(w, &(struct ping_event){PING_NO_ANSWER, .seq = r->seq, .psn = r->psn,
                                 .entropy = r->entropy, .arrived = only_copy_arrived(w, r)});
}

static struct ping_request *find_message(struct ping_watch *w, uint16_t message_id)
{
    for (size_t i = 0; i < PING_REMEMBERED; i++) {
        if (w->requests[i].seq && w->requests[i].message_id == message_id)
            return &w->requests[i];
    }
    return NULL;
}

/* The request that this sends again on another PDC, or a new one. */
static struct ping_request *of_message(struct ping_watch *w, const struct uet_packet *p,
                                       uint64_t now_ns)
{
    uint16_t message_id = uet_ses_message_id(p);
    struct ping_request *r = find_message(w, message_id);
    if (r)
        return r;
    r = &w->requests[++w->seq % PING_REMEMBERED];
    if (r->seq && !r->late)
        give_up(w, r); /* by_name: nothing else keeps one so long */
    *r = (struct ping_request){
        .seq = w->seq, .message_id = message_id, .entropy = p->entropy, .sent_ns = now_ns};
    return r;
}

static bool is_ping(const struct ping_watch *w, const struct uet_packet *p)
{
    return uet_is_request(p) && uet_is_ses_std(p) && uet_ses_req_opcode(uet_ses(p)) == w->opcode;
}

bool ping_watch_is_new(struct ping_watch *w, const struct uet_packet *p)
{
    return is_ping(w, p) && !uet_rud_rod_req_retx(uet_pds(p)) &&
           !find_message(w, uet_ses_message_id(p));
}

static void sent(struct ping_watch *w, const struct uet_tracked *t, uint64_t now_ns)
{
    const struct uet_packet *p = &t->packet;
    if (!t->pdc || !is_ping(w, p))
        return;
    struct ping_request *r = find(w, t->pdc, uet_packet_psn(p));
    if (!r && t->duplicate)
        return; /* sent again, though the answer came: nothing is waited for */
    if (!r)
        r = of_message(w, p, now_ns);
    r->moved |= r->sends && r->pdc != t->pdc;
    r->pdc = w->pdc = t->pdc;
    r->psn = uet_packet_psn(p);
    r->sends++;
}

/* ---- answers ---- */

static void answered(struct ping_watch *w, struct ping_request *r, const struct uet_packet *ack,
                     bool named, uint64_t now_ns)
{
    const uint8_t *h = uet_pds(ack), *ses = uet_ses(ack);
    const struct uet_track_psn *psn = uet_track_find_psn(w->track, r->pdc, true, r->psn);
    bool asked = psn && psn->ack_requested; /* it may answer the ACK Request (3.5.16) */
    struct ping_event e = {
        /* With more than one copy on its way nobody knows which one this answers, except that the
         * ACK of a first transmission has retx=0 (3.5.10.5). On another PDC no copy is the first.
         */
        .kind = asked || r->moved || (r->sends > 1 && uet_ack_retx(h)) ? PING_LATE : PING_ACK,
        .seq = r->seq,
        .psn = r->psn,
        .rtt_ns = now_ns > r->sent_ns ? now_ns - r->sent_ns : 0,
        .m = uet_ack_m(h),
        .entropy = r->entropy,
        .told = r->late,
        .arrived = asked && only_copy_arrived(w, r),
    };
    /* The response is that of ACK_PSN; what only CACK_PSN covers has the default (3.5.13). */
    e.has_response = named && uet_is_ses_response(ack);
    if (e.has_response) {
        e.rsp_opcode = uet_ses_rsp_opcode(ses);
        e.return_code = uet_ses_rsp_return_code(ses);
    }
    *r = (struct ping_request){0};
    tell(w, &e);
}

static void receive_ack(struct ping_watch *w, const struct uet_tracked *t, uint64_t now_ns)
{
    const struct uet_track_dir *forward = &t->pdc->dir[0];
    struct ping_request *r = t->request ? find(w, t->request->pdc, t->request->psn) : NULL;
    if (r && !uet_ack_p(uet_pds(&t->packet)))
        answered(w, r, &t->packet, true, now_ns);
    for (uint32_t i = 1; i <= PING_REMEMBERED; i++) { /* the oldest first */
        r = &w->requests[(w->seq + i) % PING_REMEMBERED];
        if (!r->seq || r->pdc != t->pdc || !forward->cack_known ||
            uet_psn_diff(forward->cack_psn, r->psn) < 0)
            continue;
        if (w->by_name)
            r->arrived |= !r->moved && r->sends == 1;
        else
            answered(w, r, &t->packet, false, now_ns);
    }
}

static void receive_nack(struct ping_watch *w, const struct uet_tracked *t)
{
    const uint8_t *h = uet_pds(&t->packet);
    struct ping_request *r = t->request ? find(w, t->request->pdc, t->request->psn) : NULL;
    if (r && uet_nack_nack_code(h) == UET_NACK_NEW_START_PSN)
        r->sends = 0; /* of a secured PDC (3.5.8.2): the first one is that which comes there */
    else if (r)       /* a NACK of anything else is ignored (3.5.12.7) */
        tell(w, &(struct ping_event){PING_NACK, .seq = r->seq, .psn = r->psn,
                                     .nack_code = uet_nack_nack_code(h), .m = uet_nack_m(h),
                                     .entropy = r->entropy});
}

void ping_watch_packet(struct ping_watch *w, const struct uet_packet *p, bool is_sent,
                       uint64_t now_ns)
{
    const struct uet_tracked *t = uet_track_add_packet(w->track, p, now_ns);
    if (!t) {
        w->failed = true;
        return;
    }
    if (is_sent)
        sent(w, t, now_ns);
    else if (!t->pdc || t->mismatch || t->match == UET_MATCH_IGNORED)
        return;
    else if (uet_is_ack(p))
        receive_ack(w, t, now_ns);
    else if (uet_is_nack(p))
        receive_nack(w, t);
}

/* ---- time ---- */

void ping_watch_advance(struct ping_watch *w, uint64_t now_ns)
{
    for (uint32_t i = 1; i <= PING_REMEMBERED; i++) {
        struct ping_request *r = &w->requests[(w->seq + i) % PING_REMEMBERED];
        if (!r->seq || r->late || now_ns < r->sent_ns + w->wait_ns)
            continue;
        give_up(w, r);
    }
}

uint64_t ping_watch_due(const struct ping_watch *w)
{
    uint64_t due_ns = UINT64_MAX;
    for (size_t i = 0; i < PING_REMEMBERED; i++) {
        const struct ping_request *r = &w->requests[i];
        if (r->seq && !r->late && r->sent_ns + w->wait_ns < due_ns)
            due_ns = r->sent_ns + w->wait_ns;
    }
    return due_ns;
}

bool ping_watch_unclosed(const struct ping_watch *w)
{
    return w->pdc && w->pdc->closing && !w->pdc->closed;
}
