/* SPDX-License-Identifier: BSD-2-Clause */
#include "conformance/cli/target/setups.h"

#include "conformance/cli/target/secure.h"
#include "conformance/harness/security.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* The words of the places say the same (point.c). */
static const struct {
    bool no_crc;
    uint8_t ip_protocol;
    struct uet_fep_ref_setting settings[2];
} kinds[] = {
    [UET_SETUP_IPV6] = {true, 0, {{"payload-mtu", 1024}, {NULL, 0}}},
    [UET_SETUP_NATIVE] = {false, 0, {{"payload-mtu", 8192}, {NULL, 0}}},
    [UET_SETUP_NATIVE | UET_SETUP_IPV6] = {false, 254, {{"payload-mtu", 2048}, {NULL, 0}}},
};

static int open_ref(struct uet_target *t, size_t place, const char *variant, const char *secure,
                    const struct uet_session *as, char *err, size_t errlen)
{
    uint32_t value = uet_dimensions[UET_OVER_SETUP].places[place].value;
    if (secure && uet_secure_of_seed(t, as->seed, secure, value & UET_SETUP_IPV6, err, errlen) != 0)
        return -EINVAL;
    const struct uet_fep_ref_kind kind = {.seed = as->seed,
                                          .spec = as->spec,
                                          .variant = variant,
                                          .profile = as->dut->profile,
                                          .no_crc = kinds[value].no_crc,
                                          .ipv6 = value & UET_SETUP_IPV6,
                                          .native = value & UET_SETUP_NATIVE,
                                          .ip_protocol = kinds[value].ip_protocol,
                                          .keys = t->keys,
                                          .keys_beside =
                                              secure && uet_secure_has_clear_jobs(secure),
                                          .settings = kinds[value].settings};
    int rc = uet_fep_ref_open_as(&t->ref, &kind, err, errlen);

    if (rc)
        return rc;
    t->dut = *uet_fep_ref_dut(t->ref);
    snprintf(t->dut.spec, sizeof(t->dut.spec), "%s", as->dut->spec);
    t->port = uet_fep_ref_port(t->ref);
    t->ut = uet_fep_ref_ut(t->ref);
    return t->keys ? uet_secure_domains(t, err, errlen) : 0;
}

static struct uet_session *session_of(struct uet_target *t, const struct uet_session *as,
                                      const char *set_up)
{
    struct uet_session *session = malloc(sizeof(*session));

    if (!session)
        return NULL;
    *session = *as;
    session->dut = &t->dut;
    session->port = t->port;
    session->ut = t->ut;
    session->set_up = set_up;
    session->aside = true;
    return session;
}

static int no_memory(char *err, size_t errlen)
{
    snprintf(err, errlen, "no memory left");
    return -ENOMEM;
}

/* In each place, for the sealed FEP. */
static int open_sealed_setups(struct uet_setups *s, const char *fep,
                              const struct uet_session *session, char *err, size_t errlen)
{
    static const char *const set_up[] = {
        [UET_SETUP_IPV6] = "sealed ipv6",
        [UET_SETUP_NATIVE] = "sealed native",
        [UET_SETUP_NATIVE | UET_SETUP_IPV6] = "sealed native-ipv6",
    };
    const struct uet_dimension *setup = &uet_dimensions[UET_OVER_SETUP];

    for (size_t p = 1; p < uet_n_places(setup); p++) {
        struct uet_target *t = &s->sealed_at[p];
        int rc = open_ref(t, p, fep[3] ? fep + 4 : NULL, uet_secure_modes[0], session, err, errlen);

        if (rc)
            return rc;
        s->sealed_session_at[p] = session_of(t, session, set_up[setup->places[p].value]);
        if (!s->sealed_session_at[p])
            return no_memory(err, errlen);
        s->sealed_session_at[p]->setups = NULL;
    }
    s->sealed_session->setups = s->sealed_session_at;
    return 0;
}

