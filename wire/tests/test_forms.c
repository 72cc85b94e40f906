/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Every PDS, SES and TSS form as a packet: read from bytes made by hand, built again, cut at every
 * byte, over UDP and as native IP.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "wire/build.h"
#include "wire/json.h"
#include "wire/layers.h"
#include "wire/print.h"
#include "wire/tests/forms.h"

/* A copy of exactly n bytes, so that ASan sees a read past them. */
static uint8_t *exact(const uint8_t *bytes, size_t n)
{
    uint8_t *copy = malloc(n ? n : 1);
    assert_non_null(copy);
    memcpy(copy, bytes, n);
    return copy;
}

/* The names of the layers from TSS or PDS on; *end is where the last but a trailer ends. */
static void layers_of(const struct uet_packet *p, char *out, size_t size, size_t *end)
{
    struct uet_layer_at at[UET_LAYERS_MAX];
    size_t n = uet_layers(p, at), len = 0;
    out[0] = '\0';
    for (size_t i = 0; i < n; i++) {
        const struct uet_header *h = &uet_headers[at[i].id];
        if (h->layer == UET_LAYER_LINK || h->layer == UET_LAYER_NET ||
            at[i].id == UET_H_CRC_TRAILER)
            continue;
        len += (size_t)snprintf(out + len, size - len, "%s%s", len ? " " : "", h->name);
        if (at[i].id != UET_H_TSS_TRAILER && at[i].offset + (size_t)h->bytes > *end)
            *end = at[i].offset + (size_t)h->bytes;
    }
}

static void check(const struct form *f, const struct uet_packet *p, const char *how)
{
    char text[4096];
    size_t end = 0;
    layers_of(p, text, sizeof text, &end);
    if (strcmp(text, f->layers) != 0)
        fail_msg("%s, %s: read as '%s', not '%s'", f->name, how, text, f->layers);
    if (p->error != f->error)
        fail_msg("%s, %s: %s at %u", f->name, how,
                 uet_parse_error_text((enum uet_parse_error)p->error), p->error_offset);
    if (p->payload_len != f->payload_len)
        fail_msg("%s, %s: payload of %u bytes, not %u", f->name, how, p->payload_len,
                 f->payload_len);
    if (end) /* no byte between the headers and the payload */
        assert_int_equal(end, p->payload_offset);
    uet_print_line(text, sizeof text, p);
    if (f->line && strcmp(text, f->line) != 0)
        fail_msg("%s, %s:\n%s\nnot\n%s", f->name, how, text, f->line);
}

static void forms_are_read(void **state)
{
    (void)state;
    for (size_t i = 0; i < n_forms; i++) {
        const struct form *f = &forms[i];
        const struct uet_parse_options o = {.start = UET_START_PDS, .variants = f->variants};
        uint8_t bytes[FORM_MAX];
        size_t n = form_bytes(f, bytes);
        uint8_t *copy = exact(bytes, n);
        struct uet_packet p;
        uet_parse(&p, copy, n, &o);
        check(f, &p, "alone");
        free(copy);
    }
}

/* The packet once more from its headers, by the builder, with what route says in front. */
static size_t rebuild(const struct uet_packet *p, const struct uet_route *route, uint8_t *out,
                      size_t cap, enum uet_protect protect)
{
    struct uet_build b;
    enum uet_header_id cp = (enum uet_header_id)p->cp_payload;
    enum uet_header_id pds = (enum uet_header_id)p->pds;
    uet_build_start(&b, out, cap, route);
    if (p->tss)
        memcpy(uet_build_tss(&b, (enum uet_header_id)p->tss), uet_tss(p), uet_header_bytes[p->tss]);
    if (cp)
        memcpy(uet_build_cp(&b, pds, cp), uet_pds(p),
               uet_header_bytes[pds] - 4u + uet_header_bytes[cp]);
    else if (pds)
        memcpy(uet_build_pds(&b, pds), uet_pds(p), uet_header_bytes[pds]);
    if (p->ses)
        memcpy(uet_build_ses(&b, (enum uet_header_id)p->ses), uet_ses(p), uet_header_bytes[p->ses]);
    if (p->sync)
        memcpy(uet_build_ext(&b, (enum uet_header_id)p->sync),
               uet_ses(p) + uet_header_bytes[p->ses], uet_header_bytes[p->sync]);
    if (p->ext)
        memcpy(uet_build_ext(&b, (enum uet_header_id)p->ext), uet_ses_ext(p),
               uet_header_bytes[p->ext]);
    assert_int_equal(b.payload_offset, b.len);
    uet_build_payload(&b, p->frame + p->payload_offset, p->payload_len);
    int n = uet_build_finish(&b, protect, NULL);
    assert_true(n > 0);
    return (size_t)n;
}

