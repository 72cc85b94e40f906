/* SPDX-License-Identifier: BSD-2-Clause */
/* `setups` of fep.yaml: how else the same FEP can be reached at the same time. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "conformance/harness/point.h"
#include "conformance/harness/yaml/fep.h"
#include "ut/nearest.h"

/* `none`: nothing makes the FEP act there. */
static void control(struct uet_yaml *y, yaml_node_t *node)
{
    static const struct uet_yaml_key key = {"control", UET_YAML_TEXT,
                                            UET_YAML_AT(uet_dut, control)};

    uet_yaml_value(y, &key, node, y->dut);
    if (strcmp(y->dut->control, "none") == 0)
        y->dut->control[0] = '\0';
}

/* What may differ; which encapsulation it is, the name of the set-up tells. */
static const struct uet_yaml_key keys[] = {
    {"address", UET_YAML_ADDRESS, UET_YAML_AT(uet_dut, address)},
    {"tester", UET_YAML_SPECIAL, .special = uet_yaml_tester},
    {"port", UET_YAML_SPECIAL, .special = uet_yaml_port},
    {"control", UET_YAML_SPECIAL, .special = control},
    {"udp_port", UET_YAML_NUMBER, UET_YAML_AT(uet_dut, udp_port), .min = 1, .max = 65535},
    {"ip_protocol", UET_YAML_NUMBER, UET_YAML_AT(uet_dut, ip_protocol), .min = 1, .max = 255},
    {"protect", UET_YAML_WORD, UET_YAML_AT(uet_dut, protect), .words = uet_dut_protections},
    {"crc_order", UET_YAML_WORD, UET_YAML_AT(uet_dut, crc_order), .words = uet_yaml_crc_orders},
    {"payload_mtu", UET_YAML_NUMBER, UET_YAML_AT(uet_dut, payload_mtu), .max = 8192},
};

struct reading {
    struct uet_dut *base;    /* as the rest of the file says */
    struct uet_dut *scratch; /* for the places that are not asked for */
    size_t place;            /* asked for */
};

static size_t place_of(const char *name)
{
    const struct uet_dimension *setup = &uet_dimensions[UET_OVER_SETUP];
    size_t p = 1;

    while (p < uet_n_places(setup) && strcmp(setup->places[p].name, name) != 0)
        p++;
    return p < uet_n_places(setup) ? p : 0;
}

static bool same_testers(const struct uet_dut *a, const struct uet_dut *b)
{
    for (size_t i = 0; i < UET_DUT_TESTERS; i++)
        if (a->tester[i].version != b->tester[i].version ||
            (a->tester[i].version && !uet_ip_equal(&a->tester[i], &b->tester[i])))
            return false;
    return true;
}

static bool share_a_tester(const struct uet_dut *a, const struct uet_dut *b)
{
    for (size_t i = 0; i < UET_DUT_TESTERS; i++)
        for (size_t j = 0; j < UET_DUT_TESTERS; j++)
            if (a->tester[i].version && a->tester[i].version == b->tester[j].version &&
                uet_ip_equal(&a->tester[i], &b->tester[j]))
                return true;
    return false;
}

/* What the name promises, and what two set-ups at one time can be. */
static void check(struct uet_yaml *y, const yaml_node_t *at, const char *name, uint32_t value,
                  const struct uet_dut *base)
{
    const struct uet_dut *d = y->dut;
    uint8_t version = value & UET_SETUP_IPV6 ? 6 : 4;

    if (d->address.version && d->address.version != version)
        uet_yaml_bad(y, at, "set-up '%s' needs an IPv%u 'address', and a 'tester' of that kind",
                     name, version);
    else if (d->native == base->native && d->address.version == base->address.version)
        uet_yaml_bad(y, at,
                     "set-up '%s' is what the file describes without it: there are ipv6, native "
                     "and native-ipv6, and the file itself tells of another one",
                     name);
    if (!same_testers(d, base) && share_a_tester(d, base))
        uet_yaml_bad(y, at,
                     "the 'tester' of set-up '%s' shares an address with that of the file: let "
                     "both name the same ones, or none in common",
                     name);
    if (base->control[0] && !uet_yaml_find(y, at, "control") &&
        (d->native != base->native || d->protect != base->protect ||
         d->payload_mtu != base->payload_mtu))
        uet_yaml_bad(y, at,
                     "set-up '%s' lacks 'control': the upper tester of the file makes the FEP act "
                     "in its own set-up; name another one, or say control: none",
                     name);
}

static void each(struct uet_yaml *y, yaml_node_t *key, yaml_node_t *value, void *ctx)
{
    const struct reading *r = ctx;
    const char *name = uet_yaml_scalar(key);
    const struct uet_dimension *setup = &uet_dimensions[UET_OVER_SETUP];
    size_t place = place_of(name);
    char guess[320] = "", what[64];

    if (!place) {
        uet_nearest_in(guess, sizeof(guess), name, &setup->places[1].name, sizeof(*setup->places),
                       uet_n_places(setup) - 1);
        uet_yaml_bad(y, key, "unknown set-up '%.40s'%s: ipv6, native or native-ipv6", name, guess);
        return;
    }
    uint32_t what_it_is = setup->places[place].value;

    r->base->setups |= (uint16_t)(1u << place);
    *r->scratch = *r->base;
    y->dut = r->scratch;
    y->dut->native = what_it_is & UET_SETUP_NATIVE;
    snprintf(what, sizeof(what), "set-up '%s'", name);
    uet_yaml_mapping(y, value, what, keys, UET_YAML_COUNT(keys), y->dut);
    if (value->type == YAML_MAPPING_NODE) {
        uet_yaml_check_link(y, value);
        check(y, value, name, what_it_is, r->base);
    }
    y->dut = r->base;
}

/* One place: its own mapping is read last, so that what it differs in stays. */
static void take(struct uet_yaml *y, struct reading *r, const yaml_node_t *setups)
{
    const char *name = uet_dimensions[UET_OVER_SETUP].places[r->place].name;
    yaml_node_t *value = uet_yaml_find(y, setups, name);

    if (!value || y->errors)
        return;
    y->dut->native = uet_dimensions[UET_OVER_SETUP].places[r->place].value & UET_SETUP_NATIVE;
    uet_yaml_mapping(y, value, name, keys, UET_YAML_COUNT(keys), y->dut);
}

void uet_yaml_setups(struct uet_yaml *y, const yaml_node_t *root, size_t place)
{
    yaml_node_t *node = uet_yaml_find(y, root, "setups");
    struct reading r = {y->dut, node ? malloc(sizeof(*r.scratch)) : NULL, place};

    if (node && !r.scratch)
        uet_yaml_bad(y, node, "no memory to read 'setups'");
    if (!r.scratch)
        return;
    uet_yaml_pairs(y, node, "'setups'", &r, each);
    if (place)
        take(y, &r, node);
    free(r.scratch);
}
