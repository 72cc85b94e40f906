/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The state as items in square brackets, remarks, and words behind the packet's line. */
#include "dissector/prefs.h"
#include "dissector/state/links.h"
#include "dissector/state/message.h"
#include "dissector/state/state.h"

static int hf_analysis = UETX_NO_ID;
static int hf_stream = UETX_NO_ID;
static int hf_direction = UETX_NO_ID;
static int hf_first_in = UETX_NO_ID;
static int hf_event = UETX_NO_ID;
static int hf_psn_relative = UETX_NO_ID;
static int hf_request_in = UETX_NO_ID;
static int hf_time_to_ack = UETX_NO_ID;
static int hf_acked_in = UETX_NO_ID;
static int hf_nacked_in = UETX_NO_ID;
static int hf_response_to = UETX_NO_ID;
static int hf_response_time = UETX_NO_ID;
static int hf_retransmission_of = UETX_NO_ID;
static int hf_resent = UETX_NO_ID;
static int hf_retransmitted_in = UETX_NO_ID;
static int hf_duplicate_of = UETX_NO_ID;
static int hf_captured_before = UETX_NO_ID;
static int hf_gap = UETX_NO_ID;
static int hf_out_of_order = UETX_NO_ID;
static int hf_stale_cack = UETX_NO_ID;
static int hf_in_flight = UETX_NO_ID;
static int hf_flight = UETX_NO_ID;
static int hf_rtt = UETX_NO_ID;
static int hf_window = UETX_NO_ID;
static int ett_analysis = UETX_NO_ID;

static expert_field ei_event = EI_INIT;
static expert_field ei_broken = EI_INIT;
static expert_field ei_after = EI_INIT;
static expert_field ei_mismatch = EI_INIT;
static expert_field ei_twice = EI_INIT;
static expert_field ei_retransmission = EI_INIT;
static expert_field ei_spurious = EI_INIT;
static expert_field ei_duplicate = EI_INIT;
static expert_field ei_gap = EI_INIT;
static expert_field ei_out_of_order = EI_INIT;
static expert_field ei_stale_cack = EI_INIT;

enum { FORWARD, RETURN };

static const value_string directions[] = {
    {FORWARD, "forward: initiator to target"}, {RETURN, "return: target to initiator"}, {0, NULL}};

static const value_string events[] = {
    {UETX_EVENT_OPENS, "opens the PDC"},
    {UETX_EVENT_ESTABLISHED, "establishes the PDC: the target's PDCID is known"},
    {UETX_EVENT_CLOSING, "asks to close the PDC"},
    {UETX_EVENT_CLOSED, "ends the close of the PDC"},
    {UETX_EVENT_REFUSED, "refuses the PDC"},
    {UETX_EVENT_FAILED, "ends the PDC with a fatal NACK"},
    {UETX_EVENT_AFTER, "comes after the close of the PDC"},
    {0, NULL}};

/* Of the tracker; a packet captured twice or not sent again has none. */
static const value_string causes[] = {{UET_RESENT_UNSEEN, "the original was not captured"},
                                      {UET_RESENT_TRIMMED, "trimmed by a switch"},
                                      {UET_RESENT_NACK, "asked for by a NACK"},
                                      {UET_RESENT_GO_BACK, "go-back-N after UET_ROD_OOO"},
                                      {UET_RESENT_GAP, "a later PSN was received"},
                                      {UET_RESENT_SILENCE, "no answer in time"},
                                      {UET_RESENT_NEEDLESS, "it had been acknowledged"},
                                      {0, NULL}};

static proto_item *generated(proto_item *item)
{
    proto_item_set_generated(item);
    return item;
}

static proto_item *add_uint(struct uetx_pdu *u, proto_tree *tree, int hf, uint32_t value)
{
    return generated(proto_tree_add_uint(tree, hf, u->tvb, 0, 0, value));
}

static expert_field *remark_on(uint8_t event)
{
    switch (event) {
    case UETX_EVENT_REFUSED:
    case UETX_EVENT_FAILED:
        return &ei_broken;
    case UETX_EVENT_AFTER:
        return &ei_after;
    default:
        return &ei_event;
    }
}

