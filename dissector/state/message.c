/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "dissector/state/message.h"
#include "dissector/state/deferred.h"
#include "dissector/state/links.h"

static int hf_first_in = UETX_NO_ID;
static int hf_data_of = UETX_NO_ID;
static int hf_data_in = UETX_NO_ID;
static int hf_asked_in = UETX_NO_ID;
static int hf_read_bytes = UETX_NO_ID;
static int hf_complete_in = UETX_NO_ID;
static int hf_read_time = UETX_NO_ID;
static int hf_response_in = UETX_NO_ID;
static int hf_failed_in = UETX_NO_ID;
static int hf_message_time = UETX_NO_ID;

/* Do bytes come back for it? */
static bool wants_data(uint8_t opcode)
{
    return opcode == UET_OP_READ || opcode == UET_OP_FETCHING_ATOMIC ||
           opcode == UET_OP_TSEND_FETCH_ATOMIC;
}

/* s ends the message that begins in first_frame; of several such answers the first counts. */
static void note_end(struct uetx_state *s, uint32_t first_frame, uint8_t opcode, enum uetx_end end,
                     uint8_t code)
{
    struct uetx_state *first = uetx_state_at(first_frame);
    s->response_to = first_frame;
    s->response_opcode = opcode;
    s->response_time_ns = first ? (int64_t)(s->time_ns - first->time_ns) : 0;
    if (!first || first->ended_in)
        return;
    first->ended_in = s->frame;
    first->end = (uint8_t)end;
    first->end_code = code;
}

static void note_response(struct uetx_state *s, const struct uet_packet *p, uint32_t first_frame,
                          uint8_t opcode)
{
    uint8_t code = uet_ses_rsp_return_code(uet_ses(p));
    note_end(s, first_frame, opcode, code > UET_RC_OK ? UETX_END_ERROR : UETX_END_DONE, code);
}

/* The first packet of a message whose data comes back. */
static void note_read(struct uetx_state *s, const struct uet_packet *p, const uint8_t *ses,
                      uint32_t length)
{
    struct uetx_read *read = wmem_new0(wmem_file_scope(), struct uetx_read);
    *read = (struct uetx_read){.frame = s->frame,
                               .time_ns = s->time_ns,
                               .resource_index = uet_ses_req_resource_index(ses),
                               .opcode = uet_ses_req_opcode(ses),
                               .atomic = uetx_atomic_of(p),
                               .fetch = uetx_rendezvous_read(s, p),
                               .length = length};
    s->read = read;
}

uint32_t uetx_read_total(const struct uetx_read *read, const struct uet_packet *p)
{
    uint32_t modified =
        p->ses == UET_H_SES_RSP_DATA ? uet_ses_rsp_data_modified_length(uet_ses(p)) : 0;
    return modified ? modified : read->length;
}

/* first: no packet had these data before. */
static void note_data(struct uetx_state *s, const struct uet_tracked *t, struct uetx_read *read,
                      bool first)
{
    s->read = read;
    s->data_of = read->frame;
    s->asked_in = t->asked ? t->asked->copy[0].number : 0;
    uint32_t total = uetx_read_total(read, &t->packet);
    bool before = read->bytes_seen < total;
    if (first)
        read->bytes_seen += t->packet.payload_len;
    else
        s->data_before = true;
    s->read_bytes = read->bytes_seen;
    if (!first || !before || read->bytes_seen < total)
        return;
    read->complete_in = s->frame; /* the last of it */
    read->took_ns = (int64_t)(s->time_ns - read->time_ns);
    uetx_rendezvous_data(s, &read->fetch, total);
    note_response(s, &t->packet, read->frame, read->opcode);
}

static struct uetx_read *read_at(uint32_t frame)
{
    const struct uetx_state *s = frame ? uetx_state_at(frame) : NULL;
    return s ? s->read : NULL;
}

/* RUDI: a Request and its Response, each read by itself (3.5.7.3). */
static void note_rudi(struct uetx_state *s, const struct uet_tracked *t)
{
    const struct uet_packet *p = &t->packet;
    const struct uet_track_psn *asked = p->pds == UET_H_RUDI_REQ ? t->own : t->asked;
    struct uetx_read *read = asked ? read_at(asked->copy[0].number) : NULL;
    bool asks = p->pds == UET_H_RUDI_REQ && uet_is_ses_request(p);
    if (asks && read)
        s->read = read; /* sent again */
    else if (asks && wants_data(uet_ses_req_opcode(uet_ses(p))))
        note_read(s, p, uet_ses(p), uet_ses_request_length(p));
    else if (uet_is_ses_response_data(p) && read)
        note_data(s, t, read, asked->data_by == s->frame);
}

