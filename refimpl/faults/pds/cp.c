/* SPDX-License-Identifier: BSD-2-Clause */
/* Faults of Control Packets on their way in (pds/in/cp.c): rows by ctl_type. */
#include "refimpl/faults/pds/about.h"

/* ---- NOOP, Negotiation ---- */

static void receive_only(struct uet_fep *fep, struct pdc *pdc, const struct uet_packet *p)
{
    if (place_of(fep, pdc, p) == PSN_NEW)
        uet_sink_receive(fep, pdc, uet_packet_psn(p));
}

static void noop_not_acked(struct uet_law *law)
{
    law->pds.cps[UET_CTL_NOOP] = receive_only;
}

static void open_without_psn(struct uet_fep *fep, struct pdc *pdc, const struct uet_packet *p)
{
    const struct ack_about about = uet_ack_about(p);
    if (uet_has_syn(p))
        uet_ack_decide(fep, pdc, p, &about, true);
    else
        uet_cp_noop(fep, pdc, p);
}

/* What a NOOP has just opened begins its return direction one PSN later. */
static void return_of_noop(struct uet_fep *fep, struct pdc *pdc, const struct uet_packet *p)
{
    if (uet_has_syn(p) && !pdc->initiator && pdc->tx.next_psn == pdc->start_psn) {
        pdc->start_psn++;
        uet_source_init(fep, pdc);
        pdc->start_psn--;
    }
    uet_cp_noop(fep, pdc, p);
}

static void return_of_noop_starts_late(struct uet_law *law)
{
    law->pds.cps[UET_CTL_NOOP] = return_of_noop;
}

static void opening_psn_forgotten(struct uet_law *law)
{
    law->pds.cps[UET_CTL_NOOP] = law->pds.cps[UET_CTL_NEGOTIATION] = open_without_psn;
}

static void negotiation_dropped(struct uet_law *law)
{
    law->pds.cps[UET_CTL_NEGOTIATION] = uet_cp_nothing;
}

static bool negotiation_once(struct uet_fep *fep, struct uet_fault_frame *f)
{
    (void)fep;
    return !(is_cp_of(&f->p, UET_CTL_NEGOTIATION) && uet_cp_retx(uet_pds(&f->p)));
}

static bool syn_cp_lost(struct uet_fep *fep, struct uet_fault_frame *f)
{
    (void)fep;
    return !(uet_is_cp(&f->p) && uet_has_syn(&f->p));
}

static bool noop_ahead_lost(struct uet_fep *fep, struct uet_fault_frame *f)
{
    const struct pdc *pdc = is_cp_of(&f->p, UET_CTL_NOOP) ? pdc_of(fep, &f->p) : NULL;
    return !pdc || place_of(fep, pdc, &f->p) != PSN_NEW ||
           uet_packet_psn(&f->p) == pdc->rx.expected_psn;
}

/* memo: that PDC, which is no ROD PDC for as long as its Close Command is looked at. */
static bool close_out_of_turn(struct uet_fep *fep, struct uet_fault_frame *f)
{
    struct pdc *pdc = is_cp_of(&f->p, UET_CTL_CLOSE_COMMAND) ? rod_of(fep, &f->p) : NULL;
    if (pdc && !pdc->initiator) {
        pdc->rod = false;
        *f->memo = pdc->id;
    }
    return true;
}

static void again_rod(struct uet_fep *fep, uint64_t *memo)
{
    struct pdc *pdc = *memo ? pdc_at(fep, (uint32_t)*memo) : NULL;
    if (pdc && pdc->state != PDC_CLOSED && !pdc->initiator) /* its number may have another by now */
        pdc->rod = true;
    *memo = 0;
}

static bool close_request_ahead_lost(struct uet_fep *fep, struct uet_fault_frame *f)
{
    const struct pdc *pdc = is_cp_of(&f->p, UET_CTL_CLOSE_REQUEST) ? rod_of(fep, &f->p) : NULL;
    return !pdc || place_of(fep, pdc, &f->p) != PSN_NEW ||
           uet_packet_psn(&f->p) == pdc->rx.expected_psn;
}