static void show_events(const struct uetx_state *s, struct uetx_pdu *u, proto_tree *tree)
{
    for (size_t i = 0; events[i].strptr; i++) {
        uint8_t event = (uint8_t)events[i].value;
        if (!(s->events & event))
            continue;
        proto_item *item = add_uint(u, tree, hf_event, event);
        expert_add_info_format(u->pinfo, item, remark_on(event), "This packet %s",
                               events[i].strptr);
    }
}

static void show_pdc(const struct uetx_state *s, struct uetx_pdu *u, proto_tree *tree)
{
    int32_t relative;
    add_uint(u, tree, hf_stream, s->pdc->track->stream);
    proto_item *item = add_uint(u, tree, hf_direction, s->forward ? FORWARD : RETURN);
    if (!s->sure)
        proto_item_append_text(item, ", guessed");
    if (s->pdc->track->first_frame != s->frame)
        uetx_link_add(u, tree, hf_first_in, s->pdc->track->first_frame);
    show_events(s, u, tree);
    bool acks = uet_is_ack(&u->p) || uet_is_nack(&u->p);
    if (s->psn_known && uetx_relative(s, s->psn, s->forward != acks, &relative))
        generated(proto_tree_add_int(tree, hf_psn_relative, u->tvb, 0, 0, relative));
    if (s->mismatch)
        expert_add_info(u->pinfo, u->root, &ei_mismatch);
}

/* 3.6.13.1: without the time that the packet stayed at its target, where the ACK tells it. */
static void show_rtt(const struct uetx_state *s, struct uetx_pdu *u, proto_tree *tree)
{
    const struct uet_packet *p = &u->p;
    if (!s->answers_once || p->cc_state != UET_H_ACK_CC_STATE_NSCC)
        return;
    uint16_t service = uet_ack_cc_state_nscc_service_time(p->frame + p->cc_state_offset);
    int64_t rtt = s->time_to_ack_ns - (int64_t)service * 128;
    if (service && service != 0xffff && rtt >= 0)
        uetx_time_add(u, tree, hf_rtt, rtt);
}

static void show_answers(const struct uetx_state *s, struct uetx_pdu *u, proto_tree *tree)
{
    if (uetx_link_add(u, tree, hf_request_in, s->request_frame))
        uetx_time_add(u, tree, hf_time_to_ack, s->time_to_ack_ns);
    show_rtt(s, u, tree);
    if (uetx_link_add(u, tree, hf_response_to, s->response_to))
        uetx_time_add(u, tree, hf_response_time, s->response_time_ns);
    uetx_link_add(u, tree, hf_acked_in, uetx_acked_in(s));
    uetx_link_add(u, tree, hf_nacked_in, s->own ? s->own->nacked_by : 0);
}

/* What names a packet among those of its sender. */
static const char *number_name(const struct uetx_pdu *u)
{
    return uet_is_rudi(&u->p) ? "pkt_id" : "PSN";
}

/* A PSN that was sent before. */
static void show_again(const struct uetx_state *s, struct uetx_pdu *u, proto_tree *tree)
{
    proto_item *item = u->root;
    if (s->retransmission && s->previous_frame)
        item = uetx_link_add(u, tree, hf_retransmission_of, s->previous_frame);
    else if (s->previous_frame)
        item = uetx_link_add(u, tree, hf_duplicate_of, s->previous_frame);
    if (s->retransmission)
        expert_add_info_format(u->pinfo, item, s->acked_before ? &ei_spurious : &ei_retransmission,
                               "Retransmission of %s 0x%08x: %s", number_name(u), s->psn,
                               val_to_str_const(s->resent, causes, "the cause is not known"));
    else if (s->duplicate)
        expert_add_info_format(u->pinfo, item, &ei_duplicate,
                               "%s 0x%08x was sent again with flags.retx = 0 (%s)", number_name(u),
                               s->psn, uet_headers[u->p.pds].section);
    if (s->resent)
        add_uint(u, tree, hf_resent, s->resent);
    uetx_link_add(u, tree, hf_retransmitted_in, s->next_frame);
}

