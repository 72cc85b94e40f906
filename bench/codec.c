/* SPDX-License-Identifier: BSD-2-Clause */
#include "bench/bench.h"

#include <string.h>

#include "wire/build.h"

enum { PAYLOAD = BENCH_WRITE_PAYLOAD, FRAME = BENCH_WRITE_FRAME };

static const uint8_t payload[PAYLOAD];

int bench_build_write(uint8_t *out, size_t cap, uint32_t psn)
{
    static const struct uet_route route = {.src = {4, {192, 0, 2, 1}},
                                           .dst = {4, {192, 0, 2, 2}},
                                           .entropy = 0x4242,
                                           .ecn = UET_ECN_ECT0};
    struct uet_build b;
    uet_build_start(&b, out, cap, &route);
    uint8_t *h = uet_build_pds(&b, UET_H_RUD_ROD_REQ);
    uet_rud_rod_req_type_set(h, UET_PDS_RUD_REQ);
    uet_rud_rod_req_next_hdr_set(h, UET_NH_REQUEST_STD);
    uet_rud_rod_req_ar_set(h, true);
    uet_rud_rod_req_clear_psn_offset_set(h, -1);
    uet_rud_rod_req_psn_set(h, psn);
    uet_rud_rod_req_spdcid_set(h, 0x1001);
    uet_rud_rod_req_dpdcid_set(h, 0x2001);
    uint8_t *s = uet_build_ses(&b, UET_H_SES_REQ_STD_SOM1);
    uet_ses_req_opcode_set(s, UET_OP_WRITE);
    uet_ses_req_som_set(s, true);
    uet_ses_req_eom_set(s, true);
    uet_ses_req_std_message_id_set(s, 7);
    uet_ses_req_job_id_set(s, 1);
    uet_ses_req_pid_on_fep_set(s, 3);
    uet_ses_req_resource_index_set(s, 5);
    uet_ses_req_buffer_offset_set(s, 64);
    uet_ses_req_initiator_set(s, 42);
    uet_ses_req_match_bits_or_memory_key_set(s, 0xdeadbeef);
    uet_ses_req_std_request_length_set(s, PAYLOAD);
    uet_build_payload(&b, payload, sizeof payload);
    return uet_build_finish(&b, UET_PROTECT_NONE, NULL);
}

void bench_copy_frame(uint32_t rounds)
{
    uint8_t from[FRAME] = {1}, to[FRAME];
    size_t n = bench_unknown(FRAME);
    for (uint32_t i = 0; i < rounds; i++) {
        memcpy(to, from, n);
        bench_keep(to);
    }
}

void bench_parse(uint32_t rounds)
{
    uint8_t frame[UET_FRAME_MAX];
    struct uet_packet p;
    int len = bench_build_write(frame, sizeof frame, 1);
    if (len != FRAME)
        bench_die("the builder made a frame of another length");
    for (uint32_t i = 0; i < rounds; i++) {
        bench_keep(frame);
        uet_parse(&p, frame, (size_t)len, NULL);
        bench_keep(&p);
    }
    if (rounds && (p.error != UET_PARSE_OK || p.payload_len != PAYLOAD))
        bench_die("the parser did not read the packet");
}

void bench_build(uint32_t rounds)
{
    uint8_t frame[UET_FRAME_MAX];
    for (uint32_t i = 0; i < rounds; i++) {
        if (bench_build_write(frame, sizeof frame, i) != FRAME)
            bench_die("the builder made a frame of another length");
        bench_keep(frame);
    }
}
