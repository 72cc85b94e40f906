/* SPDX-License-Identifier: BSD-2-Clause */
/* `parameters` of fep.yaml: those of Table 3-28 (3.5.5), and what else a tester must know. */
#include <stdio.h>
#include <string.h>

#include "conformance/harness/yaml/reader.h"
#include "uet_spec.h"
#include "ut/nearest.h"

const struct uet_dut_param_info uet_dut_own_params[] = {
    {"max-pdcs", "count", 1, UINT16_MAX,
     "PDCs that the FEP holds as target, the reserved ones aside (3.5.8)"},
    {"max-bitmaps", "count", 1, UINT16_MAX,
     "PDCs that have PSN bitmaps, where these are fewer than PDCs"},
    {"max-stored-responses", "count", 1, UINT32_MAX,
     "guaranteed responses that the FEP keeps (3.5.12.5.5)"},
    {"max-open-messages", "count", 1, UINT32_MAX, "messages that the FEP takes at once as target"},
    {"max-unexpected", "count", 1, UINT32_MAX,
     "SENDs without receive that the FEP keeps at once (3.4.3.6.2.2)"},
    {"own-window", "PSNs", 1, INT32_MAX, "PSNs that the FEP lets be outstanding as source"},
    {"max-reads", "count", 1, UINT32_MAX, "READs that the FEP serves at a time"},
    {"rto-fixed", "bool", 0, 1, "RTO_Init_Time cannot be set"},
    {"dscp-trimmed", "DSCP", 0, 63, "code point of trimmed packets (4.1.4.1)"},
    {"dscp-trimmed-lasthop", "DSCP", 0, 63, "the same, trimmed at the last hop"},
    {"dscp-trimmable", "DSCP", 0, 63, "code point of Requests, which switches may trim"},
    {"dscp-trimmable-rtx", "DSCP", 0, 63,
     "code point of Requests that are sent again, where it is another"},
    {"dscp-control", "DSCP", 0, 63, "code point of ACKs, NACKs and Control Packets"},
    {"config_base_rtt", "ns", 1, 1000000000, "round trip without a queue, as NSCC is told it"},
    {"sender_link_rate", "Mbit/s", 1, INT32_MAX, "of the FEP's line, as NSCC is told it"},
    {"MaxWnd", "bytes", 1, INT32_MAX, "ceiling of NSCC's window; untold: 1.5 BDP"},
    {"target_qdelay", "ns", 1, 1000000000,
     "of NSCC; untold: 0.75 or 1 config_base_rtt (Table 3-82)"},
    {"alpha", "bytes/s", 1, INT64_MAX, "of NSCC; untold: the formula of Table 3-82"},
    {"fi", "bytes", 1, INT32_MAX, "of NSCC; untold: the formula of Table 3-82"},
    {"eta", "bytes", 1, INT32_MAX, "of NSCC; untold: the formula of Table 3-82"},
    {"gamma", "percent", 0, 100, "of NSCC; untold: 80"},
    {"max_md_jump", "percent", 0, 100, "of NSCC: what one cut leaves at least; untold: 50"},
    {"qa_gate", "shift", 0, 63, "of NSCC; untold: 3"},
    {"qa_threshold", "ns", 1, INT64_MAX,
     "of NSCC; untold: none where switches trim, else 4 config_base_rtt"},
    {"disable_quick_adapt", "bool", 0, 1, "of NSCC: quick adapt is off; untold: it is on"},
    {"adjust_period_threshold", "ns", 1, 1000000000, "of NSCC; untold: config_base_rtt"},
    {"ev_set_size", "count", 1, 65536, "entropy values of a destination that is sprayed"},
    {"ev_saturation_fraction", "percent", 0, 100,
     "so many of its entropy values with bad news, and none is passed over; untold: 50"},
    {"t_reroute", "RTTs", 10, INT32_MAX,
     "from one change of path of a ROD PDC to the next (3.6.16.2); untold: 10"},
    /* What the reference FEP has besides, and a test sets (docs/upper-tester.md, `set`). */
    {"Write_Completions", "count", 0, UINT32_MAX,
     "writes with immediate data that can wait to be told"},
};
const size_t uet_dut_n_own_params = UET_YAML_COUNT(uet_dut_own_params);

/* What another key tells: here it would be read by nobody. */
static const struct {
    const char *name, *key;
} elsewhere[] = {
    {"UET_Over_UDP", "encapsulation: outside 'parameters'"},
    {"UDP_Dest_Port", "udp_port: outside 'parameters'"},
    {"IP_Proto_Nxt_Hdr", "ip_protocol: outside 'parameters'"},
    {"UET_Data_Protect", "protect: outside 'parameters'"},
    {"PSN_Bitmaps", "max-bitmaps: in 'parameters'"},
};

