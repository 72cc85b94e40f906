/* SPDX-License-Identifier: BSD-2-Clause */
/* May a test run here? */
#include <stdio.h>
#include <string.h>

#include "conformance/harness/preamble/preamble.h"

const struct uet_port_cap_name uet_port_cap_names[UET_N_PORT_CAPS] = {
    {UET_PORT_RAW_IP, "raw-ip"},   {UET_PORT_TRIM, "trim"}, {UET_PORT_SOURCE, "source"},
    {UET_PORT_ENTROPY, "entropy"}, {UET_PORT_ECN, "ecn"},   {UET_PORT_VIRTUAL_TIME, "virtual-time"},
};

static bool has_upper_tester(const struct uet_session *s)
{
    return s->ut != NULL;
}

static bool speaks_udp(const struct uet_session *s)
{
    return !s->dut->native;
}

static bool adds_crc(const struct uet_session *s)
{
    return s->dut->protect == UET_PROTECT_CRC;
}

static bool seals(const struct uet_session *s)
{
    return s->dut->security;
}

static bool seals_some_jobs(const struct uet_session *s)
{
    return seals(s) && s->dut->protect != UET_PROTECT_TSS;
}

static bool speaks_native_ip(const struct uet_session *s)
{
    return s->dut->native;
}

static bool can_write(const struct uet_session *s)
{
    return uet_stands_ready(s, UET_OP_WRITE);
}

static bool can_send(const struct uet_session *s)
{
    return uet_stands_ready(s, UET_OP_SEND);
}

static bool can_read(const struct uet_session *s)
{
    return uet_stands_ready(s, UET_OP_READ);
}

/* Else wrong ICVs are counted from one test to the next, and a latch is for good (TSS-043). */
static bool can_unlatch(const struct uet_session *s)
{
    return s->dut->restart_each_test || (s->ut && (uet_ut_has_verb(s->ut, "reset") == 1 ||
                                                   uet_ut_has_verb(s->ut, "enable_domain") == 1));
}

/* Words of `needs` that are no claims but how the FEP is set up, and why a test is skipped else. */
static const struct {
    const char *word;
    bool (*has)(const struct uet_session *s);
    enum uet_skip_reason reason;
    const char *why;
} settings[] = {
    {"upper-tester", has_upper_tester, UET_SKIP_NO_UPPER_TESTER,
     "no upper tester (fep.yaml: control)"},
    {"any-request", uet_has_any_request, UET_SKIP_NOT_CLAIMED, UET_NO_ANY_REQUEST},
    {"udp", speaks_udp, UET_SKIP_NOT_CLAIMED,
     "the FEP is set for native IP (fep.yaml: encapsulation)"},
    {"native", speaks_native_ip, UET_SKIP_NOT_CLAIMED,
     "the FEP is set for UDP (fep.yaml: encapsulation)"},
    {"write-ready", can_write, UET_SKIP_NOT_CLAIMED, "no region for a WRITE"},
    {"send-ready", can_send, UET_SKIP_NOT_CLAIMED, "no buffer for a SEND"},
    {"read-ready", can_read, UET_SKIP_NOT_CLAIMED, "no region for a READ"},
    {"tss", seals, UET_SKIP_NOT_CLAIMED, "the FEP seals nothing (fep.yaml: security)"},
    {"clear-jobs", seals_some_jobs, UET_SKIP_NOT_CLAIMED,
     "the FEP serves one kind of jobs alone, all sealed or all in clear (fep.yaml: security, with "
     "protect: none or crc)"},
    {"unlatch", can_unlatch, UET_SKIP_NO_UPPER_TESTER,
     "nothing undoes wrong ICVs: no verb reset or enable_domain, no restart_each_test "
     "(fep.yaml)"},
    {"crc", adds_crc, UET_SKIP_NOT_CLAIMED, "the FEP adds no CRC trailer (fep.yaml: protect)"},
};

/* A word of `needs`: one of these, or a PICS item. */
static bool lacks(const struct uet_session *s, const char *word, size_t n, char *out, size_t size,
                  uint8_t *reason)
{
    for (size_t i = 0; i < sizeof(settings) / sizeof(settings[0]); i++) {
        if (strlen(settings[i].word) != n || memcmp(word, settings[i].word, n) != 0)
            continue;
        *reason = (uint8_t)settings[i].reason;
        snprintf(out, size, "%s", settings[i].why);
        return !settings[i].has(s);
    }
    int item = uet_pics_find(word, n);
    if (item >= 0 && s->dut->claims[item])
        return false;
    *reason = UET_SKIP_NOT_CLAIMED;
    snprintf(out, size, "not claimed: %.*s", (int)n, word);
    return true;
}

