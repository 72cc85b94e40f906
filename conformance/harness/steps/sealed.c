/* SPDX-License-Identifier: BSD-2-Clause */
#include "conformance/harness/steps/sealed.h"

#include "conformance/harness/peer/sealing.h"

/* ---- domains ---- */

void in_domain_that_starts(struct uet_tc *tc, enum uet_key_start how)
{
    struct uet_security *s = tc->session->dut->security;
    struct uet_domain *d = tc->domain;

    for (size_t i = 0; d && d->told->start != how; i++)
        d = uet_security_domain(s, i);
    if (!d)
        uet_skip_for(tc, UET_SKIP_PARAMETER, "no domain of the key file has start=%s",
                     how == UET_KEY_RANDOM_1RTT ? "random-1rtt" : "expected-0rtt");
    uet_in_domain(tc, d);
}

/*
 * The test's own if it is such a one, else the first of the key file that is, and that lets PDCs
 * begin as the test's does if one does; or `lack` is told.
 */
static void in_domain_that(struct uet_tc *tc, bool (*is)(const struct uet_domain *),
                           const char *lack)
{
    struct uet_security *s = tc->session->dut->security;
    const uint8_t start = tc->domain->told->start;
    struct uet_domain *d, *found = is(tc->domain) ? tc->domain : NULL;

    for (size_t i = 0; (d = uet_security_domain(s, i)) != NULL; i++)
        if (is(d) && (!found || (found->told->start != start && d->told->start == start)))
            found = d;
    if (!found)
        uet_skip_for(tc, UET_SKIP_PARAMETER, "%s", lack);
    uet_in_domain(tc, found);
}

static bool of_clients(const struct uet_domain *d)
{
    return d->mode == UET_TSS_MODE_SERVER && d->ssi_mode;
}

void in_domain_of_clients(struct uet_tc *tc)
{
    in_domain_that(tc, of_clients, "no domain of the key file has mode=server and SSIs");
}

static bool of_senders(const struct uet_domain *d)
{
    return d->mode != UET_TSS_MODE_SERVER && d->ssi_mode && d->told->has_ssi;
}

void in_domain_of_senders(struct uet_tc *tc)
{
    in_domain_that(tc, of_senders, "no domain of the key file tells the FEP's own SSI (ssi=)");
}

static bool with_ssis(const struct uet_domain *d)
{
    return d->ssi_mode;
}

void in_domain_with_ssis(struct uet_tc *tc)
{
    in_domain_that(tc, with_ssis, "no domain of the key file has ssi-mode TRUE");
}

static bool rekeys(const struct uet_domain *d)
{
    return d->key[d->an]->params.rekey;
}

void in_domain_that_rekeys(struct uet_tc *tc)
{
    in_domain_that(tc, rekeys, "no key of the key file has automatic rekey (rekey_mask)");
}

static uint16_t offset_of(const struct uet_domain *d)
{
    return d->key[d->an]->params.encrypt_from;
}

static bool with_offset(const struct uet_domain *d)
{
    return offset_of(d) > uet_tss_header_len(d->ssi_mode);
}

uint16_t in_domain_with_offset(struct uet_tc *tc)
{
    in_domain_that(tc, with_offset, "no key of the key file has encrypt_from");
    return offset_of(tc->domain);
}

static bool of_jobs(const struct uet_domain *d)
{
    return d->told->n_jobs > 1;
}

const uint32_t *in_domain_of_jobs(struct uet_tc *tc, uint8_t *n)
{
    in_domain_that(tc, of_jobs, "no domain of the key file serves several jobs (jobs=)");
    *n = tc->domain->told->n_jobs;
    return tc->domain->told->jobs;
}

void in_other_domain_that_starts(struct uet_tc *tc, enum uet_key_start how)
{
    struct uet_domain *d;

    for (size_t i = 0; (d = uet_security_domain(tc->session->dut->security, i)) != NULL; i++)
        if (d != tc->domain && d->told->start == how) {
            uet_in_domain(tc, d);
            return;
        }
    uet_skip_for(tc, UET_SKIP_PARAMETER, "the key file has no second domain of that start=");
}

struct uet_domain *other_domain(struct uet_tc *tc)
{
    struct uet_security *s = tc->session->dut->security;
    struct uet_domain *first = uet_security_domain(s, 0);
    struct uet_domain *d = first == tc->domain ? uet_security_domain(s, 1) : first;

    if (!d)
        uet_skip_for(tc, UET_SKIP_PARAMETER, "the key file has one secure domain alone");
    return d;
}

void in_other_domain(struct uet_tc *tc)
{
    uet_in_domain(tc, other_domain(tc));
}

