/* SPDX-License-Identifier: BSD-2-Clause */
/* The life of one test: set up, body, what nobody expected, postamble, capture. */
#include "conformance/harness/tc.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "conformance/harness/context/tc_internal.h"

/* ---- memory that lives as long as the test ---- */

#define ARENA_BLOCK 65536

struct uet_arena {
    struct uet_arena *next;
    size_t used, size;
    _Alignas(max_align_t) uint8_t bytes[];
};

void *uet_arena_alloc(struct uet_arena **arena, size_t n)
{
    size_t need = (n + 15) & ~(size_t)15;
    struct uet_arena *block = *arena;

    if (!block || block->size - block->used < need) {
        size_t size = need > ARENA_BLOCK ? need : ARENA_BLOCK;

        block = calloc(1, sizeof(*block) + size);
        if (!block)
            return NULL;
        block->size = size;
        block->next = *arena;
        *arena = block;
    }
    void *p = block->bytes + block->used;
    block->used += need;
    return p;
}

void uet_arena_free(struct uet_arena **arena)
{
    while (*arena) {
        struct uet_arena *next = (*arena)->next;

        free(*arena);
        *arena = next;
    }
}

void *uet_tc_alloc(struct uet_tc *tc, size_t n)
{
    void *p = uet_arena_alloc(&tc->arena, n);

    if (!p)
        uet_error(tc, "the tester has no memory left");
    return p;
}

static void *track_alloc(void *ctx, size_t n)
{
    return uet_arena_alloc(&((struct uet_tc *)ctx)->arena, n);
}

/* ---- small questions ---- */

const struct uet_dut *uet_tc_dut(const struct uet_tc *tc)
{
    return tc->session->dut;
}

uint64_t uet_tc_now(const struct uet_tc *tc)
{
    return uet_port_now(tc->session->port);
}

bool uet_tc_virtual_time(const struct uet_tc *tc)
{
    return tc->session->port->caps & UET_PORT_VIRTUAL_TIME;
}

/* splitmix64 (public domain, Vigna): any seed will do, 0 too. */
uint64_t uet_tc_random(struct uet_tc *tc)
{
    uint64_t z = tc->rng += 0x9e3779b97f4a7c15u;

    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
    z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
    return z ^ (z >> 31);
}

uint64_t uet_tc_quiet(struct uet_tc *tc)
{
    /* By these a FEP does by itself what it has not done yet. */
    static const char *const timers[] = {"RTO_Init_Time", "NACK_Retx_Time", "PDS_Clear_Time"};

    if (tc->quiet_ns)
        return tc->quiet_ns;
    tc->quiet_ns = 50 * UET_MS;
    if (tc->session->dut->response_time_ns / 20 > tc->quiet_ns)
        tc->quiet_ns = tc->session->dut->response_time_ns / 20;
    for (size_t i = 0; i < sizeof(timers) / sizeof(timers[0]); i++) {
        uint64_t told;

        if (uet_tc_told(tc, timers[i], &told) && uet_tc_latest(tc, told) > tc->quiet_ns)
            tc->quiet_ns = uet_tc_latest(tc, told);
    }
    return tc->quiet_ns;
}

uint64_t uet_tc_tolerance(const struct uet_tc *tc, uint64_t duration_ns)
{
    uint64_t percent = duration_ns / 8, least = 4 * UET_MS;

    if (uet_tc_virtual_time(tc))
        return 0;
    return (uint64_t)((double)(percent > least ? percent : least) * tc->session->slow);
}

uint64_t uet_tc_latest(const struct uet_tc *tc, uint64_t duration_ns)
{
    return duration_ns + uet_tc_tolerance(tc, duration_ns) + UET_MS;
}

struct uet_ip uet_tc_second_address(struct uet_tc *tc)
{
    const struct uet_ip *ip = &tc->session->dut->tester[1];

    if (ip->version == 0 || !(tc->session->port->caps & UET_PORT_SOURCE))
        uet_skip_for(tc, UET_SKIP_PORT, "the tester has no second address (fep.yaml: tester)");
    return *ip;
}

const uint8_t *uet_tc_bytes(struct uet_tc *tc, size_t n)
{
    uint8_t *bytes = uet_tc_alloc(tc, n ? n : 1);

    for (size_t i = 0; i < n; i++)
        bytes[i] = (uint8_t)uet_tc_random(tc);
    return bytes;
}

void uet_preamble_begin(struct uet_tc *tc)
{
    tc->preamble++;
}

void uet_preamble_end(struct uet_tc *tc)
{
    tc->preamble--;
}

void uet_auto_ack(struct uet_tc *tc, bool on)
{
    tc->auto_ack = on;
    for (struct uet_pdc *pdc = tc->pdcs; pdc; pdc = pdc->next)
        pdc->auto_ack = on;
}

/* ---- may it run? ---- */

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

