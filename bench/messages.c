/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Captures of one PDC's sends, made without a FEP: a long message, the same packets as messages of
 * their own, or the long message's packets in any order. For tshark.sh.
 */
#include <stdlib.h>
#include <string.h>

#include "bench/bench.h"
#include "port/pcapng.h"
#include "wire/build.h"

enum { PAYLOAD = 1024, START_PSN = 0x1000, GAP_NS = 1000, FRAME = 1536 };

struct stream {
    struct uet_route route;
    uint32_t packets;
    bool one; /* message */
};

/*
 * SEND on an open PDC: the part of the message with that number, or a message of its own. Its
 * payload begins with the number.
 */
static int frame_of(const struct stream *s, uint32_t part, uint8_t frame[FRAME])
{
    bool first = !s->one || part == 0, last = !s->one || part == s->packets - 1;
    uint8_t payload[PAYLOAD] = {0};
    struct uet_build b;
    uet_build_start(&b, frame, FRAME, &s->route);
    uint8_t *pds = uet_build_pds(&b, UET_H_RUD_ROD_REQ);
    uet_rud_rod_req_type_set(pds, UET_PDS_RUD_REQ);
    uet_rud_rod_req_next_hdr_set(pds, UET_NH_REQUEST_STD);
    uet_rud_rod_req_clear_psn_offset_set(pds, -1);
    uet_rud_rod_req_psn_set(pds, START_PSN + part);
    uet_rud_rod_req_spdcid_set(pds, 0x1001);
    uet_rud_rod_req_dpdcid_set(pds, 0x2001);
    uint8_t *ses = uet_build_ses(&b, first ? UET_H_SES_REQ_STD_SOM1 : UET_H_SES_REQ_STD_SOM0);
    uet_ses_req_opcode_set(ses, UET_OP_SEND);
    uet_ses_req_som_set(ses, first);
    uet_ses_req_eom_set(ses, last);
    uet_ses_req_std_message_id_set(ses, (uint16_t)(s->one ? 1 : 1 + part % UINT16_MAX));
    uet_ses_req_job_id_set(ses, 1);
    uet_ses_req_resource_index_set(ses, 5);
    uet_ses_req_std_request_length_set(ses, s->one ? s->packets * PAYLOAD : PAYLOAD);
    if (!first) {
        uet_ses_req_std_payload_length_set(ses, PAYLOAD);
        uet_ses_req_std_message_offset_set(ses, part * PAYLOAD);
    }
    uet_wr32(payload, part);
    uet_build_payload(&b, payload, PAYLOAD);
    return uet_build_finish(&b, UET_PROTECT_NONE, NULL);
}

/* Every part once, in an order that is the same on every machine; NULL: no memory. */
static uint32_t *parts_of(uint32_t n, bool shuffled)
{
    uint32_t *part = malloc(n * sizeof *part);
    uint64_t state = 1;
    for (uint32_t i = 0; part && i < n; i++)
        part[i] = i;
    for (uint32_t i = n - 1; part && shuffled && i > 0; i--) {
        state = state * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
        uint32_t other = (uint32_t)(state >> 33) % (i + 1), mine = part[i];
        part[i] = part[other];
        part[other] = mine;
    }
    return part;
}

const char *bench_messages(const char *path, uint32_t packets, const char *form)
{
    bool shuffled = strcmp(form, "shuffled") == 0, one = shuffled || strcmp(form, "long") == 0;
    if (!one && strcmp(form, "short") != 0)
        return "--messages: the form is long, short or shuffled";
    const struct stream s = {.route = {.src = {.version = 4, .bytes = {192, 0, 2, 1}},
                                       .dst = {.version = 4, .bytes = {192, 0, 2, 2}},
                                       .ecn = UET_ECN_ECT0},
                             .packets = packets,
                             .one = one};
    struct uet_pcapng *out;
    uint8_t frame[FRAME];
    char err[200];
    uint32_t *part = parts_of(packets, shuffled);
    if (!part || uet_pcapng_open(&out, path, err, sizeof err) != 0) {
        free(part);
        return "--messages: no memory, or the file cannot be made";
    }
    for (uint32_t k = 0; k < packets; k++)
        uet_pcapng_write(out, frame, (uint32_t)frame_of(&s, part[k], frame),
                         (uint64_t)(k + 1) * GAP_NS, UET_DIRECTION_UNKNOWN, NULL);
    free(part);
    return uet_pcapng_close(out) == 0 ? NULL : "--messages: the capture could not be written";
}
