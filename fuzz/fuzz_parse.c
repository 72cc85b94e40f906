/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * The packet parser and what reads its packets: lines, dumps, JSON, field walk, refresh.
 * First byte of an input: bits 0-1 protect, 2 lenient, 3-4 start, 5 variants, 6 every DSCP is a
 * trimmed role, 7 from TSS or PDS on with a second byte that says how much was captured; then the
 * frame. A sealed packet is gone on with as if its bytes were the clear ones.
 */
#include <string.h>

#include "fuzz/fuzz.h"
#include "wire/build.h"
#include "wire/json.h"
#include "wire/layers.h"
#include "wire/print.h"

static void check_bounds(const struct uet_packet *p, size_t size)
{
    struct uet_layer_at layers[UET_LAYERS_MAX];
    size_t n = uet_layers(p, layers), end = 0;
    FUZZ_CHECK(p->error < UET_PARSE_ERROR_COUNT);
    FUZZ_CHECK(p->error_offset <= size);
    FUZZ_CHECK((size_t)p->payload_offset + p->payload_len <= size);
    for (size_t i = 0; i < n; i++) {
        size_t stop = layers[i].offset + uet_headers[layers[i].id].bytes;
        FUZZ_CHECK(stop <= size);
        FUZZ_CHECK(i == 0 || layers[i].offset >= layers[i - 1].offset);
        bool trailer = layers[i].id == UET_H_CRC_TRAILER || layers[i].id == UET_H_TSS_TRAILER;
        if (!trailer && stop > end)
            end = stop;
    }
    if (p->error == UET_PARSE_OK) {
        FUZZ_CHECK(p->pds != UET_H_NONE);
        FUZZ_CHECK(end == p->payload_offset);
    }
}

/* Every field read, and written back into a copy: nothing may change. */
static void walk_fields(const struct uet_packet *p)
{
    struct uet_layer_at layers[UET_LAYERS_MAX];
    size_t n = uet_layers(p, layers);
    for (size_t i = 0; i < n; i++) {
        const struct uet_header *header = &uet_headers[layers[i].id];
        const uint8_t *h = p->frame + layers[i].offset;
        uint8_t copy[64];
        FUZZ_CHECK(header->bytes <= sizeof copy);
        memcpy(copy, h, header->bytes);
        for (size_t j = 0; j < header->n_fields; j++)
            if (header->fields[j]->width <= 64)
                uet_field_set(header->fields[j], copy, uet_field_get(header->fields[j], h));
        FUZZ_CHECK(memcmp(copy, h, header->bytes) == 0);
    }
}

static void read_request(const struct uet_packet *p)
{
    const uint8_t *key;
    uint64_t data;
    uint32_t irt, trt;
    volatile uint64_t sink = uet_ses_request_length(p) + uet_ses_message_id(p) +
                             uet_ses_message_offset(p) + uet_ses_buffer_offset(p) +
                             uet_ses_initiator(p) + uet_ses_match_bits(p);
    uet_ses_header_data(p, &data);
    uet_ses_restart_tokens(p, &irt, &trt);
    sink += data + irt + trt;
    FUZZ_CHECK(uet_memory_key(p, &key) == UET_H_NONE || key > uet_ses(p));
    (void)sink;
}

static void read_derived(const struct uet_packet *p)
{
    volatile uint32_t sink = uet_packet_psn(p) + uet_start_psn(p) + uet_clear_psn(p) +
                             uet_spdcid(p) + uet_dpdcid(p) + uet_entropy(p);
    if (p->ip_end)
        sink +=
            (uint32_t)(uet_ecn(p) + uet_dscp(p) + uet_src_ip(p).version + uet_dst_ip(p).version);
    sink += uet_pkt_id(p) + p->trimmed_bytes;
    if (uet_is_ses_response_data(p))
        sink += uet_ses_data_length(p) + uet_ses_data_offset(p) + uet_ses_data_request(p);
    (void)sink;
    if (uet_is_ses_request(p))
        read_request(p);
}

