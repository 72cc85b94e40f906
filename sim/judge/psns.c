/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * CACK_PSN and CLEAR_PSN never go back, and no PSN leaves the window of which its sender has heard.
 * It is told by the PDCIDs of the FEPs alone, which the simulator knows, without the tracker: two
 * opinions. A PDCID's next incarnation begins at least 2^16 PSNs away (3.5.8.2); that is how it is
 * told. A target whose PDC is gone may begin again where a late SYN begins (PDS-054): not judged.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "sim/scenario/internal.h"
#include "wire/class.h"

#define PSNS_PER_MPR 128u
#define FAR          32768 /* PSNs that no window spans */

/* What a FEP has said and heard on one of its PDCIDs. */
struct own {
    struct uet_ip peer;     /* to whom Requests go */
    uint16_t to_id;         /* their DPDCID; 0: not known, or there is none with SYN */
    struct uet_ip ack_peer; /* to whom the CACK_PSN was said: an ACK may be late, and be the last
                               of the incarnation before */
    uint16_t peer_id;       /* with which it was said */
    uint64_t gone;          /* PDCs that the FEP had lost by then: another incarnation since */
    uint64_t cack_ns;       /* when it was said */
    bool over; /* a Close Command was sent or has come: the ACK of it may leave when the PDC is
                  gone, and a late SYN may then open another at the same PSNs; or its SYN was
                  refused */
    uint64_t over_gone; /* PDCs that the FEP had closed by then */
    bool opened;        /* an ACK of its packets has come: what refuses a SYN now ends nothing */
    bool unheard;       /* what was heard on it was forgotten: its window is not known */
    bool anew;          /* another PDC has it by now, and has sent nothing yet */
    bool doubtful;      /* nothing is known since then: another PDC, or maybe the same */
    bool cack_known, clear_known, sent_known;
    uint32_t cack, clear;
    uint32_t sent;  /* the newest PSN */
    uint32_t start; /* Start_PSN of the newest SYN; meaningful with sent_known */
    uint32_t heard; /* the newest CACK_PSN that has come; Start_PSN - 1 at first */
};

struct psns {
    struct own *own[SIM_FEPS_MAX]; /* by PDCID */
    uint32_t n[SIM_FEPS_MAX];
    uint64_t gone[SIM_FEPS_MAX], gone_ns[SIM_FEPS_MAX]; /* PDCs that it has lost, the last when */
};

struct psns *psns_new(void)
{
    return calloc(1, sizeof(struct psns));
}

void psns_free(struct psns *psns)
{
    if (!psns)
        return;
    for (unsigned i = 0; i < SIM_FEPS_MAX; i++)
        free(psns->own[i]);
    free(psns);
}

void psns_forget(const struct scenario *w, struct psns *psns, uint16_t host)
{
    if (psns->own[host])
        memset(psns->own[host], 0, psns->n[host] * sizeof(*psns->own[host]));
    /* What peers say to its next incarnation is of another PDC, whatever PDCIDs and PSNs it has. */
    for (uint16_t i = 0; i < w->plan->n_feps; i++)
        for (uint32_t id = 0; id < psns->n[i]; id++)
            if (uet_ip_equal(&psns->own[i][id].peer, &w->plan->fep[host].address))
                psns->own[i][id] = (struct own){.unheard = true};
}

static struct own *own_at(struct scenario *w, struct psns *psns, uint16_t host, uint16_t pdcid)
{
    uint32_t n = psns->n[host] ? psns->n[host] : 64;
    struct own *grown;

    if (pdcid < psns->n[host])
        return &psns->own[host][pdcid];
    while (n <= pdcid)
        n *= 2;
    grown = realloc(psns->own[host], n * sizeof(*grown));
    if (!grown) {
        w->error = -ENOMEM;
        return NULL;
    }
    memset(grown + psns->n[host], 0, (n - psns->n[host]) * sizeof(*grown));
    psns->own[host] = grown;
    psns->n[host] = n;
    return &grown[pdcid];
}

static bool far(uint32_t a, uint32_t b)
{
    int32_t diff = uet_psn_diff(a, b);

    return diff > FAR || diff < -FAR;
}

