/* SPDX-License-Identifier: BSD-2-Clause */
/* Classes of packets, and what a rule makes of them: one thing, and the packet is right again. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>

#include <cmocka.h>

#include <errno.h>

#include "wire/build.h"
#include "wire/class.h"
#include "wire/impair.h"

static const struct uet_parse_options crc = {.protect = UET_PROTECT_CRC};

/* An ACK of the FEP's, with CRC. */
static uint32_t make_ack(uint8_t *frame)
{
    struct uet_build b;
    struct uet_route route = {.entropy = 1234};

    uet_ip_parse(&route.src, "192.0.2.1");
    uet_ip_parse(&route.dst, "192.0.2.11");
    uet_build_start(&b, frame, UET_FRAME_MAX, &route);
    uint8_t *ack = uet_build_pds(&b, UET_H_ACK);
    uet_ack_type_set(ack, UET_PDS_ACK);
    uet_ack_cack_psn_set(ack, 0x1000);
    uet_ack_spdcid_set(ack, 7);
    uet_ack_dpdcid_set(ack, 0xffff);
    int len = uet_build_finish(&b, UET_PROTECT_CRC, NULL);
    assert_true(len > 0);
    return (uint32_t)len;
}

static struct uet_packet parsed(const uint8_t *frame, uint32_t len)
{
    struct uet_packet p;

    assert_int_equal(uet_parse(&p, frame, len, &crc), UET_PARSE_OK);
    return p;
}

static void alters_one_field(void **state)
{
    const struct uet_impairment v = {.packets = UET_CLASS_ACK,
                                     .action = UET_IMPAIR_ADD,
                                     .place = UET_IN_PDS,
                                     .field = "dpdcid",
                                     .operand = 1};
    uint8_t frame[UET_FRAME_MAX];
    uint32_t len = make_ack(frame), seen = 0;
    struct uet_fate fate = {.copies = 1};

    (void)state;
    assert_int_equal(uet_impair(&v, &crc, &seen, frame, &len, &fate), 1);
    assert_int_equal(fate.copies, 1);
    struct uet_packet p = parsed(frame, len);         /* the CRC is right again */
    assert_int_equal(uet_ack_dpdcid(uet_pds(&p)), 0); /* 0xffff + 1 in 16 bits */
    assert_int_equal(uet_ack_spdcid(uet_pds(&p)), 7);
    assert_int_equal(uet_ack_cack_psn(uet_pds(&p)), 0x1000);
}

static void spares_and_drops(void **state)
{
    const struct uet_impairment v = {
        .packets = UET_CLASS_ACK, .action = UET_IMPAIR_DROP, .spared = 1};
    uint8_t frame[UET_FRAME_MAX];
    uint32_t len = make_ack(frame), seen = 0;
    struct uet_fate fate = {.copies = 1};

    (void)state;
    assert_int_equal(uet_impair(&v, &crc, &seen, frame, &len, &fate), 0);
    assert_int_equal(fate.copies, 1);
    assert_int_equal(uet_impair(&v, &crc, &seen, frame, &len, &fate), 1);
    assert_int_equal(fate.copies, 0);
}

static void leaves_others_alone(void **state)
{
    const struct uet_impairment v = {.packets = UET_CLASS_NACK, .action = UET_IMPAIR_DROP};
    uint8_t frame[UET_FRAME_MAX], before[UET_FRAME_MAX];
    uint32_t len = make_ack(frame), seen = 0;
    struct uet_fate fate = {.copies = 1};

    (void)state;
    memcpy(before, frame, len);
    assert_int_equal(uet_impair(&v, &crc, &seen, frame, &len, &fate), 0);
    assert_int_equal(fate.copies, 1);
    assert_int_equal(seen, 0);
    assert_memory_equal(before, frame, len);
    memset(frame, 0xee, sizeof(frame)); /* no UET at all */
    len = 60;
    assert_int_equal(uet_impair(&v, &crc, &seen, frame, &len, &fate), 0);
}

