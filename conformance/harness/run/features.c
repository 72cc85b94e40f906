/* SPDX-License-Identifier: BSD-2-Clause */
#include "conformance/harness/run/features.h"

#include <string.h>

#include "conformance/harness/preamble/preamble.h"

/* An exchange: a session of its own, and whether the FEP went along. */
struct trial {
    struct uet_session session; /* first: a test's body finds the rest behind it */
    bool holds;
};

static bool acknowledged(struct uet_tc *tc, const struct uet_out *o, bool as_ack_cc)
{
    const struct uet_want ack = {.kind = UET_WANT_ACK, .pdc = o->pdc};

    uet_send(tc, o);
    const struct uet_in *in = uet_maybe(tc, &ack, 0);
    return in && (!as_ack_cc || uet_is_ack_cc(&in->packet));
}

static void is(struct uet_tc *tc, bool holds)
{
    ((struct trial *)tc->session)->holds = holds;
}

/* A PDC that a NO_OP opens. */
static struct uet_out opening(struct uet_tc *tc, bool rod)
{
    struct uet_pdc *pdc = uet_pdc_new(tc);

    pdc->rod = rod;
    return uet_any_request(pdc);
}

static void no_op(struct uet_tc *tc)
{
    struct uet_out o = opening(tc, false);

    is(tc, acknowledged(tc, &o, false));
}

static void rod(struct uet_tc *tc)
{
    struct uet_out o = opening(tc, true);

    is(tc, acknowledged(tc, &o, false));
}

static void ack_cc(struct uet_tc *tc)
{
    struct uet_out o = opening(tc, false);

    is(tc, acknowledged(tc, &o, true));
}

static void control_packet(struct uet_tc *tc, uint8_t ctl_type)
{
    struct uet_out o = opening(tc, false);

    if (!acknowledged(tc, &o, false))
        return;
    struct uet_out cp = uet_cp(o.pdc, ctl_type);
    const struct uet_want answer = {.kind = UET_WANT_ACK, .pdc = o.pdc};

    uet_send(tc, &cp);
    is(tc, uet_maybe(tc, &answer, 0) != NULL);
}

static void cp_noop(struct uet_tc *tc)
{
    control_packet(tc, UET_CTL_NOOP);
}

static void probe(struct uet_tc *tc)
{
    control_packet(tc, UET_CTL_PROBE);
}

#define TRIAL(word, does, says)                                                                    \
    {                                                                                              \
        .id = "setup." word, .requirements = "PDS-203", .role = UET_ROLE_TARGET, .body = (does),   \
        .purpose = (says)                                                                          \
    }

static const struct {
    enum uet_pics_item item;
    struct uet_test test;
} features[UET_N_FEATURES] = {
    {UET_PICS_NO_OP, TRIAL("no-op", no_op, "Is a NO_OP acknowledged?")},
    {UET_PICS_ROD, TRIAL("rod", rod, "Does a ROD Request open a PDC?")},
    {UET_PICS_CP_NOOP, TRIAL("cp-noop", cp_noop, "Is a NOOP Control Packet acknowledged?")},
    {UET_PICS_PROBE, TRIAL("probe", probe, "Is a Probe answered?")},
    {UET_PICS_ACK_CC, TRIAL("ack-cc", ack_cc, "Are its ACKs ACK_CCs?")},
};

void uet_find_features(struct uet_session *session, struct uet_dut *dut,
                       struct uet_feature found[UET_N_FEATURES])
{
    memset(dut->claims, 0, sizeof(dut->claims));
    dut->claims[UET_PICS_RUD] = dut->claims[UET_PICS_NO_OP] = true; /* what the trials say */
    for (size_t i = 0; i < UET_N_FEATURES; i++) {
        struct trial t = {.session = *session};
        struct uet_result result = {0};

        t.session.pcap_dir = NULL;
        uet_tc_run(&t.session, &features[i].test, &result);
        memcpy(session->used_pdcids, t.session.used_pdcids, sizeof(session->used_pdcids));
        found[i] = (struct uet_feature){features[i].item, t.holds};
    }
    dut->claims[UET_PICS_NO_OP] = false;
    for (size_t i = 0; i < UET_N_FEATURES; i++)
        dut->claims[found[i].item] = found[i].holds;
}
