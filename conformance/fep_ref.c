/* SPDX-License-Identifier: BSD-2-Clause */
/* The only file of conformance/ that knows the reference FEP. */
#include "conformance/fep_ref.h"

#include <errno.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "conformance/harness/atomics.h"
#include "port/memory.h"
#include "refimpl/choices.h"
#include "refimpl/host/host.h"
#include "refimpl/ses/element.h"
#include "refimpl/violate.h"
#include "uet_spec.h"
#include "wire/crc.h"

/* Code points are the operator's choice (4.1.4.1): these are this one's. */
#define DSCP_TRIMMABLE       10
#define DSCP_TRIMMED         11
#define DSCP_TRIMMED_LASTHOP 12
#define DSCP_TRIMMABLE_RTX   13
#define DSCP_CONTROL         14

#define RESERVED_PDCS 2 /* beside the shared ones, so that that pool (3.5.8.1) can be tested */

struct uet_fep_ref {
    struct uet_dut dut;
    struct uet_host *host;
    struct uet_mem_device device; /* the host's */
    struct uet_port *port;
    struct uet_ut *ut;
    struct uet_mutator mutator;
    const struct uet_impairment *rule; /* NULL: none */
    struct uet_impaired *impaired;
    struct uet_fep_choices choices;
    bool unwatched;
    volatile bool *inside; /* never NULL: &unwatched where nobody watches */
};

/* ---- between the FEP and the wire ---- */

static uint64_t ref_now(void *ctx)
{
    return uet_port_now(((struct uet_fep_ref *)ctx)->port);
}

static void ref_kick(void *ctx)
{
    uet_mem_port_kick(((struct uet_fep_ref *)ctx)->port);
}

static int ref_emit(void *ctx, const uint8_t *frame, uint32_t len)
{
    struct uet_fep_ref *ref = ctx;
    const struct uet_parse_options how = {.protect = ref->dut.protect};
    struct uet_fate fate = {.copies = 1};
    uint8_t bytes[UET_FRAME_MAX];

    if (!ref->mutator.frame && !ref->rule)
        return uet_mem_emit(ref->port, frame, len);
    if (len > sizeof(bytes))
        return -EMSGSIZE;
    memcpy(bytes, frame, len);
    if (!ref->rule)
        fate = ref->mutator.frame(ref->mutator.ctx, bytes, len);
    else if (uet_impair(ref->rule, &how, &ref->impaired->seen, bytes, &len, &fate) > 0)
        ref->impaired->harmed++;
    return uet_mem_emit_as(ref->port, bytes, len, &fate);
}

/* The FEP is at work; returns whether it was before (a verb kicks the port, which advances it). */
static bool enter(struct uet_fep_ref *ref)
{
    bool was = *ref->inside;

    *ref->inside = true;
    return was;
}

static void ref_frame(void *ctx, const uint8_t *data, uint32_t len, uint64_t now_ns)
{
    struct uet_fep_ref *ref = ctx;
    bool was = enter(ref);

    ref->device.frame(ref->device.ctx, data, len, now_ns);
    *ref->inside = was;
}

static uint64_t ref_advance(void *ctx, uint64_t now_ns)
{
    struct uet_fep_ref *ref = ctx;
    bool was = enter(ref);
    uint64_t next = ref->device.advance(ref->device.ctx, now_ns);

    *ref->inside = was;
    return next;
}

static json_t *ref_verb(void *ctx, json_t *request)
{
    struct uet_fep_ref *ref = ctx;
    bool was = enter(ref);
    json_t *reply = uet_host_handle(ref->host, request);

    *ref->inside = was;
    return reply;
}

/* ---- opening and closing ---- */