static bool speaks_native_ip(const struct uet_session *s)
{
    return s->dut->native;
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

bool uet_tc_skips(const struct uet_session *s, const struct uet_test *test, char *out, size_t n,
                  uint8_t *reason)
{
    const char *at = test->needs, *word;
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
    while ((len = uet_next_word(&at, &word)) > 0)
        if (lacks(s, word, len, out, n, reason))
            return true;
    *reason = UET_SKIP_PARAMETER;
    for (at = test->params; (len = uet_next_word(&at, &word)) > 0;) {
        char name[32];
        uint64_t value;

        snprintf(name, sizeof(name), "%.*s", (int)len, word);
        if (!uet_dut_param(s->dut, name, &value) &&
            (!s->ut || uet_ut_param(s->ut, name, &value) != 0)) {
            snprintf(out, n, "unknown parameter: %s (fep.yaml: parameters)", name);
            return true;
        }
    }
    return false;
}

/* ---- the life of a test ---- */

void uet_session_default(struct uet_session *s)
{
    *s = (struct uet_session){.seed = 1, .slow = 1, .time_scale = 1, .ceiling_s = 60};
    s->incarnation = (uint32_t)(uet_wall_ns() >> 10) * 2654435761u;
}

/* A test repeats identically when run alone: its random numbers hang on seed and id only. */
static uint64_t seed_of(uint64_t seed, const char *id)
{
    uint64_t hash = 0xcbf29ce484222325u; /* FNV-1a */

    for (; *id; id++)
        hash = (hash ^ (uint8_t)*id) * 0x100000001b3u;
    return seed * 0x9e3779b97f4a7c15u ^ hash;
}

static bool start_watch(struct uet_tc *tc)
{
    const struct uet_session *s = tc->session;
    /* On a memory port nothing is lost unseen; elsewhere the tester is one end of the PDC. */
    uint8_t vantage = uet_tc_virtual_time(tc)                ? UET_VANTAGE_BOTH
                      : tc->test->role == UET_ROLE_INITIATOR ? UET_VANTAGE_TARGET
                                                             : UET_VANTAGE_INITIATOR;
    uint64_t last_hop = uet_dut_dscp(s->dut, "dscp-trimmed-lasthop");
    const struct uet_track_config track = {.vantage = vantage,
                                           .from_start = true,
                                           .protect = s->dut->protect,
                                           .crc_order = uet_dut_order(s->dut),
                                           .udp_port = s->dut->udp_port,
                                           .ip_protocol = s->dut->ip_protocol,
                                           .dscp_trimmed =
                                               uet_dut_dscp(s->dut, "dscp-trimmed") | last_hop,
                                           .dscp_trimmed_lasthop = last_hop,
                                           .allocator = {.ctx = tc, .alloc = track_alloc}};
    const struct uet_rules_config rules = {
        .vantage = vantage, .spec = s->spec, .sender = s->dut->address};

    tc->track = uet_track_new(&track);
    tc->rules = tc->track ? uet_rules_new(&rules, &track.allocator) : NULL;
    return tc->rules != NULL;
}

/* The FEP of the last test is not the one of this: an upper tester makes it forget. */
static void reset_fep(struct uet_tc *tc)
{
    struct uet_frame frames[32];

    if (tc->session->ut && !uet_tc_reset(tc))
        uet_tc_worsen(tc, UET_ERROR, NULL, NULL, "the upper tester does not do `reset`: %s",
                      tc->session->ut->error);
    uint64_t until = uet_tc_virtual_time(tc) ? uet_tc_now(tc) + uet_tc_quiet(tc) : 0;
    while (uet_port_receive(tc->session->port, frames, 32, until) > 0)
        ; /* late packets of the last test */
    tc->start_ns = uet_tc_now(tc);
    if (tc->session->prepare)
        tc->session->prepare(tc->session->prepare_ctx);
}

/* setjmp has a function of its own: no local variable can be clobbered. */
static void guarded(struct uet_tc *tc, void (*step)(struct uet_tc *tc))
{
    if (setjmp(tc->leave) == 0) {
        tc->in_body = true;
        step(tc);
    }
    tc->in_body = false;
    tc->preamble = 0;
}

static void run_body(struct uet_tc *tc)
{
    uint64_t deadline = uet_tc_now(tc) + uet_tc_patience(tc);

    uet_preamble_begin(tc);
    if (uet_port_resolve(tc->session->port, &tc->session->dut->address, deadline) != 0) {
        char ip[UET_IP_TEXT];
        uet_inconc(tc, "%s does not answer ARP or neighbour discovery",
                   uet_ip_text(&tc->session->dut->address, ip));
    }
    uet_preamble_end(tc);
    uet_tc_let_retry(tc);
    if (tc->test->role == UET_ROLE_INITIATOR)
        uet_tc_slow_timers(tc);
    tc->test->body(tc);
}

static void run_postamble(struct uet_tc *tc)
{
    tc->preamble = 1; /* what goes wrong from here on says nothing of the requirement */
    tc->wall_deadline_ns = uet_wall_ns() + (uint64_t)(tc->session->ceiling_s * 1e9);
    uet_peer_postamble(tc);
}

static bool request_came(const struct uet_tc *tc)
{
    for (const struct uet_in *in = tc->in_first; in; in = in->next)
        if (uet_is_request(&in->packet))
            return true;
    return false;
}

/*
 * A FEP that is not reset may put what this test asked for on a PDC of an earlier one, behind what
 * that left under way: then it is not the FEP's fault that nothing came here. A Request that came
 * here is what was asked for, and its fault is the FEP's; so is that of an answer to the tester.
 */
static void doubt_late(struct uet_tc *tc)
{
    struct uet_result *r = tc->result;
    char came[sizeof(r->message)];

    if (r->verdict != UET_FAIL || !tc->keeps_state || !tc->late_request ||
        tc->test->role != UET_ROLE_INITIATOR || request_came(tc))
        return;
    snprintf(came, sizeof(came), "%s", r->message);
    r->verdict = UET_INCONC;
    snprintf(r->message, sizeof(r->message),
             "the FEP cannot be reset and went on with what an earlier test began, on a PDC of "
             "that one (verb `reset`, docs/upper-tester.md). What came of it here: %.700s",
             came);
}

static void write_capture(struct uet_tc *tc)
{
    const struct uet_session *s = tc->session;
    struct uet_result *r = tc->result;
    char path[256], err[300];

    if (!s->pcap_dir || tc->record.n == 0)
        return;
    int n = snprintf(path, sizeof(path), "%s/%s.pcapng", s->pcap_dir, tc->test->id);
    if (n < 0 || (size_t)n >= sizeof(path))
        uet_tc_worsen(tc, UET_ERROR, NULL, NULL, "the name of the capture is too long");
    else if (uet_record_write(&tc->record, path, s->dut->interface, uet_port_epoch_ns(s->port), err,
                              sizeof(err)) != 0)
        snprintf(tc->session->ended, sizeof(tc->session->ended), "no capture: %.240s", err);
    else
        snprintf(r->pcap, sizeof(r->pcap), "%s", path);
}

static void tell_story(struct uet_tc *tc)
{
    char line[600];

    snprintf(line, sizeof(line), "test %s: %s", tc->test->id, tc->test->purpose);
    uet_record_note(&tc->record, 1, line);
}

static void run_all(struct uet_tc *tc)
{
    reset_fep(tc);
    tc->session->began = tc->result->verdict != UET_ERROR;
    if (!tc->session->began)
        return;
    guarded(tc, run_body);
    tc->result->seconds = (double)(uet_tc_now(tc) - tc->start_ns) / 1e9;
    uet_tc_judge_unexpected(tc);
    /* A test may find out half-way that it must skip: a FEP without reset keeps what it began. */
    if (!tc->port_broken && (tc->result->verdict != UET_SKIP || tc->keeps_state))
        guarded(tc, run_postamble);
    doubt_late(tc);
    tell_story(tc);
    write_capture(tc);
}

void uet_tc_run(struct uet_session *session, const struct uet_test *test, struct uet_result *result)
{
    struct uet_tc *tc = calloc(1, sizeof(*tc));
    uint64_t wall = uet_wall_ns();

    if (!tc) {
        result->verdict = UET_ERROR;
        snprintf(result->message, sizeof(result->message), "the tester has no memory left");
        return;
    }
    tc->session = session;
    tc->test = test;
    tc->result = result;
    tc->rng = seed_of(session->seed + session->repeats, test->id);
    session->began = false;
    session->heard = 0;
    tc->next_message_id = (uint16_t)uet_tc_random(tc);
    tc->next_pkt_id = (uint32_t)uet_tc_random(tc);
    tc->accepting = test->role == UET_ROLE_INITIATOR;
    tc->auto_ack = true;
    char *claim = NULL;
    const char *at = test->requirements, *word;
    size_t n = uet_next_word(&at, &word);
    tc->record.arena = &tc->arena;
    claim = uet_arena_alloc(&tc->arena, n + 1);
    tc->claim = claim;
    tc->start_ns = uet_tc_now(tc);
    tc->wall_deadline_ns = wall + (uint64_t)(session->ceiling_s * 1e9);
    if (claim && start_watch(tc)) {
        memcpy(claim, word, n);
        run_all(tc);
    } else {
        uet_tc_worsen(tc, UET_ERROR, NULL, NULL, "the tester has no memory left");
    }
    result->wall_seconds = (double)(uet_wall_ns() - wall) / 1e9;
    uet_record_free(&tc->record);
    uet_arena_free(&tc->arena);
    free(tc);
}