static void show_order(const struct uetx_state *s, struct uetx_pdu *u, proto_tree *tree)
{
    if (s->gap)
        expert_add_info_format(u->pinfo, add_uint(u, tree, hf_gap, s->gap), &ei_gap,
                               "%u PSN%s before this one not captured yet: late or lost", s->gap,
                               s->gap == 1 ? "" : "s");
    if (s->out_of_order)
        expert_add_info_format(u->pinfo, add_uint(u, tree, hf_out_of_order, s->out_of_order),
                               &ei_out_of_order, "Out of order: %u PSN%s late", s->out_of_order,
                               s->out_of_order == 1 ? "" : "s");
    if (s->stale_cack)
        expert_add_info_format(u->pinfo, add_uint(u, tree, hf_stale_cack, s->stale_cack),
                               &ei_stale_cack, "CACK_PSN is %u behind one that was captured before",
                               s->stale_cack);
    if (s->in_flight_known)
        add_uint(u, tree, hf_in_flight, s->in_flight);
    if (s->flight_known)
        add_uint(u, tree, hf_flight, s->flight);
    if (s->window)
        add_uint(u, tree, hf_window, s->window);
}

/* Nothing is said of it twice: the first copy has the links. */
static void show_twice(const struct uetx_state *s, struct uetx_pdu *u, proto_tree *tree)
{
    proto_item *item = uetx_link_add(u, tree, hf_captured_before, s->twice_of);
    expert_add_info_format(u->pinfo, item, &ei_twice, "The frame was captured before, as #%u",
                           s->twice_of);
}

static void show_no_pdc(const struct uetx_pdu *u, proto_item *item)
{
    if (uet_is_rudi(&u->p) || uet_is_nack_rudi(&u->p))
        proto_item_set_text(item, "RUDI: each packet by itself, no PDC");
    else if (uet_is_uud(&u->p))
        proto_item_set_text(item, "UUD: no PDC, no answer");
    else
        proto_item_append_text(item, " not known");
}

void uetx_analysis_show(const struct uetx_state *s, struct uetx_pdu *u, proto_tree *tree)
{
    proto_item *item =
        generated(proto_tree_add_none_format(tree, hf_analysis, u->tvb, 0, 0, "PDC"));
    proto_tree *sub = proto_item_add_subtree(item, ett_analysis);
    if (s->pdc) {
        proto_item_append_text(item, " stream %u, %s", s->pdc->track->stream,
                               s->forward ? "forward" : "return");
        show_pdc(s, u, sub);
    } else {
        show_no_pdc(u, item);
    }
    if (s->twice_of) {
        show_twice(s, u, sub);
        return;
    }
    show_answers(s, u, sub);
    uetx_message_links(s, u, sub);
    show_again(s, u, sub);
    show_order(s, u, sub);
    uetx_judge_show(s, u, sub);
}

/* "psn=0x00010005" becomes "psn=+5": every PSN of the line is of the direction that is named. */
void uetx_analysis_relative(const struct uetx_state *s, const struct uetx_pdu *u, char *line)
{
    static const char *const names[] = {" psn=0x", " cack=0x", " ack=0x", " sack=0x"};
    bool acks = uet_is_ack(&u->p) || uet_is_nack(&u->p);
    for (size_t i = 0; i < array_length(names); i++) {
        char *at = strstr(line, names[i]), *end, text[16];
        int32_t relative;
        if (!at || (i == 0 && !s->psn_known))
            continue;
        at += strlen(names[i]) - 2;
        uint32_t psn = (uint32_t)strtoul(at, &end, 16);
        if (!uetx_relative(s, psn, s->forward != acks, &relative))
            continue;
        size_t n = (size_t)snprintf(text, sizeof text, "%+d", relative);
        if (n > (size_t)(end - at)) /* longer than what it replaces: never in 8 digits */
            continue;
        memcpy(at, text, n);
        memmove(at + n, end, strlen(end) + 1);
    }
}

void uetx_analysis_columns(const struct uetx_state *s, const struct uetx_pdu *u)
{
    column_info *cinfo = u->pinfo->cinfo;
    if (s->twice_of)
        col_append_fstr(cinfo, COL_INFO, " [captured before, #%u]", s->twice_of);
    else if (s->retransmission && s->previous_frame)
        col_append_fstr(cinfo, COL_INFO, " [retransmission of #%u]", s->previous_frame);
    else if (s->retransmission)
        col_append_str(cinfo, COL_INFO, " [retransmission]");
    else if (s->duplicate)
        col_append_fstr(cinfo, COL_INFO, " [duplicate of #%u]", s->previous_frame);
    if (s->gap)
        col_append_fstr(cinfo, COL_INFO, " [gap %u]", s->gap);
    if (s->out_of_order)
        col_append_fstr(cinfo, COL_INFO, " [late %u]", s->out_of_order);
    if (s->stale_cack)
        col_append_fstr(cinfo, COL_INFO, " [stale CACK %u]", s->stale_cack);
    for (unsigned i = 0; i < s->n_violations; i++)
        col_append_fstr(cinfo, COL_INFO, " [%s]", s->violations[i].requirement);
}