const char *uet_dut_param_elsewhere(const char *name)
{
    for (size_t i = 0; i < UET_YAML_COUNT(elsewhere); i++)
        if (strcmp(elsewhere[i].name, name) == 0)
            return elsewhere[i].key;
    return NULL;
}

/* A parameter of Table 3-28 or of our own; unit is NULL when there is none of that name. */
struct known {
    const char *unit, *section;
    uint64_t low, high;
    bool ranged;
};

/* Where sources disagree on a range (confidence C), what the FEP has is believed. */
static struct known find(const char *name)
{
    const struct uet_param *p = uet_param_find(name);

    if (p)
        return (struct known){p->unit, p->section, p->low, p->high,
                              p->ranged && p->confidence != UET_CONFIDENCE_C};
    for (size_t i = 0; i < uet_dut_n_own_params; i++) {
        const struct uet_dut_param_info *own = &uet_dut_own_params[i];

        if (strcmp(own->name, name) == 0)
            return (struct known){own->unit, NULL, own->low, own->high, true};
    }
    return (struct known){0};
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

static const struct {
    const char *unit;
    const char *(*read)(const char *text, uint64_t *value);
} readers[] = {{"ns", uet_yaml_time}, {"bytes", uet_yaml_number}, {"bool", read_flag}};

static const char *read_as(const char *unit, const char *text, uint64_t *value)
{
    for (size_t i = 0; i < UET_YAML_COUNT(readers); i++)
        if (strcmp(readers[i].unit, unit) == 0)
            return readers[i].read(text, value);
    return read_count(text, value);
}

/* The range, times in the largest unit that they fill without a rest. */
static void check_range(struct uet_yaml *y, const yaml_node_t *node, const char *name,
                        const struct known *k, uint64_t value)
{
    char low[UET_YAML_TIME_TEXT], high[UET_YAML_TIME_TEXT];
    bool time = strcmp(k->unit, "ns") == 0;

    if (!k->ranged || (value >= k->low && value <= k->high))
        return;
    uet_yaml_bad(y, node, "parameter '%s' must be %s to %s%s%s%s, not '%s'", name,
                 uet_yaml_shown(low, k->low, time), uet_yaml_shown(high, k->high, time),
                 k->section ? " (" : "", k->section ? k->section : "", k->section ? ")" : "",
                 uet_yaml_scalar(node));
}

static void each_parameter(struct uet_yaml *y, yaml_node_t *key, yaml_node_t *node, void *ctx)
{
    const char *name = uet_yaml_scalar(key), *text = uet_yaml_scalar(node);
    const char *other = uet_dut_param_elsewhere(name);
    const struct known k = find(name);
    uint64_t value = 0;

    (void)ctx;
    if (other) {
        uet_yaml_bad(y, key, "parameter '%s' is told elsewhere: write %s", name, other);
        return;
    }
    if (!k.unit) {
        unknown(y, key, name);
        return;
    }
    const char *wrong = read_as(k.unit, text ? text : "", &value);
    if (wrong)
        uet_yaml_bad(y, node, "parameter '%s' %s, not '%s'", name, wrong,
                     text ? text : "a list or mapping");
    else if (value == 0 && strcmp(name, "RTO_Init_Time") == 0)
        uet_yaml_bad(y, node, "parameter '%s' is %s: leave it out when it is not known", name,
                     text);
    else if (!uet_dut_param_set(y->dut, name, value))
        uet_yaml_bad(y, key, "more than %d parameters", UET_DUT_MAX_PARAMS);
    else
        check_range(y, node, name, &k, value);
}

/* A trimmed packet is known by its code point alone; that of the last hop is one of its own. */
static void check_code_points(struct uet_yaml *y, const yaml_node_t *node)
{
    static const char *const others[] = {"dscp-trimmed-lasthop", "dscp-trimmable",
                                         "dscp-trimmable-rtx", "dscp-control"};
    uint64_t trimmed, other;

    for (size_t i = 0; i < UET_YAML_COUNT(others); i++)
        if (uet_dut_param(y->dut, "dscp-trimmed", &trimmed) &&
            uet_dut_param(y->dut, others[i], &other) && trimmed == other)
            uet_yaml_bad(y, uet_yaml_find(y, node, others[i]),
                         "'%s' is %u, as 'dscp-trimmed' is: they are told apart by it (4.1.4.1)",
                         others[i], (unsigned)other);
}

void uet_yaml_parameters(struct uet_yaml *y, yaml_node_t *node)
{
    uet_yaml_pairs(y, node, "'parameters'", NULL, each_parameter);
    check_code_points(y, node);
}