static bool noop_copy_lost(struct uet_fep *fep, struct uet_fault_frame *f)
{
    const struct pdc *pdc = is_cp_of(&f->p, UET_CTL_NOOP) ? pdc_of(fep, &f->p) : NULL;
    return !pdc || place_of(fep, pdc, &f->p) != PSN_DUPLICATE;
}

/* The initiator's PDC does not close yet, but takes no new message. */
static bool drains(const struct pdc *pdc)
{
    return pdc && (pdc->state == PDC_QUIESCE || pdc->state == PDC_ACK_WAIT) && pdc->initiator;
}

static bool noop_while_draining_lost(struct uet_fep *fep, struct uet_fault_frame *f)
{
    return !(is_cp_of(&f->p, UET_CTL_NOOP) && drains(pdc_of(fep, &f->p)));
}

/* memo: the PSN of the last Clear Request, and one bit more. */
static bool notes_asked(struct uet_fep *fep, struct uet_fault_frame *f)
{
    (void)fep;
    if (is_cp_of(&f->p, UET_CTL_CLEAR_REQUEST))
        *f->memo = UINT64_C(1) << 32 | uet_cp_payload_value(uet_pds(&f->p));
    return true;
}

static bool clears_what_is_asked(struct uet_fep *fep, struct uet_fault_frame *f)
{
    (void)fep;
    if (*f->memo && is_cp_of(&f->p, UET_CTL_CLEAR_COMMAND))
        uet_cp_payload_value_set(uet_fault_pds(f), (uint32_t)*f->memo);
    return true;
}

static bool clear_request_while_draining_lost(struct uet_fep *fep, struct uet_fault_frame *f)
{
    return !(is_cp_of(&f->p, UET_CTL_CLEAR_REQUEST) && drains(pdc_of(fep, &f->p)));
}

static bool probe_while_closing_lost(struct uet_fep *fep, struct uet_fault_frame *f)
{
    const struct pdc *pdc = is_cp_of(&f->p, UET_CTL_PROBE) ? pdc_of(fep, &f->p) : NULL;
    return !pdc || !pdc->req_closing;
}

static bool rod_noop_lost(struct uet_fep *fep, struct uet_fault_frame *f)
{
    return !(is_cp_of(&f->p, UET_CTL_NOOP) && rod_of(fep, &f->p));
}

/* ---- closing ---- */

static void close_request_forgotten(struct uet_law *law)
{
    law->pds.cps[UET_CTL_CLOSE_REQUEST] = uet_cp_noop;
}

static bool is_close_request(const struct uet_fault_frame *f)
{
    return is_cp_of(&f->p, UET_CTL_CLOSE_REQUEST);
}

static bool close_request_once(struct uet_fep *fep, struct uet_fault_frame *f)
{
    (void)fep;
    return !(is_close_request(f) && uet_cp_retx(uet_pds(&f->p)));
}

static bool initiator_not_asked(struct uet_fep *fep, struct uet_fault_frame *f)
{
    const struct pdc *pdc = is_cp_of(&f->p, UET_CTL_ACK_REQUEST) ? pdc_of(fep, &f->p) : NULL;
    return !pdc || !pdc->initiator;
}

static bool rod_close_request_lost(struct uet_fep *fep, struct uet_fault_frame *f)
{
    return !is_close_request(f) || !rod_of(fep, &f->p);
}

static bool close_request_numberless(struct uet_fep *fep, struct uet_fault_frame *f)
{
    struct pdc *pdc = is_close_request(f) ? uet_pdc_by_id(fep, uet_spdcid(&f->p)) : NULL;
    if (pdc && !uet_cp_retx(uet_pds(&f->p)))
        pdc->tx.next_psn--;
    return true;
}

static void refuse_second_close(struct uet_fep *fep, struct pdc *pdc, const struct uet_packet *p)
{
    if (pdc->rx.closing && uet_packet_psn(p) == pdc->rx.close_psn)
        uet_nack_send(fep, p, UET_NACK_CLOSING, pdc->id);
    else
        uet_cp_close_command(fep, pdc, p);
}

