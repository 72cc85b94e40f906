/* SPDX-License-Identifier: BSD-2-Clause */
/* 3.7: rotation of keys, by the upper tester: what its other slot holds, and which one it uses. */
#include <errno.h>

#include "conformance/harness/security.h"
#include "conformance/harness/steps/acks.h"
#include "conformance/tests/3.7_tss/tss.h"
#include "conformance/tests/pds.h"

/* The slot with which the FEP does not seal; skips where the key file has no key of it. */
static uint8_t idle_slot(struct uet_tc *tc, const struct uet_domain *d)
{
    const uint8_t idle = !d->told->tx;

    if (!d->key[idle])
        uet_skip_for(tc, UET_SKIP_PARAMETER, "the key file has no key of AN %u of SDI 0x%06x", idle,
                     (unsigned)d->told->sdi);
    return idle;
}

static int rotate_back(struct uet_tc *tc, const void *domain)
{
    const struct uet_domain *d = domain;

    return uet_ut_rotate(uet_tc_ut(tc), d->told->sdi, d->told->tx);
}

/* What the upper tester refuses has changed nothing: who has no such verb has none to undo it. */
static void did_change(struct uet_tc *tc, int rc, const char *verb,
                       int (*undo)(struct uet_tc *, const void *), const struct uet_domain *d)
{
    if (rc != -EPROTO)
        undo_at_end(tc, undo, d);
    uet_did(tc, rc, verb);
}

static void rotates(struct uet_tc *tc, const struct uet_domain *d, uint8_t an)
{
    const int rc = uet_ut_rotate(uet_tc_ut(tc), d->told->sdi, an);

    if (an != d->told->tx)
        did_change(tc, rc, "rotate", rotate_back, d);
    uet_did(tc, rc, "rotate");
    if (an == d->told->tx)
        undone(tc, rotate_back, d);
}

/*
 * Above all that the other key has sealed in a run, or that a FEP has set aside for it: one that
 * remembers counters by blocks loses one each time that a key goes into a slot.
 */
#define FAR UINT64_C(0x100000000)

UET_TEST(rotation, .id = "tss.3.7.rotation", .requirements = "TSS-034 TSS-035",
         .role = UET_ROLE_TARGET, .needs = "rud any-request upper-tester tss",
         .purpose = "A FEP that goes on to its other key takes both, and begins to count anew.",
         .preamble = "PDC open; the FEP's counter is moved 2^32 on.",
         .stimulus = "The FEP is told to seal with the key of its other AN; Requests sealed with "
                     "the old one and with the new one. Then the same back; a Request.",
         .expected =
             "ACKs with the new AN, whose counter and epoch are below those of the old key, or "
             "an epoch 0; an ACK with the old AN, whose counter is above the last of that "
             "key.")
{
    struct uet_pdc *p = uet_pdc_open(tc);
    const struct uet_domain *d = p->domain;
    const uint8_t an = d->told->tx, other = idle_slot(tc, d);
    const uint64_t next = answer_to_next(tc, "TSS-035", p).counter + FAR;

    if (d->told->counter_limit < next + FAR)
        uet_skip_for(tc, UET_SKIP_PARAMETER, "the key file does not let the counter go so far");
    uet_did(tc, uet_ut_advance_counter(uet_tc_ut(tc), d->told->sdi, next), "advance_counter");
    rotates(tc, d, other);
    const struct uet_tss_header first = answer_to_next(tc, "TSS-034", p);
    uet_check_eq(tc, "TSS-034", "AN", first.an, other);
    uet_check(tc, "TSS-035", first.counter < next,
              "the counter %llu is not below that of the old "
              "key, %llu",
              (unsigned long long)first.counter, (unsigned long long)next);
    uet_check(tc, "TSS-035", !first.epoch || first.epoch < d->told->epoch,
              "the epoch is still %u, with a new key", first.epoch);
    seal_with_other_an(tc);
    uet_check_eq(tc, "TSS-034", "AN", answer_to_next(tc, "TSS-034", p).an, other);
    seal_with_other_an(tc);
    rotates(tc, d, an);
    const struct uet_tss_header back = answer_to_next(tc, "TSS-034", p);
    uet_check_eq(tc, "TSS-034", "AN", back.an, an);
    uet_check(tc, "TSS-035", back.counter >= next, "the old key has begun anew, at %llu",
              (unsigned long long)back.counter);
}

