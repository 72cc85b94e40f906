/* SPDX-License-Identifier: BSD-2-Clause */
/* The FEPs of a plan: what they share, and what each has for itself. */
#include "sim/plan/internal.h"

/* ---- one FEP ---- */

/* Few of everything: who comes last must wait or be told so. */
static void draw_limits(struct uet_fep_config *c, struct sim_random *r, unsigned tight)
{
    if (sim_percent(r, tight))
        c->max_pdcs = (uint16_t)sim_spread(r, 1, 16);
    if (sim_percent(r, tight))
        c->max_stored_responses = (uint16_t)sim_spread(r, 1, 32);
    if (sim_percent(r, tight))
        c->max_packets = (uint32_t)sim_spread(r, 2, 256);
    if (sim_percent(r, tight))
        c->max_rudi_packets = (uint32_t)sim_spread(r, 1, 32);
    if (sim_percent(r, tight))
        c->max_operations = (uint16_t)sim_spread(r, 1, 32);
    if (sim_percent(r, tight))
        c->max_messages = (uint16_t)sim_spread(r, 1, 16);
    if (sim_percent(r, tight))
        c->max_read_parts = (uint16_t)sim_spread(r, 1, 64);
}

/* Parameters of Table 3-28 and the FEP's own, within their ranges. */
static void draw_params(struct uet_fep_config *c, struct sim_random *r)
{
    static const struct {
        const char *name;
        uint64_t low, high;
    } rows[] = {
        {"Default_MPR", 1, 16},
        {"Max_ACK_Data_Size", 0, 8192},
        {"ACK_On_ECN", 0, 1},
        {"Enb_ACK_Per_Pkt", 0, 1},
        {"ACK_Gen_Trigger", 1, 32768},
        {"ACK_Gen_Min_Pkt_Add", 1, 2048},
        {"RTO_Init_Time", 500000, 20000000},
        {"Max_RTO_Retx_Cnt", 3, 15},
        {"NACK_Retx_Time", 10000, 5000000},
        {"Max_NACK_Retx_Cnt", 2, 31},
        {"PDS_Clear_Time", 1000, 5000000},
        {"Close_REQ_Time", 1000000, 100000000},
        {"Tail_Loss_Time", 100000, 5000000},
        {"Max_Tail_Loss_Retx", 0, 15},
        {"Limit_PSN_Range", 0, 1},
        {"Override_MPR_Zero_Value", 0, 127},
        {"MPR_Zero", 0, 1},
        {"New_PDC_Time", 100000, 100000000},
        {"Syn_Retx_Safety_Time", 0, 500000000},
        {"SES_Retry_Cnt", 0, 8},
        {"PDCs_Per_Tuple", 1, 4},
        {"Idle_Time", 1000000, 100000000},
        {"ACK_CC", 0, 1},
        {"SACK_Loss_Count", 0, 16},
        {"OOO_Loss_Count", 0, 64},
        {"EV_Loss", 0, 1},
        {"EV_Slots", 0, 64},
        {"Infer_Loss_Count", 0, 64},
    };

    for (size_t i = 0; i < sizeof(rows) / sizeof(*rows); i++) {
        uint64_t low = rows[i].low ? rows[i].low : 1;
        uint64_t value = sim_spread(r, low, rows[i].high) - (low - rows[i].low);
        if (rows[i].high == 1)
            value = sim_draw(r) & 1;
        /* A parameter that this FEP does not have stays away: the table grows. */
        if (sim_percent(r, 30))
            (void)uet_fep_param_set(&c->params, rows[i].name, value);
    }
    if (sim_percent(r, 30)) /* in steps of 16 */
        (void)uet_fep_param_set(&c->params, "Trimmable_ACK_Size", 16 * sim_between(r, 0, 64));
}

/* What conforming FEPs may do otherwise, one by one. */
static void draw_choices(struct uet_fep_choices *choices, struct sim_random *r)
{
    *choices = (struct uet_fep_choices){
        .sack_base = (uint8_t)sim_between(r, UET_SACK_AFTER_CACK, UET_SACK_BEHIND),
        .start_psn = (uint8_t)sim_between(r, UET_START_ANYWHERE, UET_START_AT_WRAP),
        .pdcids = (uint8_t)sim_between(r, UET_PDCIDS_RISING, UET_PDCIDS_SHUFFLED),
        .ack_each = sim_percent(r, 25),
        .ack_old = sim_percent(r, 25),
        .syn_resends = sim_percent(r, 25),
        .mismatch_says_tpdcid = sim_percent(r, 25),
        .cps_when_open = sim_percent(r, 15),
        .answer_delay_ns = sim_percent(r, 25) ? sim_spread(r, 1000, 1000000) : 0,
    };
}

/*
 * Payload MTU and encapsulation stay as the plan has them: both ends of a link share them. So does
 * the profile: a plan has operations of all.
 */
static const char *draw_variant(struct uet_fep_config *c, struct uet_fep_choices *choices,
                                struct sim_random *r)
{
    uint16_t mtu = c->payload_mtu;
    const bool over_udp = c->over_udp;
    const uint8_t profile = c->profile;
    const size_t n =
        21; /* those that there were first: plans stay what they are. See plan_draw_keeping */
    const char *name = uet_fep_variant(sim_draw(r) % n, NULL);

    (void)uet_fep_config_variant(c, name);
    c->payload_mtu = mtu;
    c->over_udp = over_udp;
    c->profile = profile;
    *choices = *c->choices;
    choices->no_no_op = choices->no_cp_noop = false; /* the plans have both for every FEP */
    return name;
}