static void register_links(int proto)
{
    static hf_register_info hf[] = {
        {&hf_first_in,
         {"first seen in", "uetx.pdc.first_in", FT_FRAMENUM, BASE_NONE, NULL, 0,
          "Frame in which the PDC was first seen", HFILL}},
        {&hf_request_in,
         {"request in", "uetx.request_in", FT_FRAMENUM, BASE_NONE,
          FRAMENUM_TYPE(FT_FRAMENUM_REQUEST), 0, "The packet that this ACK or NACK answers",
          HFILL}},
        {&hf_acked_in,
         {"acknowledged in", "uetx.acked_in", FT_FRAMENUM, BASE_NONE,
          FRAMENUM_TYPE(FT_FRAMENUM_ACK), 0, "First ACK that names or covers the PSN (later pass)",
          HFILL}},
        {&hf_nacked_in,
         {"NACK in", "uetx.nacked_in", FT_FRAMENUM, BASE_NONE, FRAMENUM_TYPE(FT_FRAMENUM_RESPONSE),
          0, "First NACK for the PSN (later pass)", HFILL}},
        {&hf_response_to,
         {"response to", "uetx.response_to", FT_FRAMENUM, BASE_NONE,
          FRAMENUM_TYPE(FT_FRAMENUM_REQUEST), 0,
          "First packet of the message that this response completes, or this failure ends", HFILL}},
        {&hf_retransmission_of,
         {"retransmission of", "uetx.retransmission_of", FT_FRAMENUM, BASE_NONE,
          FRAMENUM_TYPE(FT_FRAMENUM_RETRANS_PREV), 0, "The PSN's packet before this one", HFILL}},
        {&hf_retransmitted_in,
         {"sent again in", "uetx.retransmitted_in", FT_FRAMENUM, BASE_NONE,
          FRAMENUM_TYPE(FT_FRAMENUM_RETRANS_NEXT), 0, "The PSN's next packet (later pass)", HFILL}},
        {&hf_duplicate_of,
         {"duplicate of", "uetx.duplicate_of", FT_FRAMENUM, BASE_NONE,
          FRAMENUM_TYPE(FT_FRAMENUM_RETRANS_PREV), 0,
          "The PSN's packet before this one, which does not call itself a retransmission", HFILL}},
        {&hf_captured_before,
         {"captured before in", "uetx.captured_before", FT_FRAMENUM, BASE_NONE, NULL, 0,
          "The same frame, from another tap or a mirror", HFILL}},
    };
    proto_register_field_array(proto, hf, array_length(hf));
}

