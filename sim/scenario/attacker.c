/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Somebody on the path (3.7): he sees every packet and has no key. What he does must have no effect
 * but that of a packet that is lost, or comes late once more.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "sim/plan/internal.h"
#include "sim/scenario/internal.h"
#include "wire/build.h"
#include "wire/inet.h"

enum { SEEN_MAX = 128 };

struct seen {
    uint8_t *bytes; /* owned */
    uint32_t len;
    uint16_t from;
};

struct attacker {
    struct seen seen[SEEN_MAX]; /* half of them the newest, half of any age */
    uint32_t n;
    struct sim_random r;
    uint8_t frame[UET_FRAME_MAX];
};

int attacker_new(struct scenario *w)
{
    const struct sim_security *s = &w->plan->secure;
    uint32_t any = 0;

    for (unsigned i = 0; i < SIM_ATTACKS; i++)
        any |= s->attacks[i];
    if (!any)
        return 0;
    w->attacker = calloc(1, sizeof(*w->attacker));
    if (!w->attacker)
        return -ENOMEM;
    w->attacker->r.state = sim_mix(w->plan->seed, w->plan->scenario + 0xa77ac4u);
    return 0;
}

void attacker_free(struct scenario *w)
{
    if (!w->attacker)
        return;
    for (unsigned i = 0; i < SEEN_MAX; i++)
        free(w->attacker->seen[i].bytes);
    free(w->attacker);
}

void attacker_sees(struct scenario *w, uint16_t host, const uint8_t *frame, uint32_t len)
{
    struct attacker *a = w->attacker;
    struct seen *seen;

    if (!a)
        return;
    seen = &a->seen[a->n++ % (SEEN_MAX / 2)];
    if (seen->bytes && sim_percent(&a->r, 10)) { /* what would be forgotten, is kept */
        struct seen *old = &a->seen[SEEN_MAX / 2 + sim_draw(&a->r) % (SEEN_MAX / 2)];
        free(old->bytes);
        *old = *seen;
        seen->bytes = NULL;
    }
    free(seen->bytes);
    seen->bytes = malloc(len);
    if (!seen->bytes) {
        w->error = -ENOMEM;
        return;
    }
    memcpy(seen->bytes, frame, len);
    seen->len = len;
    seen->from = host;
}

/* ---- what he makes of a packet ---- */

static bool is_v6(const struct scenario *w)
{
    return w->plan->fep[0].address.version == 6;
}

static void mend_checksum(const struct scenario *w, uint8_t *frame)
{
    uint8_t *ip = frame + UET_ETH_BYTES;

    if (is_v6(w))
        return;
    uet_wr16(ip + 10, 0);
    uet_wr16(ip + 10, uet_ipv4_checksum(ip, UET_IPV4_BYTES));
}

/* Of what is authenticated, one. */
static uint32_t flip(const struct scenario *w, struct attacker *a, uint32_t len)
{
    uint32_t from = UET_ETH_BYTES + (is_v6(w) ? 8u : 12u);
    uint64_t at = sim_between(&a->r, from, len - 1);

    if (sim_percent(&a->r, 50)) /* a header */
        at = sim_between(&a->r, from, from + 64u < len ? from + 64u : len - 1);
    a->frame[at] ^= (uint8_t)(1u << sim_draw(&a->r) % 8);
    mend_checksum(w, a->frame);
    return len;
}

/* As its sender would send it without security. */
static uint32_t in_clear(struct scenario *w, struct attacker *a, uint32_t len)
{
    const struct uet_packet *p = seals_open(w, a->frame, len);
    size_t header = uet_tss_header_len(p->tss == UET_H_TSS_HDR_16);
    uint8_t *ip = a->frame + UET_ETH_BYTES;
    uint16_t less = (uint16_t)(header + UET_TSS_TRAILER_BYTES);

    if (p->error == UET_PARSE_SEALED || !p->tss)
        return 0;
    memcpy(a->frame + p->tss_offset, p->frame + p->tss_offset + header,
           p->icv_offset - p->tss_offset - header);
    uint8_t *length = ip + (is_v6(w) ? 4 : 2);
    uet_wr16(length, (uint16_t)(uet_rd16(length) - less));
    if (p->udp_offset) {
        length = a->frame + p->udp_offset + 4;
        uet_wr16(length, (uint16_t)(uet_rd16(length) - less));
    }
    mend_checksum(w, a->frame);
    return len - less;
}

static uint32_t mirror(const struct scenario *w, struct attacker *a, uint32_t len)
{
    size_t n = uet_ip_len(&w->plan->fep[0].address);
    uint8_t *from = a->frame + UET_ETH_BYTES + (is_v6(w) ? 8 : 12), source[16];

    memcpy(source, from, n);
    memcpy(from, from + n, n);
    memcpy(from + n, source, n);
    return len;
}

static uint32_t cut(const struct scenario *w, struct attacker *a, uint32_t len)
{
    uint8_t dscp =
        w->plan->lasthop && sim_percent(&a->r, 50) ? SIM_DSCP_TRIMMED_LASTHOP : SIM_DSCP_TRIMMED;
    size_t keep = sim_between(&a->r, UET_FABRIC_TRIM_KEEP, 100);
    int left = uet_trim(a->frame, len, keep, dscp);

    return left > 0 ? (uint32_t)left : 0;
}

/* ---- when he does it ---- */

/* A packet for this host, or from it; NULL: he does not think of one. */
static const struct seen *recall(struct scenario *w, struct attacker *a, uint16_t host, bool from)
{
    const struct seen *seen = &a->seen[sim_draw(&a->r) % SEEN_MAX];
    const struct uet_ip *ip = &w->plan->fep[host].address;

    if (!seen->bytes)
        return NULL;
    const uint8_t *to = seen->bytes + UET_ETH_BYTES + (is_v6(w) ? 24 : 16);
    bool here = from ? seen->from == host : !memcmp(to, ip->bytes, uet_ip_len(ip));
    return here ? seen : NULL;
}

static void strike(struct scenario *w, struct attacker *a, uint16_t host, enum sim_attack what)
{
    const struct seen *seen = recall(w, a, host, what == SIM_ATTACK_MIRROR);
    uint32_t len = seen ? seen->len : 0;

    if (!seen)
        return;
    memcpy(a->frame, seen->bytes, len);
    if (what == SIM_ATTACK_FLIP)
        len = flip(w, a, len);
    else if (what == SIM_ATTACK_CLEAR)
        len = in_clear(w, a, len);
    else if (what == SIM_ATTACK_MIRROR)
        len = mirror(w, a, len);
    else if (what == SIM_ATTACK_CUT)
        len = cut(w, a, len);
    if (!len)
        return;
    w->result->forged++;
    watch_received(w, host, a->frame, len);
    seals_deliver(w, host, a->frame, len);
}

void attacker_strikes(struct scenario *w, uint16_t host)
{
    struct attacker *a = w->attacker;

    for (unsigned i = 0; a && i < SIM_ATTACKS && !scenario_over(w); i++)
        if (sim_draw(&a->r) % 1000000 < w->plan->secure.attacks[i])
            strike(w, a, host, (enum sim_attack)i);
}
