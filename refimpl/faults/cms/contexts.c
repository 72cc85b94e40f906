/* SPDX-License-Identifier: BSD-2-Clause */
/* Faults of what a destination tells in ACK_CC, of contexts and of paths (cms/, pds/flight.c). */
#include "refimpl/edge.h"
#include "refimpl/faults/cms/about.h"
#include "refimpl/pds/pds.h"

/* ---- what ACKs tell that leave ---- */

static bool all_are_resends(struct uet_fep *fep, struct uet_fault_frame *f)
{
    if (f->p.error != UET_PARSE_OK || !uet_is_request(&f->p))
        return true;
    if (uet_rud_rod_req_retx(uet_fault_pds(f)))
        *f->memo = 1;
    else if (*f->memo && fep->config.dscp_rtx != UET_FEP_NO_DSCP)
        uet_fault_dscp(f, fep->config.dscp_rtx);
    return true;
}

static bool plain_resend_is_control(struct uet_fep *fep, struct uet_fault_frame *f)
{
    if (fep->config.dscp_rtx == UET_FEP_NO_DSCP && f->p.error == UET_PARSE_OK &&
        uet_is_request(&f->p) && uet_rud_rod_req_retx(uet_fault_pds(f)))
        uet_fault_dscp(f, fep->config.dscp_control);
    return true;
}

static bool no_payload_is_control(struct uet_fep *fep, struct uet_fault_frame *f)
{
    if (f->p.error == UET_PARSE_OK && uet_is_request(&f->p) && !f->p.payload_len)
        uet_fault_dscp(f, fep->config.dscp_control);
    return true;
}

static bool resends_are_trims(struct uet_fep *fep, struct uet_fault_frame *f)
{
    const uint64_t trims = fep->config.dscp_trimmed;
    if (f->p.error == UET_PARSE_OK && uet_is_request(&f->p) && trims &&
        uet_dscp(&f->p) == fep->config.dscp_rtx)
        uet_fault_dscp(f, (uint8_t)__builtin_ctzll(trims));
    return true;
}

static bool rudi_again_with_requests(struct uet_fep *fep, struct uet_fault_frame *f)
{
    if (f->p.error == UET_PARSE_OK && f->p.pds == UET_H_RUDI_REQ && uet_rudi_retx(uet_fault_pds(f)))
        uet_fault_dscp(f, fep->config.dscp_request);
    return true;
}

static bool trims_count(struct uet_fep *fep, struct uet_fault_frame *f)
{
    if (!uet_edge_trimmed(&f->p) || !f->p.udp_offset || f->p.pds == UET_H_NONE)
        return true;
    FOR_EACH_PDC(fep, pdc)
    {
        if (pdc->id == uet_dpdcid(&f->p))
            pdc->rx.rcvd_bytes += uet_udp_length(f->bytes + f->p.udp_offset);
    }
    return true;
}

/* A Request of an open PDC comes, and counts so many bytes more, before it is looked at. */
static void counts(struct uet_fep *fep, const struct uet_fault_frame *f, int32_t bytes)
{
    if (f->p.error != UET_PARSE_OK || uet_edge_trimmed(&f->p) || !uet_is_request(&f->p))
        return;
    FOR_EACH_PDC(fep, pdc)
    {
        if (pdc->id == uet_dpdcid(&f->p))
            pdc->rx.rcvd_bytes += (uint32_t)bytes;
    }
}

static bool cps_count(struct uet_fep *fep, struct uet_fault_frame *f)
{
    if (f->p.error != UET_PARSE_OK || !uet_is_cp(&f->p) || !f->p.udp_offset)
        return true;
    FOR_EACH_PDC(fep, pdc)
    {
        if (pdc->id == uet_dpdcid(&f->p))
            pdc->rx.rcvd_bytes += uet_udp_length(f->bytes + f->p.udp_offset) + 40;
    }
    return true;
}

static bool request_counts_less(struct uet_fep *fep, struct uet_fault_frame *f)
{
    counts(fep, f, -4);
    return true;
}

static int32_t nominal_of(const struct uet_fault_frame *f)
{
    const uint32_t from = f->p.udp_offset ? f->p.udp_offset : f->p.entropy_offset;
    return (int32_t)(f->p.ip_end - from + 40);
}

static bool marked_counts_nothing(struct uet_fep *fep, struct uet_fault_frame *f)
{
    if (f->p.error == UET_PARSE_OK && uet_ecn(&f->p) == UET_ECN_CE)
        counts(fep, f, -nominal_of(f));
    return true;
}