/* That key into the slot; all else is as the key file has it. */
static int give_key(struct uet_tc *tc, const struct uet_domain *d, uint8_t an, const uint8_t *key)
{
    static const uint8_t none[UET_TSS_IV_LEN];
    const struct uet_tss_params *as = &d->key[an]->params;
    const struct uet_ut_domain domain = {
        .sdi = d->told->sdi,
        .key = key,
        .iv_mask = memcmp(as->iv_mask, none, sizeof(none)) ? as->iv_mask : NULL,
        .an = an,
        .mode = d->mode,
        .has_ssi = d->ssi_mode,
        .ssi = d->told->ssi,
        .epoch = d->told->epoch,
        .rekey_mask = as->rekey ? as->rekey_mask : 0,
        .rekey_shift = as->rekey_shift,
        .encrypt_from = as->encrypt_from,
        .random_1rtt = d->told->start == UET_KEY_RANDOM_1RTT,
    };

    return uet_ut_install_domain(uet_tc_ut(tc), &domain);
}

/* The idle slot has the key file's key again, here and there. */
static int key_back(struct uet_tc *tc, const void *domain)
{
    const uint32_t sdi = ((const struct uet_domain *)domain)->told->sdi;
    struct uet_domain *d = uet_security_find(uet_tc_dut(tc)->security, sdi);
    const uint8_t idle = !d->told->tx;

    if (!uet_security_put(d, idle, NULL))
        return -1;
    return give_key(tc, d, idle, d->key[idle]->params.key);
}

static void install(struct uet_tc *tc, const struct uet_domain *d, uint8_t an, const uint8_t *key)
{
    const bool back = key == d->key[an]->params.key;
    const int rc = give_key(tc, d, an, key);

    if (!back)
        did_change(tc, rc, "install_domain", key_back, d);
    uet_did(tc, rc, "install_domain");
    if (back)
        undone(tc, key_back, d);
}

static void take_key(struct uet_tc *tc, const struct uet_domain *d, uint8_t an)
{
    install(tc, d, an, d->key[an]->params.key); /* as it is: it can be put back */
    did_change(tc, uet_ut_remove_key(uet_tc_ut(tc), d->told->sdi, an), "remove_domain", key_back,
               d);
}

/* A copy that names that slot, and is sealed with the key which the key file has of it. */
static struct uet_out under_slot(const struct uet_out *o, uint8_t an)
{
    struct uet_domain *d = o->tss.domain;
    struct uet_out other = *o;

    other.tss.other_an = other.tss.other_key = d->an != an;
    other.tss.an = an;
    other.tss.other_counter = true;
    other.tss.counter = d->sender[an].next++;
    other.meant = "under the key that was there before";
    return other;
}

/* With its key the slot loses what it opened: another one lies there, or none. The key comes back.
 */
static void opens_nothing(struct uet_tc *tc, bool overwritten)
{
    need_pdcs(tc, 2);
    struct uet_pdc *p = uet_pdc_open(tc), *q = uet_pdc_new(tc);
    const struct uet_domain *d = p->domain;
    const uint8_t idle = idle_slot(tc, d);
    struct uet_out known = uet_any_request(p), syn = uet_any_request(q),
                   late = under_slot(&known, idle), late_syn = under_slot(&syn, idle);

    if (overwritten)
        install(tc, d, idle, uet_tc_bytes(tc, UET_TSS_KEY_LEN));
    else
        take_key(tc, d, idle);
    say(tc, &late);
    say(tc, &late_syn);
    const struct uet_in *in = maybe(tc, ANSWER_ON(p), .within = uet_tc_quiet(tc));
    if (!in)
        in = maybe(tc, ANSWER_ON(q), .within = uet_tc_quiet(tc) / 16);
    install(tc, d, idle, d->key[idle]->params.key);
    uet_check(tc, "TSS-036", !in, "a packet under the key of before was answered");
    ask(tc, "TSS-036", &known);
    ask(tc, "TSS-036", &syn);
    seal_with_other_an(tc);
    answer_to_next(tc, "TSS-036", p);
    seal_with_other_an(tc);
}

