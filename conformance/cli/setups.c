/* SPDX-License-Identifier: BSD-2-Clause */
#include "conformance/cli/setups.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>

/* The words of the places say the same (point.c). */
static const struct {
    bool no_crc;
    struct uet_fep_ref_setting settings[2];
} kinds[] = {
    [UET_SETUP_IPV6] = {true, {{"payload-mtu", 1024}, {NULL, 0}}},
    [UET_SETUP_NATIVE] = {false, {{"payload-mtu", 8192}, {NULL, 0}}},
    [UET_SETUP_NATIVE | UET_SETUP_IPV6] = {false, {{"payload-mtu", 2048}, {NULL, 0}}},
};

static int open_one(struct uet_setups *s, size_t place, const char *variant,
                    const struct uet_session *as, char *err, size_t errlen)
{
    uint32_t value = uet_dimensions[UET_OVER_SETUP].places[place].value;
    const struct uet_fep_ref_kind kind = {.seed = as->seed,
                                          .spec = as->spec,
                                          .variant = variant,
                                          .no_crc = kinds[value].no_crc,
                                          .ipv6 = value & UET_SETUP_IPV6,
                                          .native = value & UET_SETUP_NATIVE,
                                          .settings = kinds[value].settings};
    int rc = uet_fep_ref_open_as(&s->ref[place], &kind, err, errlen);

    if (rc)
        return rc;
    s->session[place] = malloc(sizeof(*s->session[place]));
    if (!s->session[place]) {
        snprintf(err, errlen, "no memory left");
        return -ENOMEM;
    }
    s->dut[place] = *uet_fep_ref_dut(s->ref[place]);
    snprintf(s->dut[place].spec, sizeof(s->dut[place].spec), "%s", as->dut->spec);
    *s->session[place] = *as;
    s->session[place]->dut = &s->dut[place];
    s->session[place]->port = uet_fep_ref_port(s->ref[place]);
    s->session[place]->ut = uet_fep_ref_ut(s->ref[place]);
    return 0;
}

int uet_setups_open(struct uet_setups *setups, const char *fep, struct uet_session *session,
                    char *err, size_t errlen)
{
    const char *variant = fep[3] ? fep + 4 : NULL;
    int rc = 0;

    *setups = (struct uet_setups){0};
    for (size_t p = 1; !rc && p < uet_n_places(&uet_dimensions[UET_OVER_SETUP]); p++)
        rc = open_one(setups, p, variant, session, err, errlen);
    if (!rc)
        session->setups = setups->session;
    return rc;
}

void uet_setups_close(struct uet_setups *setups)
{
    for (size_t p = 0; p < UET_MAX_PLACES; p++) {
        free(setups->session[p]);
        uet_fep_ref_close(setups->ref[p]);
    }
    *setups = (struct uet_setups){0};
}
