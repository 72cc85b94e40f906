/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Every header and field of the data by its name: alone in a line, as JSON and back; and what the
 * defaults make of the forms that are rarer than Requests.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "gen/header.h"
#include "gen/lang.h"
#include "gen/value.h"
#include "wire/print.h"

static uint64_t seed = 0xda7a;

static uint32_t draw(void)
{
    seed ^= seed << 13;
    seed ^= seed >> 7;
    seed ^= seed << 17;
    return (uint32_t)(seed >> 11);
}

static gen_value draw_value(const struct uet_field *f)
{
    gen_value v = 0;
    for (unsigned i = 0; i < 4; i++)
        v = v << 32 | draw();
    if (f->width < 128)
        v &= ((gen_value)1 << f->width) - 1;
    if (f->kind == UET_KIND_INT && v >> (f->width - 1))
        v |= ~(gen_value)0 << f->width;
    return v;
}

static int make(const char *line, uint8_t *out, size_t cap, struct uet_gen_about *about)
{
    struct uet_gen *gen;
    struct uet_gen_error error;
    if (uet_gen_new(&gen, line, 1, &error) != 0)
        fail_msg("%s: %s", line, error.text);
    int n = uet_gen_packet(gen, 0, out, cap, about, &error);
    if (n < 0)
        fail_msg("%s: %s", line, error.text);
    uet_gen_free(gen);
    return n;
}

/* HEADER(!FIELD=value) has the value where the data says that the field is. */
static void test_every_field_by_name(void **state)
{
    (void)state;
    size_t n = 0;
    for (size_t id = 1; id < uet_n_headers; id++) {
        const struct uet_header *h = &uet_headers[id];
        if (id == UET_H_CRC_TRAILER) /* its number is the CRC's, stored as wire/crc.c does */
            continue;
        for (unsigned i = 0; i < h->n_fields; i++) {
            const struct uet_field *f = h->fields[i];
            char line[300], text[100];
            uint8_t bytes[256] = {0};
            gen_value v = draw_value(f);
            gen_value_text(f, v, text, sizeof text);
            snprintf(line, sizeof line, "%s(!%s=%s)", h->name, f->name, text);
            int len = make(line, bytes, sizeof bytes, NULL);
            if (len < h->bytes || gen_value_get(f, bytes) != v)
                fail_msg("%s: %d bytes, and another value there", line, len);
            n++;
        }
    }
    assert_true(n > 500);
}

/* Any bytes as a header, to JSON and back: the same bytes. */
static void test_every_header_as_json(void **state)
{
    (void)state;
    for (size_t id = 1; id < uet_n_headers; id++)
        for (int round = 0; round < 20; round++) {
            const struct uet_header *h = &uet_headers[id];
            uint8_t bytes[64], made[64];
            char *json = NULL;
            size_t size;
            struct uet_gen_error error;
            for (unsigned i = 0; i < h->bytes; i++)
                bytes[i] = (uint8_t)(round == 0 ? 0 : round == 1 ? 0xff : draw());
            FILE *out = open_memstream(&json, &size);
            assert_non_null(out);
            uet_gen_header_json(out, (enum uet_header_id)id, bytes);
            fclose(out);
            assert_int_equal(uet_gen_header(h->name, &error), id);
            if (uet_gen_header_fill((enum uet_header_id)id, json, made, &error) != 0)
                fail_msg("%s: %s", json, error.text);
            assert_memory_equal(made, bytes, h->bytes);
            free(json);
        }
}

/* Bare lines are packets that a sender may send. */
static void test_defaults(void **state)
{
    (void)state;
    static const struct {
        const char *line, *says;
    } v[] = {
        {"pds.uud_req/ses.std/data(4)", "UUD_REQ DATAGRAM_SEND id=0 job=1 pid=0 ri=1 off=0 len=4 "
                                        "init=1 key=0x0 som eom +4 bytes"},
        {"pds.uud_req/ses.small/data(4)",
         "UUD_REQ DATAGRAM_SEND small job=1 pid=0 ri=1 off=0 len=4 som eom +4 bytes"},
        {"pds.rudi_resp/ses.rsp_data/data(8)", "RUDI_RESP pkt=0x00000001 RESPONSE_W_DATA RC_OK "
                                               "for=1 id=0 job=1 plen=8 moff=0 mlen=8 +8 bytes"},
        {"pds.rud_req/ses.rsp_data(message_offset=100)/data(8)",
         "RUD_REQ psn=0x00000001 0x1001>0x2001 clear=-1 RESPONSE_W_DATA RC_OK for=1 id=0 job=1 "
         "plen=8 moff=100 mlen=108 +8 bytes"},
        {"pds.ack/ses.rsp_data_small/data(8)",
         "ACK cack=0x00000001 ack=0x00000001 0x2001>0x1001 RESPONSE_W_DATA RC_OK small "
         "for=0x00000001 job=1 plen=8 +8 bytes"},
        {"pds.rud_req/ses.std(opcode=rendezvous_send)/ses.rendezvous/data(8)",
         "RUD_REQ psn=0x00000001 0x1001>0x2001 clear=-1 RENDEZVOUS_SEND id=1 job=1 pid=0 ri=1 "
         "off=0 len=8 init=1 key=0x0 som eom eager=8 read pid=0 ri=0 gen=0 off=0 key=0x0 +8 bytes"},
        {"pds.rud_req/ses.no_op", "RUD_REQ psn=0x00000001 0x1001>0x2001 clear=-1 NO_OP id=1 job=1 "
                                  "pid=0 ri=1 off=0 len=0 init=0 key=0x0 som eom"},
        {"pds.nack(nt=1)", "NACK UET_NO_PKT_BUFFER nt=RUDI pkt=0x00000000"},
    };
    for (size_t i = 0; i < sizeof v / sizeof *v; i++) {
        const struct uet_parse_options o = {.start = UET_START_PDS};
        struct uet_gen_about about;
        struct uet_packet p;
        uint8_t bytes[256];
        char line[UET_LINE_MAX];
        int n = make(v[i].line, bytes, sizeof bytes, &about);
        assert_false(about.wrong);
        assert_int_equal(uet_parse(&p, bytes, (size_t)n, &o), UET_PARSE_OK);
        uet_print_line(line, sizeof line, &p);
        assert_string_equal(line, v[i].says);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_every_field_by_name),
                                       cmocka_unit_test(test_every_header_as_json),
                                       cmocka_unit_test(test_defaults)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