UET_TEST(overwritten, .id = "tss.3.7.overwritten-key", .requirements = "TSS-036",
         .role = UET_ROLE_TARGET, .needs = "rud any-request upper-tester tss",
         .not_over = "used after-read aged reopened",
         .purpose = "A key that was overwritten opens nothing any more.",
         .preamble = "PDC open; a new key goes into the slot that the FEP does not seal with.",
         .stimulus = "A Request on the PDC and a SYN, under the key that the slot had before; then "
                     "both with the other AN. The key of before is put back; a Request under it.",
         .expected = "Nothing at all; then ACKs; an ACK.")
{
    opens_nothing(tc, true);
}

UET_TEST(taken, .id = "tss.3.7.key-taken-away", .requirements = "TSS-036", .role = UET_ROLE_TARGET,
         .needs = "rud any-request upper-tester tss", .not_over = "used after-read aged reopened",
         .purpose = "A key that was taken away opens nothing any more.",
         .preamble = "PDC open; the key of the AN that the FEP does not seal with is taken away.",
         .stimulus = "A Request on the PDC and a SYN, under that key; then both with the other AN. "
                     "The key is put back; a Request under it.",
         .expected = "Nothing at all; then ACKs; an ACK.")
{
    opens_nothing(tc, false);
}

UET_TEST(overwritten_ack, .id = "tss.3.7.ack-under-overwritten-key", .requirements = "TSS-036",
         .role = UET_ROLE_INITIATOR, .needs = "rud write upper-tester tss",
         .not_over = "used after-read aged reopened",
         .purpose = "An ACK under a key that was overwritten says nothing.",
         .preamble = "RTO long; the FEP writes 16 bytes; a new key goes into the slot that it does "
                     "not seal with.",
         .stimulus = "The ACK of its packet, under the key that the slot had before; the key of "
                     "before is put back; the ACK with the AN that the FEP seals with.",
         .expected = "The write stays open; then it is a success.")
{
    struct uet_pdc *p;
    uint64_t handle;
    hold_rto(tc);
    const struct uet_in *in = fep_writes_unanswered(tc, &p, &handle);
    const struct uet_domain *d = p->domain;
    const uint8_t idle = idle_slot(tc, d);
    const struct uet_out ack = uet_ack(p, in), late = under_slot(&ack, idle);

    install(tc, d, idle, uet_tc_bytes(tc, UET_TSS_KEY_LEN));
    say(tc, &late);
    const bool open = !uet_completion(tc, handle, before_rto(tc), &(struct uet_ut_completion){0});
    install(tc, d, idle, d->key[idle]->params.key);
    uet_check(tc, "TSS-036", open, "an ACK under the overwritten key was taken");
    resume_acks(tc, in);
    completes(tc, "TSS-036", handle, UET_UT_OK);
}

/* The same in an epoch that is late neither where a new key begins in that of the domain, nor in 0.
 */
static struct uet_out in_time_under_slot(const struct uet_out *o, uint8_t an)
{
    struct uet_out late = under_slot(o, an);
    const uint16_t told = late.tss.domain->told->epoch;

    late.tss.other_epoch = true;
    late.tss.epoch = told < 0x8000 ? told : 0;
    return late;
}

UET_TEST(overwritten_latches, .id = "tss.3.7.overwritten-key-latches", .requirements = "TSS-043",
         .role = UET_ROLE_TARGET, .needs = "rud any-request upper-tester tss unlatch",
         IN_EACH_KIND_OF_DOMAIN, .once = "the domain takes nothing any more",
         .purpose = "What comes under a key that was overwritten has a wrong ICV as any other.",
         .preamble = "PDC open; a new key goes into the slot that the FEP does not seal with; the "
                     "key file tells the threshold.",
         .stimulus = "One Request more than there may be wrong ICVs, under the key that the slot "
                     "had before; the same with the AN that the FEP seals with.",
         .expected = "Nothing; nothing.")
{
    hold_idle(tc); /* there may be thousands of them */
    struct uet_pdc *p = uet_pdc_open(tc);
    const struct uet_domain *d = p->domain;
    const uint8_t idle = idle_slot(tc, d);
    const uint32_t threshold = d->told->auth_fail_threshold;
    struct uet_out known = uet_any_request(p);

    if (!threshold || threshold > LATCH_MOST)
        uet_skip_for(tc, UET_SKIP_PARAMETER, "auth_fail_threshold is %u", (unsigned)threshold);
    p->auto_close = false;
    uet_talk_long(tc);
    unlatch_at_end(tc, &d->told->sdi);
    install(tc, d, idle, uet_tc_bytes(tc, UET_TSS_KEY_LEN));
    for (uint32_t i = 0; i <= threshold; i++) {
        struct uet_out late = in_time_under_slot(&known, idle);
        say(tc, &late);
        if (i % 16 == 15) /* not faster than a small FEP takes it */
            uet_wait(tc, uet_tc_quiet(tc) / 16);
    }
    say(tc, &known);
    silence(tc, "TSS-043", ANSWER_ON(p));
}

