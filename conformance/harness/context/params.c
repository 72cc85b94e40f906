/* SPDX-License-Identifier: BSD-2-Clause */
/* Parameters of the FEP: told in fep.yaml, told by the FEP, set by the test. */
#include <stdio.h>
#include <string.h>

#include "conformance/harness/context/context.h"

bool uet_tc_told(struct uet_tc *tc, const char *name, uint64_t *value)
{
    return uet_dut_param(tc->session->dut, name, value) ||
           (tc->session->ut && uet_ut_param(tc->session->ut, name, value) == 0);
}

uint64_t uet_tc_told_or_least(struct uet_tc *tc, const char *name)
{
    uint64_t told = 0, least = 0;

    for (size_t i = 0; i < uet_dut_n_own_params; i++)
        if (strcmp(uet_dut_own_params[i].name, name) == 0)
            least = uet_dut_own_params[i].low;
    return uet_tc_told(tc, name, &told) && told > least ? told : least;
}

/* Set by the test, told in fep.yaml, or told by the FEP: the newest word holds. */
static bool known_param(struct uet_tc *tc, const char *name, uint64_t *value)
{
    for (size_t i = 0; i < tc->n_set; i++)
        if (strcmp(tc->set[i].name, name) == 0) {
            *value = tc->set[i].value;
            return true;
        }
    return uet_tc_told(tc, name, value);
}

uint64_t uet_tc_param(struct uet_tc *tc, const char *name)
{
    uint64_t value;

    if (!known_param(tc, name, &value))
        uet_skip_for(tc, UET_SKIP_PARAMETER, "unknown parameter: %s (fep.yaml: parameters)", name);
    return value;
}

/* 1.5 BDPs of the sender's link (3.6.13.3); a window holds at least a packet and its headers. */
uint64_t uet_tc_max_wnd(struct uet_tc *tc)
{
    uint64_t wnd, rate, rtt, least = 2ull * tc->session->dut->payload_mtu;

    if (!known_param(tc, "MaxWnd", &wnd) || !wnd) {
        if (!known_param(tc, "sender_link_rate", &rate) ||
            !known_param(tc, "config_base_rtt", &rtt))
            return 0;
        wnd = rate * rtt * 3 / 16000;
    }
    return wnd > least ? wnd : least;
}

/*
 * The rules judge a window while NSCC is known to be on, and all is told that they need for it.
 * With RCCC they leave it to the tests: there it is credit that lets a packet go (3.6.14). Of that
 * they judge what CC Requests spend; a CCC may have begun when MaxWnd was larger than it is now.
 */
void uet_tc_tell_window(struct uet_tc *tc)
{
    uint64_t on, rccc, rto = 0, tail = 0, credit = tc->window.max_credit, wnd = uet_tc_max_wnd(tc);

    (void)known_param(tc, "RTO_Init_Time", &rto);
    (void)known_param(tc, "Tail_Loss_Time", &tail);
    tc->window = (struct uet_rules_window){
        .max_credit = wnd > credit ? wnd : credit,
        .loss_ns = tail && tail < rto ? tail : rto,
    };
    if (!tc->session->dut->claims[UET_PICS_NSCC] || !known_param(tc, "NSCC", &on) || !on)
        return;
    if (known_param(tc, "RCCC", &rccc) && rccc)
        return;
    tc->window.max_wnd = wnd;
}

/* What the FEP has now, which the next body in place is to find. */
static void note_before(struct uet_tc *tc, const char *name)
{
    size_t i = tc->n_before;

    while (i > 0 && strcmp(tc->before[i - 1].name, name) != 0)
        i--;
    if (i > 0 || tc->n_before == UET_MAX_SET)
        return;
    struct uet_dut_param *before = &tc->before[tc->n_before];
    snprintf(before->name, sizeof(before->name), "%s", name);
    if (uet_ut_param(tc->session->ut, name, &before->value) == 0)
        tc->n_before++;
    else
        tc->session->spent = true;
}

void uet_tc_params_back(struct uet_tc *tc)
{
    for (size_t i = 0; i < tc->n_before; i++)
        if (uet_ut_set(tc->session->ut, tc->before[i].name, tc->before[i].value) != 0)
            tc->session->spent = true;
    tc->n_before = 0;
}