static void register_values(int proto)
{
    static hf_register_info hf[] = {
        {&hf_analysis,
         {"PDC", "uetx.analysis", FT_NONE, BASE_NONE, NULL, 0,
          "What the packets before this one tell of it", HFILL}},
        {&hf_stream,
         {"stream", "uetx.stream", FT_UINT32, BASE_DEC, NULL, 0,
          "Number of the PDC, by its first packet in the capture", HFILL}},
        {&hf_direction,
         {"direction", "uetx.direction", FT_UINT8, BASE_DEC, VALS(directions), 0,
          "Which side of the PDC sent the packet; 3.5.8", HFILL}},
        {&hf_event,
         {"event", "uetx.pdc.event", FT_UINT8, BASE_DEC, VALS(events), 0,
          "What the packet does to its PDC; 3.5.8", HFILL}},
        {&hf_psn_relative,
         {"relative PSN", "uetx.pds.psn_relative", FT_INT32, BASE_DEC, NULL, 0,
          "psn, ack_psn or nack_psn from Start_PSN on, or from the first PSN seen", HFILL}},
        {&hf_time_to_ack,
         {"time to ACK", "uetx.time_to_ack", FT_RELATIVE_TIME, BASE_NONE, NULL, 0,
          "Time since the packet that is answered", HFILL}},
        {&hf_response_time,
         {"response time", "uetx.response_time", FT_RELATIVE_TIME, BASE_NONE, NULL, 0,
          "Time since the first packet of the message", HFILL}},
        {&hf_resent,
         {"sent again because", "uetx.resent", FT_UINT8, BASE_DEC, VALS(causes), 0,
          "Why the packet is sent again, as far as the packets before it tell; 3.5.15, 3.5.21",
          HFILL}},
        {&hf_gap,
         {"gap", "uetx.gap", FT_UINT32, BASE_DEC, NULL, 0,
          "PSNs between the highest one captured before and this one", HFILL}},
        {&hf_out_of_order,
         {"out of order", "uetx.out_of_order", FT_UINT32, BASE_DEC, NULL, 0,
          "PSNs by which this one is behind the highest captured before", HFILL}},
        {&hf_stale_cack,
         {"stale CACK", "uetx.stale_cack", FT_UINT32, BASE_DEC, NULL, 0,
          "PSNs by which cack_psn is behind the highest captured before", HFILL}},
        {&hf_in_flight,
         {"in flight", "uetx.in_flight", FT_UINT32, BASE_DEC, NULL, 0,
          "PSNs up to this one that no captured CACK_PSN covers", HFILL}},
        {&hf_flight,
         {"bytes in flight", "uetx.bytes_in_flight", FT_UINT32, BASE_DEC, NULL, 0,
          "Nominal bytes of Requests behind all that was answered, after this packet; 3.6.12",
          HFILL}},
        {&hf_rtt,
         {"RTT", "uetx.rtt", FT_RELATIVE_TIME, BASE_NONE, NULL, 0,
          "Time to ACK without service_time, of a packet sent once; 3.6.13.1", HFILL}},
        {&hf_window,
         {"window", "uetx.window", FT_UINT16, BASE_DEC, NULL, 0,
          "MP_Range as last advertised to this sender, in PSNs; 3.5.10.6", HFILL}},
    };
    proto_register_field_array(proto, hf, array_length(hf));
}

static void register_remarks(int proto)
{
    static ei_register_info ei[] = {
        {&ei_event, {"uetx.pdc.changed", PI_SEQUENCE, PI_CHAT, "PDC opened or closed", EXPFILL}},
        {&ei_broken,
         {"uetx.pdc.broken", PI_SEQUENCE, PI_WARN, "PDC refused or ended by a NACK", EXPFILL}},
        {&ei_after, {"uetx.pdc.after_close", PI_SEQUENCE, PI_NOTE, "After the close", EXPFILL}},
        {&ei_mismatch,
         {"uetx.pdc.mismatch", PI_SEQUENCE, PI_WARN, "The PDCIDs contradict those of the PDC",
          EXPFILL}},
        {&ei_twice, {"uetx.twice", PI_SEQUENCE, PI_NOTE, "Captured before", EXPFILL}},
        {&ei_retransmission,
         {"uetx.retransmission", PI_SEQUENCE, PI_NOTE, "Retransmission", EXPFILL}},
        {&ei_spurious,
         {"uetx.spurious", PI_SEQUENCE, PI_NOTE, "Retransmission of what had been acknowledged",
          EXPFILL}},
        {&ei_duplicate,
         {"uetx.duplicate", PI_SEQUENCE, PI_WARN, "PSN sent again without flags.retx", EXPFILL}},
        {&ei_gap, {"uetx.gap.seen", PI_SEQUENCE, PI_NOTE, "PSNs missing", EXPFILL}},
        {&ei_out_of_order, {"uetx.late", PI_SEQUENCE, PI_NOTE, "Out of order", EXPFILL}},
        {&ei_stale_cack, {"uetx.stale", PI_SEQUENCE, PI_NOTE, "Stale CACK_PSN", EXPFILL}},
    };
    expert_register_field_array(expert_register_protocol(proto), ei, array_length(ei));
}

void uetx_analysis_register(int proto)
{
    static int *ett[] = {&ett_analysis};
    register_links(proto);
    register_values(proto);
    register_remarks(proto);
    proto_register_subtree_array(ett, array_length(ett));
}
