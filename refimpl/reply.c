/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Answers: ACKs, NACKs and untracked Control Packets, built when their cause arrives and held in a
 * ring until the caller takes them. service_time is the time in between (3.6.9.2), so the NSCC
 * state and the CRC after it are completed at that moment.
 */
#include "refimpl/edge.h"
#include "refimpl/pds/pds.h"
#include "refimpl/tss/tss.h"

#define REPLIES_KEPT 32u /* for NACKs, when ACKs have filled the rest */

bool uet_reply_scarce(const struct uet_fep *fep)
{
    return fep->reply_n + REPLIES_KEPT >= REPLIES;
}

/* Only read data is worth it, and only so much of it (PDS-127). */
static bool trimmable(const struct uet_fep *fep, const struct part *part)
{
    return part && part->length > fep->params.Trimmable_ACK_Size;
}

static bool start(struct uet_fep *fep, struct uet_build *b, struct uet_edge_route *route,
                  const struct part *part)
{
    if (fep->reply_n == REPLIES) {
        COUNT(fep, drop_reply_queue_full);
        return false;
    }
    struct reply *r = &fep->replies[(fep->reply_head + fep->reply_n) % REPLIES];
    r->data = part ? part->from : NULL;
    r->data_length = part ? part->length : 0;
    route->what = trimmable(fep, part) ? UET_EDGE_REQUEST : UET_EDGE_CONTROL;
    uet_edge_begin(fep, b, r->frame, sizeof r->frame, route);
    return true;
}

bool uet_reply_start(struct uet_fep *fep, struct uet_build *b, const struct uet_packet *p,
                     const struct part *part)
{
    struct uet_edge_route route = {
        .to = uet_src_ip(p),
        .tss = uet_sd_of_packet(fep, p), /* TSS-051, TSS-054 */
        .entropy = uet_entropy(p),       /* PDS-112 */
    };
    return start(fep, b, &route, part);
}

bool uet_reply_start_clear(struct uet_fep *fep, struct uet_build *b, const struct uet_packet *p)
{
    struct uet_edge_route route = {.to = uet_src_ip(p), .entropy = uet_entropy(p)};
    return start(fep, b, &route, NULL);
}

bool uet_reply_start_on(struct uet_fep *fep, struct uet_build *b, const struct pdc *pdc,
                        uint16_t entropy, const struct part *part)
{
    struct uet_edge_route route = {.to = pdc->peer, .tss = pdc->tss, .entropy = entropy};
    return start(fep, b, &route, part);
}

bool uet_reply_waits(const struct uet_fep *fep, const struct pdc *pdc, uint32_t psn)
{
    for (uint32_t i = 0; i < fep->reply_n; i++) {
        const struct reply *r = &fep->replies[(fep->reply_head + i) % REPLIES];
        const uint8_t *h = r->frame + r->pds_offset;
        uint8_t type = uet_ack_type(h);
        if ((type == UET_PDS_ACK || type == UET_PDS_ACK_CC) && uet_ack_spdcid(h) == pdc->id &&
            !uet_ack_p(h) && uet_psn_add(uet_ack_cack_psn(h), uet_ack_ack_psn_offset(h)) == psn)
            return true;
    }
    return false;
}

bool uet_pds_answers_from(const struct uet_fep *fep, const uint8_t *bytes, uint64_t length)
{
    for (uint32_t i = 0; i < fep->reply_n; i++) {
        const struct reply *r = &fep->replies[(fep->reply_head + i) % REPLIES];
        if (r->data_length && r->data >= bytes && (uint64_t)(r->data - bytes) < length)
            return true;
    }
    return false;
}

void uet_reply_forget(struct uet_fep *fep, const uint8_t *data)
{
    uint32_t left = 0;
    for (uint32_t i = 0; i < fep->reply_n; i++) {
        const struct reply *r = &fep->replies[(fep->reply_head + i) % REPLIES];
        if (r->data_length && r->data == data) {
            COUNT(fep, drop_reply_cleared);
            continue;
        }
        if (left != i)
            fep->replies[(fep->reply_head + left) % REPLIES] = *r;
        left++;
    }
    fep->reply_n = left;
}

void uet_reply_finish(struct uet_fep *fep, struct uet_build *b, size_t cc_state_offset)
{
    struct reply *r = &fep->replies[(fep->reply_head + fep->reply_n) % REPLIES];
    r->arrived_ns = fep->now;
    r->cc_state_offset = (uint16_t)cc_state_offset;
    r->cc = uet_cc_told_here(fep);
    r->length = (uint16_t)b->len;
    r->pds_offset = b->pds_offset;
    fep->reply_n++;
}

uint64_t uet_reply_deadline(const struct uet_fep *fep)
{
    if (!fep->reply_n)
        return UET_FEP_NEVER;
    return time_after(fep->replies[fep->reply_head].arrived_ns, fep->law.answer_delay_ns);
}

size_t uet_reply_take(struct uet_fep *fep, uint8_t *buffer, size_t cap)
{
    if (!fep->reply_n || uet_reply_deadline(fep) > fep->now)
        return 0;
    struct reply *r = &fep->replies[fep->reply_head];
    fep->reply_head = (fep->reply_head + 1) % REPLIES;
    fep->reply_n--;
    if (r->cc_state_offset)
        r->cc->write_delay(r->frame + r->cc_state_offset, fep->now - r->arrived_ns);
    struct uet_build b;
    uet_edge_resume(fep, &b, buffer, cap, r->frame, r->length);
    uet_build_payload(&b, r->data, r->data_length);
    return uet_edge_finish(fep, &b);
}
