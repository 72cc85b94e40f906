/* SPDX-License-Identifier: BSD-2-Clause */
/* Faults of RCCC (cms/rccc.c, cms/grants.c, pds/credit.c). */
#include "refimpl/edge.h"
#include "refimpl/faults/ways.h"
#include "refimpl/pds/pds.h"

/* ---- packets of credit ---- */

static bool is_cp(const struct uet_fault_frame *f, uint8_t ctl_type)
{
    return f->p.error == UET_PARSE_OK && uet_is_cp(&f->p) &&
           uet_cp_ctl_type(uet_pds(&f->p)) == ctl_type;
}

static uint32_t credit_of(struct uet_fault_frame *f)
{
    return uet_cp_payload_credit_credit(uet_cp_payload_of(&f->p));
}

static bool is_cc_request(const struct uet_fault_frame *f)
{
    return f->p.error == UET_PARSE_OK && uet_is_cc_request(&f->p);
}

/* The credit state of the ACK, or NULL. */
static uint8_t *state_of(struct uet_fault_frame *f)
{
    bool is = f->p.error == UET_PARSE_OK && f->p.cc_state == UET_H_ACK_CC_STATE_CREDIT;
    return is ? f->bytes + f->p.cc_state_offset : NULL;
}

/* ---- the source ---- */

/* The CCC of PDCs of ours, on credit; NULL: there is none. */
static struct ccc *credited(struct uet_fep *fep)
{
    for (uint32_t id = 1; fep->params.RCCC && id <= fep->cccs.n; id++)
        if (uet_ccc_at(fep, id)->n_pdcs)
            return uet_ccc_at(fep, id);
    return NULL;
}

static void without_rccc(struct uet_fep_params *params)
{
    params->RCCC = false;
}

static void twice_as_fast(struct uet_fep_params *params)
{
    params->sender_link_rate *= 2;
    params->MaxWnd *= 2;
}

static bool plain_again(struct uet_fep *fep, struct uet_fault_frame *f)
{
    (void)fep;
    if (is_cc_request(f) && uet_rud_rod_req_retx(uet_fault_pds(f)))
        uet_rud_rod_req_type_set(uet_fault_pds(f), UET_PDS_RUD_REQ);
    return true;
}

static bool lost_syn_is_left(struct uet_fep *fep, struct uet_fault_frame *f)
{
    (void)fep;
    return !is_cc_request(f) || !uet_has_syn(&f->p) || !uet_rud_rod_req_retx(uet_fault_pds(f));
}

static bool one_id(struct uet_fep *fep, struct uet_fault_frame *f)
{
    (void)fep;
    if (is_cc_request(f))
        uet_rud_rod_cc_req_ccc_id_set(uet_fault_pds(f), 1);
    if (is_cp(f, UET_CTL_CREDIT_REQUEST))
        uet_cp_payload_credit_request_ccc_id_set(f->bytes + f->p.cp_payload_offset, 1);
    return true;
}

static bool unheard(struct uet_fep *fep, struct uet_fault_frame *f)
{
    (void)fep;
    return !is_cp(f, UET_CTL_CREDIT);
}

/* Each but the first is sent as if it were that one again. */
static bool credit_again(struct uet_fep *fep, struct uet_fault_frame *f)
{
    (void)fep;
    if (is_cp(f, UET_CTL_CREDIT) && (*f->memo)++)
        uet_cp_retx_set(uet_fault_pds(f), true);
    return true;
}

/* As if a turn less than this had come last, on every CCC that PDCs have. */
static void a_turn_behind(struct uet_fep *fep, uint32_t credit)
{
    for (uint32_t id = 1; id <= fep->cccs.n; id++)
        if (uet_ccc_at(fep, id)->n_pdcs)
            uet_ccc_at(fep, id)->rccc.last = (credit - 64u) & UET_CREDIT_MASK;
}