unsigned domains(const struct uet_tc *tc)
{
    unsigned n = 0;

    while (uet_security_domain(tc->session->dut->security, n))
        n++;
    return n;
}

void in_domain(struct uet_tc *tc, unsigned i)
{
    uet_in_domain(tc, uet_security_domain(tc->session->dut->security, i));
}

struct uet_domain *in_clear_job(struct uet_tc *tc)
{
    struct uet_domain *left = tc->domain;

    uet_in_domain(tc, NULL);
    return left;
}

void in_domain_again(struct uet_tc *tc, struct uet_domain *d)
{
    uet_in_domain(tc, d);
}

struct uet_out as_if_clear(const struct uet_tc *tc, const struct uet_out *o)
{
    struct uet_out clear = *o;
    const uint8_t protect = tc->session->dut->protect;

    clear.protect = protect == UET_PROTECT_TSS ? UET_PROTECT_NONE : protect;
    clear.meant = "in clear";
    return clear;
}

uint32_t sdi_now(const struct uet_tc *tc)
{
    return tc->domain->told->sdi;
}

uint32_t ssi_now(const struct uet_tc *tc)
{
    return tc->domain->told->ssi;
}

bool ssi_mode_now(const struct uet_tc *tc)
{
    return tc->domain->ssi_mode;
}

bool key_of_each_client(const struct uet_tc *tc)
{
    return tc->domain->mode == UET_TSS_MODE_SERVER && !tc->domain->ssi_mode;
}

void seal_with_other_an(struct uet_tc *tc)
{
    struct uet_domain *d = tc->domain;

    if (!d->sealing[!d->an][0])
        uet_skip_for(tc, UET_SKIP_PARAMETER, "the key file has no key of AN %u of SDI 0x%06x",
                     d->an ^ 1u, (unsigned)d->told->sdi);
    d->an = !d->an;
}

uint64_t next_counter(const struct uet_tc *tc)
{
    return tc->domain->sender[tc->domain->an].next;
}

/* Where the lowest bit of the mask changes. */
uint64_t rekey_edge(struct uet_tc *tc, uint64_t around)
{
    enum { FAR = 4096 }; /* where the clock counts, a quarter of a second */
    struct uet_domain *d = tc->domain;
    struct uet_tss_sender *own = &d->sender[d->an];
    const uint64_t mask = d->sealing[d->an][0]->rekey_mask, step = mask & (~mask + 1);

    if (!mask)
        uet_skip_for(tc, UET_SKIP_PARAMETER,
                     "the key file has no automatic rekey (rekey_mask) of SDI 0x%06x",
                     (unsigned)d->told->sdi);
    const uint64_t edge = (own->next + around + step - 1) / step * step;
    if (edge - own->next > FAR)
        uet_skip_for(tc, UET_SKIP_PARAMETER,
                     "by the key file automatic rekey changes the key in %llu packets only",
                     (unsigned long long)(edge - own->next));
    own->next = edge + around;
    return edge;
}

/*
 * With the settings of the domain in which the test is, as far as the verb knows them; for its
 * jobs, or for that one alone.
 */
static int install_like(struct uet_tc *tc, const struct uet_domain *like, uint32_t sdi, uint8_t an,
                        const uint8_t *key, const uint32_t *job, uint16_t epoch)
{
    static const uint8_t none[UET_TSS_IV_LEN];
    const struct uet_tss_params *as = &like->key[like->told->tx]->params;
    const struct uet_ut_domain domain = {
        .sdi = sdi,
        .key = key,
        .iv_mask = memcmp(as->iv_mask, none, sizeof(none)) ? as->iv_mask : NULL,
        .an = an,
        .mode = like->mode,
        .has_ssi = like->ssi_mode,
        .ssi = like->told->ssi,
        .epoch = epoch,
        .rekey_mask = as->rekey ? as->rekey_mask : 0,
        .rekey_shift = as->rekey_shift,
        .encrypt_from = as->encrypt_from,
        .jobs = job ? job : like->told->jobs,
        .n_jobs = job ? 1 : like->told->n_jobs,
    };

    return uet_ut_install_domain(uet_tc_ut(tc), &domain);
}

static struct uet_undo *pending(struct uet_tc *tc, int (*undo)(struct uet_tc *, const void *),
                                const void *what)
{
    struct uet_undo *u = tc->undo;

    while (u && (u->done || u->undo != undo || u->what != what))
        u = u->next;
    return u;
}

