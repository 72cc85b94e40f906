/* SPDX-License-Identifier: BSD-2-Clause */
/* `parameters` of fep.yaml: those of Table 3-28 (3.5.5), and what else a tester must know. */
#include <stdio.h>
#include <string.h>

#include "conformance/harness/yaml/reader.h"
#include "uet_spec.h"
#include "ut/nearest.h"

const struct uet_dut_param_info uet_dut_own_params[] = {
    {"max-pdcs", "count", "PDCs that the FEP holds as target, the reserved ones aside (3.5.8)"},
    {"max-bitmaps", "count", "PDCs that have PSN bitmaps, where these are fewer than PDCs"},
    {"max-stored-responses", "count", "guaranteed responses that the FEP keeps (3.5.12.5.5)"},
    {"max-open-messages", "count", "messages that the FEP takes at once as target"},
    {"own-window", "PSNs", "PSNs that the FEP lets be outstanding as source"},
    {"max-reads", "count", "READs that the FEP serves at a time"},
    {"rto-fixed", "bool", "RTO_Init_Time cannot be set"},
    {"dscp-trimmed", "DSCP", "code point of trimmed packets (4.1.4.1)"},
    {"dscp-trimmed-lasthop", "DSCP", "the same, trimmed at the last hop"},
    {"dscp-trimmable", "DSCP", "code point of packets that may be trimmed"},
    {"dscp-control", "DSCP", "code point of packets that may not"},
    /* What the reference FEP has besides, and tests ask for (docs/upper-tester.md, `set`). */
    {"PSN_Bitmaps", "count", "the reference FEP's name of max-bitmaps"},
    {"Write_Completions", "count", "writes with immediate data that can wait to be told"},
};
const size_t uet_dut_n_own_params = UET_YAML_COUNT(uet_dut_own_params);

/* The unit of a parameter, or NULL when there is none of that name. */
static const char *unit_of(const char *name)
{
    for (size_t i = 0; i < uet_n_params; i++)
        if (strcmp(uet_params[i].name, name) == 0)
            return uet_params[i].unit;
    for (size_t i = 0; i < uet_dut_n_own_params; i++)
        if (strcmp(uet_dut_own_params[i].name, name) == 0)
            return uet_dut_own_params[i].unit;
    return NULL;
}

static void unknown(struct uet_yaml *y, const yaml_node_t *key, const char *name)
{
    struct uet_nearest near;
    char guess[320] = "";

    uet_nearest_begin(&near, name);
    for (size_t i = 0; i < uet_n_params; i++)
        uet_nearest_offer(&near, uet_params[i].name);
    for (size_t i = 0; i < uet_dut_n_own_params; i++)
        uet_nearest_offer(&near, uet_dut_own_params[i].name);
    uet_nearest_append(&near, guess, sizeof(guess));
    uet_yaml_bad(y, key, "unknown parameter '%s'%s (`uetconform list --parameters` shows them)",
                 name, guess);
}

static const char *read_flag(const char *text, uint64_t *value)
{
    *value = strcmp(text, "true") == 0 || strcmp(text, "1") == 0;
    return *value || strcmp(text, "false") == 0 || strcmp(text, "0") == 0 ? NULL
                                                                          : "must be true or false";
}

static const char *read_count(const char *text, uint64_t *value)
{
    const char *end = text + strlen(text);

    return uet_yaml_number(text, value) || (end > text && end[-1] == 'B')
               ? "must be a number without a unit"
               : NULL;
}

static const char *read_dscp(const char *text, uint64_t *value)
{
    return read_count(text, value) || *value > 63 ? "must be a code point, 0 to 63" : NULL;
}

static const struct {
    const char *unit;
    const char *(*read)(const char *text, uint64_t *value);
} readers[] = {
    {"ns", uet_yaml_time}, {"bytes", uet_yaml_number}, {"bool", read_flag}, {"DSCP", read_dscp}};

static const char *read_as(const char *unit, const char *text, uint64_t *value)
{
    for (size_t i = 0; i < UET_YAML_COUNT(readers); i++)
        if (strcmp(readers[i].unit, unit) == 0)
            return readers[i].read(text, value);
    return read_count(text, value);
}

static void each_parameter(struct uet_yaml *y, yaml_node_t *key, yaml_node_t *node, void *ctx)
{
    const char *name = uet_yaml_scalar(key), *text = uet_yaml_scalar(node), *unit = unit_of(name);
    uint64_t value = 0;

    (void)ctx;
    if (!unit) {
        unknown(y, key, name);
        return;
    }
    const char *wrong = read_as(unit, text ? text : "", &value);
    if (wrong)
        uet_yaml_bad(y, node, "parameter '%s' %s, not '%s'", name, wrong,
                     text ? text : "a list or mapping");
    else if (value == 0 && strcmp(name, "RTO_Init_Time") == 0)
        uet_yaml_bad(y, node, "parameter '%s' is %s: leave it out when it is not known", name,
                     text);
    else if (!uet_dut_param_set(y->dut, name, value))
        uet_yaml_bad(y, key, "more than %d parameters", UET_DUT_MAX_PARAMS);
}

void uet_yaml_parameters(struct uet_yaml *y, yaml_node_t *node)
{
    uet_yaml_pairs(y, node, "'parameters'", NULL, each_parameter);
}