static void second_close_refused(struct uet_law *law)
{
    law->pds.cps[UET_CTL_CLOSE_COMMAND] = refuse_second_close;
}

/* ---- ACK Request, Clear, Probe ---- */

static void only_not_received(struct uet_fep *fep, struct pdc *pdc, const struct uet_packet *p)
{
    if (place_of(fep, pdc, p) != PSN_DUPLICATE)
        uet_cp_ack_request(fep, pdc, p);
}

static void received_not_told(struct uet_law *law)
{
    law->pds.cps[UET_CTL_ACK_REQUEST] = only_not_received;
}

static void only_received(struct uet_fep *fep, struct pdc *pdc, const struct uet_packet *p)
{
    if (place_of(fep, pdc, p) != PSN_NEW)
        uet_cp_ack_request(fep, pdc, p);
}

static void missing_not_told(struct uet_law *law)
{
    law->pds.cps[UET_CTL_ACK_REQUEST] = only_received;
}

static void without_data(struct uet_fep *fep, struct pdc *pdc, const struct uet_packet *p)
{
    struct ack_about about = uet_ack_about(p);
    const struct stored *s = uet_sink_stored(fep, pdc, about.psn);
    if (!s || !s->part || place_of(fep, pdc, p) != PSN_DUPLICATE) {
        uet_cp_ack_request(fep, pdc, p);
        return;
    }
    about.response = s->response;
    uet_ack_send(fep, pdc, &about);
}

static void refused_outside(struct uet_fep *fep, struct pdc *pdc, const struct uet_packet *p)
{
    const enum psn_place place = place_of(fep, pdc, p);
    uet_cp_ack_request(fep, pdc, p);
    if (place == PSN_AHEAD || place == PSN_BEHIND)
        uet_nack_send(fep, p, UET_NACK_RCVR_INFER_LOSS + 1, pdc->id);
}

static void asked_outside(struct uet_law *law)
{
    law->pds.cps[UET_CTL_ACK_REQUEST] = refused_outside;
}

static void data_not_told(struct uet_law *law)
{
    law->pds.cps[UET_CTL_ACK_REQUEST] = without_data;
}

static void clear_and_ack(struct uet_fep *fep, struct pdc *pdc, const struct uet_packet *p)
{
    struct ack_about about = uet_ack_about(p);
    uet_cp_clear_command(fep, pdc, p);
    about.psn = pdc->rx.cack_psn;
    if (!pdc->initiator)
        uet_ack_send(fep, pdc, &about);
}

static void clear_acked(struct uet_law *law)
{
    law->pds.cps[UET_CTL_CLEAR_COMMAND] = clear_and_ack;
}

static void clear_request_ignored(struct uet_law *law)
{
    law->pds.cps[UET_CTL_CLEAR_REQUEST] = uet_cp_nothing;
}

static void probe_ignored(struct uet_law *law)
{
    law->pds.cps[UET_CTL_PROBE] = uet_cp_nothing;
}

static bool asked_about_noted(struct uet_fep *fep, struct uet_fault_frame *f)
{
    const struct pdc *pdc = is_cp_of(&f->p, UET_CTL_ACK_REQUEST) ? pdc_of(fep, &f->p) : NULL;
    if (pdc && place_of(fep, pdc, &f->p) == PSN_NEW)
        *f->memo = note_of(pdc, &f->p);
    return true;
}

static void asked_without_stored(struct uet_fep *fep, struct pdc *pdc, const struct uet_packet *p)
{
    struct ack_about about = uet_ack_about(p);
    const struct stored *s = uet_sink_stored(fep, pdc, about.psn);
    uint8_t response[UET_SES_RSP_BYTES];
    if (!s || s->part || place_of(fep, pdc, p) != PSN_DUPLICATE) {
        uet_cp_ack_request(fep, pdc, p);
        return;
    }
    memcpy(response, s->response, sizeof response);
    uet_ses_rsp_return_code_set(response, UET_RC_NULL);
    uet_ses_rsp_opcode_set(response, UET_RSP_DEFAULT_RESPONSE);
    about.response = response;
    uet_ack_send(fep, pdc, &about);
}

