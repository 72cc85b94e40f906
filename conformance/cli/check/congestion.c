/* SPDX-License-Identifier: BSD-2-Clause */
#include "conformance/cli/check/congestion.h"

#include <stdlib.h>

#define FIRST_SPAN_NS 1000u

struct check_congestion *check_congestion_new(void)
{
    struct check_congestion *c = calloc(1, sizeof(*c));

    if (c)
        c->span_ns = FIRST_SPAN_NS;
    return c;
}

void check_congestion_free(struct check_congestion *c)
{
    for (uint32_t i = 0; c && i < c->n; i++)
        free(c->flow[i]);
    free(c);
}

uint32_t check_congestion_spans(const struct check_congestion *c)
{
    return (uint32_t)((c->end_ns - c->begin_ns) / c->span_ns) + 1;
}

double check_congestion_gbits(const struct check_congestion *c, uint64_t bytes, uint32_t spans)
{
    return spans ? (double)bytes * 8 / ((double)c->span_ns * spans) : 0;
}

/* ---- time ---- */

static uint32_t more(uint32_t a, uint32_t b)
{
    return a > b ? a : b;
}

static void join(struct check_span *a, const struct check_span *b)
{
    a->in_flight = more(a->in_flight, b->in_flight);
    a->window = more(a->window, b->window);
    a->rtt_ns += b->rtt_ns;
    a->rtts += b->rtts;
    a->marks += b->marks;
    a->trims += b->trims;
    a->again += b->again;
    a->bytes += b->bytes;
}

static void halve(struct check_flow *f)
{
    for (uint32_t i = 0; i < CHECK_SPANS; i++) {
        struct check_span one = f->span[i];
        f->span[i] = (struct check_span){0};
        join(&f->span[i / 2], &one);
    }
}

static void reach(struct check_congestion *c, uint64_t now)
{
    c->end_ns = now > c->end_ns ? now : c->end_ns;
    while (check_congestion_spans(c) > CHECK_SPANS) {
        for (uint32_t i = 0; i < c->n; i++)
            halve(c->flow[i]);
        c->span_ns *= 2;
    }
}

/* ---- flows ---- */

static struct check_flow *begin(struct check_congestion *c, const struct uet_tracked *t,
                                bool forward)
{
    const struct uet_track_pdc *pdc = t->pdc;
    struct check_flow *f = c->n < CHECK_FLOWS ? calloc(1, sizeof(*f)) : NULL;

    if (!f) {
        c->no_memory |= c->n < CHECK_FLOWS;
        c->left_out++;
        return NULL;
    }
    f->stream = pdc->stream;
    f->forward = forward;
    f->pdcid = forward ? pdc->ipdcid : pdc->tpdcid;
    f->from = forward ? pdc->initiator_ip : pdc->target_ip;
    f->to = forward ? pdc->target_ip : pdc->initiator_ip;
    return c->flow[c->n++] = f;
}

/* Of the direction; a new one begins with a Request alone. */
static struct check_flow *flow_of(struct check_congestion *c, const struct uet_tracked *t,
                                  bool forward)
{
    for (uint32_t i = 0; i < c->n; i++)
        if (c->flow[i]->stream == t->pdc->stream && c->flow[i]->forward == forward)
            return c->flow[i];
    return uet_is_request(&t->packet) && forward == t->forward ? begin(c, t, forward) : NULL;
}

/* ---- what a packet tells ---- */

/* Sent once, and the ACK says no other: then its time is that of a round trip (3.6.13.1). */
static void note_rtt(struct check_flow *f, struct check_span *s, const struct uet_tracked *t)
{
    const struct uet_packet *p = &t->packet;
    const struct uet_track_psn *sent = t->request;
    uint64_t service = 0, elapsed;

    if (!sent || sent->n_copies != 1 || uet_ack_p(uet_pds(p)) || uet_ack_retx(uet_pds(p)))
        return;
    if (p->cc_state == UET_H_ACK_CC_STATE_NSCC)
        service = uet_ack_cc_state_nscc_service_time(p->frame + p->cc_state_offset);
    elapsed = t->time_ns - sent->time_ns;
    if (service == UET_SERVICE_LONG || elapsed < service * UET_SERVICE_UNIT)
        return;
    f->rtt_ns = elapsed - service * UET_SERVICE_UNIT;
    s->rtt_ns += f->rtt_ns;
    s->rtts++;
}

static void note_answer(struct check_flow *f, struct check_span *s, const struct uet_tracked *t)
{
    const uint8_t *h = uet_pds(&t->packet);
    uint8_t code = uet_is_nack(&t->packet) ? uet_nack_nack_code(h) : 0;

    if (uet_is_ack(&t->packet) && !uet_ack_p(h)) {
        s->marks += uet_ack_m(h);
        note_rtt(f, s, t);
    } else if (uet_is_nack(&t->packet)) {
        s->marks += uet_nack_m(h);
        s->trims += code == UET_NACK_TRIMMED || code == UET_NACK_TRIMMED_LASTHOP;
    }
}

/* By rcvd_bytes; where no ACK has it, by PSNs. */
static uint64_t arrived(const struct uet_track_flight *f)
{
    return f->told ? f->told : f->passed;
}

static void note_flight(struct check_flow *f, struct check_span *s, const struct uet_tracked *t)
{
    const struct uet_track_flight *is = &t->pdc->dir[!f->forward].flight;
    uint64_t gone = is->passed > is->told ? is->passed : is->told;
    uint32_t now = is->sent > gone ? (uint32_t)(is->sent - gone) : 0;

    if (t->time_ns >= f->turn_ns) {
        f->most_before = f->most;
        f->most = 0;
        f->turn_ns = t->time_ns + f->rtt_ns;
    }
    f->most = more(f->most, now);
    s->in_flight = now;
    s->window = more(f->most, f->most_before);
    s->bytes = arrived(is) > f->arrived ? arrived(is) - f->arrived : 0;
    f->arrived += s->bytes;
}

void check_congestion_take(struct check_congestion *c, const struct uet_tracked *t)
{
    bool answer = uet_is_ack(&t->packet) || uet_is_nack(&t->packet);
    bool request = uet_is_request(&t->packet);
    struct check_span s = {0};

    if (!t->pdc || t->mismatch || !t->packet.pds || !(answer || request))
        return;
    struct check_flow *f = flow_of(c, t, answer ? !t->forward : t->forward);
    if (!f)
        return;
    c->begin_ns = c->begin_ns ? c->begin_ns : t->time_ns;
    reach(c, t->time_ns);
    f->peer_pdcid = f->forward ? t->pdc->tpdcid : t->pdc->ipdcid;
    f->requests += request;
    s.again = request && t->retransmission;
    if (answer)
        note_answer(f, &s, t);
    note_flight(f, &s, t);
    join(&f->sum, &s);
    if (t->time_ns >= c->begin_ns)
        join(&f->span[(t->time_ns - c->begin_ns) / c->span_ns], &s);
}