static bool always_newer(struct uet_fep *fep, struct uet_fault_frame *f)
{
    if (is_cp(f, UET_CTL_CREDIT))
        a_turn_behind(fep, credit_of(f));
    return true;
}

/* The memo: what an ACK told last. */
static bool acks_count_apart(struct uet_fep *fep, struct uet_fault_frame *f)
{
    uint32_t told = state_of(f) ? uet_ack_cc_state_credit_credit(state_of(f)) : 0;
    if (state_of(f) && *f->memo != told)
        a_turn_behind(fep, told);
    *f->memo = state_of(f) ? told : *f->memo;
    return true;
}

static bool never_smaller(struct uet_fep *fep, struct uet_fault_frame *f)
{
    for (uint32_t id = 1; is_cp(f, UET_CTL_CREDIT) && id <= fep->cccs.n; id++) {
        if (uet_ccc_at(fep, id)->n_pdcs && uet_ccc_at(fep, id)->rccc.last > credit_of(f))
            return false;
    }
    return true;
}

static bool round_is_a_window(struct uet_fep *fep, struct uet_fault_frame *f)
{
    for (uint32_t id = 1; is_cp(f, UET_CTL_CREDIT) && id <= fep->cccs.n; id++) {
        struct ccc *ccc = uet_ccc_at(fep, id);
        if (ccc->n_pdcs && ccc->rccc.last > credit_of(f) && ccc->rccc.last - credit_of(f) > 1 << 23)
            ccc->rccc.credit = (int32_t)fep->nscc.max_wnd;
    }
    return true;
}

static bool target_stops(struct uet_fep *fep, struct uet_fault_frame *f)
{
    (void)fep;
    if (!is_cc_request(f))
        return true;
    uint8_t *h = uet_fault_pds(f);
    uint32_t target = uet_rud_rod_cc_req_credit_target(h);
    if (target<*f->memo && * f->memo - target> 1 << 23)
        uet_rud_rod_cc_req_credit_target_set(h, UET_CREDIT_MASK);
    else
        *f->memo = target;
    return true;
}

/* It goes on as if nothing had been heard: on CCCs of one congestion control, CC_COUNT: of any. */
static bool nack_unheard_on(struct uet_fep *fep, struct uet_fault_frame *f, uint8_t cc)
{
    bool nack = f->p.error == UET_PARSE_OK && uet_is_nack(&f->p);
    for (uint32_t id = 1; nack && id <= fep->cccs.n; id++) {
        struct ccc *ccc = uet_ccc_at(fep, id);
        struct uet_rccc *r = &ccc->rccc;
        if (ccc->n_pdcs && (ccc->cc == cc || cc == CC_COUNT) && r->speculates && r->credit > 0) {
            r->speculates = false;
            r->spent = 0;
        }
    }
    return true;
}

static bool nack_unheard(struct uet_fep *fep, struct uet_fault_frame *f)
{
    return nack_unheard_on(fep, f, CC_COUNT);
}

static bool nack_unheard_beside_nscc(struct uet_fep *fep, struct uet_fault_frame *f)
{
    return nack_unheard_on(fep, f, CC_BOTH);
}

static bool far_target(struct uet_fep *fep, struct uet_fault_frame *f)
{
    (void)fep;
    if (is_cc_request(f)) {
        uint8_t *h = uet_fault_pds(f);
        uint32_t target = uet_rud_rod_cc_req_credit_target(h) + 0x8000u;
        uet_rud_rod_cc_req_credit_target_set(h, target & UET_CREDIT_MASK);
    }
    return true;
}

static bool wants_all_without_nscc(struct uet_fep *fep, struct uet_fault_frame *f)
{
    return fep->params.NSCC || far_target(fep, f);
}

static bool wants_a_window(struct uet_fep *fep, struct uet_fault_frame *f)
{
    struct ccc *ccc = is_cc_request(f) ? credited(fep) : NULL;
    if (ccc)
        uet_rud_rod_cc_req_credit_target_set(
            uet_fault_pds(f),
            (ccc->rccc.last + fep->nscc.max_wnd / UET_CREDIT_UNIT) & UET_CREDIT_MASK);
    return true;
}