static void note_set(struct uet_tc *tc, const char *name, uint64_t value)
{
    size_t i = 0;

    while (i < tc->n_set && strcmp(tc->set[i].name, name) != 0)
        i++;
    if (i == UET_MAX_SET)
        uet_error(tc, "a test sets at most %d parameters", UET_MAX_SET);
    snprintf(tc->set[i].name, sizeof(tc->set[i].name), "%s", name);
    tc->set[i].value = value;
    if (i == tc->n_set)
        tc->n_set++;
    uet_tc_tell_window(tc);
    struct uet_session *s = tc->session;
    if (s->in_place > 1 && strcmp(name, "RTO_Init_Time") == 0 && value > s->held_rto_ns)
        s->held_rto_ns = value;
}

/* PIXIT (fep.yaml: rto-fixed): what cannot be set is not tried. */
static bool is_fixed(const struct uet_tc *tc, const char *name)
{
    uint64_t fixed = 0;

    (void)uet_dut_param(tc->session->dut, "rto-fixed", &fixed);
    return fixed && strcmp(name, "RTO_Init_Time") == 0;
}

bool uet_try_param(struct uet_tc *tc, const char *name, uint64_t value)
{
    if (is_fixed(tc, name)) {
        snprintf(uet_tc_need_ut(tc)->error, sizeof(tc->session->ut->error),
                 "fep.yaml tells rto-fixed");
        return false;
    }
    bool in_place = tc->session->in_place > 1;
    if (tc->keeps_state && !in_place) { /* nothing would set it back */
        snprintf(uet_tc_need_ut(tc)->error, sizeof(tc->session->ut->error),
                 "there is no verb `reset`");
        return false;
    }
    if (in_place)
        note_before(tc, name);
    int rc = uet_ut_set(uet_tc_need_ut(tc), name, value);

    uet_tc_answered(tc, rc, "set");
    if (rc)
        return false;
    note_set(tc, name, value);
    return true;
}

void uet_set_param(struct uet_tc *tc, const char *name, uint64_t value)
{
    if (!uet_try_param(tc, name, value))
        uet_skip_for(tc, UET_SKIP_VERB, "the FEP cannot set %s to %llu: %s", name,
                     (unsigned long long)value, tc->session->ut->error);
}

/* ---- timers and retries ---- */

/* What never comes again (0 is in the range of both, 3.5.5) leaves most tests of losses nothing to
 * see: where it can, the FEP is made to retry as by default. */
void uet_tc_let_retry(struct uet_tc *tc)
{
    static const char *const counts[] = {"Max_RTO_Retx_Cnt", "Max_NACK_Retx_Cnt"};
    uint64_t count;

    for (size_t i = 0; tc->session->ut && i < sizeof(counts) / sizeof(*counts); i++)
        if (known_param(tc, counts[i], &count) && count == 0)
            uet_try_param(tc, counts[i], 5);
}

void uet_need_retries(struct uet_tc *tc)
{
    uint64_t count;

    if (known_param(tc, "Max_RTO_Retx_Cnt", &count) && count == 0)
        uet_skip(tc, "Max_RTO_Retx_Cnt is 0: this FEP never sends a packet again");
}

/*
 * Where the tester comes late, a FEP retransmits what the tester was about to acknowledge: right,
 * and of no use to a test.
 */
void uet_tc_slow_timers(struct uet_tc *tc)
{
    double slow = tc->session->slow;
    uint64_t rto;

    if (uet_tc_virtual_time(tc) || slow <= 1 || !tc->session->ut)
        return;
    if (known_param(tc, "RTO_Init_Time", &rto))
        uet_try_param(tc, "RTO_Init_Time", (uint64_t)((double)rto * slow));
}

uint64_t uet_tc_quiet(struct uet_tc *tc)
{
    /* By these a FEP does by itself what it has not done yet. */
    static const char *const timers[] = {"RTO_Init_Time", "NACK_Retx_Time", "PDS_Clear_Time"};

    if (tc->quiet_ns)
        return tc->quiet_ns;
    tc->quiet_ns = uet_dut_quiet(tc->session->dut);
    for (size_t i = 0; i < sizeof(timers) / sizeof(timers[0]); i++) {
        uint64_t told;

        if (uet_tc_told(tc, timers[i], &told) && uet_tc_latest(tc, told) > tc->quiet_ns)
            tc->quiet_ns = uet_tc_latest(tc, told);
    }
    return tc->quiet_ns;
}
