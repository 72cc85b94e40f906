/* SPDX-License-Identifier: BSD-2-Clause */
#include "conformance/cli/setups.h"

#include "conformance/cli/secure.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* The words of the places say the same (point.c). */
static const struct {
    bool no_crc;
    struct uet_fep_ref_setting settings[2];
} kinds[] = {
    [UET_SETUP_IPV6] = {true, {{"payload-mtu", 1024}, {NULL, 0}}},
    [UET_SETUP_NATIVE] = {false, {{"payload-mtu", 8192}, {NULL, 0}}},
    [UET_SETUP_NATIVE | UET_SETUP_IPV6] = {false, {{"payload-mtu", 2048}, {NULL, 0}}},
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
                                          .keys = t->keys,
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

static int open_one(struct uet_setups *s, size_t place, const char *fep,
                    const struct uet_target *base, const struct uet_session *as, char *err,
                    size_t errlen)
{
    struct uet_target *t = &s->target[place];
    int rc = base->ref ? open_ref(t, place, fep[3] ? fep + 4 : NULL, base->secure, as, err, errlen)
                       : uet_target_open_setup(t, base, place, err, errlen);

    if (rc)
        return rc;
    s->session[place] = malloc(sizeof(*s->session[place]));
    if (!s->session[place]) {
        snprintf(err, errlen, "no memory left");
        return -ENOMEM;
    }
    *s->session[place] = *as;
    s->session[place]->dut = &t->dut;
    s->session[place]->port = t->port;
    s->session[place]->ut = t->ut;
    return 0;
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

void uet_setups_close(struct uet_setups *setups)
{
    for (size_t p = 0; p < UET_MAX_PLACES; p++) {
        free(setups->session[p]);
        uet_target_close(&setups->target[p]);
    }
    *setups = (struct uet_setups){0};
}
