/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * RCCC, the destination's half (3.6.14.5, 3.6.14.6): sources that lack credit stand in one line,
 * and each in turn gets some, at the pace at which the line of this FEP could take what is sent for
 * it. When none lacks any, others get some beyond what they want, so that they may begin at once.
 */
#include "refimpl/cms/cms.h"

#define PACKETS_A_GRANT 4u
#define NOTHING_COSTS   1024u /* bytes: the pace of grants that grant nothing (min_grant_gap) */

#define HOST_TAKES_ALL 128u /* of host_pressure, as of rcv_cwnd_pend (3.6.13.2) */

enum { IN_NO_LINE, IN_ACTIVE, IN_IDLE };

size_t uet_grants_item_size(void)
{
    return sizeof(struct grantee);
}

static struct grantee *at(const struct uet_fep *fep, uint32_t id)
{
    return pool_item(&fep->grantees, id);
}

static int32_t lacks(const struct grantee *g)
{
    return uet_credit_ahead(g->target, g->granted);
}

/* Before all that it wants is granted, and, with idle_credit, as much as MaxWnd beyond that. */
static int32_t may_have(const struct uet_fep *fep, const struct grantee *g)
{
    return lacks(g) + (fep->params.idle_credit ? (int32_t)(fep->grant_ahead) : 0);
}

/* ---- the two lines ---- */

static struct line *line_of(struct uet_fep *fep, const struct grantee *g)
{
    return g->line == IN_ACTIVE ? &fep->credit_active : &fep->credit_idle;
}

static void take_out(struct uet_fep *fep, uint32_t id)
{
    struct grantee *g = at(fep, id);
    struct line *line = line_of(fep, g);
    if (g->line == IN_NO_LINE)
        return;
    if (g->before)
        at(fep, g->before)->after = g->after;
    else
        line->head = g->after;
    if (g->after)
        at(fep, g->after)->before = g->before;
    else
        line->tail = g->before;
    g->line = IN_NO_LINE;
}

static void put_last(struct uet_fep *fep, uint32_t id, uint8_t line)
{
    struct grantee *g = at(fep, id);
    take_out(fep, id);
    g->line = line;
    struct line *l = line_of(fep, g);
    g->after = 0;
    g->before = l->tail;
    if (l->tail)
        at(fep, l->tail)->after = id;
    else
        l->head = id;
    l->tail = id;
}

/* ---- who they are ---- */

static uint32_t *bucket(const struct uet_fep *fep, const struct uet_ip *from, uint8_t ccc_id)
{
    uint32_t h = 2166136261u ^ ccc_id;
    for (size_t i = 0; i < uet_ip_len(from); i++)
        h = (h ^ from->bytes[i]) * 16777619u;
    return &fep->grantee_hash[(h ^ (h >> 15)) & (fep->pdc_buckets - 1)];
}

void uet_grants_reset(struct uet_fep *fep)
{
    pool_reset(&fep->grantees);
    memset(fep->grantee_hash, 0, fep->pdc_buckets * sizeof *fep->grantee_hash);
    fep->credit_active = fep->credit_idle = (struct line){0, 0};
    fep->next_grant_at = 0;
    uet_arc_reset(fep);
}

uint32_t uet_grants_join(struct uet_fep *fep, const struct uet_ip *from, uint8_t ccc_id)
{
    uint32_t *head = bucket(fep, from, ccc_id), id = *head;
    while (id && (at(fep, id)->ccc_id != ccc_id || !uet_ip_equal(&at(fep, id)->from, from)))
        id = at(fep, id)->next;
    if (!id) {
        id = pool_get(&fep->grantees); /* there are as many as PDCs */
        *at(fep, id) = (struct grantee){.next = *head, .from = *from, .ccc_id = ccc_id};
        *head = id;
        fep->grant_ahead = uet_nscc_gains(&fep->config, &fep->params).max_wnd / UET_CREDIT_UNIT;
    }
    at(fep, id)->n_pdcs++;
    return id;
}

uint8_t uet_grants_ccc_id(const struct uet_fep *fep, uint32_t id)
{
    return at(fep, id)->ccc_id;
}

uint16_t uet_grants_pdc(const struct uet_fep *fep, uint32_t id)
{
    return at(fep, id)->pdc;
}