/* Settings that are no parameters of Table 3-28. */
static const struct {
    const char *name;
    size_t offset; /* of a uint16_t */
} sizes[] = {
    {"max-pdcs", offsetof(struct uet_fep_config, max_pdcs)},
    {"max-open-messages", offsetof(struct uet_fep_config, max_messages)},
    {"max-stored-responses", offsetof(struct uet_fep_config, max_stored_responses)},
    {"max-regions", offsetof(struct uet_fep_config, max_regions)},
    {"max-services", offsetof(struct uet_fep_config, max_services)},
    {"max-operations", offsetof(struct uet_fep_config, max_operations)},
    {"max-read-parts", offsetof(struct uet_fep_config, max_read_parts)},
    {"payload-mtu", offsetof(struct uet_fep_config, payload_mtu)},
};

/* And of its choices, those that a test combines. */
static const struct {
    const char *name;
    size_t offset; /* of a bool */
} kinds[] = {
    {"ack-each", offsetof(struct uet_fep_choices, ack_each)},
    {"cps-when-open", offsetof(struct uet_fep_choices, cps_when_open)},
    {"waits-for-peer", offsetof(struct uet_fep_choices, waits_for_peer)},
    {"spare-api", offsetof(struct uet_fep_choices, spare_api)},
};

static int set(struct uet_fep_config *fep, struct uet_fep_choices *choices,
               const struct uet_fep_ref_setting *s)
{
    for (size_t i = 0; i < sizeof(sizes) / sizeof(*sizes); i++)
        if (strcmp(sizes[i].name, s->name) == 0) {
            uint16_t value = (uint16_t)s->value;
            memcpy((char *)fep + sizes[i].offset, &value, sizeof(value));
            return 0;
        }
    for (size_t i = 0; i < sizeof(kinds) / sizeof(*kinds); i++)
        if (strcmp(kinds[i].name, s->name) == 0) {
            *(bool *)((char *)choices + kinds[i].offset) = s->value;
            return 0;
        }
    if (strcmp(s->name, "max-receives") == 0) {
        fep->max_receives = (uint32_t)s->value;
        return 0;
    }
    if (strcmp(s->name, "max-rudi-packets") == 0) {
        fep->max_rudi_packets = (uint32_t)s->value;
        return 0;
    }
    if (strcmp(s->name, "answer-delay") == 0) {
        choices->answer_delay_ns = s->value;
        return 0;
    }
    return uet_fep_config_set(fep, s->name, s->value);
}

static int set_all(struct uet_fep_config *fep, struct uet_fep_choices *choices,
                   const struct uet_fep_ref_setting *s)
{
    int rc = 0;

    for (; s && s->name && !rc; s++)
        rc = set(fep, choices, s);
    return rc;
}

/* All that it has, each pair with the old value and without. */
static void claim_atomics(struct uet_atomics *claims, bool fetching)
{
    for (uint8_t amo = 0; amo < UET_ATOMIC_OPS; amo++)
        for (uint8_t type = 0; type < UET_ATOMIC_TYPES; type++)
            claims->plain[amo] |= (uint32_t)uet_element_can(amo, type) << type;
    if (fetching)
        memcpy(claims->fetching, claims->plain, sizeof claims->fetching);
}

/* All but what its profile goes without. */
static void claim(struct uet_dut *dut, const struct uet_fep_config *fep)
{
    for (size_t i = 0; i < UET_PICS_COUNT; i++) {
        int feature = uet_pics_feature(i);
        dut->claims[i] = feature < 0 || uet_fep_config_has(fep, (uint8_t)feature);
    }
    claim_atomics(&dut->atomics, uet_fep_config_has(fep, UET_FEATURE_FETCHING_ATOMIC));
}

