/* SPDX-License-Identifier: BSD-2-Clause */
#include "conformance/cli/run/strangers.h"

/* As long as for the tester's own addresses (port/afpacket.h). */
#define ASK_NS UINT64_C(300000000)

/* One of the run's own is not heard on the cable by a port beside it. */
static bool is_ours(const struct uet_dut *dut, const struct uet_ip *ip)
{
    return uet_dut_is_tester(dut, ip) || uet_ip_equal(&dut->address, ip);
}

static bool is_of_the_run(const struct uet_target *base, const struct uet_setups *setups,
                          const struct uet_ip *ip)
{
    bool ours = is_ours(&base->dut, ip);

    for (size_t p = 1; p < UET_MAX_PLACES; p++)
        ours = ours || (setups->session[p] && is_ours(&setups->target[p].dut, ip));
    for (size_t i = 0; i < setups->alike.n; i++)
        ours = ours || is_ours(&setups->alike.target[i].dut, ip);
    return ours;
}

static bool is_taken(const struct uet_target *t, const struct uet_target *base,
                     const struct uet_setups *setups)
{
    const uint32_t caps = t->port->caps;
    const struct uet_ip ip = uet_dut_stranger(&t->dut);

    if (caps & UET_PORT_VIRTUAL_TIME || !(caps & UET_PORT_SOURCE))
        return false; /* nobody else is there, or no stranger */
    return is_of_the_run(base, setups, &ip) ||
           uet_port_resolve(t->port, &ip, uet_port_now(t->port) + ASK_NS) == 0 ||
           uet_port_own(t->port, &ip) != 0;
}

void uet_ask_for_strangers(struct uet_session *session, const struct uet_target *base,
                           struct uet_setups *setups)
{
    session->stranger_taken = is_taken(base, base, setups);
    for (size_t i = 0; i < setups->alike.n; i++)
        session->stranger_taken |= is_taken(&setups->alike.target[i], base, setups);
    for (size_t p = 1; p < UET_MAX_PLACES; p++)
        if (setups->session[p])
            setups->session[p]->stranger_taken = is_taken(&setups->target[p], base, setups);
}