static bool read_data_counts_nothing(struct uet_fep *fep, struct uet_fault_frame *f)
{
    if (f->p.error == UET_PARSE_OK && uet_is_ses_response_data(&f->p))
        counts(fep, f, -nominal_of(f));
    return true;
}

static bool count_has_four_bits(struct uet_fep *fep, struct uet_fault_frame *f)
{
    (void)fep;
    uint8_t *state = state_of(f);
    if (state && uet_ack_cc_state_nscc_ooo_count(state) != UET_OOO_NOT_COMPUTED)
        uet_ack_cc_state_nscc_ooo_count_set(state, uet_ack_cc_state_nscc_ooo_count(state) & 0xf);
    return true;
}

static bool of_read_data_none_waits(struct uet_fep *fep, struct uet_fault_frame *f)
{
    uint8_t *state = state_of(f);
    const struct pdc *pdc = state ? uet_pdc_by_id(fep, uet_spdcid(&f->p)) : NULL;
    if (pdc && pdc->initiator)
        uet_ack_cc_state_nscc_ooo_count_set(state, 0);
    return true;
}

static bool request_counts_more(struct uet_fep *fep, struct uet_fault_frame *f)
{
    counts(fep, f, 1);
    return true;
}

static bool gap_is_pressure(struct uet_fep *fep, struct uet_fault_frame *f)
{
    (void)fep;
    uint8_t *state = state_of(f);
    uint16_t above = state ? uet_ack_cc_state_nscc_ooo_count(state) : 0;
    if (above)
        uet_ack_cc_state_nscc_rcv_cwnd_pend_set(state, above < 127 ? (uint8_t)above : 127);
    return true;
}

static bool last_hop_trims_count(struct uet_fep *fep, struct uet_fault_frame *f)
{
    return f->p.trim != UET_TRIM_LASTHOP || trims_count(fep, f);
}

static bool ipv4_counts_less(struct uet_fep *fep, struct uet_fault_frame *f)
{
    (void)fep;
    uint8_t *state = f->p.ip_version == 4 ? state_of(f) : NULL;
    if (state)
        uet_ack_cc_state_nscc_rcvd_bytes_set(state, (uet_ack_cc_state_nscc_rcvd_bytes(state) - 1) &
                                                        0xffffff);
    return true;
}

static bool tags_count(struct uet_fep *fep, struct uet_fault_frame *f)
{
    const bool request = uet_is_request(&f->p) && !uet_has_syn(&f->p);
    if (request && uet_dpdcid(&f->p) <= fep->config.max_pdcs)
        pdc_at(fep, uet_dpdcid(&f->p))->rx.rcvd_bytes += f->p.n_vlans * UET_VLAN_BYTES;
    return true;
}

static bool rcvd_in_16_bits(struct uet_fep *fep, struct uet_fault_frame *f)
{
    (void)fep;
    if (state_of(f))
        uet_ack_cc_state_nscc_rcvd_bytes_set(
            state_of(f), uet_ack_cc_state_nscc_rcvd_bytes(state_of(f)) & UINT16_MAX);
    return true;
}

static bool rcvd_of_all(struct uet_fep *fep, struct uet_fault_frame *f)
{
    uint64_t sum = 0;
    FOR_EACH_PDC(fep, pdc)
    {
        sum += pdc->rx.rcvd_bytes;
    }
    if (state_of(f))
        uet_ack_cc_state_nscc_rcvd_bytes_set(state_of(f), (uint32_t)(sum / 256) & 0xffffff);
    return true;
}

static bool rcvd_of_ccc(struct uet_fep *fep, struct uet_fault_frame *f)
{
    uint64_t sum = 0;
    uint16_t ccc = 0;
    FOR_EACH_PDC(fep, pdc)
    {
        ccc = state_of(f) && pdc->id == uet_spdcid(&f->p) ? pdc->rx.grantee : ccc;
    }
    FOR_EACH_PDC(fep, pdc)
    {
        sum += pdc->rx.grantee == ccc ? pdc->rx.rcvd_bytes : 0;
    }
    if (ccc)
        uet_ack_cc_state_nscc_rcvd_bytes_set(state_of(f), (uint32_t)((sum + 255) / 256) & 0xffffff);
    return true;
}