static void print(const struct uet_packet *p)
{
    static char text[1 << 16];
    int n = uet_print_addressed(text, sizeof text, p);
    FUZZ_CHECK(n > 0 && n < UET_LINE_MAX);
    FUZZ_CHECK(strlen(text) == (size_t)n && !strchr(text, '\n'));
    n = uet_print_packet(text, sizeof text, p);
    FUZZ_CHECK(n >= 0 && (size_t)n < sizeof text && strlen(text) == (size_t)n);
    json_t *j = uet_json_packet(p);
    FUZZ_CHECK(j);
    json_decref(j);
}

/* What is right stays right after a refresh, and what lenient reads becomes right. */
static void refresh(const struct uet_packet *p, const struct uet_parse_options *o)
{
    struct uet_packet again;
    uint8_t *copy = malloc(p->len ? p->len : 1);
    FUZZ_CHECK(copy);
    memcpy(copy, p->frame, p->len);
    uet_refresh(copy, p->len, (enum uet_protect)o->protect);
    uet_parse(&again, copy, p->len, o);
    if (p->error == UET_PARSE_OK)
        FUZZ_CHECK(again.error == UET_PARSE_OK);
    FUZZ_CHECK(!again.udp_offset || again.error != UET_PARSE_IP_CHECKSUM);
    FUZZ_CHECK(!p->udp_offset || o->protect != UET_PROTECT_CRC || again.error != UET_PARSE_CRC_BAD);
    free(copy);
}

/* Everything that is said of a packet, of which `size` bytes are there. */
static void use(const struct uet_packet *p, size_t size)
{
    check_bounds(p, size);
    walk_fields(p);
    read_derived(p);
    print(p);
}

/* As readers do that know the layers below by themselves: part of it was not captured. */
static void cut_capture(const uint8_t *data, size_t size, uint8_t captured_of_256,
                        const struct uet_parse_options *o)
{
    size_t captured = size * captured_of_256 / 256;
    uint8_t *copy = malloc(captured ? captured : 1); /* a read of more shows under ASan */
    FUZZ_CHECK(copy);
    memcpy(copy, data, captured);
    struct uet_packet p = {.frame = copy,
                           .len = (uint32_t)captured,
                           .start = UET_START_PDS,
                           .trim = o->dscp_trimmed & 1};
    uet_parse_transport(&p, 0, size, captured, o);
    FUZZ_CHECK((size_t)p.payload_offset + p.payload_len <= size && p.payload_offset <= size);
    walk_fields(&p);
    read_derived(&p);
    print(&p);
    free(copy);
}

static void go_on_opened(const struct uet_packet *p, const struct uet_parse_options *o)
{
    struct uet_packet q = *p;
    uint16_t icv = p->icv_offset;
    uet_parse_opened(&q, p->frame, o);
    FUZZ_CHECK(!icv || (size_t)q.payload_offset + q.payload_len <= icv);
    use(&q, p->len);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    if (size < 2 || size > UINT16_MAX)
        return 0;
    const struct uet_parse_options o = {
        .protect = data[0] & 3,
        .lenient = data[0] & 4,
        .start = (data[0] >> 3 & 3) % 3,
        .variants = data[0] & 32,
        .dscp_trimmed = data[0] & 64 ? UINT64_MAX : 0,
        .dscp_trimmed_lasthop = data[0] & 64 ? UINT64_C(0xaaaaaaaaaaaaaaaa) : 0,
    };
    if (data[0] & 128) {
        cut_capture(data + 2, size - 2, data[1], &o);
        return 0;
    }
    struct uet_packet p;
    uet_parse(&p, data + 1, size - 1, &o);
    use(&p, size - 1);
    if (p.error == UET_PARSE_SEALED)
        go_on_opened(&p, &o);
    if (o.start == UET_START_ETH && o.lenient)
        refresh(&p, &o);
    return 0;
}