/* A RUDI Request is a message of its own, sent as often as it takes (3.5.7.3). */
static void note_rudi_response(struct uetx_state *s, const struct uet_tracked *t)
{
    const uint8_t *h = t->request_headers;
    uint8_t next = h ? uet_rudi_next_hdr(h) : UET_NH_NONE;
    if (!uet_is_ses_response(&t->packet))
        return; /* something else stands where the response belongs */
    const struct uetx_state *first = uetx_state_at(s->request_frame);
    while (first && first->previous_frame && uetx_state_at(first->previous_frame))
        first = uetx_state_at(first->previous_frame);
    if (first && next >= UET_NH_REQUEST_SMALL && next <= UET_NH_REQUEST_STD)
        note_response(s, &t->packet, first->frame, uet_ses_req_opcode(h + UET_RUDI_REQ_BYTES));
}

/* Does this ACK end its message: a semantic response for its last packet, an error response for
 * any (3.4.2.5)? A read is complete when its data are there. */
static bool ends(const struct uet_tracked *t)
{
    const struct uet_packet *p = &t->packet;
    const struct uet_track_message *m = t->message;
    if (!m || !t->request || !uet_is_ack(p) || !uet_is_ses_response(p) ||
        uet_is_ses_response_data(p) || p->ses == UET_H_SES_RSP_NO_RESPONSE)
        return false;
    if (uet_ses_rsp_return_code(uet_ses(p)) > UET_RC_OK)
        return true;
    return m->eom_seen && t->request->psn == m->eom_psn && !wants_data(m->opcode);
}

/* Does this NACK say that the packet is not to be sent again on its PDC (Table 3-58)? */
static bool gives_up(const struct uet_packet *p)
{
    if (!uet_is_nack(p))
        return false;
    uint8_t action = uet_nack_table[uet_nack_nack_code(uet_pds(p))].action;
    return action == UET_ACTION_RETRY || action == UET_ACTION_FAIL;
}

/* The NACK ends the message of the packet that it answers. */
static void note_nack(struct uetx_state *s, const struct uet_tracked *t)
{
    const struct uet_track_psn *request = t->request;
    const struct uet_track_message *m = request ? request->message : NULL;
    uint8_t code = uet_nack_nack_code(uet_pds(&t->packet));
    if (m)
        note_end(s, m->first_frame, m->opcode, UETX_END_NACK, code);
    else if (request && t->is_rudi)
        note_end(s, request->copy[0].number, 0, UETX_END_NACK, code);
}

void uetx_message_note(struct uetx_state *s, const struct uet_tracked *t)
{
    const struct uet_packet *p = &t->packet;
    if (p->pds == UET_H_RUDI_RESP)
        note_rudi_response(s, t);
    if (t->is_rudi)
        note_rudi(s, t);
    if (gives_up(p) && !t->mismatch)
        note_nack(s, t);
    if (!t->pdc || t->mismatch)
        return;
    const struct uet_track_message *m = t->message;
    if (m && uet_is_ses_request(p)) {
        s->message_in = m->first_frame;
        if (wants_data(m->opcode) && m->first_frame == s->frame)
            note_read(s, p, m->first_header, m->request_length);
        else
            s->read = read_at(m->first_frame);
        if (s->message_in == s->frame)
            uetx_rendezvous_note(s, p);
        uetx_deferred_note(s, t);
    }
    struct uetx_read *read = t->read ? read_at(t->read->first_frame) : NULL;
    bool first = uet_is_ack(p) ? t->request && t->request->acked_by == s->frame : !s->data_before;
    if (uet_is_ses_response_data(p) && read)
        note_data(s, t, read, first);
    if (m && !uetx_deferred_response(s, t) && ends(t))
        note_response(s, p, m->first_frame, m->opcode);
}

/* A packet with data of a read: which, what asked for it, and how far it has come. */
static void show_data(const struct uetx_state *s, struct uetx_pdu *u, proto_tree *tree)
{
    const struct uetx_read *read = s->read;
    uetx_link_add(u, tree, hf_data_of, s->data_of);
    if (s->asked_in != s->data_of)
        uetx_link_add(u, tree, hf_asked_in, s->asked_in);
    proto_item *item = proto_tree_add_uint(tree, hf_read_bytes, u->tvb, 0, 0, s->read_bytes);
    proto_item_set_generated(item);
    uint32_t total = uetx_read_total(read, &u->p);
    proto_item_append_text(item, " of %u", total);
    if (s->read_bytes < total)
        proto_item_append_text(item, ", %u to come", total - s->read_bytes);
}

/* A packet that asks for data: where they are; what lies ahead is known on a later pass. */
static void show_asking(const struct uetx_state *s, struct uetx_pdu *u, proto_tree *tree)
{
    const struct uetx_read *read = s->read;
    uetx_rendezvous_show_read(s, &read->fetch, s->frame == read->frame, u, tree);
    if (!PINFO_FD_VISITED(u->pinfo))
        return;
    uetx_link_add(u, tree, hf_data_in, s->own ? s->own->data_by : 0);
    uetx_link_add(u, tree, hf_complete_in, read->complete_in);
    if (read->complete_in && s->frame == read->frame)
        uetx_time_add(u, tree, hf_read_time, read->took_ns);
}