/* What the reference FEP is and claims; documentation addresses, as in a fep.yaml. */
static void describe(struct uet_dut *dut, const struct uet_fep_config *fep)
{
    uet_dut_default(dut);
    snprintf(dut->name, sizeof(dut->name), "uetkit reference FEP");
    snprintf(dut->path, sizeof(dut->path), "ref");
    dut->address = fep->address;
    bool ipv6 = fep->address.version == 6;
    uet_ip_parse(&dut->tester[0], ipv6 ? "2001:db8::11" : "192.0.2.11");
    /* They differ in all but the last byte over UDP, in that alone over native IP. */
    static const char *const second[2][2] = {{"192.0.2.12", "2001:db8::12"},
                                             {"198.51.100.11", "2001:db8:1::11"}};
    uet_ip_parse(&dut->tester[1], second[fep->over_udp][ipv6]);
    dut->protect = fep->protect;
    dut->crc_order = fep->crc_order == UET_CRC_LITTLE_ENDIAN ? UET_DUT_CRC_LITTLE : UET_DUT_CRC_BIG;
    dut->payload_mtu = fep->payload_mtu;
    dut->native = !fep->over_udp;
    dut->ip_protocol = fep->ip_protocol;
    claim(dut, fep);
    uet_dut_param_set(dut, "max-pdcs", (uint64_t)(fep->max_pdcs - fep->reserved_pdcs));
    uet_dut_param_set(dut, "max-stored-responses", fep->max_stored_responses);
    uint16_t half = fep->max_stored_responses / 2;
    if (fep->max_unexpected && half)
        uet_dut_param_set(dut, "max-unexpected",
                          fep->max_unexpected < half ? fep->max_unexpected : half);
    dut->claims[UET_PICS_KEEPS_UNEXPECTED] = !fep->choices->keeps_headers;
    dut->claims[UET_PICS_NO_OP] = !fep->choices->no_no_op;
    dut->claims[UET_PICS_CP_NOOP] = !fep->choices->no_cp_noop;
    dut->claims[UET_PICS_NOOP_OPENS] = !fep->choices->no_cp_noop;
    dut->claims[UET_PICS_GENERATIONS] = !fep->choices->spare_api;
    dut->claims[UET_PICS_RETURN_CODES] = !fep->choices->spare_api;
    /* With LB 0 entropy is at random or by slots; nobody can set another row there. */
    dut->claims[UET_PICS_OBLIVIOUS] = !fep->choices->spare_api;
    dut->claims[UET_PICS_PATH_AWARE] = !fep->choices->spare_api;
    uet_dut_param_set(dut, "dscp-trimmable", DSCP_TRIMMABLE);
    if (fep->dscp_rtx != UET_FEP_NO_DSCP)
        uet_dut_param_set(dut, "dscp-trimmable-rtx", fep->dscp_rtx);
    uet_dut_param_set(dut, "dscp-control", DSCP_CONTROL);
    dut->claims[UET_PICS_ACK_CC] = fep->params.ACK_CC;
    uet_dut_param_set(dut, "dscp-trimmed", DSCP_TRIMMED);
    uet_dut_param_set(dut, "dscp-trimmed-lasthop", DSCP_TRIMMED_LASTHOP);
}

static int join(struct uet_fep_ref *ref)
{
    const struct uet_mem_device device = {.ctx = ref, .frame = ref_frame, .advance = ref_advance};
    const struct uet_host_io io = {.ctx = ref, .now = ref_now, .emit = ref_emit, .kick = ref_kick};
    int rc = uet_mem_port_open(&ref->port, &device, UET_MEM_LATENCY_NS);

    if (rc)
        return rc;
    uet_host_set_io(ref->host, &io);
    ref->ut = uet_ut_local(ref_verb, ref);
    return ref->ut ? 0 : -ENOMEM;
}

int uet_fep_ref_open(struct uet_fep_ref **out, uint64_t seed, char *err, size_t errlen)
{
    const struct uet_fep_ref_kind kind = {.seed = seed};

    return uet_fep_ref_open_as(out, &kind, err, errlen);
}