/* A requirement of another version: nobody promised it. The first one is what a test is about. */
static bool out_of_force(const struct uet_session *s, const struct uet_test *test, char *out,
                         size_t n)
{
    const char *at = test->requirements, *word, *version = uet_spec_version_name(s->spec);
    size_t len = uet_next_word(&at, &word);
    char id[16];

    snprintf(id, sizeof(id), "%.*s", (int)len, word);
    const struct uet_requirement *r = uet_requirement_find(id);
    if (!r || uet_requirement_in(r, version))
        return false;
    snprintf(out, n, "%s does not hold in %s", id, version);
    return true;
}

bool uet_session_lacks(const struct uet_session *s, const char *needs, char *out, size_t n,
                       uint8_t *reason)
{
    const char *at = needs, *word;
    size_t len;

    while ((len = uet_next_word(&at, &word)) > 0)
        if (lacks(s, word, len, out, n, reason))
            return true;
    return false;
}

bool uet_tc_skips(const struct uet_session *s, const struct uet_test *test, char *out, size_t n,
                  uint8_t *reason)
{
    const char *at = test->params, *word;
    size_t len;

    *reason = UET_SKIP_VERSION;
    if (out_of_force(s, test, out, n))
        return true;
    *reason = UET_SKIP_PORT;
    for (size_t i = 0; i < UET_N_PORT_CAPS; i++)
        if (test->port_caps & uet_port_cap_names[i].cap & ~s->port->caps) {
            snprintf(out, n, "port: no %s", uet_port_cap_names[i].name);
            return true;
        }
    *reason = UET_SKIP_NO_UPPER_TESTER;
    if (test->role == UET_ROLE_INITIATOR && !s->ut) {
        snprintf(out, n, "no upper tester (fep.yaml: control)");
        return true;
    }
    if (uet_session_lacks(s, test->needs, out, n, reason))
        return true;
    *reason = UET_SKIP_PARAMETER;
    while ((len = uet_next_word(&at, &word)) > 0) {
        char name[32];
        uint64_t value;

        snprintf(name, sizeof(name), "%.*s", (int)len, word);
        if (!uet_dut_param(s->dut, name, &value) &&
            (!s->ut || uet_ut_param(s->ut, name, &value) != 0)) {
            snprintf(out, n, "unknown parameter: %s (fep.yaml: parameters)", name);
            return true;
        }
    }
    *reason = UET_SKIP_LENGTHY;
    if (s->brief && test->lengthy) {
        snprintf(out, n, "thousands of packets: it needs --depth default or deep");
        return true;
    }
    return false;
}

/* Its set-up of native IP, IPv4 before IPv6; NULL: there is none. */
static struct uet_session *native_of(const struct uet_session *session)
{
    const struct uet_dimension *setup = &uet_dimensions[UET_OVER_SETUP];
    struct uet_session *native = NULL;

    for (size_t p = 1; session->setups && p < uet_n_places(setup); p++)
        if (!native && setup->places[p].value & UET_SETUP_NATIVE)
            native = session->setups[p];
    return native;
}

struct uet_session *uet_session_for(struct uet_session *session, const struct uet_test *test,
                                    char *out, size_t n, uint8_t *reason)
{
    const struct {
        const char *need;
        struct uet_session *has;
    } others[] = {
        {"clear-jobs", session->beside},
        {"tss", session->sealed},
        {"native", native_of(session)},
        {"native", session->sealed ? native_of(session->sealed) : NULL},
    };
    bool told = false;

    if (!uet_tc_skips(session, test, out, n, reason))
        return session;
    for (size_t i = 0; i < sizeof(others) / sizeof(others[0]); i++) {
        char why[200];
        uint8_t of_other;

        if (!others[i].has || !uet_test_needs(test, others[i].need))
            continue;
        if (!uet_tc_skips(others[i].has, test, why, sizeof(why), &of_other))
            return others[i].has;
        if (!told) { /* what it lacks there, where it would go */
            snprintf(out, n, "%s", why);
            *reason = of_other;
        }
        told = true;
    }
    return NULL;
}
