/* SPDX-License-Identifier: BSD-2-Clause */
/* Each scenario shows what its name promises, and is the same every time. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "gen/scenario.h"
#include "wire/captured/reader.h"
#include "wire/crc.h"
#include "wire/packet.h"

/* What was seen in one run. */
struct seen {
    uint8_t protect;
    struct uet_keyring *keys;  /* of a sealed scenario, or NULL */
    size_t with_key[4], turns; /* sealed packets by the number of their key; the initiator's ANs */
    uint8_t an;
    uint64_t last_ns;
    size_t frames, syn, requests, retx, acks, acks_cc, probes, m, nacks, cps[16], responses, errors;
    uint8_t codes[256];
    uint32_t psns[64], crc;
    int16_t clear_offsets[64];
    size_t data_requests, data_acks, data_rudi, data_bytes;
    uint64_t fetched[8]; /* 64-bit values in ACKs, one by one */
    size_t n_psns, lost, commented, trimmed, last_hop, rudi_req, rudi_resp, uud;
};

static void see_request(struct seen *s, const struct uet_packet *p)
{
    s->requests++;
    s->syn += p->pds == UET_H_RUD_ROD_REQ_SYN;
    s->retx += uet_rud_rod_req_retx(uet_pds(p));
    s->data_requests += uet_is_ses_response_data(p);
    if (s->n_psns == 64)
        return;
    s->clear_offsets[s->n_psns] = uet_rud_rod_req_clear_psn_offset(uet_pds(p));
    s->psns[s->n_psns++] = uet_packet_psn(p);
}

static void see_ack(struct seen *s, const struct uet_packet *p)
{
    s->acks++;
    s->acks_cc += uet_is_ack_cc(p);
    s->probes += p->pds == UET_H_ACK_PROBE || p->pds == UET_H_ACK_CC_PROBE;
    s->m += uet_ack_m(uet_pds(p));
    if (uet_is_ses_response_data(p)) {
        if (p->payload_len == 8 && s->data_acks < 8)
            s->fetched[s->data_acks] = uet_rd64(p->frame + p->payload_offset);
        s->data_acks++;
    }
    if (uet_is_ses_response(p)) {
        s->responses++;
        s->errors += uet_ses_rsp_return_code(uet_ses(p)) > UET_RC_OK;
    }
}

/* What is sealed is opened by its key; the number of the key tells the order of a re-key. */
static void open_sealed(struct seen *s, const struct uet_gen_scene_frame *f, struct uet_packet *p,
                        const struct uet_parse_options *o)
{
    static uint8_t clear[UET_FRAME_MAX];
    assert_int_equal(p->error, UET_PARSE_SEALED);
    assert_true(uet_keyring_open(s->keys, p, p->len, o, clear));
    assert_in_range(p->seal.key, 1, 3);
    s->with_key[p->seal.key]++;
    s->turns += f->from_initiator && p->seal.an != s->an;
    if (f->from_initiator)
        s->an = p->seal.an;
}

static int see(void *ctx, const struct uet_gen_scene_frame *f)
{
    struct seen *s = ctx;
    struct uet_packet p;
    const struct uet_parse_options o = {.protect = s->protect,
                                        .dscp_trimmed = UINT64_C(1) << 16 | UINT64_C(1) << 18,
                                        .dscp_trimmed_lasthop = UINT64_C(1) << 18};
    assert_true(f->time_ns >= s->last_ns); /* in the order of time */
    s->last_ns = f->time_ns;
    s->frames++;
    s->crc = uet_crc32c(s->crc, f->bytes, f->len);
    s->lost += f->lost;
    s->commented += f->comment != NULL;
    uet_parse(&p, f->bytes, f->len, &o);
    if (s->keys)
        open_sealed(s, f, &p, &o);
    assert_int_equal(p.error, p.trim ? UET_PARSE_TRIMMED : UET_PARSE_OK);
    s->trimmed += p.trim == UET_TRIM_TRIMMED;
    s->last_hop += p.trim == UET_TRIM_LASTHOP;
    s->rudi_req += p.pds == UET_H_RUDI_REQ;
    s->rudi_resp += p.pds == UET_H_RUDI_RESP;
    s->uud += p.pds == UET_H_UUD_REQ;
    s->data_rudi += p.pds == UET_H_RUDI_RESP && uet_is_ses_response_data(&p);
    s->data_bytes += uet_is_ses_response_data(&p) ? p.payload_len : 0;
    if (uet_is_request(&p))
        see_request(s, &p);
    else if (uet_is_ack(&p))
        see_ack(s, &p);
    else if (uet_is_nack(&p)) {
        s->nacks++;
        s->codes[uet_nack_nack_code(uet_pds(&p))]++;
    } else if (uet_is_cp(&p))
        s->cps[uet_cp_ctl_type(uet_pds(&p))]++;
    return 0;
}