void undo_at_end(struct uet_tc *tc, int (*undo)(struct uet_tc *, const void *), const void *what)
{
    if (pending(tc, undo, what))
        return;
    struct uet_undo *u = uet_tc_alloc(tc, sizeof(*u));
    *u = (struct uet_undo){.next = tc->undo, .undo = undo, .what = what};
    tc->undo = u;
}

void undone(struct uet_tc *tc, int (*undo)(struct uet_tc *, const void *), const void *what)
{
    struct uet_undo *u = pending(tc, undo, what);

    if (u)
        u->done = true;
}

int domain_in_use(struct uet_tc *tc, const void *sdi)
{
    return uet_ut_enable_domain(uet_tc_ut(tc), *(const uint32_t *)sdi, true);
}

void unlatch_at_end(struct uet_tc *tc, const uint32_t *sdi)
{
    if (!tc->session->ut || !uet_tc_has_verb(tc, "enable_domain"))
        return;
    undo_at_end(tc, domain_in_use, sdi);
    if (tc->keeps_state) /* what other tests sent is still counted */
        uet_did(tc, domain_in_use(tc, sdi), "enable_domain");
}

static int remove_it(struct uet_tc *tc, const void *sdi)
{
    return uet_ut_remove_domain(uet_tc_ut(tc), *(const uint32_t *)sdi);
}

void remove_new_domain(struct uet_tc *tc)
{
    uet_did(tc, uet_ut_remove_domain(uet_tc_ut(tc), sdi_now(tc)), "remove_domain");
    for (struct uet_undo *u = tc->undo; u; u = u->next)
        u->done |= u->undo == remove_it;
}

static struct uet_domain *new_domain(struct uet_tc *tc, const uint32_t *job, uint16_t epoch)
{
    struct uet_security *s = tc->session->dut->security;
    struct uet_domain *like = tc->domain;
    const uint8_t *key = uet_tc_bytes(tc, UET_TSS_KEY_LEN);
    uint32_t sdi, *kept = uet_tc_alloc(tc, sizeof(*kept));

    if (!uet_tc_has_verb(tc, "remove_domain")) /* it would stay, and serve the same jobs */
        uet_skip_for(tc, UET_SKIP_VERB, "the upper tester cannot remove a domain again");
    do
        sdi = (uint32_t)uet_tc_random(tc) & 0xffffff;
    while (uet_security_find(s, sdi));
    uet_did(tc, install_like(tc, like, sdi, like->told->tx, key, job, epoch), "install_domain");
    *kept = sdi;
    undo_at_end(tc, remove_it, kept);
    tc->undo->late = true; /* its PDCs are closed in it */
    struct uet_domain *d = uet_security_guest(s, like, sdi, key, job, epoch);
    if (!d)
        uet_inconc(tc, "no memory left for a key");
    uet_in_domain(tc, d);
    return like;
}

struct uet_domain *in_new_domain(struct uet_tc *tc)
{
    return new_domain(tc, NULL, 0);
}

struct uet_domain *in_new_domain_of_two_keys(struct uet_tc *tc, uint16_t epoch)
{
    struct uet_domain *like = new_domain(tc, NULL, epoch);
    const uint8_t *key = uet_tc_bytes(tc, UET_TSS_KEY_LEN);

    uet_did(tc, install_like(tc, like, sdi_now(tc), !like->told->tx, key, NULL, epoch),
            "install_domain");
    if (!uet_security_guest_key(tc->session->dut->security, key))
        uet_inconc(tc, "no memory left for a key");
    return like;
}

static bool is_named(struct uet_security *s, uint32_t job)
{
    bool named = false;

    for (size_t i = 0; uet_security_domain(s, i); i++) {
        const struct uet_domain *d = uet_security_domain(s, i);

        named = named || (d->told->n_jobs && uet_domain_serves(d, job));
    }
    return named;
}

struct uet_domain *in_new_domain_of_new_job(struct uet_tc *tc)
{
    const struct uet_domain *like = tc->domain;
    uint32_t job = 0x1f01; /* or above: none that tests have elsewhere */

    if (like->mode == UET_TSS_MODE_SERVER && like->ssi_mode)
        uet_skip_for(tc, UET_SKIP_PARAMETER,
                     "in this domain the FEP sends to clients alone that it has heard of");
    while (is_named(tc->session->dut->security, job))
        job++;
    return new_domain(tc, &job, 0);
}

/* ---- where a PDC begins ---- */

void start_by_hand(struct uet_tc *tc)
{
    tc->starts_by_hand = true;
}

bool fep_says_start(const struct uet_tc *tc)
{
    return tc->domain && tc->domain->says_start;
}