/* A key that nobody has used goes into the idle slot, here and there; NULL: the key file's again.
 */
static void put(struct uet_tc *tc, struct uet_domain *d, const uint8_t *key)
{
    const uint8_t idle = idle_slot(tc, d);

    install(tc, d, idle, key ? key : d->key[idle]->params.key);
    if (!uet_security_put(d, idle, key))
        uet_inconc(tc, "no memory left for a key");
}

/* With a key that nobody has used, in its other slot, the FEP seals from now on. */
static void seals_with_new_key(struct uet_tc *tc, struct uet_domain *d)
{
    put(tc, d, uet_tc_bytes(tc, UET_TSS_KEY_LEN));
    rotates(tc, d, idle_slot(tc, d));
}

/* It does as before, and that slot has the key file's key. */
static void seals_as_before(struct uet_tc *tc, struct uet_domain *d)
{
    rotates(tc, d, d->told->tx);
    put(tc, d, NULL);
}

/* Has the upper tester the verbs to move counters, and to rotate? As it is, if it can. */
static void need_counters(struct uet_tc *tc, const struct uet_domain *d)
{
    uet_did(tc, uet_ut_advance_counter(uet_tc_ut(tc), d->told->sdi, 0), "advance_counter");
    (void)idle_slot(tc, d);
    rotates(tc, d, d->told->tx);
}

/* What came under a key of which so many counters are left: so many ACKs, that counted on or not.
 */
struct last_ones {
    unsigned n;
    bool anew;
};

static struct last_ones ask_to_the_end(struct uet_tc *tc, struct uet_pdc *p, unsigned most,
                                       uint8_t an, uint64_t from)
{
    struct last_ones got = {0};
    const struct uet_in *ack;
    uint16_t epoch = 0;

    do {
        struct uet_out o = uet_any_request(p);

        say(tc, &o);
        ack = maybe(tc, ACK_OF(&o));
        if (!ack)
            break;
        const struct uet_tss_header h = header_of(tc, "TSS-022", ack);
        if (got.n == 0)
            epoch = h.epoch;
        if (h.an != an || h.epoch != epoch) /* it has gone on by itself, as it may */
            break;
        got.anew |= h.counter < from;
        from = h.counter + 1;
    } while (++got.n < most);
    return got;
}

enum { LEFT = 3, MORE = 4 };

UET_TEST(used_up, .id = "tss.3.7.counter-ends", .requirements = "TSS-022 TSS-018",
         .role = UET_ROLE_TARGET, .needs = "rud any-request upper-tester tss",
         .not_over = "used after-read aged reopened",
         .purpose = "A FEP whose counter is used up sends nothing under that key any more.",
         .preamble = "PDC open; the FEP seals with a new key in its other slot, and its counter is "
                     "moved to 3 below the limit.",
         .stimulus = "Requests, until one gets no ACK, 7 at most; the FEP is told to seal with "
                     "the key of before; the last one with retx=1.",
         .expected = "ACKs with counters that rise, not more than 4, and then nothing, or ACKs of "
                     "another AN or epoch; an ACK "
                     "under the key of before, or a NACK where the FEP has given the PDC up.")
{
    struct uet_pdc *p = uet_pdc_open(tc);
    struct uet_domain *d = p->domain;
    const uint64_t from = d->told->counter_limit - LEFT;

    need_counters(tc, d);
    seals_with_new_key(tc, d);
    const bool moved = uet_ut_advance_counter(uet_tc_ut(tc), d->told->sdi, from) == 0;
    const struct last_ones got =
        moved ? ask_to_the_end(tc, p, LEFT + MORE, idle_slot(tc, d), from) : (struct last_ones){0};
    seals_as_before(tc, d);
    if (!moved)
        uet_skip(tc, "the upper tester does not move the counter so far");
    uet_check(tc, "TSS-022", got.n <= LEFT + 1, "%u ACKs came, where %u counters were left", got.n,
              LEFT);
    uet_check(tc, "TSS-018", !got.anew, "the counter has begun anew");
    struct uet_out last = request_at(p, p->next_psn - 1);
    say_again(tc, &last);
    const struct uet_in *in = hear(tc, "TSS-022", ANSWER_TO(&last));
    uet_check_eq(tc, "TSS-022", "AN", header_of(tc, "TSS-022", in).an, d->told->tx);
}