static bool copies_count_above(struct uet_fep *fep, struct uet_fault_frame *f)
{
    bool copy = f->p.error == UET_PARSE_OK && uet_is_request(&f->p) && f->p.udp_offset &&
                uet_rud_rod_req_retx(uet_fault_pds(f));
    FOR_EACH_PDC(fep, pdc)
    {
        if (copy && pdc->id == uet_dpdcid(&f->p) &&
            uet_psn_diff(uet_packet_psn(&f->p), pdc->rx.cack_psn) > 0)
            pdc->rx.rcvd_bytes += uet_udp_length(f->bytes + f->p.udp_offset);
    }
    return true;
}

/* What comes on that PDC has come before, or asks for an ACK only. */
static bool is_old(const struct uet_fep *fep, const struct pdc *pdc,
                   const struct uet_fault_frame *f)
{
    if (uet_is_cp(&f->p)) {
        uint8_t type = uet_cp_ctl_type(uet_pds(&f->p));
        if (type == UET_CTL_ACK_REQUEST || type == UET_CTL_PROBE)
            return true;
    }
    return uet_sink_place(fep, pdc, uet_packet_psn(&f->p)) == PSN_DUPLICATE;
}

/* The PDC of a Request or Control Packet that comes and is old; NULL: it is none. */
static struct pdc *pdc_of_old(struct uet_fep *fep, const struct uet_fault_frame *f)
{
    if (f->p.error != UET_PARSE_OK || !(uet_is_request(&f->p) || uet_is_cp(&f->p)))
        return NULL;
    FOR_EACH_PDC(fep, pdc)
    {
        if (pdc->id == uet_dpdcid(&f->p) && is_old(fep, pdc, f))
            return pdc;
    }
    return NULL;
}

static bool copies_wait_above(struct uet_fep *fep, struct uet_fault_frame *f)
{
    struct pdc *pdc = pdc_of_old(fep, f);
    if (pdc && uet_psn_diff(uet_packet_psn(&f->p), pdc->rx.cack_psn) > 0)
        pdc->rx.n_above++;
    return true;
}

static bool old_comes(struct uet_fep *fep, struct uet_fault_frame *f)
{
    *f->memo = pdc_of_old(fep, f) != NULL;
    return true;
}

static bool of_old_none_waits(struct uet_fep *fep, struct uet_fault_frame *f)
{
    (void)fep;
    if (*f->memo && state_of(f))
        uet_ack_cc_state_nscc_ooo_count_set(state_of(f), 0);
    return true;
}

/* The memo: how many PDCs peers have opened. */
static bool syn_comes(struct uet_fep *fep, struct uet_fault_frame *f)
{
    (void)fep;
    *f->memo += f->p.error == UET_PARSE_OK && uet_is_request(&f->p) &&
                uet_rud_rod_req_syn(uet_fault_pds(f));
    return true;
}

/* ... and so many that contexts are used again: what was counted then counts on. */
static bool used_ones_count_on(struct uet_fep *fep, struct uet_fault_frame *f)
{
    (void)fep;
    if (state_of(f) && *f->memo > 200)
        uet_ack_cc_state_nscc_rcvd_bytes_set(
            state_of(f), (uet_ack_cc_state_nscc_rcvd_bytes(state_of(f)) + 4) & 0xffffff);
    return true;
}

/* That of an answer that comes late is of when its packet came. */
static bool late_tells_early(struct uet_fep *fep, struct uet_fault_frame *f)
{
    (void)fep;
    bool late = state_of(f) && uet_psn_diff(uet_packet_psn(&f->p), (uint32_t)*f->memo) < 0;
    if (late && *f->memo >> 32)
        uet_ack_cc_state_nscc_rcvd_bytes_set(state_of(f), 1);
    else if (state_of(f))
        *f->memo = 1ull << 32 | uet_packet_psn(&f->p);
    return true;
}

static void answers_late(struct uet_law *law)
{
    law->answer_delay_ns = 300000;
}

static bool serves_in_microseconds(struct uet_fep *fep, struct uet_fault_frame *f)
{
    (void)fep;
    if (state_of(f))
        uet_ack_cc_state_nscc_service_time_set(
            state_of(f),
            (uint16_t)(uet_ack_cc_state_nscc_service_time(state_of(f)) * UET_SERVICE_UNIT / 1000u));
    return true;
}

/* As if the first copy had come a millisecond before. */
static bool served_since_first(struct uet_fep *fep, struct uet_fault_frame *f)
{
    (void)fep;
    if (state_of(f) && uet_ack_retx(uet_fault_pds(f)))
        uet_ack_cc_state_nscc_service_time_set(state_of(f), 7812);
    return true;
}

