/* SPDX-License-Identifier: BSD-2-Clause */
/* Every line of violators.def can do what it says, and a packet is right again but for that. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>

#include <cmocka.h>

#include "conformance/violate/mutate.h"
#include "wire/build.h"

/* The header kinds in which the field of a violator may stand. */
static bool header_fits(const struct uet_violator *v, const struct uet_header *h)
{
    switch ((enum uet_place)v->place) {
    case UET_AT_PDS:
        return h->layer == UET_LAYER_PDS;
    case UET_AT_SES:
        return h->layer == UET_LAYER_SES;
    case UET_AT_CP:
        return strncmp(h->name, "cp_payload", 10) == 0;
    case UET_AT_CC:
        return strncmp(h->name, "ack_cc_state", 12) == 0;
    case UET_AT_IP:
        return strcmp(h->name, "ipv4") == 0;
    case UET_AT_UDP:
        return strcmp(h->name, "udp") == 0;
    case UET_AT_ENTROPY:
        return strcmp(h->name, "entropy") == 0;
    }
    return false;
}

static void fields_exist(void **state)
{
    (void)state;
    for (size_t i = 0; i < uet_n_violators(); i++) {
        const struct uet_violator *v = uet_violator(i);
        bool found = v->action >= UET_DO_DROP;

        for (size_t h = 1; h < uet_n_headers && !found; h++)
            found = header_fits(v, &uet_headers[h]) && uet_field_find(&uet_headers[h], v->field);
        if (!found)
            print_message("%s: no field '%s'\n", v->requirement, v->field);
        assert_true(found);
        assert_non_null(uet_requirement_find(v->requirement));
        assert_true(v->packets < UET_HIT_COUNT);
    }
    assert_null(uet_violator(uet_n_violators()));
}

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
    const struct uet_parse_options crc = {.protect = UET_PROTECT_CRC};
    struct uet_packet p;

    assert_int_equal(uet_parse(&p, frame, len, &crc), UET_PARSE_OK);
    return p;
}

static void alters_one_field(void **state)
{
    const struct uet_violator v = {.packets = UET_HIT_ACK,
                                   .action = UET_DO_ADD,
                                   .place = UET_AT_PDS,
                                   .field = "dpdcid",
                                   .operand = 1};
    uint8_t frame[UET_FRAME_MAX];
    uint32_t len = make_ack(frame), seen = 0;
    struct uet_fate fate;

    (void)state;
    assert_true(uet_violate(&v, UET_PROTECT_CRC, &seen, frame, len, &fate));
    assert_int_equal(fate.copies, 1);
    struct uet_packet p = parsed(frame, len);         /* the CRC is right again */
    assert_int_equal(uet_ack_dpdcid(uet_pds(&p)), 0); /* 0xffff + 1 in 16 bits */
    assert_int_equal(uet_ack_spdcid(uet_pds(&p)), 7);
    assert_int_equal(uet_ack_cack_psn(uet_pds(&p)), 0x1000);
}

static void spares_and_drops(void **state)
{
    const struct uet_violator v = {.packets = UET_HIT_ACK, .action = UET_DO_DROP, .spared = 1};
    uint8_t frame[UET_FRAME_MAX];
    uint32_t len = make_ack(frame), seen = 0;
    struct uet_fate fate;

    (void)state;
    assert_false(uet_violate(&v, UET_PROTECT_CRC, &seen, frame, len, &fate));
    assert_int_equal(fate.copies, 1);
    assert_true(uet_violate(&v, UET_PROTECT_CRC, &seen, frame, len, &fate));
    assert_int_equal(fate.copies, 0);
}

static void leaves_others_alone(void **state)
{
    const struct uet_violator v = {.packets = UET_HIT_NACK, .action = UET_DO_DROP};
    uint8_t frame[UET_FRAME_MAX], before[UET_FRAME_MAX];
    uint32_t len = make_ack(frame), seen = 0;
    struct uet_fate fate;

    (void)state;
    memcpy(before, frame, len);
    assert_false(uet_violate(&v, UET_PROTECT_CRC, &seen, frame, len, &fate));
    assert_int_equal(fate.copies, 1);
    assert_int_equal(seen, 0);
    assert_memory_equal(before, frame, len);
    memset(frame, 0xee, sizeof(frame)); /* no UET at all */
    assert_false(uet_violate(&v, UET_PROTECT_CRC, &seen, frame, 60, &fate));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(fields_exist),
        cmocka_unit_test(alters_one_field),
        cmocka_unit_test(spares_and_drops),
        cmocka_unit_test(leaves_others_alone),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