void uet_grants_leave(struct uet_fep *fep, uint32_t id, uint16_t other)
{
    struct grantee *g = at(fep, id);
    g->pdc = other;
    if (--g->n_pdcs)
        return;
    take_out(fep, id);
    uint32_t *link = bucket(fep, &g->from, g->ccc_id);
    while (*link != id)
        link = &at(fep, *link)->next;
    *link = g->next;
    pool_put(&fep->grantees, id);
}

uint32_t uet_grants_given(const struct uet_fep *fep, uint32_t id)
{
    return at(fep, id)->granted;
}

/* ---- what they get, and when ---- */

static uint32_t share_of(const struct uet_fep *fep)
{
    return PACKETS_A_GRANT * fep->config.payload_mtu / UET_CREDIT_UNIT;
}

/*
 * Nobody may want more than a window and a grant at once: a target is easily said, and credit for
 * nothing is taken from others. A source whose CCC is older than what is known of it here (all its
 * PDCs had ended, or this FEP began anew) goes on from where it is.
 */
static void bound(const struct uet_fep *fep, struct grantee *g)
{
    const int32_t beyond = lacks(g) - (int32_t)(fep->grant_ahead + share_of(fep));
    if (beyond > 0 && g->known)
        g->target = (g->target - (uint32_t)beyond) & UET_CREDIT_MASK;
    else if (beyond > 0)
        g->granted = (g->granted + (uint32_t)beyond) & UET_CREDIT_MASK;
    g->known = true;
}

void uet_grants_want(struct uet_fep *fep, uint32_t id, uint16_t pdc, uint32_t target, bool asks)
{
    struct grantee *g = at(fep, id);
    g->pdc = pdc;
    if (uet_credit_ahead(target, g->target) > 0)
        g->target = target;
    bound(fep, g);
    if (g->line != IN_ACTIVE && (asks || lacks(g) > 0))
        put_last(fep, id, IN_ACTIVE);
    else if (g->line == IN_NO_LINE && may_have(fep, g) > 0)
        put_last(fep, id, IN_IDLE);
}

/* The time in which so many bytes come in, with something to spare. */
static uint64_t time_of(struct uet_fep *fep, uint32_t bytes)
{
    const uint32_t open = HOST_TAKES_ALL - fep->params.host_pressure;
    uint64_t mbits = (uint64_t)fep->params.sender_link_rate * fep->params.credit_rate * open /
                     (100 * HOST_TAKES_ALL) * uet_arc_rate(fep) / UET_ARC_ONE;
    return (uint64_t)bytes * 8000 / (mbits ? mbits : 1);
}

/* The pace is kept where a call comes a little late. */
static void pace(struct uet_fep *fep, uint32_t units)
{
    uint64_t gap = time_of(fep, units ? units * UET_CREDIT_UNIT : NOTHING_COSTS);
    bool late = fep->now - fep->next_grant_at > gap;
    fep->next_grant_at = time_after(late ? fep->now : fep->next_grant_at, gap);
}

bool uet_grants_next(struct uet_fep *fep, struct uet_grant *grant)
{
    const bool active = fep->credit_active.head != 0;
    const uint32_t id = active ? fep->credit_active.head : fep->credit_idle.head;
    if (!id || fep->next_grant_at > fep->now)
        return false;
    struct grantee *g = at(fep, id);
    const uint32_t share = share_of(fep);
    int32_t room = active ? lacks(g) : may_have(fep, g);
    uint32_t units = room > 0 ? (uint32_t)room : 0;
    units = units < share ? units : share;
    g->granted = (g->granted + units) & UET_CREDIT_MASK;
    take_out(fep, id);
    if (lacks(g) > 0)
        put_last(fep, id, IN_ACTIVE);
    else if (may_have(fep, g) > 0)
        put_last(fep, id, IN_IDLE);
    pace(fep, units);
    *grant = (struct uet_grant){.pdc = g->pdc, .credit = g->granted};
    return true;
}

uint64_t uet_grants_deadline(const struct uet_fep *fep)
{
    return uet_grants_wait(fep) ? fep->next_grant_at : UET_FEP_NEVER;
}