/* Has a PDC gone since the close of this one began? What is sent then is another's. */
static bool has_ended(const struct scenario *w, uint16_t host, const struct own *own)
{
    return own->over && fep_pdcs_gone(w, host) != own->over_gone;
}

static void note_gone(const struct scenario *w, struct psns *psns, uint16_t host)
{
    uint64_t gone = fep_pdcs_gone(w, host);

    if (gone != psns->gone[host])
        psns->gone_ns[host] = w->now;
    psns->gone[host] = gone;
}

/* Has no PDC gone since the packet came to which the newest CACK_PSN was the answer, maybe late? */
static bool same_since(const struct scenario *w, const struct psns *psns, uint16_t host,
                       const struct own *own)
{
    return own->gone == psns->gone[host] &&
           psns->gone_ns[host] + w->plan->choices[host].answer_delay_ns <= own->cack_ns;
}

static void check_cack(struct scenario *w, const struct psns *psns, uint16_t host, struct own *own,
                       const struct uet_packet *p)
{
    uint32_t cack = uet_ack_cack_psn(uet_pds(p));
    struct uet_ip peer = uet_dst_ip(p);
    bool same_name = own->cack_known && uet_ip_equal(&own->ack_peer, &peer) &&
                     own->peer_id == uet_dpdcid(p) && !far(cack, own->cack);
    bool same_incarnation = same_name && same_since(w, psns, host, own) && !own->over;
    bool another = !same_name && own->cack_known && has_ended(w, host, own);

    own->over &= same_name || !own->cack_known;
    bool back = same_name && uet_psn_diff(cack, own->cack) < 0;
    if (same_incarnation && back)
        scenario_breach(w, SIM_CACK, "", "fep %u, PDCID %u: CACK_PSN 0x%08x after 0x%08x", host,
                        uet_spdcid(p), cack, own->cack);
    if (back || another) /* a late SYN opens the PDC again: its own CLEAR_PSN, too (PDS-054) */
        own->clear_known = false;
    own->anew |= another;
    own->doubtful |= another;
    own->cack_known = true;
    own->ack_peer = peer;
    own->peer_id = uet_dpdcid(p);
    own->gone = psns->gone[host];
    own->cack_ns = w->now;
    own->cack = cack;
}

static void check_clear(struct scenario *w, uint16_t host, struct own *own,
                        const struct uet_packet *p)
{
    uint32_t clear = uet_clear_psn(p);

    if (own->clear_known && !far(clear, own->clear) && uet_psn_diff(clear, own->clear) < 0)
        scenario_breach(w, SIM_CLEAR, "", "fep %u, PDCID %u: CLEAR_PSN 0x%08x after 0x%08x", host,
                        uet_spdcid(p), clear, own->clear);
    own->clear_known = true;
    own->clear = clear;
}

/*
 * The most that both sides together allow: what the one assumes and what the other cps_when_open.
 * An mpr of 0 was no limit before 1.0.3, and since then is less than one of 1 (PDS-065).
 */
static uint32_t window_of(const struct scenario *w, uint16_t host, const struct uet_ip *peer)
{
    const struct uet_fep_config *mine = &w->plan->fep[host], *its = mine;
    uint8_t mpr = mine->params.Default_MPR;

    for (uint16_t i = 0; i < w->plan->n_feps; i++)
        if (uet_ip_equal(peer, &w->plan->fep[i].address))
            its = &w->plan->fep[i];
    if (its->params.MPR_Zero && mine->spec != UET_SPEC_1_0_3)
        return FAR;
    if (its->params.Default_MPR > mpr)
        mpr = its->params.Default_MPR;
    return mpr * PSNS_PER_MPR;
}

/*
 * Where the PSNs of a packet without SYN begin: the return direction starts where its initiator
 * began (3.5.8.2). An initiator that has begun another incarnation meanwhile tells nothing: the
 * packet itself is taken for the first, and so where it is not sure that this is a new PDC. False:
 * nobody has ever opened such a PDC.
 */