/* What comes when the counters of a key end. */
struct ending {
    uint8_t an;       /* of that key; nothing more comes of it once the other has taken over */
    uint64_t next[2]; /* by AN: no epoch and counter below it may come */
    unsigned n;       /* packets of that key in its first epoch: in a later one it may count anew */
    bool over, silent;
};

static void take_ending(struct uet_tc *tc, const struct uet_in *ack, struct ending *e)
{
    const struct uet_tss_header h = header_of(tc, "TSS-022", ack);
    const uint64_t at = (uint64_t)h.epoch << 48 | h.counter;

    uet_check(tc, "TSS-018", at >= e->next[h.an] && !(h.an == e->an && e->over),
              "AN %u has begun anew, in epoch %u with counter %llu", h.an, h.epoch,
              (unsigned long long)h.counter);
    if (h.an != e->an)
        uet_check(tc, "TSS-035", at < FAR, "a new key begins in epoch %u, with counter %llu",
                  h.epoch, (unsigned long long)h.counter);
    e->n += h.an == e->an && h.epoch == 0;
    e->over |= h.an != e->an;
    e->next[h.an] = at + 1;
}

/* In a domain of the test's own, which is in epoch 0, and whose counter is used up. */
static void counter_ends(struct uet_tc *tc)
{
    struct uet_pdc *p = uet_pdc_open(tc);
    const struct uet_key_domain *told = p->domain->told;
    const uint64_t from = told->counter_limit - LEFT;
    struct ending e = {.an = told->tx};

    e.next[e.an] = from;
    p->auto_close = false; /* it may be silent */
    if (uet_ut_advance_counter(uet_tc_ut(tc), told->sdi, from))
        uet_skip(tc, "the upper tester does not move the counter so far");
    for (unsigned i = 0; i < LEFT + MORE && !e.silent; i++) {
        struct uet_out o = uet_any_request(p);
        say(tc, &o);
        const struct uet_in *ack = maybe(tc, ACK_OF(&o));
        e.silent = !ack;
        if (ack)
            take_ending(tc, ack, &e);
    }
    uet_check(tc, "TSS-022", e.n <= LEFT + 1,
              "%u ACKs came under the old key, where %u counters were left", e.n, LEFT);
    p->auto_close = !e.silent;
}

#define COUNTER_ENDS                                                                               \
    .role = UET_ROLE_TARGET, .needs = "rud any-request upper-tester tss", .not_over = "all",       \
    .stimulus = "Seven Requests."

UET_TEST(taken_over, .id = "tss.3.7.counter-ends-beside-a-new-key",
         .requirements = "TSS-018 TSS-022 TSS-035", COUNTER_ENDS,
         .purpose = "When the counter is used up, and a key that nobody has used is there, nothing "
                    "goes under the old key any more.",
         .preamble = "The FEP gets a domain with a new key in each slot, and a PDC in it is open; "
                     "the counter is moved to 3 below the limit.",
         .expected = "ACKs with counters that rise, not more than 4; and then nothing, or ACKs of "
                     "the other AN, whose counter and epoch begin anew, once.")
{
    need_pdcs(tc, 2); /* that of the removed domain may stay */
    (void)in_new_domain_of_two_keys(tc, 0);
    counter_ends(tc);
}