/* The second and the third of its class, no others; and two rules on one packet add up. */
static void harms_a_run(void **state)
{
    const struct uet_impairment twice = {.packets = UET_CLASS_ANSWER,
                                         .action = UET_IMPAIR_DUPLICATE,
                                         .operand = 10,
                                         .spared = 1,
                                         .count = 2};
    const struct uet_impairment late = {
        .packets = UET_CLASS_ANY, .action = UET_IMPAIR_DELAY, .operand = 500};
    uint8_t frame[UET_FRAME_MAX];
    uint32_t len = make_ack(frame), seen = 0, seen_late = 0;

    (void)state;
    for (uint32_t i = 0; i < 4; i++) {
        struct uet_fate fate = {.copies = 1};
        bool harmed = i == 1 || i == 2;
        assert_int_equal(uet_impair(&twice, &crc, &seen, frame, &len, &fate), harmed);
        assert_int_equal(uet_impair(&late, &crc, &seen_late, frame, &len, &fate), 1);
        assert_int_equal(fate.copies, harmed ? 2 : 1);
        assert_int_equal(fate.delay_ns, harmed ? 510 : 500);
    }
}

/* A rule that means a packet and cannot harm it says so: no field, no payload, nothing to cut. */
static void says_what_it_cannot(void **state)
{
    static const struct uet_impairment rules[] = {
        {.packets = UET_CLASS_ACK, .action = UET_IMPAIR_SET, .field = "no_such_field"},
        {.packets = UET_CLASS_ACK,
         .action = UET_IMPAIR_SET,
         .place = UET_IN_SES,
         .field = "opcode"},
        {.packets = UET_CLASS_ACK, .action = UET_IMPAIR_FLIP},
        {.packets = UET_CLASS_ACK, .action = UET_IMPAIR_TRIM, .operand = 5},
    };
    uint8_t frame[UET_FRAME_MAX];

    (void)state;
    for (size_t i = 0; i < sizeof(rules) / sizeof(*rules); i++) {
        struct uet_fate fate = {.copies = 1};
        uint32_t len = make_ack(frame), seen = 0;
        assert_int_equal(uet_impair(&rules[i], &crc, &seen, frame, &len, &fate), -EINVAL);
    }
}

/* Two packets by hand: which classes they are of, and no other. */
static void classes(void **state)
{
    static const struct {
        uint8_t pds, ses;
        bool retx; /* of the PDS header, and eom of the SES header */
        uint8_t of[8];
    } cases[] = {
        {UET_H_RUD_ROD_REQ_SYN,
         UET_H_SES_REQ_STD_SOM1,
         false,
         {UET_CLASS_REQUEST, UET_CLASS_SYN, UET_CLASS_SES_REQUEST, UET_CLASS_SOM}},
        {UET_H_RUD_ROD_REQ,
         UET_H_SES_REQ_SMALL,
         true,
         {UET_CLASS_REQUEST, UET_CLASS_NOT_SYN, UET_CLASS_RETX, UET_CLASS_SES_REQUEST,
          UET_CLASS_SMALL_OR_MEDIUM, UET_CLASS_EOM}},
    };

    (void)state;
    for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); i++) {
        uint8_t bytes[64] = {0};
        struct uet_packet p = {
            .frame = bytes, .pds = cases[i].pds, .ses = cases[i].ses, .ses_offset = 16};
        uet_rud_rod_req_retx_set(bytes, cases[i].retx);
        uet_ses_req_eom_set(bytes + 16, cases[i].retx);
        for (uint8_t c = UET_CLASS_ANY + 1; c < UET_CLASS_COUNT; c++)
            if (uet_is_of(c, &p) != (memchr(cases[i].of, c, sizeof(cases[i].of)) != NULL))
                fail_msg("packet %zu: %s", i, uet_class_name(c));
        assert_true(uet_is_of(UET_CLASS_ANY, &p));
        assert_true(uet_is_of((uint8_t)(UET_CLASS_HEADER + p.ses), &p));
        assert_false(uet_is_of((uint8_t)(UET_CLASS_HEADER + UET_H_ACK), &p));
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(alters_one_field),    cmocka_unit_test(spares_and_drops),
        cmocka_unit_test(leaves_others_alone), cmocka_unit_test(harms_a_run),
        cmocka_unit_test(says_what_it_cannot), cmocka_unit_test(classes),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