static struct uet_keyring *keys_of(const struct uet_gen_scenario *scenario)
{
    char err[300] = "";
    const char *text = uet_gen_scenario_keys(scenario);
    struct uet_keyfile *file =
        text ? uet_keyfile_parse(text, strlen(text), "keys", err, sizeof err) : NULL;
    struct uet_keyring *ring = file ? uet_keyring_new(file, "keys", err, sizeof err) : NULL;
    uet_keyfile_free(file);
    if (text && !ring)
        fail_msg("%s", err);
    return ring;
}

static struct uet_gen_scene_end play(const char *name, const struct uet_gen_scene_options *o,
                                     struct seen *s)
{
    struct uet_gen_scene_end end;
    char err[300] = "";
    const struct uet_gen_scenario *scenario = uet_gen_scenario_find(name);
    if (!scenario)
        fail_msg("no scenario %s", name);
    *s = (struct seen){.protect = o->crc ? UET_PROTECT_CRC : UET_PROTECT_NONE};
    s->keys = keys_of(scenario);
    int rc = uet_gen_scenario_run(scenario, o, see, s, &end, err, sizeof err);
    uet_keyring_free(s->keys);
    if (rc)
        fail_msg("%s: %d %s", name, rc, err);
    return end;
}

static const struct uet_gen_scene_options plain = {.seed = 1};