UET_TEST(nothing_to_take_over, .id = "tss.3.7.counter-ends-beside-no-key",
         .requirements = "TSS-018 TSS-022", COUNTER_ENDS,
         .purpose = "When the counter is used up, and the other slot has no key, nothing goes any "
                    "more.",
         .preamble = "The FEP gets a domain with a new key in one slot, and a PDC in it is open; "
                     "the counter is moved to 3 below the limit.",
         .expected = "ACKs with counters that rise, not more than 4; and then nothing.")
{
    need_pdcs(tc, 2); /* that of the removed domain may stay */
    (void)in_new_domain(tc);
    counter_ends(tc);
}

/* The FEP seals with that AN from now on, in epoch 0. */
static void begins_epoch_0(struct uet_tc *tc, struct uet_pdc *p, uint8_t an)
{
    uet_did(tc, uet_ut_rotate(uet_tc_ut(tc), p->domain->told->sdi, an), "rotate");
    const struct uet_tss_header h = answer_to_next(tc, "TSS-035", p);

    uet_check_eq(tc, "TSS-035", "AN", h.an, an);
    uet_check_eq(tc, "TSS-035", "epoch", h.epoch, 0);
}

enum { LATER = 0x1234 };

UET_TEST(leaves_epoch, .id = "tss.3.7.new-key-leaves-the-epoch", .requirements = "TSS-035",
         .role = UET_ROLE_TARGET, .needs = "rud any-request upper-tester tss", .not_over = "all",
         .purpose = "A key begins in epoch 0, in either slot, whatever was there before.",
         .preamble = "The FEP gets a domain with a new key in each slot, in a later epoch, and a "
                     "PDC in it is open.",
         .stimulus = "The FEP is told to seal with its other key; a Request. A new key comes into "
                     "the slot that it left, with which it is told to seal; a Request.",
         .expected = "An ACK of epoch 0 each.")
{
    need_pdcs(tc, 2); /* that of the removed domain may stay */
    (void)in_new_domain_of_two_keys(tc, LATER);
    struct uet_pdc *p = uet_pdc_open(tc);
    struct uet_domain *d = p->domain;
    const uint8_t an = d->told->tx, *key = uet_tc_bytes(tc, UET_TSS_KEY_LEN);

    begins_epoch_0(tc, p, !an);
    uet_did(tc, give_key(tc, d, an, key), "install_domain");
    if (!uet_security_put(d, an, key))
        uet_inconc(tc, "no memory left for a key");
    begins_epoch_0(tc, p, an);
}

UET_TEST(in_its_place, .id = "tss.3.7.new-key-begins-anew", .requirements = "TSS-035",
         .role = UET_ROLE_TARGET, .needs = "rud any-request upper-tester tss",
         .not_over = "used after-read aged reopened",
         .purpose = "A key that comes in the place of one that was sent with begins to count anew.",
         .preamble = "PDC open; the FEP seals with a new key in its other slot, and its counter is "
                     "moved 2^32 on; then with the key of before.",
         .stimulus = "Another new key comes into that slot, and the FEP is told to seal with it; a "
                     "Request.",
         .expected = "An ACK with a counter below 2^32 and epoch 0.")
{
    struct uet_pdc *p = uet_pdc_open(tc);
    struct uet_domain *d = p->domain;

    need_counters(tc, d);
    seals_with_new_key(tc, d);
    const bool moved = uet_ut_advance_counter(uet_tc_ut(tc), d->told->sdi, FAR) == 0;
    rotates(tc, d, d->told->tx);
    seals_with_new_key(tc, d);
    struct uet_out o = uet_any_request(p);
    say(tc, &o);
    const struct uet_in *ack = maybe(tc, ACK_OF(&o));
    seals_as_before(tc, d);
    if (!moved)
        uet_skip(tc, "the upper tester does not move the counter so far");
    uet_check(tc, "TSS-035", ack, "no ACK came under a new key");
    const struct uet_tss_header h = header_of(tc, "TSS-035", ack);
    uet_check_eq(tc, "TSS-035", "AN", h.an, idle_slot(tc, d));
    uet_check_eq(tc, "TSS-035", "epoch", h.epoch, 0);
    uet_check(tc, "TSS-035", h.counter < FAR, "the counter goes on, at %llu",
              (unsigned long long)h.counter);
}

