/* SPDX-License-Identifier: BSD-2-Clause */
/* Faults of Probes and feedback (3.6.13), and of the paths that packets take (3.6.16). */
#include "refimpl/faults/cms/about.h"

/* ---- Probes, feedback ---- */

static bool probes_on(struct uet_fep *fep, struct uet_fault_frame *f)
{
    if (state_of(f) && ccc_of(fep))
        ccc_of(fep)->probe_due = true;
    return true;
}

static bool probes_on_nacks(struct uet_fep *fep, struct uet_fault_frame *f)
{
    if (f->p.error == UET_PARSE_OK && uet_is_nack(&f->p) && ccc_of(fep))
        ccc_of(fep)->probe_due = true;
    return true;
}

static bool probes_on_answers(struct uet_fep *fep, struct uet_fault_frame *f)
{
    if (f->p.error == UET_PARSE_OK && uet_is_ack(&f->p) && uet_ack_p(uet_fault_pds(f)) &&
        ccc_of(fep))
        ccc_of(fep)->probe_due = true;
    return true;
}

static bool answer_tells_nothing(struct uet_fep *fep, struct uet_fault_frame *f)
{
    if (f->p.error == UET_PARSE_OK && uet_is_ack(&f->p) && uet_ack_p(uet_fault_pds(f)) &&
        ccc_of(fep))
        ccc_of(fep)->probed_at = 0;
    return true;
}

static bool answer_on_credit_tells_nothing(struct uet_fep *fep, struct uet_fault_frame *f)
{
    return !is_both(fep) || answer_tells_nothing(fep, f);
}

static bool answer_is_not_served(struct uet_fep *fep, struct uet_fault_frame *f)
{
    (void)fep;
    if (state_of(f) && uet_ack_p(uet_fault_pds(f)))
        uet_ack_cc_state_nscc_service_time_set(state_of(f), 0);
    return true;
}

/* The memo: so many Probes are due for the first ACK. */
static bool many_arrive(struct uet_fep *fep, struct uet_fault_frame *f)
{
    FOR_EACH_PDC(fep, pdc)
    {
        if (state_of(f) && pdc->id == uet_dpdcid(&f->p) && ccc_of(fep) && ccc_of(fep)->probe_due)
            *f->memo = (uint32_t)uet_psn_diff(uet_ack_cack_psn(uet_pds(&f->p)), pdc->tx.cack_psn) +
                       (unsigned)__builtin_popcountll(uet_ack_cc_sack_bitmap(uet_pds(&f->p)));
    }
    return true;
}

static bool probes_for_each(struct uet_fep *fep, struct uet_fault_frame *f)
{
    bool probe = f->p.error == UET_PARSE_OK && uet_is_cp(&f->p) &&
                 uet_cp_ctl_type(uet_fault_pds(f)) == UET_CTL_PROBE;
    FOR_EACH_PDC(fep, pdc)
    {
        if (probe && *f->memo > 1 && pdc->id == uet_spdcid(&f->p)) {
            --*f->memo;
            pdc->wants |= WANT(UET_CTL_PROBE);
        }
    }
    return true;
}

static bool probe_is_data(struct uet_fep *fep, struct uet_fault_frame *f)
{
    if (f->p.error == UET_PARSE_OK && uet_is_cp(&f->p) &&
        uet_cp_ctl_type(uet_fault_pds(f)) == UET_CTL_PROBE)
        uet_fault_dscp(f, fep->config.dscp_request);
    return true;
}

/* With less than an MTU left it asks, and at the end of a message. */
static bool only_full_asks(struct uet_fep *fep, struct uet_fault_frame *f)
{
    const struct ccc *ccc = ccc_of(fep);
    if (!ccc || f->p.error != UET_PARSE_OK || !uet_is_request(&f->p) || !uet_is_ses_std(&f->p) ||
        uet_ses_req_eom(uet_ses(&f->p)) || ccc->nscc.cwnd >= fep->params.ACK_Gen_Trigger)
        return true;
    if (ccc->inflight + (int64_t)fep->nscc.mtu <= ccc->nscc.cwnd)
        uet_rud_rod_req_ar_set(uet_fault_pds(f), false);
    return true;
}