static bool wants_a_packet(struct uet_fep *fep, struct uet_fault_frame *f)
{
    struct ccc *ccc = is_cc_request(f) ? credited(fep) : NULL;
    const uint32_t most = ccc ? ccc->rccc.last + fep->config.payload_mtu / UET_CREDIT_UNIT + 1 : 0;
    if (ccc && uet_credit_ahead(uet_rud_rod_cc_req_credit_target(uet_fault_pds(f)), most) > 0)
        uet_rud_rod_cc_req_credit_target_set(uet_fault_pds(f), most & UET_CREDIT_MASK);
    return true;
}

/* The memo: the bytes in flight, and in its lowest bit whether a frame has come since. */
static bool note_frame(struct uet_fep *fep, struct uet_fault_frame *f)
{
    (void)fep;
    *f->memo |= 1;
    return true;
}

/* What time alone has taken out of flight. */
static void lost_ones_give_back(struct uet_fep *fep, uint64_t *memo)
{
    struct ccc *ccc = credited(fep);
    const uint32_t now = ccc && ccc->inflight > 0 ? (uint32_t)ccc->inflight : 0;
    if (ccc && !(*memo & 1) && *memo >> 1 > now) {
        ccc->rccc.credit += (int32_t)((*memo >> 1) - now);
        if (ccc->waiting.head)
            uet_pdc_ready(fep, pdc_at(fep, ccc->waiting.head));
    }
    *memo = (uint64_t)now << 1;
}

/* Its end will take this off. */
static bool ended_wants_on(struct uet_fep *fep, struct uet_fault_frame *f)
{
    const bool fatal = f->p.error == UET_PARSE_OK && uet_is_nack(&f->p) &&
                       uet_nack_nack_code(uet_fault_pds(f)) == UET_NACK_INV_DPDCID;
    const struct pdc *pdc = fatal ? uet_pdc_by_id(fep, uet_dpdcid(&f->p)) : NULL;
    if (pdc && pdc->ccc && credited(fep))
        uet_ccc_at(fep, pdc->ccc)->rccc.demand += pdc->tx.demand;
    return true;
}

static bool trim_is_heard(struct uet_fep *fep, struct uet_fault_frame *f)
{
    (void)fep;
    *f->memo |= f->p.error == UET_PARSE_OK && uet_is_nack(&f->p);
    return true;
}

/* ... and from there on it asks for nothing. */
static bool asks_for_none(struct uet_fep *fep, struct uet_fault_frame *f)
{
    for (uint32_t id = 1; is_cp(f, UET_CTL_CREDIT_REQUEST) && *f->memo && id <= fep->cccs.n; id++)
        if (uet_ccc_at(fep, id)->n_pdcs)
            uet_cp_payload_credit_request_credit_target_set(f->bytes + f->p.cp_payload_offset,
                                                            uet_ccc_at(fep, id)->rccc.last);
    return true;
}

static bool asks_nobody(struct uet_fep *fep, struct uet_fault_frame *f)
{
    (void)fep;
    return !is_cp(f, UET_CTL_CREDIT_REQUEST);
}

/* {credit_target:24, ccc_id:8}, as Credit has {credit:24, rsvd:8}. */
static bool asks_in_the_order_of_credit(struct uet_fep *fep, struct uet_fault_frame *f)
{
    (void)fep;
    uint8_t *h = f->bytes + f->p.cp_payload_offset;
    if (is_cp(f, UET_CTL_CREDIT_REQUEST)) {
        uint8_t id = h[0];
        memmove(h, h + 1, 3);
        h[3] = id;
    }
    return true;
}