UET_TEST(
    resend_after_rotation, .id = "tss.3.7.resend-after-rotation", .requirements = "TSS-020",
    .role = UET_ROLE_INITIATOR, .needs = "rud write upper-tester tss", .params = "RTO_Init_Time",
    .purpose = "What is sent again after a rotation goes under the key of that moment.",
    .preamble = "A PDC that the FEP opened.",
    .stimulus = "The FEP writes 16 bytes, which get no ACK; it is told to seal with the key of "
                "its other AN.",
    .expected = "The same PSN with retx=1 and the new AN, which opens with the key of that "
                "AN. One that left before is overlooked.")
{
    struct uet_pdc *pdc = fep_opens(tc);
    const struct uet_domain *d = pdc->domain;
    const uint8_t an = d->told->tx, other = idle_slot(tc, d);
    const struct uet_in *first = fep_writes_unanswered(tc, &pdc, NULL);

    rotates(tc, d, other);
    const uint64_t rto = one_rto(tc);
    const struct uet_in *copy = hear(tc, "TSS-020", RESEND_OF(first), .within = patience(tc, rto));
    if (header_of(tc, "TSS-020", copy).an == an)
        copy = hear(tc, "TSS-020", RESEND_OF(first), .within = patience(tc, 2 * rto));
    uint8_t now = header_of(tc, "TSS-020", copy).an;
    if (now == an && counter_of(tc, "TSS-020", copy) != counter_of(tc, "TSS-020", first))
        uet_other_reading(tc, "TSS-020", "sealed anew, but with the AN of before the rotation");
    else
        uet_check_eq(tc, "TSS-020", "AN", now, other);
    resume_acks(tc, copy);
    rotates(tc, d, an);
}

UET_TEST(new_start_after_rotation, .id = "tss.3.5.8.new-start-after-rotation",
         .requirements = "TSS-054 TSS-034", .role = UET_ROLE_TARGET,
         .needs = "rud any-request upper-tester tss", .contested = true,
         .not_over = "psn used after-read aged reopened",
         .purpose = "A NACK that has no PDC goes under the key that is sent with, too.",
         .stimulus = "In a domain of RANDOM_1RTT_START a SYN; the FEP is told to seal with the key "
                     "of its other AN; a SYN of another PDC.",
         .expected = "NACK UET_NEW_START_PSN for each, with the one AN and with the other; one in "
                     "clear is a finding.")
{
    in_domain_that_starts(tc, UET_KEY_RANDOM_1RTT);
    start_by_hand(tc);
    struct uet_pdc *p[] = {uet_pdc_new(tc), uet_pdc_new(tc)};
    const struct uet_domain *d = p[0]->domain;
    const uint8_t an[] = {d->told->tx, idle_slot(tc, d)};
    for (int i = 0; i < 2; i++) {
        struct uet_out syn = uet_any_request(p[i]);
        uint32_t start;
        rotates(tc, d, an[i]);
        say(tc, &syn);
        const struct uet_in *nack = hear_new_start(tc, "TSS-054", &syn, &start);
        if (nack->packet.tss)
            uet_check_eq(tc, "TSS-034", "AN", header_of(tc, "TSS-034", nack).an, an[i]);
        else
            uet_other_reading(tc, "TSS-054", "UET_NEW_START_PSN came in clear");
    }
    rotates(tc, d, an[0]);
}

UET_TEST(new_slots_epoch, .id = "tss.3.7.epoch-of-the-other-key", .requirements = "TSS-034 TSS-035",
         .role = UET_ROLE_TARGET, .needs = "rud any-request tss",
         .purpose = "A new key begins at epoch 0, whatever the epoch of the old one.",
         .preamble = "PDC open; the key file tells the epoch of the key that is sent with, and has "
                     "one of the other AN.",
         .stimulus = "A Request under the key of the other AN, of epoch 0.",
         .expected = "An ACK: the age of an epoch is counted in its own AN.")
{
    struct uet_pdc *p = uet_pdc_open(tc);

    (void)idle_slot(tc, p->domain);
    seal_with_other_an(tc);
    struct uet_out o = uet_any_request(p);
    o.tss.other_epoch = true;
    o.tss.epoch = 0;
    ask(tc, "TSS-034", &o);
    seal_with_other_an(tc);
}
