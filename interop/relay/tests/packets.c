/* SPDX-License-Identifier: BSD-2-Clause */
#include "interop/relay/tests/packets.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

uint32_t packet_make(uint8_t *frame, const struct packet_wanted *wanted)
{
    static const uint8_t bytes[1000];
    struct uet_route route = {.entropy = wanted->entropy,
                              .dscp = wanted->dscp,
                              .ecn = wanted->ecn,
                              .native = wanted->native,
                              .crc_order = (uint8_t)wanted->order};
    struct uet_build b;
    int len;

    uet_ip_parse(&route.src, wanted->v6 ? "2001:db8::1" : "192.0.2.1");
    uet_ip_parse(&route.dst, wanted->v6 ? "2001:db8::2" : "192.0.2.2");
    uet_build_start(&b, frame, UET_FRAME_MAX, &route);
    if (wanted->ack) {
        uint8_t *ack = uet_build_pds(&b, UET_H_ACK);
        uet_ack_type_set(ack, UET_PDS_ACK);
    } else {
        uint8_t *pds = uet_build_pds(&b, UET_H_RUD_ROD_REQ), *ses;
        uet_rud_rod_req_type_set(pds, UET_PDS_RUD_REQ);
        uet_rud_rod_req_next_hdr_set(pds, UET_NH_REQUEST_STD);
        uet_rud_rod_req_psn_set(pds, wanted->psn);
        ses = uet_build_ses(&b, UET_H_SES_REQ_STD_SOM1);
        uet_ses_req_opcode_set(ses, UET_OP_WRITE);
        uet_ses_req_som_set(ses, true);
        uet_ses_req_eom_set(ses, true);
        uet_ses_req_std_request_length_set(ses, sizeof bytes);
        uet_build_payload(&b, bytes, sizeof bytes);
    }
    len = uet_build_finish(&b, wanted->protect, NULL);
    if (len <= 0) {
        fputs("packet_make: no packet\n", stderr);
        abort();
    }
    return (uint32_t)len;
}

uint32_t packet_arp(uint8_t *frame)
{
    static const uint8_t head[] = {0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 2, 0, 0, 0, 0,
                                   1,    8,    6,    0,    1,    8,    0, 6, 4, 0, 1};

    memset(frame, 0, 42);
    memcpy(frame, head, sizeof head);
    return 42;
}

struct relay_plan packet_plan(const char *first, const char *second)
{
    struct relay_plan plan = {0};
    char err[400];

    if (relay_plan_add(&plan, first, err, sizeof err) ||
        (second && relay_plan_add(&plan, second, err, sizeof err))) {
        fprintf(stderr, "packet_plan: %s\n", err);
        abort();
    }
    return plan;
}