static void stored_not_told(struct uet_law *law)
{
    law->pds.cps[UET_CTL_ACK_REQUEST] = asked_without_stored;
}

static bool rod_asks_lost(struct uet_fep *fep, struct uet_fault_frame *f)
{
    return !(is_cp_of(&f->p, UET_CTL_ACK_REQUEST) && rod_of(fep, &f->p));
}

static bool initiator_hears_no_probe(struct uet_fep *fep, struct uet_fault_frame *f)
{
    const struct pdc *pdc = is_cp_of(&f->p, UET_CTL_PROBE) ? pdc_of(fep, &f->p) : NULL;
    return !pdc || !pdc->initiator;
}

static bool waiting_hears_no_probe(struct uet_fep *fep, struct uet_fault_frame *f)
{
    const struct pdc *pdc = is_cp_of(&f->p, UET_CTL_PROBE) ? pdc_of(fep, &f->p) : NULL;
    return !pdc || !pdc->rx.closing;
}

static bool rod_probe_lost(struct uet_fep *fep, struct uet_fault_frame *f)
{
    const struct pdc *pdc = is_cp_of(&f->p, UET_CTL_PROBE) ? pdc_of(fep, &f->p) : NULL;
    return !pdc || !pdc->rod;
}

static bool strangers_clear(struct uet_fep *fep, struct uet_fault_frame *f)
{
    struct pdc *pdc = is_cp_of(&f->p, UET_CTL_CLEAR_COMMAND) ? pdc_of(fep, &f->p) : NULL;
    struct uet_ip from = uet_src_ip(&f->p);
    if (pdc && !pdc->initiator &&
        (!uet_ip_equal(&pdc->peer, &from) || pdc->peer_id != uet_spdcid(&f->p)))
        uet_sink_clear(fep, pdc, uet_cp_payload_value(uet_pds(&f->p)));
    return true;
}

/* ---- reserved ---- */

static void close_for_unknown(struct uet_fep *fep, struct pdc *pdc, const struct uet_packet *p)
{
    uet_cp_unknown(fep, pdc, p);
    uet_pdc_no_peer(fep, pdc, false);
}

/* As a NOOP that asks. */
static void ack_unknown(struct uet_fep *fep, struct pdc *pdc, const struct uet_packet *p)
{
    struct ack_about about = uet_ack_about(p);
    if (uet_cp_ar(uet_pds(p)))
        uet_ack_send(fep, pdc, &about);
}

/* As a Clear Command. */
static void clear_by_unknown(struct uet_fep *fep, struct pdc *pdc, const struct uet_packet *p)
{
    if (!pdc->initiator)
        uet_sink_clear(fep, pdc, uet_cp_payload_value(uet_pds(p)));
}

#define UNKNOWN_DOES(name, what)                                                                   \
    static void name(struct uet_law *law)                                                          \
    {                                                                                              \
        for (size_t i = 0; i < UET_CTL_TYPES; i++) {                                               \
            if (law->pds.cps[i] == uet_cp_unknown)                                                 \
                law->pds.cps[i] = what;                                                            \
        }                                                                                          \
    }

UNKNOWN_DOES(unknown_closes, close_for_unknown)
UNKNOWN_DOES(unknown_acked, ack_unknown)
UNKNOWN_DOES(unknown_clears, clear_by_unknown)

/* ---- what is told of a close, and to a Probe ---- */

/* What the ACK will echo. */
static bool close_without_ce(struct uet_fep *fep, struct uet_fault_frame *f)
{
    (void)fep;
    if (is_cp_of(&f->p, UET_CTL_CLOSE_COMMAND) && f->p.ip_version == 4)
        uet_ipv4_ecn_set(f->bytes + f->p.ip_offset, UET_ECN_ECT0);
    return true;
}

/* Of whoever it comes, the PDC is to end. */
static bool either_side_closes(struct uet_fep *fep, struct uet_fault_frame *f)
{
    const struct pdc *pdc =
        is_cp_of(&f->p, UET_CTL_CLOSE_REQUEST) ? uet_pdc_by_id(fep, uet_dpdcid(&f->p)) : NULL;
    if (pdc && !pdc->initiator)
        uet_cp_ctl_type_set(uet_fault_pds(f), UET_CTL_CLOSE_COMMAND);
    return true;
}