static void draw_code_points(struct uet_fep_config *c, struct sim_random *r,
                             const struct sim_plan *plan)
{
    c->dscp_request = SIM_DSCP_TRIMMABLE;
    c->dscp_control = SIM_DSCP_CONTROL;
    c->dscp_rudi_uud = sim_percent(r, 50) ? SIM_DSCP_TRIMMABLE : SIM_DSCP_OTHER;
    c->dscp_trimmed = SIM_TRIMMED_MASK;
    c->dscp_trimmed_lasthop = plan->lasthop ? SIM_LASTHOP_MASK : 0;
}

/* ---- what they share ---- */

struct shared {
    bool v6, mixed_specs, variants, choices;
    uint8_t spec;
    uint16_t mtu[2]; /* mostly the same */
    unsigned tight;  /* percent */
};

static uint8_t draw_spec(struct sim_random *r)
{
    return (uint8_t)(sim_percent(r, 70) ? UET_SPEC_1_0_3
                                        : sim_between(r, UET_SPEC_1_0_2, UET_SPEC_1_0_1));
}

static void draw_fep(struct sim_plan *plan, struct sim_random *r, uint16_t i,
                     const struct shared *s)
{
    struct uet_fep_config *c = &plan->fep[i];

    uet_fep_config_default(c);
    c->spec = s->mixed_specs ? draw_spec(r) : s->spec;
    if (c->spec > plan->spec) /* older ones have the higher numbers */
        plan->spec = c->spec;
    c->protect = plan->protect;
    c->over_udp = !plan->native;
    c->udp_port = plan->udp_port;
    c->ip_protocol = plan->ip_protocol;
    draw_code_points(c, r, plan);
    c->seed = sim_mix(plan->seed, sim_mix(plan->scenario, 1000u + i));
    c->max_services = 8 * SIM_JOBS_MAX;
    c->max_regions = 12 * SIM_JOBS_MAX + 2;
    c->address = s->v6 ? (struct uet_ip){.version = 6, .bytes = {0x20, 0x01, 0x0d, 0xb8}}
                       : (struct uet_ip){.version = 4, .bytes = {192, 0, 2, 0}};
    c->address.bytes[uet_ip_len(&c->address) - 1] = (uint8_t)(i + 1);
    c->payload_mtu = s->mtu[sim_draw(r) & 1];
    draw_limits(c, r, s->tight);
    draw_params(c, r);
    if (s->choices && sim_percent(r, 60))
        draw_choices(&plan->choices[i], r);
    plan->variant[i] = "";
    if (s->variants && sim_percent(r, 60))
        plan->variant[i] = draw_variant(c, &plan->choices[i], r);
    if (c->max_pdcs > 1 && sim_percent(r, 15))
        c->reserved_pdcs = (uint16_t)sim_between(r, 1, c->max_pdcs / 2u);
}

static void draw_wire(struct sim_plan *plan, struct sim_random *r)
{
    plan->protect = sim_percent(r, 75) ? UET_PROTECT_CRC : UET_PROTECT_NONE;
    plan->unguarded = !plan->protect && sim_percent(r, 15);
    plan->native = sim_percent(r, 20);
    if (sim_percent(r, 10)) {
        plan->udp_port = (uint16_t)sim_between(r, 1024, 49151);
        plan->ip_protocol = (uint8_t)sim_between(r, 143, 252); /* those nobody has */
    }
}

/* An operator sets the RTO above the round trip, late answers included. */
static void lengthen_rto(struct sim_plan *plan)
{
    uint64_t latest = 0;

    for (uint16_t i = 0; i < plan->n_feps; i++)
        if (plan->choices[i].answer_delay_ns > latest)
            latest = plan->choices[i].answer_delay_ns;
    for (uint16_t i = 0; i < plan->n_feps; i++)
        if (plan->fep[i].params.RTO_Init_Time < 2 * latest)
            plan->fep[i].params.RTO_Init_Time = 2 * latest;
}

void plan_draw_feps(struct sim_plan *plan, struct sim_random *r)
{
    struct shared s = {
        .tight = sim_percent(r, 40) ? 40 : 0,
        .v6 = sim_percent(r, 30),
        .mixed_specs = sim_percent(r, 20),
        .spec = draw_spec(r),
        .choices = sim_percent(r, 40),
        .variants = sim_percent(r, 30),
    };
    bool narrow = sim_percent(r, 25);

    plan->n_jobs = (uint8_t)sim_between(r, 1, SIM_JOBS_MAX);
    plan->receives = 64;
    if (sim_percent(r, 15)) { /* sends find none */
        plan->receives = (uint16_t)sim_spread(r, 1, 8);
        plan->receive_delay_ns = sim_spread(r, 1000, 20000000);
    }
    plan->short_receives = sim_percent(r, 12);
    plan->truncate = sim_percent(r, 60);
    plan->generations = sim_percent(r, 15);
    s.mtu[0] = s.mtu[1] = (uint16_t)(1024u << sim_draw(r) % 4);
    if (sim_percent(r, 15))
        s.mtu[1] = (uint16_t)(1024u << sim_draw(r) % 4);
    draw_wire(plan, r);
    for (uint16_t i = 0; i < plan->n_feps; i++) {
        draw_fep(plan, r, i, &s);
        if (narrow) /* windows that long messages fill */
            plan->fep[i].params.Default_MPR = 1;
    }
    lengthen_rto(plan);
}