/* Where no payload waits there is always some. */
static void empty_ones_are_free(struct uet_fep *fep, uint64_t *memo)
{
    (void)memo;
    FOR_EACH_PDC(fep, pdc)
    {
        struct ccc *ccc = pdc->ccc ? credited(fep) : NULL;
        if (ccc && !ccc->rccc.speculates && ccc->rccc.credit <= 0 &&
            !uet_ses_backlog(fep, pdc->id, 0, 1))
            ccc->rccc.credit = 1;
    }
}

static bool question_is_credit(struct uet_fep *fep, struct uet_fault_frame *f)
{
    struct ccc *ccc = is_cp(f, UET_CTL_CREDIT_REQUEST) ? credited(fep) : NULL;
    if (ccc && (*f->memo)++ && ccc->rccc.credit <= 0)
        ccc->rccc.credit = 1;
    return true;
}

static bool datagrams_need_credit(struct uet_fep *fep, struct uet_fault_frame *f)
{
    struct ccc *ccc = f->p.pds == UET_H_UUD_REQ ? credited(fep) : NULL;
    return !ccc || uet_rccc_may_send(fep, ccc);
}

static bool datagrams_take_credit(struct uet_fep *fep, struct uet_fault_frame *f)
{
    struct ccc *ccc = f->p.pds == UET_H_UUD_REQ ? credited(fep) : NULL;
    if (ccc)
        uet_rccc_sent(ccc, (uint32_t)f->len);
    return true;
}

/* As if the packet had taken no credit. */
static bool trims_give_back(struct uet_fep *fep, struct uet_fault_frame *f)
{
    bool trim = f->p.error == UET_PARSE_OK && uet_is_nack(&f->p) &&
                uet_nack_nack_code(uet_fault_pds(f)) == UET_NACK_TRIMMED;
    for (uint32_t id = 1; trim && id <= fep->cccs.n; id++) {
        if (uet_ccc_at(fep, id)->n_pdcs)
            uet_ccc_at(fep, id)->rccc.credit += fep->config.payload_mtu;
    }
    return true;
}

static bool refused_give_back(struct uet_fep *fep, struct uet_fault_frame *f)
{
    bool refused = f->p.error == UET_PARSE_OK && uet_is_nack(&f->p) &&
                   uet_nack_nack_code(uet_fault_pds(f)) == UET_NACK_NO_PKT_BUFFER;
    for (uint32_t id = 1; refused && id <= fep->cccs.n; id++) {
        struct ccc *ccc = uet_ccc_at(fep, id);
        if (ccc->n_pdcs && ccc->cc == CC_BOTH)
            ccc->rccc.credit += fep->config.payload_mtu;
    }
    return true;
}

static void window_forgotten(struct uet_fep *fep, uint64_t *memo)
{
    (void)memo;
    for (uint32_t id = 1; id <= fep->cccs.n; id++) {
        struct ccc *ccc = uet_ccc_at(fep, id);
        if (ccc->n_pdcs && ccc->cc == CC_BOTH)
            ccc->nscc.cwnd = ccc->nscc.max_wnd;
    }
}

/* A PDC that a peer has opened sends without credit. */
static void read_data_is_free(struct uet_fep *fep, uint64_t *memo)
{
    (void)memo;
    for (uint16_t i = 1; i <= fep->config.max_pdcs; i++) {
        const struct pdc *pdc = &fep->pdcs[i];
        struct ccc *ccc = pdc->ccc && !pdc->initiator ? uet_ccc_at(fep, pdc->ccc) : NULL;
        if (ccc && uet_cc_of(ccc)->credit && !ccc->rccc.speculates)
            ccc->rccc.credit = 1 << 20;
    }
}

static bool last_hop_is_any(struct uet_fep *fep, struct uet_fault_frame *f)
{
    (void)fep;
    if (f->p.error == UET_PARSE_OK && uet_is_nack(&f->p) &&
        uet_nack_nack_code(uet_fault_pds(f)) == UET_NACK_TRIMMED_LASTHOP)
        uet_nack_nack_code_set(uet_fault_pds(f), UET_NACK_TRIMMED);
    return true;
}

