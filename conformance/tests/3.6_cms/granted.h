/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * The tester as sources that want credit of a FEP with RCCC (3.6.14.5). Where the count of credit
 * begins is not public: each source first hears where it stands, and wants more from there on.
 */
#ifndef UET_CONFORMANCE_TESTS_GRANTED_H
#define UET_CONFORMANCE_TESTS_GRANTED_H

#include "conformance/tests/3.6_cms/credited.h"
#include "conformance/tests/pds_target.h"

#define GRANTS       1024u /* the most that is looked at */
#define SOURCES_MOST 8u
#define STEPS_MOST   8u
#define FIRST_CCC    17u /* ccc_id */
#define AT_FIRST     1u  /* credit_target that opens a CCC: what is there is a packet of it */

/* A CCC of the tester's, on a PDC of its own. */
struct wanting {
    struct uet_pdc *pdc;
    uint8_t ccc_id;
    bool heard, since; /* a Credit: ever (from there on it must not fall); since it wants more */
    uint32_t target, granted, base; /* in units; base: granted when all had heard since */
};

/* What came of credit, in the order in which it came. */
struct credits {
    struct uet_tc *tc;
    struct uet_memory memory;
    struct wanting source[SOURCES_MOST];
    uint32_t sources;
    uint32_t n;     /* grants since more is wanted */
    uint32_t step;  /* the largest */
    uint64_t known; /* ns: since when all wants are acknowledged; 0: not yet */
    bool together;  /* all wanted more at the same time, and it knew of that */
    uint32_t apart; /* how far two of them were apart at most from there on */
    uint64_t first_ns, last_ns;
    uint32_t after_first; /* units granted after the first grant */
};

/* A Request that tells of the wants of its CCC. */
static inline struct uet_out on_credit(struct uet_out o, const struct wanting *w)
{
    uet_rud_rod_req_type_set(o.pds, w->pdc->rod ? UET_PDS_ROD_CC_REQ : UET_PDS_RUD_CC_REQ);
    o.pds_len = UET_RUD_ROD_CC_REQ_BYTES;
    uet_rud_rod_cc_req_ccc_id_set(o.pds, w->ccc_id);
    uet_rud_rod_cc_req_credit_target_set(o.pds, w->target & CREDIT_MASK);
    return o;
}

static inline struct uet_out small_write(struct credits *c, struct wanting *w)
{
    return on_credit(uet_write(w->pdc, &c->memory, 0, uet_tc_bytes(c->tc, 16), 16), w);
}

/* The window of a source that wants all that it may: MaxWnd, or 1.5 BDPs. */
static inline uint32_t window_units(struct uet_tc *tc)
{
    return (uint32_t)(max_wnd(tc) / UET_CREDIT_UNIT);
}

/* ---- what comes ---- */

/*
 * All want more, and it knows of that, for each has heard since or has an ACK of its wants: from
 * now on their shares are compared.
 */
static inline void compare(struct credits *c, uint64_t now)
{
    const bool known = c->known && now > c->known;
    int32_t least = INT32_MAX, most = INT32_MIN;
    bool all = true;

    for (uint32_t i = 0; i < c->sources; i++)
        all &= (c->source[i].since || known) &&
               units_ahead(c->source[i].target, c->source[i].granted) > 0;
    for (uint32_t i = 0; all && i < c->sources; i++) {
        struct wanting *w = &c->source[i];
        w->base = c->together ? w->base : w->granted;
        int32_t share = units_ahead(w->granted, w->base);
        least = share < least ? share : least;
        most = share > most ? share : most;
    }
    c->together |= all;
    if (all && (uint32_t)(most - least) > c->apart)
        c->apart = (uint32_t)(most - least);
}

static inline void note_credit(struct credits *c, struct wanting *w, uint32_t units, uint64_t now)
{
    int32_t more = w->heard ? units_ahead(units, w->granted) : 0;

    uet_check(c->tc, "CMS-087", more >= 0, "credit %u, after %u", units, w->granted);
    w->heard = w->since = true;
    c->step = (uint32_t)more > c->step ? (uint32_t)more : c->step;
    c->first_ns = c->n ? c->first_ns : now;
    c->after_first += c->n ? (uint32_t)more : 0;
    c->last_ns = now;
    c->n++;
    w->granted = units;
    compare(c, now);
}

/* One of them is short of what it wants. */
static inline bool some_lack(const struct credits *c)
{
    for (uint32_t i = 0; i < c->sources; i++)
        if (!c->source[i].heard || units_ahead(c->source[i].target, c->source[i].granted) > 0)
            return true;
    return false;
}

/*
 * By Credit CPs (CMS-083); false: no more come. What is wanted may take its time, as any answer: by
 * its line rate a destination may grant rarely (3.6.14).
 */
static inline bool take_credit(struct credits *c)
{
    const struct uet_in *cp = maybe(c->tc, CP_ON(NULL, UET_CTL_CREDIT),
                                    .within = some_lack(c) ? 0 : uet_tc_latest(c->tc, UET_MS));

    if (!cp)
        return false;
    field(c->tc, "CMS-083", cp, UET_F_PDS_PSN, 0);
    field(c->tc, "CMS-083", cp, UET_F_PDS_AR, 0);
    field(c->tc, "PDS-195", cp, UET_F_PDS_RETX, 0);
    for (uint32_t i = 0; i < c->sources; i++)
        if (c->source[i].pdc == cp->pdc)
            note_credit(c, &c->source[i],
                        uet_cp_payload_credit_credit(uet_cp_payload_of(&cp->packet)), cp->time_ns);
    return true;
}