/* What each must show, by its title: 4096 bytes of payload go into a packet. */
static const struct {
    const char *name;
    size_t requests, retx;
    uint8_t nack; /* a code, or 0 for none at all */
    size_t lost, commented;
    uint64_t completed, failed, pdcs;
} expected[] = {
    {"establishment", 2, 0, 0, 0, 0, 2, 0, 0},
    {"write", 1, 0, 0, 0, 0, 1, 0, 0},
    {"write-small", 1, 0, 0, 0, 0, 1, 0, 0},
    {"write-medium", 1, 0, 0, 0, 0, 1, 0, 0},
    {"write-long", 10, 0, 0, 0, 0, 1, 0, 0},
    {"send", 4, 0, 0, 0, 0, 3, 0, 0},
    {"read", 7, 0, 0, 0, 0, 2, 0, 0},
    {"fetching-atomic", 3, 0, 0, 0, 0, 3, 0, 0},
    {"fetching-atomic-lost-ack", 4, 1, 0, 1, 1, 3, 0, 0},
    {"read-lost-data", 7, 1, 0, 1, 1, 1, 0, 0},
    {"lost-request", 6, 1, 0, 1, 1, 1, 0, 0},
    {"lost-syn", 2, 1, 0, 1, 1, 1, 0, 0},
    {"lost-ack", 3, 1, 0, 1, 1, 2, 0, 0},
    {"lost-for-good", 6, 5, 0, 6, 6, 0, 1, 0}, /* Max_RTO_Retx_Cnt 5 */
    {"out-of-order", 6, 0, 0, 0, 1, 1, 0, 0},
    {"duplicates", 6, 0, 0, 0, 6, 1, 0, 0},
    {"congestion", 3, 0, 0, 0, 2, 1, 0, 0},
    {"error-response", 3, 0, 0, 0, 0, 2, 1, 0},
    {"close-by-initiator", 1, 0, 0, 0, 0, 1, 0, 0},
    {"close-by-target", 1, 0, 0, 0, 0, 1, 0, 0},
    {"close-lost", 1, 0, 0, 1, 1, 1, 0, 0},
    {"noop-opens", 0, 0, 0, 0, 0, 0, 0, 0},
    {"probe", 0, 0, 0, 0, 0, 0, 0, 0},
    {"psn-wrap", 10, 0, 0, 0, 0, 1, 0, 0},
    {"paper-write", 5, 0, 0, 0, 0, 1, 0, 0},
    {"paper-read", 7, 0, 0, 0, 0, 287, 0, 0}, /* 285 before the capture begins */
    {"ack-per-packet", 5, 0, 0, 0, 0, 1, 0, 0},
    {"rod", 4, 0, 0, 0, 0, 2, 0, 0},
    {"rudi", 0, 0, 0, 0, 0, 2, 0, 0},
    {"rudi-lost-response", 0, 0, 0, 1, 1, 1, 0, 0},
    {"rudi-read", 0, 0, 0, 0, 0, 1, 0, 0},
    {"uud", 0, 0, 0, 0, 0, 2, 0, 0},
    {"tss", 21, 0, 0, 0, 0, 3, 0, 0},
    {"tss-random-start", 2, 0, UET_NACK_NEW_START_PSN, 0, 0, 1, 0, 0},
    {"trimmed", 6, 1, UET_NACK_TRIMMED, 0, 1, 1, 0, 0},
    {"trimmed-last-hop", 6, 1, UET_NACK_TRIMMED_LASTHOP, 0, 1, 1, 0, 0},
    {"trimmed-syn", 2, 1, UET_NACK_TRIMMED, 0, 1, 1, 0, 0},
    {"rudi-trimmed", 0, 0, UET_NACK_TRIMMED, 0, 1, 1, 0, 0},
    {"nack-no-pdc-avail", 3, 0, UET_NACK_NO_PDC_AVAIL, 0, 0, 2, 0, 0},
    {"nack-no-gtd-del-avail", 7, 3, UET_NACK_NO_GTD_DEL_AVAIL, 0, 0, 1, 3, 0},
    {"nack-no-ses-msg-avail", 10, 3, UET_NACK_NO_SES_MSG_AVAIL, 0, 0, 3, 0, 0},
    {"nack-rod-ooo", 9, 4, UET_NACK_ROD_OOO, 1, 1, 1, 0, 0}, /* PSN 2 and the three behind it */
    {"nack-psn-oor-window", 3, 1, UET_NACK_PSN_OOR_WINDOW, 0, 1, 2, 0, 0},
    {"nack-inv-dpdcid", 3, 0, UET_NACK_INV_DPDCID, 0, 1, 2, 0, 1},
    {"nack-pdc-hdr-mismatch", 3, 1, UET_NACK_PDC_HDR_MISMATCH, 0, 1, 2, 0, 0},
    {"nack-pdc-mode-mismatch", 3, 0, UET_NACK_PDC_MODE_MISMATCH, 0, 1, 2, 0, 0},
    {"nack-invalid-syn", 6, 0, UET_NACK_INVALID_SYN, 0, 1, 1, 0, 0},
    {"nack-pkt-not-rcvd", 0, 0, UET_NACK_PKT_NOT_RCVD, 0, 1, 0, 0, 0},
    {"nack-ack-with-data", 4, 1, UET_NACK_ACK_WITH_DATA, 1, 1, 3, 0, 0},
    {"nack-unexp-event", 0, 0, UET_NACK_UNEXP_EVENT, 0, 1, 0, 0, 0},
};
enum { N_EXPECTED = sizeof expected / sizeof *expected };

/* One NACK more, of another code, by which a PDC that failed is cleared away. */
static uint8_t cleared_away_by(const char *name)
{
    static const struct {
        const char *name;
        uint8_t code;
    } afterwards[] = {
        /* What was refused never comes again: the Close Command waits for it in vain. */
        {"nack-pdc-mode-mismatch", UET_NACK_CLOSING_IN_ERR},
        {"nack-unexp-event", UET_NACK_CLOSING_IN_ERR},
        /* The target asks by NOOP whether the PDC lives; its initiator has given it up. */
        {"nack-invalid-syn", UET_NACK_INV_DPDCID},
    };
    for (size_t i = 0; i < sizeof afterwards / sizeof *afterwards; i++)
        if (!strcmp(afterwards[i].name, name))
            return afterwards[i].code;
    return 0;
}