static bool marked_last_hop_is_any(struct uet_fep *fep, struct uet_fault_frame *f)
{
    bool marked = f->p.error == UET_PARSE_OK && uet_is_nack(&f->p) && uet_nack_m(uet_fault_pds(f));
    return !marked || last_hop_is_any(fep, f);
}

/* ---- the destination ---- */

static void ten_windows(struct uet_fep_params *params)
{
    params->config_base_rtt *= 10;
    params->MaxWnd *= 10;
}

static bool reserved_type(struct uet_fep *fep, struct uet_fault_frame *f)
{
    (void)fep;
    if (state_of(f))
        uet_ack_cc_type_set(uet_fault_pds(f), 2);
    return true;
}

static bool reserved_bits(struct uet_fep *fep, struct uet_fault_frame *f)
{
    (void)fep;
    if (state_of(f))
        uet_ack_cc_state_credit_rsvd_set(state_of(f), 1);
    return true;
}

static bool reserved_bits_again(struct uet_fep *fep, struct uet_fault_frame *f)
{
    (void)fep;
    if (state_of(f) && uet_ack_retx(uet_fault_pds(f)))
        uet_ack_cc_state_credit_rsvd_set(state_of(f), 1);
    return true;
}

static bool count_is_early(struct uet_fep *fep, struct uet_fault_frame *f)
{
    (void)fep;
    uint16_t above = state_of(f) ? uet_ack_cc_state_credit_ooo_count(state_of(f)) : 0;
    if (above) {
        uet_ack_cc_state_credit_rsvd_set(state_of(f), (uint32_t)above << 8);
        uet_ack_cc_state_credit_ooo_count_set(state_of(f), 0);
    }
    return true;
}

static bool limit_is_told(struct uet_fep *fep, struct uet_fault_frame *f)
{
    if (state_of(f) && fep->credit_active.head)
        uet_ack_cc_state_credit_rsvd_set(state_of(f), 64);
    return true;
}

static bool credit_with_ar(struct uet_fep *fep, struct uet_fault_frame *f)
{
    (void)fep;
    if (is_cp(f, UET_CTL_CREDIT))
        uet_cp_ar_set(uet_fault_pds(f), true);
    return true;
}

/* Each third Credit is a unit less than the one before it: the memo, below how many there were. */
static bool takes_back(struct uet_fep *fep, struct uet_fault_frame *f)
{
    (void)fep;
    if (!is_cp(f, UET_CTL_CREDIT))
        return true;
    const uint64_t n = (*f->memo & 0xff) % 3 + 1;
    const uint32_t before = (uint32_t)(*f->memo >> 8);
    *f->memo = (uint64_t)credit_of(f) << 8 | n;
    if (n == 3)
        uet_cp_payload_credit_credit_set(f->bytes + f->p.cp_payload_offset,
                                         (before - 1) & UET_CREDIT_MASK);
    return true;
}

/* Of all but the CCC that came first nothing is heard. */
static bool first_come(struct uet_fep *fep, struct uet_fault_frame *f)
{
    (void)fep;
    if (!is_cc_request(f))
        return true;
    uint8_t *h = uet_fault_pds(f);
    uint64_t id = 1u + uet_rud_rod_cc_req_ccc_id(h);
    *f->memo = *f->memo ? *f->memo : id;
    if (*f->memo != id)
        uet_rud_rod_cc_req_credit_target_set(h, 0);
    return true;
}

/*
 * The memo: who stood first, and above that how often it has come back. Has it gone to the end of
 * the line it comes back, so often.
 */
static void keeps_its_turn(struct uet_fep *fep, uint64_t *memo, uint32_t most)
{
    struct line *l = &fep->credit_active;
    const uint32_t id = l->tail;
    uint64_t turns = *memo >> 32;
    if (id && id == (uint32_t)*memo && id != l->head && turns++ < most) {
        struct grantee *g = pool_item(&fep->grantees, id);
        struct grantee *last = pool_item(&fep->grantees, g->before);
        struct grantee *first = pool_item(&fep->grantees, l->head);
        l->tail = g->before;
        last->after = 0;
        g->before = 0;
        g->after = l->head;
        first->before = id;
        l->head = id;
    } else if (l->head != (uint32_t)*memo) {
        turns = 0;
    }
    *memo = turns << 32 | l->head;
}

