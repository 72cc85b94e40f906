/* SPDX-License-Identifier: BSD-2-Clause */
#include "refimpl/law.h"

#include "refimpl/pds/pds.h"
#include "refimpl/tss/tss.h"

_Static_assert(PDC_PENDING + 1 == UET_PDC_STATES, "a row for each enum pdc_state");
_Static_assert(PSN_BEHIND + 1 == UET_PSN_PLACES, "a row for each enum psn_place");

static void pds_law_make(struct pds_law *law)
{
    *law = (struct pds_law){
        .takes = {[PDC_CREATING] = true, [PDC_ESTABLISHED] = true},
        .duplicates = {[true] = {{.answered = true}, {.answered = true}}}, /* PDS-128 */
        .reqs = {[UET_WISH_CLEAR] = UET_ACK_REQ_CLEAR, [UET_WISH_CLOSE] = UET_ACK_REQ_CLOSE},
        .acks = uet_ack_when_due,
        .sack_mask = {UINT64_MAX, UINT64_MAX},
        .sack_base = uet_sack_after_cack,
        .mpr_zero = uet_mpr_zero_override,
        .start_psn = uet_start_psn_anywhere,
        .no_limit = UINT16_MAX / 2,
        .backoff = 2,
        .resends_in_window = true,
        .close_waits = true,
        .guards_syn = true,
        .tells_mpr_zero = true,
    };
    uet_nacked_law(law->nacks);
    uet_cp_law(law->cps);
    uet_target_law(law->places);
}

/* The rule, as 1.0.3 and this FEP's usual way have it. */
static const struct uet_law the_rule = {
    .trimmed = {.no_pdc = UET_TRIMMED_NACK, /* that names none (PDS-044; contested) */
                .psn = {[PSN_NEW] = UET_TRIMMED_NACK,
                        [PSN_DUPLICATE] = UET_TRIMMED_ACK, /* contested: PDS-220 */
                        [PSN_AHEAD] = UET_TRIMMED_NACK,
                        [PSN_BEHIND] = UET_TRIMMED_NOTHING}},
    .queue_part = uet_part_append,
    .make_room = uet_initiator_make_room,
    .rudi = true,
    .callable = 1u << UET_CTL_NOOP | 1u << UET_CTL_NEGOTIATION | 1u << UET_CTL_PROBE,
};

/* What the versions differ in (config.spec). */
static void edit_for_version(struct uet_law *law, uint8_t spec)
{
    law->pds.nacks[UET_NACK_TRIMMED_ACK].reserved |= spec == UET_SPEC_1_0_3; /* again (PDS-223) */
    if (spec == UET_SPEC_1_0_3)
        return;
    law->pds.mpr_zero = uet_mpr_zero_unlimited;
    law->pds.guards_syn = law->pds.tells_mpr_zero = false;
    law->callable &= ~(1u << UET_CTL_NEGOTIATION); /* its payload is of 1.0.3 (3.5.16.7.1) */
    /* a datagram was a message like others (SES-035) */
    law->ses.ops[UET_OP_DATAGRAM_SEND].unnumbered = false;
}

/* What the FEPs of its profile go without (3.3.1). */
static void edit_for_profile(struct uet_law *law, const struct uet_fep_config *config)
{
    for (uint8_t feature = 0; feature < uet_n_profiles; feature++) {
        if (!uet_fep_config_has(config, feature))
            uet_ses_go_without(&law->ses, feature);
    }
    law->rudi = uet_fep_config_has(config, UET_FEATURE_RUDI);
}

static void choose_answers(struct pds_law *law, const struct uet_fep_choices *choices)
{
    static uint32_t (*const bases[])(const struct pdc *, const struct ack_about *) = {
        [UET_SACK_AFTER_CACK] = uet_sack_after_cack,
        [UET_SACK_AT_TRIGGER] = uet_sack_at_trigger,
        [UET_SACK_EIGHTS] = uet_sack_eights,
        [UET_SACK_BEHIND] = uet_sack_behind,
    };
    law->sack_base = bases[choices->sack_base];
    law->sack_mask[true] = choices->rod_sack_zero ? 0 : UINT64_MAX;
    law->acks = choices->ack_each ? uet_ack_each : uet_ack_when_due;
    law->nacks[UET_NACK_PDC_HDR_MISMATCH].names_no_pdc = !choices->mismatch_says_tpdcid;
    law->duplicates[false][false].answered = choices->ack_old;
    law->duplicates[false][true].answered = choices->ack_old;
    for (int retx = 0; choices->progress_nacked && retx < 2; retx++)
        law->duplicates[retx][true] = (struct uet_duplicate_row){false, UET_NACK_RCVD_SES_PROCG};
    if (choices->asks_by_cp)
        law->reqs[UET_WISH_CLOSE] = UET_ACK_NO_REQUEST;
    if (choices->behind_nacked)
        law->places[PSN_BEHIND][false].nack = UET_NACK_PSN_OOR_WINDOW;
}