static bool mark_is_a_packet(struct uet_fep *fep, struct uet_fault_frame *f)
{
    (void)fep;
    if (f->p.error == UET_PARSE_OK && uet_is_ack(&f->p) && uet_ack_m(uet_fault_pds(f))) {
        uet_cp_type_set(uet_fault_pds(f), UET_PDS_CP);
        uet_cp_ctl_type_set(uet_fault_pds(f), UET_CTL_CREDIT);
    }
    return true;
}

/* ---- paths ---- */

/* Nine of ten Requests. */
static bool one_path(struct uet_fep *fep, struct uet_fault_frame *f)
{
    (void)fep;
    if (f->p.error == UET_PARSE_OK && uet_is_request(&f->p) && f->p.udp_offset && ++*f->memo % 10)
        uet_udp_src_port_set(f->bytes + f->p.udp_offset, 0xc123);
    return true;
}

static bool beside_the_set(struct uet_fep *fep, struct uet_fault_frame *f)
{
    (void)fep;
    if (f->p.error == UET_PARSE_OK && uet_is_request(&f->p) && f->p.udp_offset &&
        ++*f->memo % 4 == 0)
        uet_udp_src_port_set(f->bytes + f->p.udp_offset, (uint16_t)(0xc000 + (*f->memo & 0xff)));
    return true;
}

static bool rod_on_one_path(struct uet_fep *fep, struct uet_fault_frame *f)
{
    (void)fep;
    if (f->p.error == UET_PARSE_OK && uet_is_rod_request(&f->p) && f->p.udp_offset)
        uet_udp_src_port_set(f->bytes + f->p.udp_offset, 0xc069);
    return true;
}

static bool rod_in_one_ccc(struct uet_fep *fep, struct uet_fault_frame *f)
{
    (void)fep;
    if (f->p.error == UET_PARSE_OK && uet_is_rod_request(&f->p) && uet_is_cc_request(&f->p))
        uet_rud_rod_cc_req_ccc_id_set(uet_fault_pds(f), 1);
    return true;
}

/* The memo: the first entropy value, and a bit above it. */
static bool data_on_one_path(struct uet_fep *fep, struct uet_fault_frame *f)
{
    (void)fep;
    if (!is_read_data(f))
        return true;
    *f->memo = *f->memo ? *f->memo : 1u << 16 | uet_entropy(&f->p);
    if (f->p.udp_offset)
        uet_udp_src_port_set(f->bytes + f->p.udp_offset, (uint16_t)*f->memo);
    else
        uet_entropy_value_set(f->bytes + f->p.entropy_offset, (uint16_t)*f->memo);
    return true;
}

static bool last_bits_are_kept(struct uet_fep *fep, struct uet_fault_frame *f)
{
    (void)fep;
    uint16_t ev = f->p.error == UET_PARSE_OK ? uet_entropy(&f->p) & 0xfffc : 0;
    if (!ev || !uet_is_request(&f->p))
        return true;
    if (f->p.udp_offset)
        uet_udp_src_port_set(f->bytes + f->p.udp_offset, ev);
    else
        uet_entropy_value_set(f->bytes + f->p.entropy_offset, ev);
    return true;
}

static const struct uet_fault_way ways[] = {
    {VIOLATION_CMS_012, .out = mark_is_a_packet},
    {VIOLATION_CMS_057_SMALL, .out = only_full_asks},
    {VIOLATION_CMS_058, .in = probes_on},
    {VIOLATION_CMS_058_ANSWER, .in = probes_on_answers},
    {VIOLATION_CMS_058_MANY, .in = many_arrive, .out = probes_for_each},
    {VIOLATION_CMS_058_DATA, .out = probe_is_data},
    {VIOLATION_CMS_058_NACK, .in = probes_on_nacks},
    {VIOLATION_CMS_058_SERVED, .in = answer_is_not_served},
    {VIOLATION_CMS_058_TOLD, .in = answer_tells_nothing},
    {VIOLATION_CMS_058_BOTH, .in = answer_on_credit_tells_nothing},
    {VIOLATION_CMS_069_CCC, .out = rod_in_one_ccc},
    {VIOLATION_CMS_069, .out = rod_on_one_path},
    {VIOLATION_CMS_096, .out = one_path},
    {VIOLATION_CMS_096_SET, .out = beside_the_set},
    {VIOLATION_CMS_096_DATA, .out = data_on_one_path},
    {VIOLATION_CMS_102, .out = last_bits_are_kept},
};

UET_FAULT_WAYS(uet_faults_of_probes, ways);
