/* SPDX-License-Identifier: BSD-2-Clause */
/* What NSCC's parameters come to in a network (Table 3-82): formulas, and what overrides them. */
#include <string.h>

#include "refimpl/acts_as.h"
#include "refimpl/cms/cms.h"

/* The network for which the constants are made: 100 Gbit/s and 12 us (3.6.13.3). */
#define BASE_BDP     150000u
#define BASE_RTT_REF 12000u /* ns */

__extension__ typedef unsigned __int128 wide;

/* a x b / c, no more than 32 bits hold. */
static uint32_t scaled(uint64_t a, uint64_t b, uint64_t c)
{
    wide x = (wide)a * b / c;
    return x < INT32_MAX ? (uint32_t)x : INT32_MAX;
}

/* Mbit/s x ns = 1/8000 byte. */
static uint32_t bdp(uint32_t link_rate, uint64_t rtt_ns)
{
    return scaled(link_rate, rtt_ns, 8000);
}

static uint32_t or_formula(uint64_t told, uint32_t formula)
{
    return !told ? formula : told < INT32_MAX ? (uint32_t)told : INT32_MAX;
}

/*
 * alpha = 4 x scaling_a x scaling_b x MTU / target_qdelay, where scaling_a = BDP / 150000 and
 * scaling_b = target_qdelay / 12 us: the target falls out. Rounded up, so that what an increase
 * comes to as a whole number is not one less.
 */
static uint64_t alpha_q32(uint64_t told, uint32_t bdp_bytes, uint32_t mtu)
{
    const uint64_t below = told ? 1000000000ull : (uint64_t)BASE_BDP * BASE_RTT_REF / 4;
    const wide above = told ? (wide)told << 32 : ((wide)bdp_bytes * mtu) << 32;
    return (uint64_t)((above + below - 1) / below);
}

uint32_t uet_nscc_window(const struct uet_nscc_gains *gains, uint32_t rtt_ns)
{
    uint32_t window = scaled(bdp(gains->link_rate, rtt_ns), 3, 2);
    return window > gains->mtu ? window : gains->mtu;
}

/*
 * qa_threshold: what trims needs none; else (drop threshold / Plane_BDP - 1) x config_base_rtt with
 * the deepest queue of 3.6.17, five Plane_BDPs.
 */
static uint32_t qa_threshold(const struct uet_fep_params *p)
{
    uint64_t formula = p->trimming ? UINT32_MAX : 4 * p->config_base_rtt;
    return p->qa_threshold ? (uint32_t)p->qa_threshold : (uint32_t)formula;
}

struct uet_nscc_gains uet_nscc_gains(const struct uet_fep_config *config,
                                     const struct uet_fep_params *params)
{
    const struct uet_fep_params *p = params;
    const uint32_t rtt = (uint32_t)p->config_base_rtt, mtu = config->payload_mtu;
    const uint32_t peer = p->receiver_link_rate ? p->receiver_link_rate : p->sender_link_rate;
    const uint32_t rate = p->sender_link_rate < peer ? p->sender_link_rate : peer;
    const uint32_t b = bdp(rate, rtt);
    struct uet_nscc_gains g = {
        .alpha_q32 = alpha_q32(p->alpha, b, mtu),
        .fi_q8 = p->fi ? (uint64_t)p->fi << 8 : (uint64_t)((wide)b * 5 * mtu * 256 / BASE_BDP),
        .fi_scale_q16 = p->fi_scale ? scaled(p->fi_scale, 65536, 1000)
                                    : scaled((uint64_t)b, 65536, (uint64_t)BASE_BDP * 4),
        .eta = or_formula(p->eta, scaled((uint64_t)b * 3, mtu, (uint64_t)BASE_BDP * 20)),
        .mtu = mtu,
        .max_wnd = or_formula(p->MaxWnd, scaled(b, 3, 2)),
        .adjust_bytes = or_formula(p->adjust_bytes_threshold, 8 * mtu),
        .link_rate = p->sender_link_rate,
        .config_base_rtt = rtt,
        .target_qdelay = or_formula(p->target_qdelay, p->trimming ? rtt - rtt / 4 : rtt),
        .qa_threshold = qa_threshold(p),
        .adjust_period = or_formula(p->adjust_period_threshold, rtt),
        .tolerance = p->fast_increase_tolerance,
        .gamma = p->gamma,
        .max_md_jump = p->max_md_jump,
        .qa_gate = p->qa_gate,
        .quick_adapt = !p->disable_quick_adapt,
    };
    if (g.max_wnd < mtu)
        g.max_wnd = mtu;
    return g;
}

int uet_fep_param_acts_as(const struct uet_fep_config *config, const char *name, uint64_t *value)
{
    const struct uet_nscc_gains g = uet_nscc_gains(config, &config->params);
    const struct {
        const char *name;
        uint64_t value; /* as told: whole bytes, and a second's */
    } formulas[] = {
        {"target_qdelay", g.target_qdelay},
        {"MaxWnd", g.max_wnd},
        {"alpha", (uint64_t)((wide)g.alpha_q32 * 1000000000u >> 32)},
        {"fi", g.fi_q8 >> 8},
        {"fi_scale", ((uint64_t)g.fi_scale_q16 * 1000 + 32768) >> 16},
        {"eta", g.eta},
        {"qa_threshold", g.qa_threshold},
        {"adjust_bytes_threshold", g.adjust_bytes},
        {"adjust_period_threshold", g.adjust_period},
    };
    const int rc = uet_fep_config_get(config, name, value);

    for (size_t i = 0; !rc && i < sizeof(formulas) / sizeof(*formulas); i++)
        if (!strcmp(name, formulas[i].name))
            *value = formulas[i].value;
    return rc;
}
