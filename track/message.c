/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * SES messages (3.4.1.14): the packets of one message_id on one PDC and direction. The packets
 * of a message take consecutive PSNs (3.5.6), so a message_id used again is told by its place.
 */
#include <string.h>

#include "track/internal.h"

static struct uet_track_message *fresh_message(struct uet_track *track)
{
    struct uet_track_message *m = track->free_messages;
    if (!m)
        return uet_pool_get(&track->pool, sizeof *m);
    track->free_messages = m->free;
    memset(m, 0, sizeof *m);
    return m;
}

static void free_unused(struct uet_track *track, struct uet_track_message *m)
{
    if (!track->config.window || m->n_psns || m->is_newest)
        return;
    m->free = track->free_messages;
    track->free_messages = m;
}

void uet_message_forget(struct uet_track *track, struct uet_track_message *message)
{
    message->n_psns--;
    free_unused(track, message);
}

static struct uet_track_message *create(struct uet_track *track, const struct uet_track_psn *psn)
{
    const struct uet_packet *p = &track->t.packet;
    struct uet_track_message *m = fresh_message(track);
    m->pdc = track->t.pdc;
    m->opcode = uet_ses_req_opcode(uet_ses(p));
    m->message_id = uet_ses_message_id(p);
    m->job_id = uet_ses_req_job_id(uet_ses(p));
    m->request_length = uet_ses_request_length(p);
    m->first_frame = track->t.number;
    m->highest_psn = psn->psn;
    m->first_header = psn->headers + uet_headers[psn->pds].bytes;
    m->first_header_id = psn->ses;
    if (m->opcode == UET_OP_READ && m->request_length) {
        m->read_open = true;
        m->pdc->n_reads_open++;
    }
    return m;
}

static void read_over(struct uet_track_message *m)
{
    if (m->read_open)
        m->pdc->n_reads_open--;
    m->read_open = false;
}

void uet_message_failed(struct uet_track_message *message)
{
    read_over(message);
}

/* The newest message of the other direction that has the id which the data name. */
static struct uet_track_message *read_of(const struct uet_track *track)
{
    const struct uet_tracked *t = &track->t;
    return uet_pages_find(&track->messages, t->pdc, !t->forward, uet_ses_data_request(&t->packet));
}

/* The place that a Request of a READ asks for; the first has no field for it. */
static uint32_t place_asked(const struct uet_track_psn *psn)
{
    const uint8_t *ses = psn->headers + uet_headers[psn->pds].bytes;
    return psn->ses == UET_H_SES_REQ_STD_SOM0 ? uet_ses_req_std_message_offset(ses) : 0;
}

/*
 * All its Requests but the last ask for as much: so the place tells the PSN, but for the CPs that
 * took PSNs between them (3.5.16). Each step goes behind some of those; a few steps are enough, or
 * the Request is not known.
 */
#define STEPS 16

static struct uet_track_psn *asked_at(const struct uet_track *track,
                                      const struct uet_track_message *m, uint32_t offset)
{
    const struct uet_tracked *t = &track->t;
    bool one = m->som_seen && m->eom_seen && m->som_psn == m->eom_psn;
    if (!m->som_seen || !(one || m->read_part))
        return NULL;
    uint32_t psn = one ? m->som_psn : m->som_psn + offset / m->read_part;
    for (int i = 0; i < STEPS; i++) {
        struct uet_track_psn *asked = uet_psn_find(track, t->pdc, !t->forward, psn);
        bool of_it = asked && asked->message == m;
        if (of_it && !one && place_asked(asked) > offset)
            return NULL; /* the one before was not seen */
        uint32_t behind = of_it && !one ? (offset - place_asked(asked)) / m->read_part : 0;
        if (of_it && !behind)
            return asked;
        psn += of_it ? behind : 1;
    }
    return NULL;
}

/* The Request that asked for the data in a Request of the other direction; *m: its message. */
static struct uet_track_psn *asked_for(const struct uet_track *track, struct uet_track_message **m)
{
    const struct uet_tracked *t = &track->t;
    const struct uet_packet *p = &t->packet;
    if (p->ses == UET_H_SES_RSP_DATA_SMALL) { /* it names the Request itself */
        uint32_t psn = uet_ses_rsp_data_small_original_request_psn(uet_ses(p));
        struct uet_track_psn *asked = uet_psn_find(track, t->pdc, !t->forward, psn);
        *m = asked ? asked->message : NULL;
        return asked;
    }
    *m = read_of(track);
    return *m ? asked_at(track, *m, uet_ses_data_offset(p)) : NULL;
}

static void note_return(const struct uet_tracked *t, struct uet_track_message *m)
{
    struct uet_track_dir *dir = &t->pdc->dir[!t->forward];
    m->data_in_request = true;
    if (!t->new_psn || !m->som_seen)
        return;
    dir->read_known = true;
    dir->read_psn = m->som_psn;
}

/* The target may return less than was asked for: it says so in modified_length (3.4.2.5). */
static uint32_t expected_bytes(const struct uet_packet *p, const struct uet_track_message *m)
{
    uint32_t modified = p->ses == UET_H_SES_RSP_DATA ? uet_ses_rsp_data_modified_length(uet_ses(p))
                                                     : m->request_length;
    return modified < m->request_length ? modified : m->request_length;
}