/* The memo: the PDCID of the peer whose Close Command has come last. */
static bool close_came(struct uet_fep *fep, struct uet_fault_frame *f)
{
    (void)fep;
    *f->memo = is_cp_of(&f->p, UET_CTL_CLOSE_COMMAND) ? uet_spdcid(&f->p) : 0;
    return true;
}

static bool close_ack_strays(struct uet_fep *fep, struct uet_fault_frame *f)
{
    (void)fep;
    if (uet_is_ack(&f->p) && f->p.udp_offset && uet_dpdcid(&f->p) == *f->memo)
        uet_udp_src_port_set(f->bytes + f->p.udp_offset, (uint16_t)(uet_entropy(&f->p) ^ 1));
    return true;
}

/* An ACK that answers a Probe, with a bitmap that begins in this range from CACK_PSN on. */
static bool tells_probe(const struct uet_packet *p, int from, int to)
{
    const uint8_t *h = uet_pds(p);
    return uet_is_ack_cc(p) && uet_ack_p(h) && uet_ack_cc_sack_psn_offset(h) >= from &&
           uet_ack_cc_sack_psn_offset(h) <= to;
}

/* All below CACK_PSN counts as received. */
static bool probe_tells_all(struct uet_fep *fep, struct uet_fault_frame *f)
{
    (void)fep;
    if (tells_probe(&f->p, INT16_MIN, -65))
        uet_ack_cc_sack_bitmap_set(uet_fault_pds(f), UINT64_MAX);
    return true;
}

static bool probe_tells_too_much(struct uet_fep *fep, struct uet_fault_frame *f)
{
    (void)fep;
    if (tells_probe(&f->p, -63, 0))
        uet_ack_cc_sack_bitmap_set(uet_fault_pds(f), UINT64_MAX);
    return true;
}

/* The bits of a ring of 1024 PSNs, wherever the bitmap begins. */
static bool probe_tells_ring(struct uet_fep *fep, struct uet_fault_frame *f)
{
    const uint8_t *h = f->p.error == UET_PARSE_OK && uet_is_ack_cc(&f->p) ? uet_pds(&f->p) : NULL;
    const struct pdc *pdc = h && uet_ack_p(h) ? uet_pdc_by_id(fep, uet_ack_spdcid(h)) : NULL;
    if (!pdc || uet_ack_cc_sack_psn_offset(h) < 1024 - 63)
        return true;
    const uint32_t base = uet_psn_add(uet_ack_cack_psn(h), uet_ack_cc_sack_psn_offset(h));
    uet_ack_cc_sack_bitmap_set(uet_fault_pds(f), uet_sink_bits(fep, pdc, base - 1024));
    return true;
}

/* What opens it and comes again becomes a Probe, when this FEP has a PDC that the peer knows. */
static bool second_pdc_probes(struct uet_fep *fep, struct uet_fault_frame *f)
{
    if (f->p.error != UET_PARSE_OK || !uet_is_request(&f->p) || !uet_has_syn(&f->p) ||
        !uet_rud_rod_req_retx(uet_pds(&f->p)))
        return true;
    FOR_EACH_PDC(fep, pdc)
    {
        if (pdc->initiator && pdc->peer_id) {
            uet_cp_type_set(uet_fault_pds(f), UET_PDS_CP);
            uet_cp_ctl_type_set(uet_fault_pds(f), UET_CTL_PROBE);
        }
    }
    return true;
}

/* What opens a PDC and comes again becomes a Probe that names no PDC of the peer's. */
static bool probes_pdcid_zero(struct uet_fep *fep, struct uet_fault_frame *f)
{
    uint8_t *h = uet_fault_pds(f);
    (void)fep;
    if (f->p.error != UET_PARSE_OK || !uet_is_request(&f->p) || !uet_has_syn(&f->p) ||
        !uet_rud_rod_req_retx(h))
        return true;
    uet_cp_type_set(h, UET_PDS_CP);
    uet_cp_ctl_type_set(h, UET_CTL_PROBE);
    uet_cp_syn_set(h, false);
    uet_cp_dpdcid_set(h, 0);
    uet_cp_psn_set(h, 0);
    return true;
}

