/* SPDX-License-Identifier: BSD-2-Clause */
#include "conformance/harness/run/protection.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "conformance/harness/preamble/preamble.h"
#include "conformance/harness/security.h"
#include "wire/crc.h"

/* What a packet may be wrapped in. */
struct wrapping {
    bool native; /* native IP instead of UDP */
    bool crc;
    uint8_t order; /* enum uet_crc_order */
};

/* An exchange: a session of its own, in which only the FEP's answer decides how to go on. */
struct trial {
    struct uet_session session; /* first: a test's body finds the rest behind it */
    struct uet_dut dut;
    struct wrapping sent, came;
    bool asked, answered;
    bool sealed;  /* in its domain's reading */
    uint8_t keys; /* a place of UET_OVER_KEYS: in which domain */
};

static struct wrapping told(const struct uet_dut *dut)
{
    return (struct wrapping){
        .native = dut->native, .crc = dut->protect == UET_PROTECT_CRC, .order = uet_dut_order(dut)};
}

static bool same(const struct wrapping *a, const struct wrapping *b)
{
    return a->native == b->native && a->crc == b->crc && (!a->crc || a->order == b->order);
}

/* The answer says what the FEP takes; in that the PDC is closed, too. */
static void exchange(struct uet_tc *tc)
{
    struct trial *t = (struct trial *)tc->session;
    struct uet_pdc *pdc = uet_pdc_new(tc);
    struct uet_out o = uet_any_request(pdc);
    const struct uet_want answer = {.kind = UET_WANT_ANSWER, .pdc = pdc};

    t->asked = true;
    if (!t->sealed)
        o.protect = t->sent.crc ? UET_PROTECT_CRC : UET_PROTECT_NONE;
    o.route.crc_order = t->sent.order;
    o.route.native = t->sent.native;
    uet_send(tc, &o);
    const struct uet_in *in = uet_maybe(tc, &answer, 0);
    if (!in)
        return;
    int order = uet_packet_crc_order(&in->packet);
    t->answered = true;
    if (t->sealed)
        return;
    t->came = (struct wrapping){.native = in->packet.entropy_offset != 0,
                                .crc = order >= 0,
                                .order = order == UET_CRC_LITTLE_ENDIAN};
    t->dut.native = t->came.native;
    t->dut.protect = t->came.crc ? UET_PROTECT_CRC : UET_PROTECT_NONE;
    t->dut.crc_order = t->came.order ? UET_DUT_CRC_LITTLE : UET_DUT_CRC_BIG;
}

static const struct uet_test exchange_test = {.body = exchange,
                                              .id = "setup.trailer",
                                              .requirements = "PDS-233",
                                              .role = UET_ROLE_TARGET,
                                              .needs = "rud any-request",
                                              .purpose = "What ends the FEP's packets?"};

static const struct uet_test sealed_test = {.body = exchange,
                                            .id = "setup.sealed",
                                            .requirements = "TSS-007",
                                            .role = UET_ROLE_TARGET,
                                            .needs = "rud any-request tss",
                                            .purpose = "How does the FEP seal its packets?"};

/* One exchange; what was used up in it is used up for the run. */
static void run_trial(struct trial *t, struct uet_session *session, const struct wrapping *sent,
                      bool sealed)
{
    struct uet_result result = {0};
    struct uet_test test = sealed ? sealed_test : exchange_test;

    test.point.place[UET_OVER_KEYS] = t->keys;
    t->session = *session;
    t->dut = *session->dut;
    t->session.dut = &t->dut;
    t->session.pcap_dir = NULL;
    t->session.broken = NULL;
    t->sealed = sealed;
    if (!t->sealed)
        t->dut.protect = UET_PROTECT_AUTO; /* reads any trailer, and none */
    t->sent = *sent;
    t->asked = t->answered = false;
    uet_tc_run(&t->session, &test, &result);
    memcpy(session->used_pdcids, t->session.used_pdcids, sizeof(session->used_pdcids));
    session->n_services = t->session.n_services;
}

/* What the FEP's packets tell against what the file tells. */
static int compare(struct uet_dut *dut, const struct wrapping *came, char *note, size_t n,
                   char *err, size_t errlen)
{
    const struct wrapping says = told(dut);
    const char *order = uet_crc_order_name((enum uet_crc_order)came->order);

    if (came->native != says.native)
        snprintf(err, errlen, "%s: the FEP answers over %s (3.5.10.1): set `encapsulation: %s`",
                 dut->path, came->native ? "native IP" : "UDP", came->native ? "native" : "udp");
    else if (came->crc && !says.crc)
        snprintf(err, errlen,
                 "%s: the last four bytes of the FEP's packets are right as CRC trailers (3.5.25): "
                 "set `protect: crc`",
                 dut->path);
    else if (!came->crc && says.crc)
        snprintf(err, errlen,
                 "%s: the FEP's packets end in no CRC trailer (3.5.25): set `protect: none`",
                 dut->path);
    else if (came->crc && dut->crc_order != UET_DUT_CRC_AUTO && came->order != says.order)
        snprintf(err, errlen,
                 "%s: the CRC trailers of the FEP's packets are %s: set `crc_order: %s`, or auto",
                 dut->path, order, came->order ? "little" : "big");
    else {
        if (came->crc)
            dut->crc_order = came->order ? UET_DUT_CRC_LITTLE : UET_DUT_CRC_BIG;
        if (came->crc && came->order == UET_CRC_LITTLE_ENDIAN)
            snprintf(note, n,
                     "the FEP's CRC trailers are %s, where 3.5.25 has network order: the "
                     "suite goes on in that order",
                     order);
        return 0;
    }
    return -EINVAL;
}