void uet_message_data(struct uet_track *track, struct uet_track_psn *read, bool first)
{
    struct uet_tracked *t = &track->t;
    if (!uet_is_ses_response_data(&t->packet) || t->packet.trim != UET_TRIM_NO)
        return;
    struct uet_track_message *m = read ? read->message : NULL;
    struct uet_track_psn *asked = read ? read : asked_for(track, &m);
    t->asked = asked;
    t->read = m;
    if (asked && !asked->data_by)
        asked->data_by = t->number;
    if (!m)
        return;
    if (first) {
        m->data_bytes += uet_ses_data_length(&t->packet);
        if (read)
            read->data_seen = m->data_in_ack = true;
        else
            note_return(t, m);
    }
    t->read_bytes = m->data_bytes;
    if (m->data_bytes >= expected_bytes(&t->packet, m))
        read_over(m);
}

enum place { PLACE_MEMBER, PLACE_NEXT, PLACE_UNKNOWN };

/* Where does a packet with this PSN stand to the newest message of its message_id? */
static enum place place_of(const struct uet_track_message *m, uint32_t psn, bool som)
{
    if (som)
        return m->som_seen || uet_psn_diff(psn, m->highest_psn) > 0 ? PLACE_NEXT : PLACE_MEMBER;
    if (m->eom_seen && uet_psn_diff(psn, m->eom_psn) > 0)
        return PLACE_NEXT;
    if (m->som_seen && uet_psn_diff(psn, m->som_psn) < 0)
        return PLACE_UNKNOWN; /* a late packet of an earlier message of this message_id */
    return PLACE_MEMBER;
}

/* What the Requests of a READ but the last ask for: one Payload MTU (3.4.4.2). */
static void note_part(const struct uet_packet *p, struct uet_track_message *m, uint32_t psn)
{
    const uint8_t *ses = uet_ses(p);
    if (m->opcode != UET_OP_READ || m->read_part || p->ses != UET_H_SES_REQ_STD_SOM0)
        return;
    uint32_t before =
        psn - m->som_psn; /* Requests before this one, when their beginning was seen */
    if (!uet_ses_req_eom(ses))
        m->read_part = uet_ses_req_std_payload_length(ses);
    else if (m->som_seen && before && before < UET_FAR)
        m->read_part = uet_ses_req_std_message_offset(ses) / before;
}

static void add_packet(struct uet_track *track, struct uet_track_message *m, uint32_t psn)
{
    const struct uet_packet *p = &track->t.packet;
    const uint8_t *ses = uet_ses(p);
    m->bytes_seen += p->payload_len;
    m->last_frame = track->t.number;
    if (uet_psn_diff(psn, m->highest_psn) > 0)
        m->highest_psn = psn;
    if (uet_ses_req_som(ses)) {
        m->som_seen = true;
        m->som_psn = psn;
    }
    if (uet_ses_req_eom(ses)) {
        m->eom_seen = true;
        m->eom_psn = psn;
    }
    note_part(p, m, psn);
}

/* Is the message not over yet, for all that its source has heard? */
static bool in_progress(const struct uet_track *track, const struct uet_track_message *m)
{
    const struct uet_tracked *t = &track->t;
    const struct uet_track_dir *dir = &t->pdc->dir[!t->forward];
    if (m->answered_with_error || t->pdc->failed || t->pdc->n_nacks)
        return false; /* it may have been given up */
    if (!m->som_seen || !m->eom_seen || m->read_open)
        return m->som_seen;
    for (uint32_t psn = m->som_psn; uet_psn_diff(psn, m->eom_psn) <= 0; psn++) {
        const struct uet_track_psn *p = uet_psn_find(track, t->pdc, t->forward, psn);
        bool covered = dir->cack_known && uet_psn_diff(psn, dir->cack_psn) <= 0;
        if (p && !p->acked_by && !covered)
            return true;
    }
    return false;
}

/* A message begins that has the message_id of `old`, if there was one, and is the newest now. */
static struct uet_track_message *follow(struct uet_track *track, struct uet_track_message *old,
                                        const struct uet_track_psn *psn)
{
    if (old && in_progress(track, old))
        track->t.id_taken_by = old->first_frame;
    struct uet_track_message *m = create(track, psn);
    m->is_newest = true;
    if (!old)
        return m;
    old->is_newest = false;
    free_unused(track, old);
    return m;
}

void uet_message_take(struct uet_track *track, struct uet_track_psn *psn)
{
    const struct uet_packet *p = &track->t.packet;
    struct uet_track_message *m;
    if (!uet_is_ses_request(p))
        return;
    if (uet_is_ses_std(p)) {
        const struct uet_tracked *t = &track->t;
        void **slot = uet_pages_slot(&track->messages, &track->pool, t->pdc, t->forward,
                                     uet_ses_message_id(p));
        m = *slot;
        enum place place = m ? place_of(m, psn->psn, uet_ses_req_som(uet_ses(p))) : PLACE_NEXT;
        if (place == PLACE_UNKNOWN)
            return;
        if (place == PLACE_NEXT)
            *slot = m = follow(track, m, psn);
    } else {
        m = create(track, psn); /* small and medium headers carry whole messages (3.4.2.2) */
    }
    add_packet(track, m, psn->psn);
    psn->message = m;
    m->n_psns++;
    track->t.message = m;
}