static const struct uet_fault_way ways[] = {
    {VIOLATION_PDS_046_SECOND, .out = second_pdc_probes},
    {VIOLATION_PDS_046_ZERO, .out = probes_pdcid_zero},
    {VIOLATION_PDS_104_CLOSE, .in = close_without_ce},
    {VIOLATION_PDS_145_CLOSE, .in = either_side_closes},
    {VIOLATION_PDS_112_CLOSE, .in = close_came, .out = close_ack_strays},
    {VIOLATION_PDS_114_BELOW, .out = probe_tells_too_much},
    {VIOLATION_PDS_114_FAR, .out = probe_tells_ring},
    {VIOLATION_PDS_114_EARLY, .out = probe_tells_all},
    {VIOLATION_PDS_028_NOOP, .rows = return_of_noop_starts_late},
    {VIOLATION_PDS_045, .in = syn_cp_lost},
    {VIOLATION_PDS_045_PSN, .rows = opening_psn_forgotten},
    {VIOLATION_PDS_055, .rows = negotiation_dropped},
    {VIOLATION_PDS_055_AGAIN, .in = negotiation_once},
    {VIOLATION_PDS_083, .rows = clear_acked},
    {VIOLATION_PDS_085, .rows = clear_request_ignored},
    {VIOLATION_PDS_147_ASKED, .rows = asked_outside},
    {VIOLATION_PDS_165_CLOSE, .in = close_out_of_turn, .after = again_rod},
    {VIOLATION_PDS_165_CLOSE_REQUEST, .in = close_request_ahead_lost},
    {VIOLATION_PDS_186_CLEAR, .in = strangers_clear},
    {VIOLATION_PDS_187, .rows = noop_not_acked},
    {VIOLATION_PDS_187_AHEAD, .in = noop_ahead_lost},
    {VIOLATION_PDS_187_COPY, .in = noop_copy_lost},
    {VIOLATION_PDS_187_DRAINING, .in = noop_while_draining_lost},
    {VIOLATION_PDS_082_ASKED, .in = notes_asked, .out = clears_what_is_asked},
    {VIOLATION_PDS_085_DRAINING, .in = clear_request_while_draining_lost},
    {VIOLATION_PDS_193_CLOSING, .in = probe_while_closing_lost},
    {VIOLATION_PDS_187_ROD, .in = rod_noop_lost},
    {VIOLATION_PDS_190, .rows = received_not_told},
    {VIOLATION_PDS_190_STORED, .rows = stored_not_told},
    {VIOLATION_PDS_191, .rows = missing_not_told},
    {VIOLATION_PDS_191_COUNTS, .in = asked_about_noted, .after = noted_received},
    {VIOLATION_PDS_191_ROD, .in = rod_asks_lost},
    {VIOLATION_PDS_192, .rows = data_not_told},
    {VIOLATION_PDS_193, .rows = probe_ignored},
    {VIOLATION_PDS_193_ROD, .in = rod_probe_lost},
    {VIOLATION_PDS_193_INITIATOR, .in = initiator_hears_no_probe},
    {VIOLATION_PDS_193_WAITING, .in = waiting_hears_no_probe},
    {VIOLATION_PDS_196_ACKED, .rows = unknown_acked},
    {VIOLATION_PDS_196_CLEARS, .rows = unknown_clears},
    {VIOLATION_PDS_196, .rows = unknown_closes},
    {VIOLATION_PDS_207_PSN, .out = close_request_numberless},
    {VIOLATION_PDS_208, .rows = close_request_forgotten},
    {VIOLATION_PDS_208_AGAIN, .in = close_request_once},
    {VIOLATION_PDS_190_RETURN, .in = initiator_not_asked},
    {VIOLATION_PDS_208_ROD, .in = rod_close_request_lost},
    {VIOLATION_PDS_212_CLOSE, .rows = second_close_refused},
};

UET_FAULT_WAYS(uet_faults_of_cp, ways);