static int open_one(struct uet_setups *s, size_t place, const char *fep,
                    const struct uet_target *base, const struct uet_session *as, char *err,
                    size_t errlen)
{
    struct uet_target *t = &s->target[place];
    int rc = base->ref ? open_ref(t, place, fep[3] ? fep + 4 : NULL, base->secure, as, err, errlen)
                       : uet_target_open_setup(t, base, place, err, errlen);

    if (rc)
        return rc;
    s->session[place] = session_of(t, as, uet_dimensions[UET_OVER_SETUP].places[place].name);
    return s->session[place] ? 0 : no_memory(err, errlen);
}

int uet_setups_open(struct uet_setups *setups, const char *fep, const struct uet_target *base,
                    struct uet_session *session, char *err, size_t errlen)
{
    int rc = 0;

    *setups = (struct uet_setups){0};
    for (size_t p = 1; !rc && p < uet_n_places(&uet_dimensions[UET_OVER_SETUP]); p++)
        if (base->ref || base->dut.setups >> p & 1)
            rc = open_one(setups, p, fep, base, session, err, errlen);
    if (!rc)
        session->setups = setups->session;
    return rc;
}

static int open_secure(struct uet_target *t, const char *fep, const char *mode,
                       const struct uet_target *base, struct uet_session *session,
                       const char *set_up, struct uet_session **of, char *err, size_t errlen)
{
    const struct uet_target_as as = {.seed = session->seed,
                                     .spec = session->spec,
                                     .profile = base->dut.profile,
                                     .secure = mode,
                                     .in_place = session->in_place};
    int rc = uet_target_open_as(t, fep, &as, err, errlen);

    if (rc)
        return rc;
    *of = session_of(t, session, set_up);
    if (!*of)
        return no_memory(err, errlen);
    (*of)->setups = NULL;
    return 0;
}

int uet_setups_open_secure(struct uet_setups *setups, const char *fep,
                           const struct uet_target *base, struct uet_session *session, char *err,
                           size_t errlen)
{
    int rc = 0;

    if (!base->ref || (base->secure && uet_secure_has_clear_jobs(base->secure)))
        return 0;
    if (!base->secure)
        rc = open_secure(&setups->sealed, fep, uet_secure_modes[0], base, session, "sealed",
                         &setups->sealed_session, err, errlen);
    if (!rc && setups->sealed_session)
        rc = open_sealed_setups(setups, fep, session, err, errlen);
    if (!rc)
        rc = open_secure(&setups->beside, fep, "beside", base, session, "sealed beside clear",
                         &setups->beside_session, err, errlen);
    session->sealed = setups->sealed_session;
    session->beside = setups->beside_session;
    return rc;
}

int uet_setups_tell(struct uet_setups *setups, size_t place, const struct uet_target *base,
                    const struct uet_session *session, char *err, size_t errlen)
{
    struct uet_target *t = &setups->target[place];
    int rc = uet_dut_read_setup(&t->dut, base->dut.path, place, err, errlen);

    if (rc)
        return rc;
    memcpy(t->dut.profile, base->dut.profile, sizeof(t->dut.profile));
    t->dut.security = base->dut.security; /* as the run has it (uet_target_open_setup) */
    t->lent_keys = true;
    setups->session[place] =
        session_of(t, session, uet_dimensions[UET_OVER_SETUP].places[place].name);
    if (!setups->session[place])
        return no_memory(err, errlen);
    setups->session[place]->port = session->port;
    setups->session[place]->ut = t->dut.control[0] ? session->ut : NULL;
    return 0;
}

void uet_setups_close(struct uet_setups *setups)
{
    uet_alike_close(&setups->alike);
    free(setups->beside_session);
    free(setups->sealed_session);
    uet_target_close(&setups->beside);
    uet_target_close(&setups->sealed);
    for (size_t p = 0; p < UET_MAX_PLACES; p++) {
        free(setups->sealed_session_at[p]);
        uet_target_close(&setups->sealed_at[p]);
        free(setups->session[p]);
        uet_target_close(&setups->target[p]);
    }
    *setups = (struct uet_setups){0};
}
