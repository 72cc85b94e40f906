/* SPDX-License-Identifier: BSD-2-Clause */
#include "tools/uetcat/listen/watch.h"

#include <stdlib.h>
#include <string.h>

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

bool listen_watch_open(struct listen_watch *w, uint8_t ip_protocol,
                       void (*event)(void *ctx, const struct listen_event *event), void *ctx)
{
    const struct uet_track_config config = {.vantage = UET_VANTAGE_TARGET,
                                            .ip_protocol = ip_protocol,
                                            .window = UET_TRACK_WINDOW_MIN,
                                            .allocator = {NULL, get, give_back}};
    *w = (struct listen_watch){.track = uet_track_new(&config), .event = event, .ctx = ctx};
    return w->track;
}

void listen_watch_close(struct listen_watch *w)
{
    uet_track_free(w->track);
    w->track = NULL;
}

/* ---- what a request says ---- */

/* A SES request header by itself, as a packet for its readers. */
static struct uet_packet header_alone(uint8_t id, const uint8_t *header)
{
    return (struct uet_packet){.frame = header, .len = uet_headers[id].bytes, .ses = id};
}

static bool names_memory(uint8_t opcode)
{
    return opcode == UET_OP_WRITE || opcode == UET_OP_READ || opcode == UET_OP_ATOMIC ||
           opcode == UET_OP_FETCHING_ATOMIC;
}

/* Of a packet with a SES request header. */
static struct listen_event event_of(const struct uet_packet *p, uint8_t kind,
                                    const struct uet_ip *peer)
{
    const uint8_t *ses = uet_ses(p);
    struct listen_event e = {.kind = kind,
                             .peer = *peer,
                             .has_opcode = true,
                             .opcode = uet_ses_req_opcode(ses),
                             .has_place = true,
                             .job_id = uet_ses_req_job_id(ses),
                             .pid_on_fep = uet_ses_req_pid_on_fep(ses),
                             .resource_index = uet_ses_req_resource_index(ses),
                             .initiator = uet_ses_initiator(p)};
    e.has_key = names_memory(e.opcode);
    e.has_tag = e.opcode == UET_OP_TAGGED_SEND || e.opcode == UET_OP_TSEND_ATOMIC ||
                e.opcode == UET_OP_TSEND_FETCH_ATOMIC;
    if (e.has_key) {
        e.key = uet_ses_match_bits(p);
        e.offset = uet_ses_buffer_offset(p);
    }
    if (e.has_tag)
        e.tag = uet_ses_match_bits(p);
    e.has_length = e.opcode != UET_OP_NO_OP;
    e.length = uet_ses_request_length(p);
    e.has_header_data = uet_ses_header_data(p, &e.header_data);
    return e;
}

/* ---- whole messages, told when they are acknowledged ---- */

static void tell_message(struct listen_watch *w, const struct uet_track_message *m)
{
    const struct uet_packet p = header_alone(m->first_header_id, m->first_header);
    const struct listen_event e = event_of(&p, LISTEN_MESSAGE, &m->pdc->initiator_ip);
    w->event(w->ctx, &e);
}

/* The pending ones that the FEP has answered by now. One that it refused was told as that. */
static void tell_answered(struct listen_watch *w)
{
    uint32_t kept = 0;
    for (uint32_t i = 0; i < w->n_pending; i++) {
        const struct uet_track_message *m = w->pending[i];
        const struct uet_track_dir *d = &m->pdc->dir[0];
        if (m->answered_with_error)
            continue;
        if (d->cack_known && uet_psn_diff(d->cack_psn, m->highest_psn) >= 0)
            tell_message(w, m);
        else
            w->pending[kept++] = m;
    }
    w->n_pending = kept;
}

static bool whole(const struct uet_track_message *m)
{
    if (!m->som_seen || !m->eom_seen)
        return false;
    if (m->som_psn == m->eom_psn || m->opcode == UET_OP_NO_OP)
        return true;
    return m->opcode == UET_OP_READ
               ? m->read_part && (uint64_t)m->n_psns * m->read_part >= m->request_length
               : m->bytes_seen >= m->request_length;
}

static void came(struct listen_watch *w, const struct uet_tracked *t)
{
    const struct uet_track_message *m = t->message;
    if (!t->pdc || t->mismatch || !t->forward || t->duplicate || !m || !whole(m) ||
        (!names_memory(m->opcode) && m->opcode != UET_OP_NO_OP))
        return;
    if (w->n_pending == LISTEN_PENDING) { /* never, of a FEP that acknowledges */
        memmove(w->pending, w->pending + 1, sizeof w->pending - sizeof w->pending[0]);
        w->n_pending--;
    }
    w->pending[w->n_pending++] = m;
}

/* ---- what the FEP refuses, told with its first answer ---- */

static void answered(struct listen_watch *w, const struct uet_tracked *t)
{
    const struct uet_packet *p = &t->packet;
    const struct uet_track_psn *asked = t->request;
    const bool nack = uet_is_nack(p), rudi = uet_is_rudi(p);
    const uint8_t *ses = uet_ses(p);
    struct uet_ip peer = uet_dst_ip(p);
    struct listen_event e = {.kind = nack ? LISTEN_NACK : LISTEN_REFUSED, .peer = peer};
    uint8_t code = nack                     ? uet_nack_nack_code(uet_pds(p))
                   : uet_is_ses_response(p) ? uet_ses_rsp_return_code(ses)
                                            : UET_RC_OK;

    if (nack ? asked && asked->nacked_by != t->number : asked && asked->acked_by != t->number)
        return;
    if (t->request_ses && uet_in_ses_req(t->request_ses)) {
        const struct uet_packet request =
            header_alone(t->request_ses, t->request_headers + uet_headers[t->request_pds].bytes);
        e = event_of(&request, e.kind, &peer);
    }
    e.code = code;
    if (!nack && rudi && code == UET_RC_OK) {
        e.kind = LISTEN_MESSAGE;
        w->event(w->ctx, &e);
    } else if (nack || (code != UET_RC_OK && code != UET_RC_NULL)) {
        w->event(w->ctx, &e);
    }
}

void listen_watch_packet(struct listen_watch *w, const struct uet_packet *p, bool sent,
                         uint64_t now_ns)
{
    const struct uet_tracked *t = uet_track_add_packet(w->track, p, now_ns);
    if (!t) {
        w->failed = true;
        return;
    }
    if (!sent)
        came(w, t);
    else if (uet_is_ack(p) || uet_is_nack(p) || p->pds == UET_H_RUDI_RESP)
        answered(w, t);
    if (sent)
        tell_answered(w);
}