static void check(size_t i, const struct seen *s, const struct uet_gen_scene_end *end)
{
    bool right = s->requests == expected[i].requests && s->retx == expected[i].retx &&
                 s->lost == expected[i].lost && s->commented == expected[i].commented &&
                 end->completed == expected[i].completed && end->failed == expected[i].failed &&
                 end->pdcs == expected[i].pdcs && end->frames == s->frames;
    uint8_t code = expected[i].nack, after = cleared_away_by(expected[i].name);
    size_t others = s->nacks - s->codes[code];
    bool nack = !code == !s->codes[code] && others == !!after && (!after || s->codes[after] == 1);
    if (!right || !nack || !end->quiet)
        fail_msg("%s: %zu requests (%zu retx), %zu nacks, %zu lost, %zu comments, %llu completed, "
                 "%llu failed, %llu PDCs, quiet %d",
                 expected[i].name, s->requests, s->retx, s->nacks, s->lost, s->commented,
                 (unsigned long long)end->completed, (unsigned long long)end->failed,
                 (unsigned long long)end->pdcs, end->quiet);
}

static void test_each(void **state)
{
    static const struct uet_gen_scene_options options[] = {
        {.seed = 1}, {.seed = 2, .crc = true}, {.seed = 3, .ipv6 = true, .crc = true}};
    (void)state;
    assert_int_equal(uet_gen_n_scenarios(), N_EXPECTED);
    for (size_t i = 0; i < N_EXPECTED; i++)
        for (size_t o = 0; o < 3; o++) {
            struct seen s;
            struct uet_gen_scene_end end = play(expected[i].name, &options[o], &s);
            check(i, &s, &end);
        }
}

/* The same bytes every time; another seed gives others. */
static void test_repeats(void **state)
{
    static const struct uet_gen_scene_options another = {.seed = 99};
    (void)state;
    for (size_t i = 0; i < uet_gen_n_scenarios(); i++) {
        struct seen first, again, other;
        const char *name = uet_gen_scenario(i)->name;
        play(name, &plain, &first);
        play(name, &plain, &again);
        play(name, &another, &other);
        assert_int_equal(first.crc, again.crc);
        assert_int_equal(first.last_ns, again.last_ns);
        assert_int_not_equal(first.crc, other.crc);
    }
}

/* ---- what is special about one ---- */

static void test_psns(void **state)
{
    struct seen s;
    (void)state;
    play("psn-wrap", &plain, &s);
    for (uint32_t i = 0; i < 10; i++)
        assert_int_equal(s.psns[i], 0xfffffffbu + i);
    play("paper-write", &plain, &s);
    for (uint32_t i = 0; i < 5; i++)
        assert_int_equal(s.psns[i], 4 + i);
    play("out-of-order", &plain, &s);
    assert_int_equal(s.psns[5], s.psns[0] + 1); /* the second one comes last */
    play("duplicates", &plain, &s);
    for (uint32_t i = 0; i < 6; i++)
        assert_int_equal(s.psns[i], s.psns[0] + i / 2);
}

static void test_answers(void **state)
{
    struct seen s;
    (void)state;
    play("congestion", &plain, &s);
    assert_int_equal(s.m, 2);
    play("error-response", &plain, &s);
    assert_int_equal(s.errors, 1);
    assert_int_equal(s.cps[UET_CTL_CLEAR_COMMAND], 1);
    play("close-by-target", &plain, &s);
    assert_int_equal(s.cps[UET_CTL_CLOSE_REQUEST], 1);
    assert_int_equal(s.cps[UET_CTL_CLOSE_COMMAND], 1);
    play("close-lost", &plain, &s);
    assert_int_equal(s.cps[UET_CTL_CLOSE_COMMAND], 2);
    play("noop-opens", &plain, &s);
    assert_int_equal(s.cps[UET_CTL_NOOP], 1);
    play("probe", &plain, &s);
    assert_int_equal(s.cps[UET_CTL_PROBE], 1);
    assert_int_equal(s.probes, 1);
    play("ack-per-packet", &plain, &s);
    assert_int_equal(s.acks, 6); /* five requests, one Close Command */
    assert_int_equal(s.acks_cc, 0);
}