const struct uet_in *hear_new_start(struct uet_tc *tc, const char *requirement,
                                    const struct uet_out *syn, uint32_t *start)
{
    const struct uet_in *nack = hear(tc, requirement, NACK_OF(syn, UET_NACK_NEW_START_PSN));

    *start = uet_nack_payload(uet_pds(&nack->packet));
    return nack;
}

void ask_late(struct uet_tc *tc, const char *requirement, const struct uet_out *syn)
{
    struct uet_pdc *p = syn->pdc;

    if (!fep_says_start(tc) || p->stays_pending || p->fep_pdcid) {
        ask(tc, requirement, syn);
        return;
    }
    say(tc, syn);
    const struct uet_in *in = hear(tc, requirement, ANSWER_TO(syn));
    if (uet_is_nack(&in->packet) &&
        uet_nack_nack_code(uet_pds(&in->packet)) == UET_NACK_NEW_START_PSN) {
        start_at(p, uet_nack_payload(uet_pds(&in->packet)));
        const struct uet_out anew = uet_any_request(p);
        ask(tc, requirement, &anew);
        return;
    }
    uet_look_at(tc, in);
    uet_check(tc, requirement, uet_is_ack(&in->packet), "the Request is refused");
}

uint32_t first_psn(struct uet_pdc *p)
{
    uet_pdc_begin(p);
    return p->next_psn;
}

void start_at(struct uet_pdc *p, uint32_t start_psn)
{
    if (p->initiator) /* the FEP's own is none of the target's to change, and credit goes to it */
        p->fep_pdcid = 0;
    uet_pdc_start_at(p, start_psn);
}

/* ---- a FEP that begins anew ---- */

/* The FEP has none of them any more. */
static void pdcs_are_gone(struct uet_tc *tc)
{
    uet_track_begun_anew(tc->track);
    for (struct uet_pdc *pdc = tc->pdcs; pdc; pdc = pdc->next) {
        pdc->closed = true;
        pdc->auto_close = false;
    }
    uet_forget_settled(tc);
}

void fep_restarts(struct uet_tc *tc)
{
    uet_did(tc, uet_ut_restart(uet_tc_ut(tc)), "restart");
    if (tc->session->dut->security)
        uet_security_restarted(tc->session->dut->security);
    pdcs_are_gone(tc);
}

void fep_is_reset(struct uet_tc *tc)
{
    uet_did(tc, uet_ut_reset(uet_tc_ut(tc)), "reset");
    pdcs_are_gone(tc);
}

/* ---- what is wrong with a packet ---- */

uint16_t header_bytes(const struct uet_out *o)
{
    return (uint16_t)uet_tss_header_len(o->tss.domain->ssi_mode != o->tss.other_sp);
}

uint16_t icv_at(const struct uet_out *o)
{
    return (uint16_t)(header_bytes(o) + 0u + o->pds_len + o->ses_len + o->payload_len);
}

uint16_t sealed_bytes(const struct uet_out *o)
{
    return (uint16_t)(icv_at(o) + UET_TSS_TRAILER_BYTES);
}

uint16_t sealing_adds(const struct uet_out *o)
{
    return uet_goes_sealed(o) ? (uint16_t)(header_bytes(o) + UET_TSS_TRAILER_BYTES) : 0;
}

struct uet_out flipped(const struct uet_out *o, int16_t at, uint8_t bits)
{
    struct uet_out f = *o;

    f.tss.flip_at = at;
    f.tss.flip = bits;
    f.meant = "altered after sealing";
    return f;
}

struct uet_out sealed_inside(struct uet_tc *tc, const struct uet_out *o)
{
    struct uet_out outer = *o;
    uint8_t *frame = uet_tc_alloc(tc, UET_FRAME_MAX);
    size_t len = uet_frame_of(tc, o, frame, UET_FRAME_MAX);

    outer.pds_len = outer.ses_len = 0;
    outer.payload_len = sealed_bytes(o);
    outer.payload = frame + len - outer.payload_len;
    outer.meant = "a TSS packet inside of another";
    return outer;
}

bool is_of_other_client(const struct uet_tc *tc, const struct uet_out *o)
{
    const struct uet_domain *d = o->tss.domain;

    return d && d->mode == UET_TSS_MODE_SERVER && d->ssi_mode &&
           uet_ip_equal(&o->route.src, &tc->session->dut->tester[1]);
}

/* ---- replay ---- */

uint32_t last_said(const struct uet_tc *tc)
{
    return tc->sent_frame;
}

void replay(struct uet_tc *tc, uint32_t frame)
{
    uet_replay_now(tc, frame);
}

void reflect(struct uet_tc *tc, const struct uet_in *in)
{
    uet_reflect_now(tc, in);
}