static bool return_start(const struct scenario *w, const struct psns *psns, uint16_t host,
                         bool doubtful, const struct uet_packet *p, uint32_t *start)
{
    struct uet_ip to = uet_dst_ip(p);
    uint16_t id = uet_dpdcid(p);
    bool near;

    for (uint16_t i = 0; i < w->plan->n_feps; i++) {
        const struct own *own = id < psns->n[i] ? &psns->own[i][id] : NULL;
        if (!uet_ip_equal(&to, &w->plan->fep[i].address))
            continue;
        /* Its newest PDC was forgotten, as the peer of that was restarted: this may be an older. */
        if (own && !own->sent_known && own->unheard)
            return true;
        if (!own || !own->sent_known)
            return doubtful || w->feps[i].incarnation > 1 || !w->feps[i].up ||
                   w->feps[host].incarnation > 1;
        /* One that was restarted may have begun near the PDC that it has forgotten. */
        near = !doubtful && w->feps[i].incarnation <= 1 ? !far(uet_packet_psn(p), own->start)
                                                        : uet_packet_psn(p) == own->start;
        if (near && uet_ip_equal(&own->peer, &w->plan->fep[host].address))
            *start = own->start;
        return true;
    }
    return false;
}

static void check_window(struct scenario *w, struct psns *psns, uint16_t host, struct own *own,
                         const struct uet_packet *p)
{
    uint32_t psn = uet_packet_psn(p), start = psn;
    bool other_start = uet_has_syn(p) && uet_start_psn(p) != own->start;
    bool known = own->sent_known && !own->anew;
    bool same_incarnation = known && !other_start && !far(psn, own->sent);

    if (!same_incarnation && uet_has_syn(p))
        start = uet_start_psn(p);
    else if (!same_incarnation && !return_start(w, psns, host, own->doubtful, p, &start)) {
        scenario_breach(w, SIM_WINDOW, "", "fep %u, PDCID %u: PSN 0x%08x comes from nowhere", host,
                        uet_spdcid(p), psn);
        return;
    }
    if (!same_incarnation) {
        own->start = start;
        own->heard = own->start - 1;
        own->opened = false;
        own->unheard &= !uet_has_syn(p) || psn != start || uet_rud_rod_req_retx(uet_pds(p));
    }
    if (!same_incarnation || uet_psn_diff(psn, own->sent) > 0)
        own->sent = psn;
    own->sent_known = true;
    own->anew = false;
    if (!own->unheard && uet_psn_diff(psn, own->heard) > (int32_t)window_of(w, host, &own->peer))
        scenario_breach(w, SIM_WINDOW, "",
                        "fep %u, PDCID %u: PSN 0x%08x, %d beyond the newest CACK_PSN it has heard",
                        host, uet_spdcid(p), psn, uet_psn_diff(psn, own->heard));
}

/* A Close Command that comes again, when its PDC is gone, ends no other one. */
static void note_close(const struct scenario *w, uint16_t host, struct own *own)
{
    if (has_ended(w, host, own))
        return;
    own->over = true;
    own->over_gone = fep_pdcs_gone(w, host);
}

void psns_sent_packet(struct scenario *w, struct psns *psns, uint16_t host,
                      const struct uet_packet *p)
{
    struct uet_ip peer;
    struct own *own;
    uint16_t to_id;
    bool ended;

    note_gone(w, psns, host);
    if (!uet_is_ack(p) && !uet_consumes_psn(p))
        return;
    own = own_at(w, psns, host, uet_spdcid(p));
    if (!own)
        return;
    if (uet_is_ack(p)) {
        check_cack(w, psns, host, own, p);
        return;
    }
    peer = uet_dst_ip(p);
    to_id = uet_has_syn(p) ? 0 : uet_dpdcid(p);
    /* Who has sent to a PDCID there opens no PDC any more: a SYN is another one's. */
    bool opens = uet_has_syn(p) && (uet_start_psn(p) != own->start || own->to_id);
    if (uet_has_syn(p) && own->sent_known && !opens)
        own->over = false; /* only some of its SYNs were refused: another PDC begins elsewhere */
    ended = has_ended(w, host, own);
    if (!uet_ip_equal(&peer, &own->peer) || (to_id && own->to_id && to_id != own->to_id) || ended)
        *own = (struct own){.peer = peer, .doubtful = ended, .unheard = own->unheard};
    if (opens) {
        /* 2^16 from the last incarnation, but maybe near the one before that */
        own->clear_known = own->over = false;
    }
    own->to_id = to_id;
    if (uet_is_request(p))
        check_clear(w, host, own, p);
    check_window(w, psns, host, own, p);
    if (uet_is_of(UET_CLASS_CLOSE_COMMAND, p))
        note_close(w, host, own);
}