int uet_fep_ref_open_as(struct uet_fep_ref **out, const struct uet_fep_ref_kind *kind, char *err,
                        size_t errlen)
{
    struct uet_fep_ref *ref = calloc(1, sizeof(*ref));
    struct uet_host_config config;
    int rc = ref ? 0 : -ENOMEM;

    *out = NULL;
    uet_host_config_default(&config);
    uet_ip_parse(&config.fep.address, kind->ipv6 ? "2001:db8::1" : "192.0.2.1");
    config.fep.seed = kind->seed;
    config.fep.spec = kind->spec;
    /* Without a CRC trailer its tests could not run. */
    config.fep.protect = kind->no_crc ? UET_PROTECT_NONE : UET_PROTECT_CRC;
    config.fep.crc_order = kind->crc_order;
    if (kind->keys && !kind->keys_beside)
        config.fep.protect = UET_PROTECT_TSS;
    config.fep.dscp_request = DSCP_TRIMMABLE;
    config.fep.dscp_control = DSCP_CONTROL;
    config.fep.dscp_trimmed = UINT64_C(1) << DSCP_TRIMMED;
    config.fep.dscp_trimmed_lasthop = UINT64_C(1) << DSCP_TRIMMED_LASTHOP;
    if (kind->variant && uet_fep_config_variant(&config.fep, kind->variant)) {
        snprintf(err, errlen,
                 "--fep ref:%s: there is no such variant: `uetfep --variant list` tells them",
                 kind->variant);
        free(ref);
        return -ENOENT;
    }
    for (uint8_t p = 0; kind->profile && p < UET_PROFILE_ALL; p++)
        if (strcmp(uet_profile_names[p], kind->profile) == 0)
            config.fep.profile = p;
    /* Over IPv6, and where the profile is the smallest, resends have no code point of their own. */
    if (!kind->ipv6 && config.fep.profile != UET_PROFILE_AI_BASE)
        config.fep.dscp_rtx = DSCP_TRIMMABLE_RTX;
    if (kind->native) {
        config.fep.over_udp = false;
        config.fep.ip_protocol = kind->ip_protocol;
    }
    if (!rc) {
        if (config.fep.choices)
            ref->choices = *config.fep.choices;
        config.fep.choices = &ref->choices;
        rc = set_all(&config.fep, &ref->choices, kind->settings);
    }
    config.fep.max_pdcs = (uint16_t)(config.fep.max_pdcs + RESERVED_PDCS);
    config.fep.reserved_pdcs = RESERVED_PDCS;
    if (!rc)
        ref->inside = &ref->unwatched;
    if (!rc)
        rc = uet_host_new(&ref->host, &config);
    if (!rc) {
        describe(&ref->dut, &config.fep);
        if (kind->profile)
            snprintf(ref->dut.profile, sizeof(ref->dut.profile), "%s", kind->profile);
        ref->device = uet_host_device(ref->host);
        rc = join(ref);
    }
    if (rc)
        snprintf(err, errlen, "the reference FEP does not start: %s", strerror(-rc));
    else if (kind->keys)
        rc = uet_host_install(ref->host, kind->keys, err, errlen);
    if (rc) {
        uet_fep_ref_close(ref);
        return rc;
    }
    *out = ref;
    return 0;
}

struct uet_port *uet_fep_ref_port(struct uet_fep_ref *ref)
{
    return ref->port;
}

struct uet_ut *uet_fep_ref_ut(struct uet_fep_ref *ref)
{
    return ref->ut;
}

const struct uet_dut *uet_fep_ref_dut(const struct uet_fep_ref *ref)
{
    return &ref->dut;
}

void uet_fep_ref_mutate(struct uet_fep_ref *ref, const struct uet_mutator *mutator)
{
    ref->mutator = mutator ? *mutator : (struct uet_mutator){0};
    ref->rule = NULL;
    uet_mem_port_drop_late(ref->port);
}

void uet_fep_ref_impair(struct uet_fep_ref *ref, const struct uet_impairment *rule,
                        struct uet_impaired *count)
{
    uet_fep_ref_mutate(ref, NULL);
    ref->rule = rule;
    ref->impaired = count;
    count->seen = 0;
}

void uet_fep_ref_watch(struct uet_fep_ref *ref, volatile bool *inside)
{
    ref->inside = inside;
}

const char *uet_fep_ref_violation(size_t i)
{
    return uet_fep_violation(i);
}

const char *uet_fep_ref_violation_name(size_t i)
{
    return uet_fep_violation_name(i);
}

void uet_fep_ref_close(struct uet_fep_ref *ref)
{
    if (!ref)
        return;
    uet_ut_close(ref->ut);
    uet_port_close(ref->port);
    uet_host_free(ref->host);
    free(ref);
}