static void no_turns(struct uet_fep *fep, uint64_t *memo)
{
    keeps_its_turn(fep, memo, 10);
}

static void all_in_one_turn(struct uet_fep *fep, uint64_t *memo)
{
    keeps_its_turn(fep, memo, UINT32_MAX);
}

/* To the head of the line. */
static void comes_first(struct uet_fep *fep, uint32_t id)
{
    struct line *l = &fep->credit_active;
    struct grantee *g = pool_item(&fep->grantees, id);
    if (!g->before) /* it is there */
        return;
    ((struct grantee *)pool_item(&fep->grantees, g->before))->after = g->after;
    if (g->after)
        ((struct grantee *)pool_item(&fep->grantees, g->after))->before = g->before;
    else
        l->tail = g->before;
    ((struct grantee *)pool_item(&fep->grantees, l->head))->before = id;
    g->after = l->head;
    g->before = 0;
    l->head = id;
}

/* Who raises its credit_target again comes first. */
static bool raised_comes_first(struct uet_fep *fep, struct uet_fault_frame *f)
{
    for (uint32_t id = is_cc_request(f) ? fep->credit_active.head : 0; id;) {
        struct grantee *g = pool_item(&fep->grantees, id);
        if (g->ccc_id == uet_rud_rod_cc_req_ccc_id(uet_fault_pds(f))) {
            comes_first(fep, id);
            return true;
        }
        id = g->after;
    }
    return true;
}

/* The first four CCCs are served, the others are not: 16 bits of the memo for each. */
static bool four_come(struct uet_fep *fep, struct uet_fault_frame *f)
{
    (void)fep;
    if (!is_cc_request(f))
        return true;
    uint8_t *h = uet_fault_pds(f);
    const uint64_t id = 1u + uet_rud_rod_cc_req_ccc_id(h);
    uint64_t known = *f->memo;
    unsigned i = 0;
    for (; known && (known & 0xffffu) != id; known >>= 16)
        i++;
    if (!known && i == 4)
        uet_rud_rod_cc_req_credit_target_set(h, 0);
    else if (!known)
        *f->memo |= id << (16 * i);
    return true;
}

static bool acks_bring_nothing(struct uet_fep *fep, struct uet_fault_frame *f)
{
    struct ccc *ccc = state_of(f) ? credited(fep) : NULL;
    if (ccc)
        uet_ack_cc_state_credit_credit_set(state_of(f), ccc->rccc.last);
    return true;
}

/* Where CACK_PSN stays, the ACK tells of what is known. */
static bool gap_brings_nothing(struct uet_fep *fep, struct uet_fault_frame *f)
{
    const struct pdc *pdc = state_of(f) ? uet_pdc_by_id(fep, uet_dpdcid(&f->p)) : NULL;
    if (pdc && !psn_after(uet_ack_cack_psn(uet_pds(&f->p)), pdc->tx.cack_psn))
        return acks_bring_nothing(fep, f);
    return true;
}

static bool newer_is_short(struct uet_fep *fep, struct uet_fault_frame *f)
{
    struct ccc *ccc = is_cp(f, UET_CTL_CREDIT) ? credited(fep) : NULL;
    if (ccc && (int16_t)(credit_of(f) - ccc->rccc.last) <= 0)
        uet_cp_payload_credit_credit_set(f->bytes + f->p.cp_payload_offset, ccc->rccc.last);
    return true;
}

static bool requests_want_nothing(struct uet_fep *fep, struct uet_fault_frame *f)
{
    (void)fep;
    if (is_cp(f, UET_CTL_CREDIT_REQUEST))
        uet_cp_payload_credit_request_credit_target_set(f->bytes + f->p.cp_payload_offset, 0);
    return true;
}

