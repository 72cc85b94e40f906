/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * The packet parser and what reads its packets: lines, dumps, JSON, field walk, refresh.
 * First byte of an input: bits 0-1 protect, 2 lenient, 3-4 start; then the frame.
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
        if (layers[i].id != UET_H_CRC_TRAILER && stop > end)
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

static void read_derived(const struct uet_packet *p)
{
    volatile uint32_t sink = uet_packet_psn(p) + uet_start_psn(p) + uet_clear_psn(p) +
                             uet_spdcid(p) + uet_dpdcid(p) + uet_entropy(p);
    if (p->ip_end)
        sink +=
            (uint32_t)(uet_ecn(p) + uet_dscp(p) + uet_src_ip(p).version + uet_dst_ip(p).version);
    if (uet_is_ses_request(p))
        sink += uet_ses_request_length(p) + uet_ses_message_id(p) + uet_ses_message_offset(p);
    (void)sink;
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

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    if (size == 0)
        return 0;
    const struct uet_parse_options o = {
        .protect = (data[0] & 3) % 3,
        .lenient = data[0] & 4,
        .start = (data[0] >> 3 & 3) % 3,
    };
    struct uet_packet p;
    uet_parse(&p, data + 1, size - 1, &o);
    check_bounds(&p, size - 1);
    walk_fields(&p);
    read_derived(&p);
    print(&p);
    if (o.start == UET_START_ETH && o.lenient && size - 1 <= UINT16_MAX)
        refresh(&p, &o);
    return 0;
}