/* The first packet of the message that a Request belongs to; NULL when it is not known. */
static const struct uetx_state *first_of(const struct uetx_state *s, const struct uet_packet *p)
{
    if (!uet_is_ses_request(p))
        return NULL;
    if (s->message_in)
        return uetx_state_at(s->message_in);
    return uet_is_rudi(p) && s->own ? uetx_state_at(s->own->copy[0].number) : NULL;
}

static const char *failure_text(const struct uetx_state *first)
{
    return first->end == UETX_END_NACK ? uet_enum_name(UET_ENUM_PDS_NACK_CODE, first->end_code)
                                       : uet_enum_name(UET_ENUM_SES_RETURN_CODE, first->end_code);
}

/* A packet of a message: what ended it. This lies ahead, and is known on a later pass. */
static void show_end(const struct uetx_state *s, struct uetx_pdu *u, proto_tree *tree)
{
    const struct uetx_state *first = PINFO_FD_VISITED(u->pinfo) ? first_of(s, &u->p) : NULL;
    if (!first)
        return;
    bool done = first->end == UETX_END_DONE;
    if (done && !s->read)
        uetx_link_add(u, tree, hf_response_in, first->ended_in);
    else if (first->ended_in && !done)
        proto_item_append_text(uetx_link_add(u, tree, hf_failed_in, first->ended_in), " (%s)",
                               failure_text(first));
    else if (!first->ended_in && s->pdc && s->pdc->failed_in > s->frame)
        proto_item_append_text(uetx_link_add(u, tree, hf_failed_in, s->pdc->failed_in),
                               " (the PDC)");
    const struct uetx_state *last = uetx_state_at(first->ended_in);
    if (last && s == first && !(done && s->read))
        uetx_time_add(u, tree, hf_message_time, (int64_t)(last->time_ns - first->time_ns));
}

void uetx_message_links(const struct uetx_state *s, struct uetx_pdu *u, proto_tree *tree)
{
    if (s->message_in != s->frame)
        uetx_link_add(u, tree, hf_first_in, s->message_in);
    if (s->data_of)
        show_data(s, u, tree);
    else if (s->read)
        show_asking(s, u, tree);
    show_end(s, u, tree);
    uetx_deferred_links(s, u, tree);
    uetx_rendezvous_links(s, u, tree);
}

void uetx_message_register(int proto)
{
    static hf_register_info hf[] = {
        {&hf_first_in,
         {"message begins in", "uetx.message.first_in", FT_FRAMENUM, BASE_NONE, NULL, 0,
          "First captured packet of the message", HFILL}},
        {&hf_data_of,
         {"data of the read in", "uetx.data_of", FT_FRAMENUM, BASE_NONE,
          FRAMENUM_TYPE(FT_FRAMENUM_REQUEST), 0, "The request that these data answer; 3.4.4.2",
          HFILL}},
        {&hf_data_in,
         {"data begin in", "uetx.data_in", FT_FRAMENUM, BASE_NONE,
          FRAMENUM_TYPE(FT_FRAMENUM_RESPONSE), 0, "First data for this request (later pass)",
          HFILL}},
        {&hf_asked_in,
         {"asked for in", "uetx.read.asked_in", FT_FRAMENUM, BASE_NONE,
          FRAMENUM_TYPE(FT_FRAMENUM_REQUEST), 0,
          "The packet of the read that asked for these data, when it is not the first", HFILL}},
        {&hf_read_bytes,
         {"data of the read so far", "uetx.read.bytes", FT_UINT32, BASE_DEC, NULL, 0,
          "Bytes of the read that have come, these included, each counted once", HFILL}},
        {&hf_complete_in,
         {"read complete in", "uetx.read.complete_in", FT_FRAMENUM, BASE_NONE,
          FRAMENUM_TYPE(FT_FRAMENUM_RESPONSE), 0, "The last data of this read (later pass)",
          HFILL}},
        {&hf_read_time,
         {"time to the last data", "uetx.read.time", FT_RELATIVE_TIME, BASE_NONE, NULL, 0,
          "From the first packet of the read (later pass)", HFILL}},
        {&hf_response_in,
         {"response in", "uetx.response_in", FT_FRAMENUM, BASE_NONE,
          FRAMENUM_TYPE(FT_FRAMENUM_RESPONSE), 0,
          "The response that completes the message of this packet (later pass)", HFILL}},
        {&hf_failed_in,
         {"failed in", "uetx.failed_in", FT_FRAMENUM, BASE_NONE,
          FRAMENUM_TYPE(FT_FRAMENUM_RESPONSE), 0,
          "The error response or NACK that ends the message of this packet, or its PDC (later "
          "pass)",
          HFILL}},
        {&hf_message_time,
         {"time to the response", "uetx.message.time", FT_RELATIVE_TIME, BASE_NONE, NULL, 0,
          "From the first packet of the message to what completes or ends it (later pass)", HFILL}},
    };
    proto_register_field_array(proto, hf, array_length(hf));
}