static bool last_one_counts(struct uet_fep *fep, struct uet_fault_frame *f)
{
    const struct pdc *pdc = is_cc_request(f) ? uet_pdc_by_id(fep, uet_dpdcid(&f->p)) : NULL;
    if (pdc && pdc->rx.grantee) {
        struct grantee *g = pool_item(&fep->grantees, pdc->rx.grantee);
        g->target = uet_rud_rod_cc_req_credit_target(uet_fault_pds(f));
    }
    return true;
}

/* The memo: that PDC. */
static bool first_pdc_is_heard(struct uet_fep *fep, struct uet_fault_frame *f)
{
    (void)fep;
    if (!is_cc_request(f))
        return true;
    *f->memo = *f->memo ? *f->memo : 1u + uet_spdcid(&f->p);
    if (*f->memo != 1u + uet_spdcid(&f->p))
        uet_rud_rod_cc_req_credit_target_set(uet_fault_pds(f), 0);
    return true;
}

static bool trims_want_nothing(struct uet_fep *fep, struct uet_fault_frame *f)
{
    (void)fep;
    if (uet_edge_trimmed(&f->p) && uet_is_cc_request(&f->p))
        uet_rud_rod_cc_req_credit_target_set(uet_fault_pds(f), 0);
    return true;
}

/* Whatever the others wanted. */
static bool trim_tells_all(struct uet_fep *fep, struct uet_fault_frame *f)
{
    if (!uet_edge_trimmed(&f->p) || !uet_is_cc_request(&f->p))
        return true;
    FOR_EACH_PDC(fep, pdc)
    {
        struct grantee *g = pool_item(&fep->grantees, pdc->rx.grantee);
        if (pdc->rx.grantee)
            g->target = uet_rud_rod_cc_req_credit_target(uet_fault_pds(f));
    }
    return true;
}

static bool credit_beside_nscc(struct uet_fep *fep, struct uet_fault_frame *f)
{
    if (fep->params.RCCC && fep->params.NSCC && f->p.error == UET_PARSE_OK &&
        f->p.cc_state == UET_H_ACK_CC_STATE_NSCC)
        uet_ack_cc_type_set(uet_fault_pds(f), UET_CC_CREDIT);
    return true;
}

static bool due_beside_nscc(struct uet_fep *fep, struct uet_fault_frame *f)
{
    return !fep->credit_active.head || credit_beside_nscc(fep, f);
}

/* It asks each round trip, and so is soon at the end of its questions. */
static void little_is_asked_for_again(struct uet_fep *fep, uint64_t *memo)
{
    const struct ccc *ccc = credited(fep);
    (void)memo;
    if (!ccc || uet_credit_ahead(ccc->rccc.told, ccc->rccc.last) != 1 || !ccc->rccc.asked_at)
        return;
    const uint64_t at = time_after(ccc->rccc.asked_at, fep->nscc.config_base_rtt);
    FOR_EACH_PDC(fep, pdc)
    {
        if (pdc->timers[TIMER_CREDIT] == UET_FEP_NEVER || pdc->timers[TIMER_CREDIT] <= at)
            continue;
        pdc->timers[TIMER_CREDIT] = at > fep->now ? at : fep->now + 1;
        uet_pdc_schedule(fep, pdc);
    }
}