static void choose_sending(struct pds_law *law, const struct uet_fep_choices *choices)
{
    static uint32_t (*const starts[])(struct uet_fep *, const struct pdc *) = {
        [UET_START_ANYWHERE] = uet_start_psn_anywhere,
        [UET_START_POSITIVE] = uet_start_psn_positive,
        [UET_START_AT_WRAP] = uet_start_psn_at_wrap,
    };
    static bool (*const orders[])(struct uet_fep *) = {
        [UET_PDCIDS_RISING] = NULL,
        [UET_PDCIDS_FALLING] = uet_pdcid_always_first,
        [UET_PDCIDS_SHUFFLED] = uet_pdcid_maybe_first,
    };
    law->start_psn = starts[choices->start_psn];
    law->free_first = orders[choices->pdcids];
    law->waits_for_peer = choices->waits_for_peer;
    law->keeps_syn = choices->syn_resends;
    law->asks_by_psn = choices->asks_by_psn;
}

static void choose_control_packets(struct pds_law *law, const struct uet_fep_choices *choices,
                                   uint8_t spec)
{
    if (choices->no_cp_noop)
        law->cps[UET_CTL_NOOP] = uet_cp_unknown;
    for (size_t i = 0; choices->reserved_cp_silent && i < UET_CTL_TYPES; i++) {
        if (law->cps[i] == uet_cp_unknown)
            law->cps[i] = uet_cp_nothing;
    }
    if (choices->noop_first)
        law->cps_at[UET_MOMENT_OPENING] = WANT(UET_CTL_NOOP);
    if (choices->cps_when_open)
        law->cps_at[UET_MOMENT_ESTABLISHED] = WANT(UET_CTL_NOOP) | WANT(UET_CTL_PROBE);
    if (choices->cps_when_open && spec == UET_SPEC_1_0_3)
        law->cps_at[UET_MOMENT_ESTABLISHED] |= WANT(UET_CTL_NEGOTIATION);
    if (choices->noop_back)
        law->cps_at[UET_MOMENT_OPENED] = WANT(UET_CTL_NOOP);
}

/* As the consortium's provider: no PSN above that is known to be free of replays. */
static uint32_t behind_start(uint32_t start_psn, uint32_t last_psn)
{
    (void)last_psn;
    return start_psn + 1;
}

/* Readings are the keys' own (uet_fep_domain_install). */
static void choose_security(struct tss_law *law, const struct uet_fep_choices *choices)
{
    if (choices->tss_floor_low)
        law->floor = behind_start;
    law->nacks_in_clear = choices->tss_nacks_in_clear;
}

/* What this FEP chose where the specification is free (choices.h). */
static void edit_for_choices(struct uet_law *law, const struct uet_fep_choices *choices,
                             uint8_t spec)
{
    struct ses_op *ops = law->ses.ops;
    if (choices->no_no_op)
        ops[UET_OP_NO_OP].takes = 0;
    law->ses.keeping.everywhere = choices->keeps_all;
    law->ses.keeping.headers_only = choices->keeps_headers;
    law->ses.keeping.told_at_once = choices->keeps_headers || choices->kept_told_at_once;
    if (choices->guarantees_all)
        law->ses.is_news = uet_ses_every_end_is_news;
    if (choices->reads_alone)
        law->ses.may_segment = uet_ses_segment_alone;
    choose_answers(&law->pds, choices);
    choose_sending(&law->pds, choices);
    choose_control_packets(&law->pds, choices, spec);
    choose_security(&law->tss, choices);
    if (choices->progress_ignored)
        law->pds.nacks[UET_NACK_RCVD_SES_PROCG].act = uet_nacked_nothing;
    if (choices->trimmed_syn_silent)
        law->trimmed.no_pdc = UET_TRIMMED_NOTHING;
    if (choices->trimmed_old_nacked)
        law->trimmed.psn[PSN_DUPLICATE] = UET_TRIMMED_NACK;
    if (choices->close_refused)
        law->machine.target[ROW_T14].states = 1u << PDC_ESTABLISHED;
    if (choices->close_req_silent)
        law->machine.target[ROW_T12].action = law->machine.target[ROW_T13_TIME].action =
            uet_pdc_end_unclosed;
    law->answer_delay_ns = choices->answer_delay_ns;
}

void uet_law_make(struct uet_fep *fep)
{
    fep->law = the_rule;
    pds_law_make(&fep->law.pds);
    fep->law.machine = uet_pdc_machine;
    uet_ses_law_make(&fep->law.ses);
    uet_sd_law(&fep->law.tss);
    edit_for_version(&fep->law, fep->config.spec);
    edit_for_profile(&fep->law, &fep->config);
    edit_for_choices(&fep->law, &fep->choices, fep->config.spec);
    uet_faults_rows(fep);
    uet_ses_law_order(&fep->law.ses);
}