static inline void take_all(struct credits *c)
{
    while (c->n < GRANTS && take_credit(c))
        ;
}

/* ---- what is wanted ---- */

/* By a Credit Request: it is to hear, whatever it has (3.5.16.6.2). */
static inline void ask_for_credit(struct credits *c, const struct wanting *w)
{
    struct uet_out cp = cp_at(w->pdc, UET_CTL_CREDIT_REQUEST, 0);
    uint8_t *payload = cp.pds + UET_CP_BYTES - UET_CP_PAYLOAD_CREDIT_REQUEST_BYTES;

    uet_cp_payload_credit_request_ccc_id_set(payload, w->ccc_id);
    uet_cp_payload_credit_request_credit_target_set(payload, w->target & CREDIT_MASK);
    say(c->tc, &cp);
}

/*
 * Nothing for AT_FIRST: the count may begin ahead of that, and then it begins behind what is half
 * of all numbers further on. Who grants nothing for both grants nothing.
 */
static inline void begins_elsewhere(struct credits *c, struct wanting *w)
{
    w->target = AT_FIRST + CREDIT_MASK / 2;
    ask_for_credit(c, w);
    take_credit(c);
    uet_check(c->tc, "CMS-087", w->heard, "no Credit for credit_target %u, and none for %u",
              AT_FIRST, w->target);
    uet_skip(c->tc,
             "no Credit for a CCC that begins with credit_target %u: where its count begins is not "
             "public, and nothing tells it",
             AT_FIRST);
}

/* So many sources, each of which has heard where its credit stands. */
static inline void begin(struct credits *c, struct uet_tc *tc, uint32_t sources)
{
    need_pdcs(tc, sources);
    *c = (struct credits){.tc = tc, .memory = uet_need_memory(tc, 1024), .sources = sources};
    need_rccc(tc, false);
    for (uint32_t i = 0; i < sources; i++) {
        struct wanting *w = &c->source[i];
        *w = (struct wanting){
            .pdc = uet_pdc_new(tc), .ccc_id = (uint8_t)(FIRST_CCC + i), .target = AT_FIRST};
        struct uet_out o = small_write(c, w);
        ask(tc, "CMS-087", &o);
    }
    take_all(c);
    for (uint32_t i = 0; i < sources; i++) {
        struct wanting *w = &c->source[i];
        if (!w->heard) {
            ask_for_credit(c, w);
            take_all(c);
        }
        if (!w->heard)
            begins_elsewhere(c, w);
    }
}

/* All of them want so many units more than they have, at once, by these. */
static inline void want_at_once(struct credits *c, uint32_t units, struct uet_out *o)
{
    c->n = c->step = c->after_first = c->apart = 0;
    c->known = 0;
    c->together = false;
    for (uint32_t i = 0; i < c->sources; i++) {
        struct wanting *w = &c->source[i];
        w->since = false;
        w->base = w->granted;
        w->target = (w->granted + units) & CREDIT_MASK;
        o[i] = small_write(c, w);
    }
    for (uint32_t i = 0; i < c->sources; i++)
        say(c->tc, &o[i]);
}

static inline void want(struct credits *c, uint32_t units)
{
    struct uet_out o[SOURCES_MOST];

    want_at_once(c, units, o);
    for (uint32_t i = 0; i < c->sources; i++) {
        const struct uet_in *ack = hear(c->tc, "CMS-087", COVERED(&o[i]));
        c->known = ack->time_ns > c->known ? ack->time_ns : c->known;
    }
    take_all(c);
}

/* Each of them lacks more than so much. */
static inline bool all_lack(const struct credits *c, uint32_t units)
{
    for (uint32_t i = 0; i < c->sources; i++)
        if (units_ahead(c->source[i].target, c->source[i].granted) <= (int32_t)units)
            return false;
    return true;
}

/*
 * The same; when all have heard, the first one wants a unit more, so many times. They are together
 * only if that came while all of them lacked much. Who lacks no more than these units lacks
 * nothing.
 */
static inline void want_in_steps(struct credits *c, uint32_t units, uint32_t steps)
{
    struct uet_out o[SOURCES_MOST + STEPS_MOST];
    uint32_t n = c->sources;

    want_at_once(c, units, o);
    while (!c->together && c->n < GRANTS && take_credit(c))
        ;
    bool amid = c->together && all_lack(c, units / 2);
    for (uint32_t i = 1; amid && i <= steps && i <= STEPS_MOST; i++) {
        struct wanting more = c->source[0];
        more.target = (more.target + i) & CREDIT_MASK;
        o[n] = small_write(c, &more);
        say(c->tc, &o[n++]);
    }
    for (uint32_t i = 0; i < n; i++)
        hear(c->tc, "CMS-087", COVERED(&o[i]));
    take_all(c);
    c->together = amid;
}

#endif