/* As if the packet had come when one did that waits behind the gap before it; memo: when. */
static bool first_behind_gap(struct uet_fep *fep, struct uet_fault_frame *f)
{
    const struct pdc *pdc = uet_is_request(&f->p) ? uet_pdc_by_id(fep, uet_dpdcid(&f->p)) : NULL;
    if (pdc && !*f->memo && psn_after(uet_packet_psn(&f->p), pdc->rx.expected_psn))
        *f->memo = fep->now;
    return true;
}

static bool served_since_gap(struct uet_fep *fep, struct uet_fault_frame *f)
{
    const struct pdc *pdc = uet_is_ack(&f->p) ? uet_pdc_by_id(fep, uet_spdcid(&f->p)) : NULL;
    if (!state_of(f) || !pdc || !*f->memo || pdc->rx.n_above)
        return true;
    uint64_t units = (fep->now - *f->memo) / 128;
    uet_ack_cc_state_nscc_service_time_set(state_of(f),
                                           units < UINT16_MAX ? (uint16_t)units : UINT16_MAX);
    *f->memo = 0;
    return true;
}

/* ---- what a full window holds back ---- */

static bool is_full(const struct uet_fep *fep)
{
    for (uint32_t id = 1; id <= fep->cccs.n; id++) {
        const struct ccc *ccc = uet_ccc_at(fep, id);
        if (ccc->n_pdcs && ccc->cc == CC_NSCC &&
            ccc->inflight + (int64_t)fep->nscc.mtu > ccc->nscc.cwnd)
            return true;
    }
    return false;
}

static bool answers_wait(struct uet_fep *fep, struct uet_fault_frame *f)
{
    bool answer = f->p.error == UET_PARSE_OK && (uet_is_ack(&f->p) || uet_is_nack(&f->p));
    return !answer || !is_full(fep);
}

static bool nacks_wait(struct uet_fep *fep, struct uet_fault_frame *f)
{
    bool nack = f->p.error == UET_PARSE_OK && uet_is_nack(&f->p) && uet_spdcid(&f->p);
    return !nack || !is_full(fep);
}

static bool cps_wait(struct uet_fep *fep, struct uet_fault_frame *f)
{
    return f->p.error != UET_PARSE_OK || !uet_is_cp(&f->p) || !is_full(fep);
}

static bool datagrams_wait(struct uet_fep *fep, struct uet_fault_frame *f)
{
    return f->p.pds != UET_H_UUD_REQ || !is_full(fep);
}

static bool rudi_waits(struct uet_fep *fep, struct uet_fault_frame *f)
{
    return f->p.pds != UET_H_RUDI_REQ || !is_full(fep);
}

/* A PDC that a peer has opened sends as it likes. */
static void read_data_is_free(struct uet_fep *fep, uint64_t *memo)
{
    (void)memo;
    FOR_EACH_PDC(fep, pdc)
    {
        if (!pdc->initiator && pdc->ccc)
            uet_ccc_at(fep, pdc->ccc)->nscc.cwnd = uet_ccc_at(fep, pdc->ccc)->nscc.max_wnd = 1u
                                                                                             << 29;
    }
}

/* ---- paths ---- */

static void draws_at_random(struct uet_fep_params *params)
{
    params->LB = LB_RANDOM;
}

/* ... anew for each message. */
static bool message_begins_pass(struct uet_fep *fep, struct uet_fault_frame *f)
{
    bool begins = f->p.error == UET_PARSE_OK && uet_is_request(&f->p) && uet_is_ses_std(&f->p) &&
                  uet_ses_req_eom(uet_fault_ses(f));
    for (uint32_t id = 1; begins && id <= fep->cccs.n; id++)
        if (uet_ccc_at(fep, id)->lb.row == LB_OBLIVIOUS)
            uet_ccc_at(fep, id)->lb.pass.at = 0;
    return true;
}

static bool mark_begins_pass(struct uet_fep *fep, struct uet_fault_frame *f)
{
    bool mark = f->p.error == UET_PARSE_OK && uet_is_ack(&f->p) && uet_ack_m(uet_fault_pds(f));
    for (uint32_t id = 1; mark && id <= fep->cccs.n; id++)
        if (uet_ccc_at(fep, id)->lb.row == LB_OBLIVIOUS)
            uet_ccc_at(fep, id)->lb.pass.at = 0;
    return true;
}