/* Services without a PDC, and switches that trim. */
static void test_services(void **state)
{
    struct seen s;
    (void)state;
    play("rudi", &plain, &s);
    assert_int_equal(s.frames, 4);
    assert_int_equal(s.rudi_req, 2);
    assert_int_equal(s.rudi_resp, 2);
    play("rudi-lost-response", &plain, &s);
    assert_int_equal(s.rudi_req, 2); /* the same write twice */
    assert_int_equal(s.rudi_resp, 2);
    play("uud", &plain, &s);
    assert_int_equal(s.frames, 2);
    assert_int_equal(s.uud, 2);
    play("trimmed", &plain, &s);
    assert_int_equal(s.trimmed, 1);
    assert_int_equal(s.psns[5], s.psns[2]); /* it comes again */
    play("trimmed-last-hop", &plain, &s);
    assert_int_equal(s.last_hop, 1);
    play("rudi-trimmed", &plain, &s);
    assert_int_equal(s.trimmed, 1);
    assert_int_equal(s.rudi_req, 2);
    assert_int_equal(s.rudi_resp, 1);
}

/* Each of three keys has sealed something, and the initiator has turned in the middle of a write.
 */
static void test_rekey(void **state)
{
    struct seen s;
    (void)state;
    play("tss", &plain, &s);
    for (int i = 1; i <= 3; i++)
        assert_true(s.with_key[i] >= 5);
    assert_int_equal(s.with_key[1] + s.with_key[2] + s.with_key[3], s.frames);
    assert_int_equal(s.turns, 2);
    play("tss-random-start", &plain, &s);
    assert_int_not_equal(s.psns[0], s.psns[1]);
}

/* Where the data of a read goes (3.5.12.1); Figure 3-81 to the number (PDS-096). */
/* Each old value is the one before and what was added to it; a lost one comes again. */
static void test_atomics(void **state)
{
    struct seen s;
    (void)state;
    play("fetching-atomic", &plain, &s);
    assert_int_equal(s.data_acks, 3);
    assert_true(s.fetched[1] == s.fetched[0] + 1 && s.fetched[2] == s.fetched[1] + 41);
    play("fetching-atomic-lost-ack", &plain, &s);
    assert_int_equal(s.data_acks, 4);
    assert_true(s.fetched[2] == s.fetched[1] && s.fetched[3] == s.fetched[2] + 41);
}

static void test_reads(void **state)
{
    static const uint32_t psns[] = {333, 334, 335, 48, 49, 50, 336};
    static const int16_t clears[] = {-1, -2, -3, -1, -2, -3, -1};
    struct seen s;
    (void)state;
    play("read", &plain, &s);
    assert_int_equal(s.data_acks, 1);
    assert_int_equal(s.data_requests, 3);
    assert_int_equal(s.data_bytes, 8 + 10000);
    play("read-lost-data", &plain, &s);
    assert_int_equal(s.data_acks, 0);
    assert_int_equal(s.data_requests, 4);
    play("paper-read", &plain, &s);
    assert_int_equal(s.n_psns, 7);
    for (size_t i = 0; i < 7; i++) {
        assert_int_equal(s.psns[i], psns[i]);
        assert_int_equal(s.clear_offsets[i], clears[i]);
    }
    play("rudi-read", &plain, &s);
    assert_int_equal(s.rudi_req, 2);
    assert_int_equal(s.data_rudi, 2);
    assert_int_equal(s.data_bytes, 5000);
}

static int stop(void *ctx, const struct uet_gen_scene_frame *f)
{
    (void)f;
    return ++*(int *)ctx == 2 ? -28 : 0;
}

static void test_stops(void **state)
{
    struct uet_gen_scene_end end;
    char err[300];
    int n = 0;
    (void)state;
    assert_int_equal(uet_gen_scenario_run(uet_gen_scenario_find("write"), &plain, stop, &n, &end,
                                          err, sizeof err),
                     -28);
    assert_int_equal(n, 2);
    assert_null(uet_gen_scenario_find("atomic"));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_each),     cmocka_unit_test(test_repeats),
        cmocka_unit_test(test_psns),     cmocka_unit_test(test_answers),
        cmocka_unit_test(test_services), cmocka_unit_test(test_rekey),
        cmocka_unit_test(test_reads),    cmocka_unit_test(test_atomics),
        cmocka_unit_test(test_stops),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