void psns_sent(struct scenario *w, struct psns *psns, uint16_t host, const uint8_t *frame,
               uint32_t len)
{
    struct uet_parse_options options = scenario_parse(w);
    struct uet_packet p;

    options.protect = UET_PROTECT_NONE; /* that it is right is another's business */
    if (uet_parse(&p, frame, len, &options) == UET_PARSE_OK)
        psns_sent_packet(w, psns, host, &p);
    else
        note_gone(w, psns, host);
}

/* What was never sent is acknowledged by mistake, or in an earlier incarnation. */
static void hear_ack(struct own *own, const struct uet_packet *p)
{
    struct uet_ip peer = uet_src_ip(p);
    uint32_t cack = uet_ack_cack_psn(uet_pds(p)), psn = uet_packet_psn(p);

    if (own->sent_known && !own->anew && !own->to_id && uet_ip_equal(&peer, &own->peer) &&
        uet_psn_diff(psn, own->start) >= 0 && uet_psn_diff(psn, own->sent) <= 0) {
        own->opened = true;
        own->over = false; /* refused were some of its SYNs */
    }
    if (own->sent_known && uet_ip_equal(&peer, &own->peer) && !far(cack, own->sent) &&
        uet_psn_diff(cack, own->heard) > 0 && uet_psn_diff(cack, own->sent) <= FAR / 512)
        own->heard = cack;
}

/* A NACK for a SYN that ends its PDC: its PDCID may then be another's, a target's as well. */
static bool refuses_syn(const struct own *own, const struct uet_packet *p)
{
    struct uet_ip peer = uet_src_ip(p);
    const uint8_t *h = uet_pds(p);
    uint32_t psn = uet_packet_psn(p);
    uint8_t code = uet_nack_nack_code(h);
    bool ends = uet_nack_table[code].action == UET_ACTION_RETRY ||
                (code == UET_NACK_NO_RESOURCE && !uet_spdcid(p));

    return ends && own->sent_known && !own->to_id && !own->opened &&
           uet_ip_equal(&peer, &own->peer) && uet_psn_diff(psn, own->start) >= 0 &&
           uet_psn_diff(psn, own->sent) <= 0;
}

void psns_received_packet(struct scenario *w, struct psns *psns, uint16_t host,
                          const struct uet_packet *p)
{
    struct own *own;

    note_gone(w, psns, host);
    if (!uet_is_ack(p) && !uet_is_nack(p) && !uet_is_of(UET_CLASS_CLOSE_COMMAND, p))
        return;
    own = own_at(w, psns, host, uet_dpdcid(p));
    if (!own)
        return;
    if (uet_is_ack(p))
        hear_ack(own, p);
    else if (!uet_is_nack(p) || refuses_syn(own, p))
        note_close(w, host, own);
}

void psns_received(struct scenario *w, struct psns *psns, uint16_t host, const uint8_t *frame,
                   uint32_t len)
{
    struct uet_parse_options options = scenario_parse(w);
    struct uet_packet p;

    note_gone(w, psns, host);
    /* First without the checksum: most of what comes is neither. */
    options.protect = UET_PROTECT_NONE;
    uet_parse(&p, frame, len, &options);
    options.protect = w->plan->protect;
    if ((!uet_is_ack(&p) && !uet_is_nack(&p) && !uet_is_of(UET_CLASS_CLOSE_COMMAND, &p)) ||
        uet_parse(&p, frame, len, &options) != UET_PARSE_OK)
        return;
    psns_received_packet(w, psns, host, &p);
}