/* The memo: the path of the Request that left last. */
static bool resend_repeats(struct uet_fep *fep, struct uet_fault_frame *f)
{
    if (fep->params.LB != LB_OBLIVIOUS || f->p.error != UET_PARSE_OK || !uet_is_request(&f->p) ||
        !f->p.udp_offset)
        return true;
    if (uet_rud_rod_req_retx(uet_fault_pds(f)) && *f->memo)
        uet_udp_src_port_set(f->bytes + f->p.udp_offset, (uint16_t)*f->memo);
    *f->memo = uet_udp_src_port(f->bytes + f->p.udp_offset);
    return true;
}

/* The memo: more than half of the paths were bad. */
static void once_saturated(struct uet_fep *fep, uint64_t *memo)
{
    for (uint32_t id = 1; id <= fep->cccs.n; id++) {
        struct uet_lb_state *lb = &uet_ccc_at(fep, id)->lb;
        if (lb->row != LB_BITMAP)
            continue;
        *memo |= 2u * lb->bitmap.n_bad > fep->params.ev_set_size;
        if (*memo) {
            memset(lb->bitmap.bad, 0, sizeof lb->bitmap.bad);
            lb->bitmap.n_bad = 0;
        }
    }
}

/* For as long as it has an open window. */
static void waits_when_most_are_bad(struct uet_fep *fep, uint64_t *memo)
{
    (void)memo;
    for (uint32_t id = 1; id <= fep->cccs.n; id++) {
        struct ccc *ccc = uet_ccc_at(fep, id);
        if (ccc->lb.row == LB_BITMAP && 2u * ccc->lb.bitmap.n_bad > fep->params.ev_set_size)
            ccc->nscc.cwnd = fep->nscc.mtu;
    }
}

static void heeds_no_news(struct uet_fep_params *params)
{
    if (params->LB)
        params->LB = LB_OBLIVIOUS;
}

static bool last_hop_blames_the_path(struct uet_fep *fep, struct uet_fault_frame *f)
{
    (void)fep;
    if (f->p.error == UET_PARSE_OK && uet_is_nack(&f->p) &&
        uet_nack_nack_code(uet_fault_pds(f)) == UET_NACK_TRIMMED_LASTHOP)
        uet_nack_nack_code_set(uet_fault_pds(f), UET_NACK_TRIMMED);
    return true;
}

static void rod_moves(struct uet_fep *fep)
{
    FOR_EACH_PDC(fep, pdc)
    {
        if (pdc->rod)
            pdc->entropy++;
    }
}

static bool mark_moves_rod(struct uet_fep *fep, struct uet_fault_frame *f)
{
    if (f->p.error == UET_PARSE_OK && uet_is_ack(&f->p) && uet_ack_m(uet_fault_pds(f)))
        rod_moves(fep);
    return true;
}

static bool trim_moves_rod(struct uet_fep *fep, struct uet_fault_frame *f)
{
    if (f->p.error == UET_PARSE_OK && uet_is_nack(&f->p) &&
        uet_nack_nack_code(uet_fault_pds(f)) == UET_NACK_TRIMMED)
        rod_moves(fep);
    return true;
}

static bool last_hop_moves_rod(struct uet_fep *fep, struct uet_fault_frame *f)
{
    if (f->p.error == UET_PARSE_OK && uet_is_nack(&f->p) &&
        uet_nack_nack_code(uet_fault_pds(f)) == UET_NACK_TRIMMED_LASTHOP)
        rod_moves(fep);
    return true;
}

static bool last_hops_move_rod(struct uet_fep *fep, struct uet_fault_frame *f)
{
    if (f->p.error == UET_PARSE_OK && uet_is_nack(&f->p) &&
        uet_nack_nack_code(uet_fault_pds(f)) == UET_NACK_TRIMMED_LASTHOP && ++*f->memo % 2 == 0)
        rod_moves(fep);
    return true;
}

/* ---- contexts ---- */

static bool no_context_silent(struct uet_fep *fep, struct uet_fault_frame *f)
{
    (void)fep;
    return f->p.error != UET_PARSE_OK || !uet_is_nack(&f->p) ||
           uet_nack_nack_code(uet_fault_pds(f)) != UET_NACK_NO_CCC_AVAIL;
}