static struct uet_route route_to(unsigned version, bool native)
{
    struct uet_route r = {.native = native, .entropy = 0x4242};
    assert_int_equal(uet_ip_parse(&r.src, version == 4 ? "192.0.2.1" : "2001:db8::1"), 0);
    assert_int_equal(uet_ip_parse(&r.dst, version == 4 ? "192.0.2.2" : "2001:db8::2"), 0);
    return r;
}

/* IPv4 and IPv6, UDP and native, with CRC and without; a sealed packet has an ICV instead. */
static void forms_are_built(void **state)
{
    (void)state;
    for (size_t i = 0; i < n_forms; i++)
        for (unsigned way = 0; way < 8; way++) {
            const struct form *f = &forms[i];
            struct uet_parse_options o = {.start = UET_START_PDS, .variants = f->variants};
            struct uet_route route = route_to(way & 1 ? 6 : 4, way & 2);
            uint8_t bytes[FORM_MAX], frame[400];
            size_t n = form_bytes(f, bytes);
            struct uet_packet p, q;
            uet_parse(&p, bytes, n, &o);
            if (uet_parse_malformed(&p) || p.tss == UET_H_LEGACY_PRE_1_0)
                continue; /* the builder makes no 1.0 packet of a draft's header */
            enum uet_protect protect = way & 4 ? UET_PROTECT_CRC : UET_PROTECT_NONE;
            size_t len = rebuild(&p, &route, frame, sizeof frame, protect);
            size_t at = 14u + (way & 1 ? 40u : 20u) + (way & 2 ? 4u : 8u);
            o.start = UET_START_ETH;
            o.protect = (uint8_t)protect;
            uint8_t *copy = exact(frame, len);
            uet_parse(&q, copy, len, &o);
            check(f, &q, "in a frame");
            size_t trailer = p.tss ? 16 : 0; /* the ICV is the caller's */
            assert_memory_equal(copy + at, bytes, n - trailer);
            assert_int_equal(len - at, n + (way & 4 && !p.tss ? 4u : 0u));
            assert_int_equal(q.crc_state, way & 4 && !p.tss ? UET_CRC_GOOD : UET_CRC_ABSENT);
            assert_int_equal(uet_entropy(&q), 0x4242);
            assert_int_equal(!q.entropy_offset, !(way & 2));
            free(copy);
        }
}

/* Whatever is cut off, nothing behind the end is read, and what is said stays within the bytes. */
static void forms_cut_are_never_over_read(void **state)
{
    (void)state;
    static char text[65536];
    for (size_t i = 0; i < n_forms; i++) {
        uint8_t bytes[FORM_MAX];
        size_t n = form_bytes(&forms[i], bytes);
        for (size_t len = 0; len < n; len++)
            for (unsigned way = 0; way < 4; way++) {
                const struct uet_parse_options o = {.start = UET_START_PDS, .variants = way & 1};
                uint8_t *copy = exact(bytes, len);
                struct uet_packet p = {.frame = copy, .len = (uint32_t)len, .start = UET_START_PDS};
                if (way & 2) /* the capture ends there, the packet does not */
                    uet_parse_transport(&p, 0, n, len, &o);
                else
                    uet_parse(&p, copy, len, &o);
                assert_true((size_t)p.payload_offset + p.payload_len <= (way & 2 ? n : len));
                uet_print_packet(text, sizeof text, &p);
                json_t *j = uet_json_packet(&p);
                assert_non_null(j);
                json_decref(j);
                free(copy);
            }
    }
}

/* ---- numbers that the forms hide in different places, by hand ---- */

static uint8_t kept[FORM_MAX];

static struct uet_packet read_form(const char *name)
{
    struct uet_packet p = {0};
    for (size_t i = 0; i < n_forms; i++) {
        const struct uet_parse_options o = {.start = UET_START_PDS, .variants = forms[i].variants};
        if (strcmp(forms[i].name, name) == 0) {
            uet_parse(&p, kept, form_bytes(&forms[i], kept), &o);
            return p;
        }
    }
    fail_msg("no form %s", name);
    return p;
}