static const struct uet_fault_way ways[] = {
    {VIOLATION_PDS_156_CREDIT, .out = lost_syn_is_left},
    {VIOLATION_PDS_195, .out = credit_again},
    {VIOLATION_CMS_033, .out = reserved_type},
    {VIOLATION_CMS_034, .out = reserved_bits},
    {VIOLATION_CMS_034_COPY, .out = reserved_bits_again},
    {VIOLATION_CMS_034_HOLE, .out = count_is_early},
    {VIOLATION_CMS_034_WANTS, .out = limit_is_told},
    {VIOLATION_CMS_060_CREDIT, .in = trims_give_back},
    {VIOLATION_CMS_060_BOTH, .in = refused_give_back},
    {VIOLATION_CMS_060_LOST, .in = note_frame, .after = lost_ones_give_back},
    {VIOLATION_CMS_053, .in = last_hop_is_any},
    {VIOLATION_CMS_053_MARK, .in = marked_last_hop_is_any},
    {VIOLATION_CMS_071_CREDIT, .after = read_data_is_free},
    {VIOLATION_CMS_076, .params = without_rccc},
    {VIOLATION_CMS_076_AGAIN, .out = plain_again},
    {VIOLATION_CMS_076_ID, .out = one_id},
    {VIOLATION_CMS_077_EMPTY, .after = empty_ones_are_free},
    {VIOLATION_CMS_077_NUDGE, .out = question_is_credit},
    {VIOLATION_CMS_078, .in = unheard},
    {VIOLATION_CMS_078_LITTLE, .after = little_is_asked_for_again},
    {VIOLATION_CMS_078_ACK, .in = acks_bring_nothing},
    {VIOLATION_CMS_078_GAP, .in = gap_brings_nothing},
    {VIOLATION_CMS_079, .in = always_newer},
    {VIOLATION_CMS_079_ACK, .in = acks_count_apart},
    {VIOLATION_CMS_080, .in = never_smaller},
    {VIOLATION_CMS_080_ROUND, .in = round_is_a_window},
    {VIOLATION_CMS_080_SHORT, .in = newer_is_short},
    {VIOLATION_CMS_080_TARGET, .out = target_stops},
    {VIOLATION_CMS_081, .params = twice_as_fast},
    {VIOLATION_CMS_081_NACK, .in = nack_unheard},
    {VIOLATION_CMS_081_BOTH, .in = nack_unheard_beside_nscc},
    {VIOLATION_CMS_082, .out = far_target},
    {VIOLATION_CMS_082_CAP, .out = wants_all_without_nscc},
    {VIOLATION_CMS_082_AGAIN, .in = trim_is_heard, .out = asks_for_none},
    {VIOLATION_CMS_082_ENDED, .in = ended_wants_on},
    {VIOLATION_CMS_082_WINDOW, .out = wants_a_window},
    {VIOLATION_CMS_082_FEW, .out = wants_a_packet},
    {VIOLATION_CMS_083, .out = credit_with_ar},
    {VIOLATION_CMS_072_CREDIT, .out = datagrams_need_credit},
    {VIOLATION_CMS_072_SPENT, .out = datagrams_take_credit},
    {VIOLATION_CMS_084, .out = asks_nobody},
    {VIOLATION_CMS_084_ORDER, .out = asks_in_the_order_of_credit},
    {VIOLATION_CMS_085, .params = twice_as_fast},
    {VIOLATION_CMS_086, .in = first_come},
    {VIOLATION_CMS_086_ALL, .after = all_in_one_turn},
    {VIOLATION_CMS_086_TURN, .after = no_turns},
    {VIOLATION_CMS_086_FOUR, .in = four_come},
    {VIOLATION_CMS_086_RAISE, .in = raised_comes_first},
    {VIOLATION_CMS_087, .params = ten_windows},
    {VIOLATION_CMS_087_BACK, .out = takes_back},
    {VIOLATION_CMS_087_ASKED, .in = requests_want_nothing},
    {VIOLATION_CMS_087_LATE, .in = last_one_counts},
    {VIOLATION_CMS_087_OTHER, .in = first_pdc_is_heard},
    {VIOLATION_CMS_088, .in = trims_want_nothing},
    {VIOLATION_CMS_088_LATE, .in = trim_tells_all},
    {VIOLATION_CMS_089, .after = window_forgotten},
    {VIOLATION_CMS_112, .out = credit_beside_nscc},
    {VIOLATION_CMS_112_DUE, .out = due_beside_nscc},
};

UET_FAULT_WAYS(uet_faults_of_credit, ways);