/* As if another PDC were there that uses it. */
static void contexts_stay(struct uet_fep *fep, uint64_t *memo)
{
    struct ccc *first = fep->params.CCCs && fep->cccs.used ? uet_ccc_at(fep, 1) : NULL;
    if (first && !*memo && first->n_pdcs)
        *memo = ++first->n_pdcs;
}

static void never_saturated(struct uet_fep_params *params)
{
    params->ev_saturation_fraction = 100;
}

static const struct uet_fault_way ways[] = {
    {VIOLATION_PDS_042, .out = no_context_silent},
    {VIOLATION_PDS_042_KEPT, .after = contexts_stay},
    {VIOLATION_CMS_009_PLAIN, .out = plain_resend_is_control},
    {VIOLATION_CMS_009_EMPTY, .out = no_payload_is_control},
    {VIOLATION_CMS_009_NEW, .out = all_are_resends},
    {VIOLATION_CMS_010_TRIM, .in = resends_are_trims},
    {VIOLATION_CMS_018_CP, .in = cps_count},
    {VIOLATION_CMS_018_MARKED, .in = marked_counts_nothing},
    {VIOLATION_CMS_018_READ, .in = read_data_counts_nothing},
    {VIOLATION_CMS_032_FEW, .out = count_has_four_bits},
    {VIOLATION_CMS_032_RETURN, .out = of_read_data_none_waits},
    {VIOLATION_CMS_018_LESS, .in = request_counts_less},
    {VIOLATION_CMS_018_MORE, .in = request_counts_more},
    {VIOLATION_CMS_036, .out = gap_is_pressure},
    {VIOLATION_CMS_016, .in = trims_count},
    {VIOLATION_CMS_016_HOP, .in = last_hop_trims_count},
    {VIOLATION_CMS_020, .out = ipv4_counts_less},
    {VIOLATION_CMS_020_VLAN, .in = tags_count},
    {VIOLATION_CMS_022, .out = rcvd_of_all},
    {VIOLATION_CMS_022_CCC, .out = rcvd_of_ccc},
    {VIOLATION_CMS_021_USED, .in = syn_comes, .out = used_ones_count_on},
    {VIOLATION_CMS_024_LATE, .out = late_tells_early},
    {VIOLATION_CMS_029_UNIT, .rows = answers_late, .out = serves_in_microseconds},
    {VIOLATION_CMS_024_SHORT, .out = rcvd_in_16_bits},
    {VIOLATION_CMS_023_GAP, .in = copies_count_above},
    {VIOLATION_CMS_032_COPY, .in = copies_wait_above},
    {VIOLATION_CMS_032_OLD, .in = old_comes, .out = of_old_none_waits},
    {VIOLATION_CMS_029_GAP, .in = first_behind_gap, .out = served_since_gap},
    {VIOLATION_CMS_029_COPY, .out = served_since_first},
    {VIOLATION_CMS_070, .out = answers_wait},
    {VIOLATION_CMS_070_NACK, .out = nacks_wait},
    {VIOLATION_CMS_070_CP, .out = cps_wait},
    {VIOLATION_CMS_071, .after = read_data_is_free},
    {VIOLATION_CMS_072, .out = datagrams_wait},
    {VIOLATION_CMS_073, .out = rudi_waits},
    {VIOLATION_CMS_094, .in = mark_moves_rod},
    {VIOLATION_CMS_094_TRIM, .in = trim_moves_rod},
    {VIOLATION_CMS_095, .in = last_hop_moves_rod},
    {VIOLATION_CMS_095_AGAIN, .in = last_hops_move_rod},
    {VIOLATION_CMS_074_AGAIN, .out = rudi_again_with_requests},
    {VIOLATION_CMS_097, .params = draws_at_random},
    {VIOLATION_CMS_097_MARK, .in = mark_begins_pass},
    {VIOLATION_CMS_097_RESEND, .out = resend_repeats},
    {VIOLATION_CMS_097_ANEW, .out = message_begins_pass},
    {VIOLATION_CMS_098, .params = heeds_no_news},
    {VIOLATION_CMS_098_ONCE, .after = once_saturated},
    {VIOLATION_CMS_099, .params = never_saturated},
    {VIOLATION_CMS_099_WAITS, .after = waits_when_most_are_bad},
    {VIOLATION_CMS_100, .params = heeds_no_news},
    {VIOLATION_CMS_100_LASTHOP, .in = last_hop_blames_the_path},
};

UET_FAULT_WAYS(uet_faults_of_contexts, ways);