static void values_of_the_forms(void **state)
{
    (void)state;
    struct uet_packet p = read_form("rudi_req_medium");
    const uint8_t *key;
    uint32_t irt, trt;
    uint64_t data;
    assert_int_equal(uet_pkt_id(&p), 0x53);
    assert_int_equal(uet_packet_psn(&p), 0);
    assert_int_equal(uet_spdcid(&p), 0);
    assert_int_equal(uet_memory_key(&p, &key), UET_H_MEMORY_KEY_OPTIMIZED);
    assert_ptr_equal(key, kept + 8 + 24);
    assert_int_equal(uet_memory_key_optimized_rkey(key), 5);

    p = read_form("nack_rudi");
    assert_int_equal(uet_pkt_id(&p), 7);
    assert_int_equal(uet_packet_psn(&p), 0);
    p = read_form("nack_ccx");
    assert_int_equal(uet_packet_psn(&p), 9);
    assert_int_equal(uet_dpdcid(&p), 0x1001);

    p = read_form("rod_cc_req_syn");
    assert_int_equal(uet_start_psn(&p), 0x1d); /* 0x20 - 3 */
    assert_int_equal(uet_dpdcid(&p), 0);
    p = read_form("rud_cc_req");
    assert_int_equal(uet_clear_psn(&p), 0xe);

    p = read_form("deferrable_send");
    assert_true(uet_ses_restart_tokens(&p, &irt, &trt));
    assert_int_equal(irt, 0x11);
    assert_int_equal(trt, 0);
    assert_true(uet_ses_header_data(&p, &data));
    assert_true(data == 0xcafef00d);
    assert_true(uet_ses_buffer_offset(&p) == 0);
    p = read_form("deferrable_tsend_som0");
    assert_int_equal(uet_ses_message_offset(&p), 4096);
    assert_true(uet_ses_match_bits(&p) == 0xaa);
    assert_false(uet_ses_header_data(&p, &data));
    p = read_form("ready_to_restart");
    assert_true(uet_ses_restart_tokens(&p, &irt, &trt));
    assert_int_equal(trt, 0x22);
    assert_true(uet_ses_buffer_offset(&p) == 0x800);
    assert_true(uet_ses_match_bits(&p) == 0);
    p = read_form("uud_req_medium_msg");
    assert_true(uet_ses_header_data(&p, &data));
    assert_true(data == 0xcafef00d);

    p = read_form("rud_req_rsp_data");
    assert_int_equal(uet_ses_data_length(&p), 2);
    assert_int_equal(uet_ses_data_offset(&p), 4096);
    assert_int_equal(uet_ses_data_request(&p), 7);
    p = read_form("rud_req_rsp_data_small");
    assert_int_equal(uet_ses_data_length(&p), 2);
    assert_int_equal(uet_ses_data_offset(&p), 0);
    assert_int_equal(uet_ses_data_request(&p), 0);
}

/* Each header of PDS, SES and TSS stands in some form here or in golden_bytes.h. */
static void every_header_is_read_somewhere(void **state)
{
    (void)state;
    static const char *const elsewhere[] = {
        "tss_trailer", "pds_prologue", "rud_rod_req_syn", "ack_probe", "cp_payload_noop",
        /* golden_bytes.h has one Control Packet of each kind of payload, not of each ctl_type */
        "cp_payload_ack_request", "cp_payload_clear_command", "cp_payload_clear_request",
        "cp_payload_close_command", "cp_payload_close_request", "cp_payload_probe",
        "cp_payload_credit_request", "cp_payload_negotiation_on_off",
        "default_ses_response", /* read as ses_rsp_default */
        "ses_req_std_som0", "ses_rsp_no_response", "crc_trailer"};
    for (size_t id = 1; id < uet_n_headers; id++) {
        const struct uet_header *h = &uet_headers[id];
        bool found = h->layer == UET_LAYER_LINK || h->layer == UET_LAYER_NET;
        for (size_t i = 0; i < n_forms && !found; i++) {
            char padded[256], name[64];
            snprintf(padded, sizeof padded, " %s ", forms[i].layers);
            snprintf(name, sizeof name, " %s ", h->name);
            found = strstr(padded, name) != NULL;
        }
        for (size_t i = 0; i < sizeof elsewhere / sizeof *elsewhere; i++)
            found |= strcmp(elsewhere[i], h->name) == 0;
        if (!found)
            fail_msg("no packet has a %s", h->name);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(forms_are_read),
        cmocka_unit_test(forms_are_built),
        cmocka_unit_test(forms_cut_are_never_over_read),
        cmocka_unit_test(values_of_the_forms),
        cmocka_unit_test(every_header_is_read_somewhere),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