/* Readings of the domain from the first one on, each step-th, until the FEP answers. */
static void try_readings(struct trial *t, struct uet_session *session, const struct uet_dut *dut,
                         struct uet_domain *d, uint8_t first, uint8_t step)
{
    const struct wrapping as_told = told(dut);

    t->asked = true;
    t->answered = false;
    for (uint8_t i = first; i < UET_SEALING_READINGS && t->asked && !t->answered; i += step) {
        d->reading = i;
        run_trial(t, session, &as_told, true);
    }
    if (!t->answered)
        d->reading = first;
}

/* Does its key depend on what a key is derived from where there are SSIs, on IPv6 (TSS-077)? */
static bool tells_derivation(const struct uet_domain *d)
{
    return d->ssi_mode && d->mode != UET_TSS_MODE_DIRECT;
}

/*
 * Tests begin in a domain that does not tell it, without SSIs or in direct mode. One that does is
 * tried: as the others, so the first of them.
 */
static uint8_t try_with_ssis(struct trial *t, struct uet_session *session,
                             const struct uet_dut *dut, uint8_t reading)
{
    const struct uet_dimension *keys = &uet_dimensions[UET_OVER_KEYS];
    struct uet_domain *d = NULL;

    for (uint8_t p = 1; p < uet_n_places(keys) && !d; p++) {
        if (keys->places[p].value & UET_KEYS_SSI)
            d = uet_security_of_kind(dut->security, keys->places[p].value);
        t->keys = p;
    }
    if (d)
        try_readings(t, session, dut, d, reading, 2);
    t->keys = 0;
    return d ? d->reading : reading;
}

/*
 * Sealed, there is no trailer to be found out, but public sources leave open what is authenticated,
 * and a FEP that reads them otherwise says nothing: each reading is tried until it answers.
 */
static void find_reading(struct trial *t, struct uet_session *session, const struct uet_dut *dut,
                         char *note, size_t n)
{
    const size_t said = strlen(note);
    struct uet_domain *d = uet_security_ordinary(dut->security), *other;

    try_readings(t, session, dut, d, 0, 1);
    uint8_t reading = d->reading;
    if (t->answered && dut->address.version == 6 && !tells_derivation(d)) {
        reading = try_with_ssis(t, session, dut, reading);
        t->answered = true;
    }
    for (size_t i = 0; (other = uet_security_domain(dut->security, i)) != NULL; i++)
        other->reading = other->ssi_mode ? reading : reading & 1u;
    if (t->answered && reading)
        snprintf(note + said, n - said,
                 "%sthe FEP answers what is sealed so that %s: the suite goes on in that reading",
                 said ? "; " : "", uet_sealing_reading_name(reading));
}

int uet_find_protection(struct uet_session *session, struct uet_dut *dut, char *note, size_t n,
                        char *err, size_t errlen)
{
    const struct wrapping first = told(dut),
                          others[] = {{first.native, true, UET_CRC_BIG_ENDIAN},
                                      {first.native, true, UET_CRC_LITTLE_ENDIAN},
                                      {first.native, false, UET_CRC_BIG_ENDIAN},
                                      {!first.native, first.crc, first.order}};
    struct trial *t = calloc(1, sizeof(*t));
    char why[200];
    uint8_t reason;
    int rc = 0;

    note[0] = '\0';
    if (!t)
        return -ENOMEM;
    if (uet_tc_skips(session, &exchange_test, why, sizeof(why), &reason))
        goto out;
    if (dut->protect == UET_PROTECT_TSS) {
        find_reading(t, session, dut, note, n);
        goto out;
    }
    run_trial(t, session, &first, false);
    for (size_t i = 0; i < sizeof(others) / sizeof(others[0]) && t->asked && !t->answered; i++)
        if (!same(&others[i], &first))
            run_trial(t, session, &others[i], false);
    if (t->answered)
        rc = compare(dut, &t->came, note, n, err, errlen);
    if (!rc && dut->security)
        find_reading(t, session, dut, note, n);
out:
    free(t);
    return rc;
}

/* In clear, in either encapsulation. */
static void learn_trailer(struct trial *t, struct uet_session *session, struct uet_dut *dut)
{
    for (unsigned i = 0; i < 6 && !t->answered; i++) {
        const struct wrapping tried = {.native = i >= 3,
                                       .crc = i % 3 > 0,
                                       .order =
                                           i % 3 == 2 ? UET_CRC_LITTLE_ENDIAN : UET_CRC_BIG_ENDIAN};

        dut->native = tried.native;
        run_trial(t, session, &tried, false);
    }
    if (!t->answered)
        return;
    dut->native = t->dut.native;
    dut->protect = t->came.crc ? UET_PROTECT_CRC : UET_PROTECT_NONE;
    dut->crc_order = t->came.order ? UET_DUT_CRC_LITTLE : UET_DUT_CRC_BIG;
}

static void learn_sealed(struct trial *t, struct uet_session *session, struct uet_dut *dut)
{
    char note[200] = ""; /* the run that follows says it, too */

    for (int native = 0; native < 2 && !t->answered; native++) {
        dut->native = native;
        find_reading(t, session, dut, note, sizeof(note));
    }
}

bool uet_learn_protection(struct uet_session *session, struct uet_dut *dut)
{
    struct trial *t = calloc(1, sizeof(*t));
    bool answered = false;

    if (t) {
        (dut->protect == UET_PROTECT_TSS ? learn_sealed : learn_trailer)(t, session, dut);
        answered = t->answered;
    }
    free(t);
    return answered;
}
