/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * memory: what epan keeps of packets of UET for the life of a capture: of each packet and of each
 * PDC when they are followed, in bytes; without that (uetx.track) no block more than of any other
 * UDP packet. The figures repeat, but for a byte or two. The README states them.
 */
#include <malloc.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "dissector/tests/epan_run.h"
#include "dissector/ws_compat.h"
#include "wire/build.h"

enum { OTHER_PORT = 9999, PACKETS = 40000, PDCS = 4000, FRAME = 256, SKIPPED = 77 };
/* Above these the README would be wrong. */
enum { MOST_OF_A_PACKET = 380, MOST_OF_A_PDC = 1400 };

/*
 * ---- the blocks that are in use: the library's functions, and a count. The linker puts them in
 * the place of malloc, calloc, realloc and free, for epan and glib, too (CMakeLists.txt) ----
 */

static long blocks;

#if !UETX_SANITIZED
void *counted_malloc(size_t n);
void *counted_calloc(size_t n, size_t size);
void *counted_realloc(void *block, size_t n);
void counted_free(void *block);
void *__libc_malloc(size_t n);
void *__libc_calloc(size_t n, size_t size);
void *__libc_realloc(void *block, size_t n);
void __libc_free(void *block);

void *counted_malloc(size_t n)
{
    void *block = __libc_malloc(n);
    blocks += block != NULL;
    return block;
}

void *counted_calloc(size_t n, size_t size)
{
    void *block = __libc_calloc(n, size);
    blocks += block != NULL;
    return block;
}

void *counted_realloc(void *block, size_t n)
{
    void *other = __libc_realloc(block, n);
    blocks += !block && other;
    blocks -= block && !other && n == 0;
    return other;
}

void counted_free(void *block)
{
    blocks -= block != NULL;
    __libc_free(block);
}
#endif

/* ---- packets ---- */

static uint16_t udp_port;

static struct uet_build begin(uint8_t *frame, bool back)
{
    const struct uet_ip a = {.version = 4, .bytes = {192, 0, 2, 1}};
    const struct uet_ip b = {.version = 4, .bytes = {192, 0, 2, 2}};
    const struct uet_route route = {.src = back ? b : a,
                                    .dst = back ? a : b,
                                    .entropy = 0x4242,
                                    .udp_port = udp_port,
                                    .ecn = UET_ECN_ECT0};
    struct uet_build built;
    uet_build_start(&built, frame, FRAME, &route);
    return built;
}

/* SEND, a message by itself. */
static size_t request(uint8_t *frame, uint32_t psn, uint16_t ipdcid, bool syn)
{
    static const uint8_t payload[32];
    struct uet_build b = begin(frame, false);
    uint8_t *pds = uet_build_pds(&b, syn ? UET_H_RUD_ROD_REQ_SYN : UET_H_RUD_ROD_REQ);
    uet_rud_rod_req_type_set(pds, UET_PDS_RUD_REQ);
    uet_rud_rod_req_next_hdr_set(pds, UET_NH_REQUEST_STD);
    uet_rud_rod_req_ar_set(pds, true);
    uet_rud_rod_req_syn_set(pds, syn);
    uet_rud_rod_req_clear_psn_offset_set(pds, -1);
    uet_rud_rod_req_psn_set(pds, psn);
    uet_rud_rod_req_spdcid_set(pds, ipdcid);
    if (!syn)
        uet_rud_rod_req_dpdcid_set(pds, (uint16_t)(ipdcid + 0x4000));
    uint8_t *ses = uet_build_ses(&b, UET_H_SES_REQ_STD_SOM1);
    uet_ses_req_opcode_set(ses, UET_OP_SEND);
    uet_ses_req_som_set(ses, true);
    uet_ses_req_eom_set(ses, true);
    uet_ses_req_std_message_id_set(ses, (uint16_t)(psn % UINT16_MAX + 1));
    uet_ses_req_job_id_set(ses, 1);
    uet_ses_req_resource_index_set(ses, 5);
    uet_ses_req_std_request_length_set(ses, sizeof payload);
    uet_build_payload(&b, payload, sizeof payload);
    return (size_t)uet_build_finish(&b, UET_PROTECT_NONE, NULL);
}

static size_t ack(uint8_t *frame, uint32_t psn, uint16_t ipdcid)
{
    struct uet_build b = begin(frame, true);
    uint8_t *pds = uet_build_pds(&b, UET_H_ACK);
    uet_ack_type_set(pds, UET_PDS_ACK);
    uet_ack_next_hdr_set(pds, UET_NH_NONE);
    uet_ack_cack_psn_set(pds, psn);
    uet_ack_spdcid_set(pds, (uint16_t)(ipdcid + 0x4000));
    uet_ack_dpdcid_set(pds, ipdcid);
    return (size_t)uet_build_finish(&b, UET_PROTECT_NONE, NULL);
}

/* ---- what is kept of them ---- */

struct kept {
    double bytes, blocks;
};

static struct kept in_use(void)
{
    struct mallinfo2 m = mallinfo2();
    return (struct kept){(double)(m.uordblks + m.hblkhd), (double)blocks};
}

/* Of n things, when what is in use was `before`. */
static struct kept each_since(struct kept before, struct kept now, uint32_t n)
{
    return (struct kept){(now.bytes - before.bytes) / n, (now.blocks - before.blocks) / n};
}

/* Requests and their ACKs in turn on so many PDCs, the first of each opens it. */
static struct kept kept(uint32_t packets, uint32_t pdcs)
{
    uint8_t bytes[FRAME];
    epan_run_open();
    struct kept before = in_use();
    for (uint32_t n = 0; n < packets; n++) {
        uint32_t exchange = n / 2, pdc = exchange % pdcs, psn = 0x1000 + pdc * 7 + exchange / pdcs;
        uint16_t ipdcid = (uint16_t)(1 + pdc);
        struct epan_run_frame frame = {.bytes = bytes, .time_us = n * UINT64_C(10)};
        frame.len = n % 2 ? ack(bytes, psn, ipdcid) : request(bytes, psn, ipdcid, exchange < pdcs);
        epan_run_dissect(n + 1, &frame, false, NULL);
    }
    return each_since(before, in_use(), 1);
}

/* Of each packet on one PDC; what the first ones take is no packet's. */
static struct kept of_a_packet(uint16_t port)
{
    udp_port = port;
    return each_since(kept(PACKETS, 1), kept(2 * PACKETS, 1), PACKETS);
}

static struct kept of_a_pdc(void)
{
    return each_since(kept(2 * PDCS, 1), kept(2 * PDCS, PDCS), PDCS - 1);
}

static void set(const char *preference)
{
    if (epan_run_set(preference))
        return;
    fprintf(stderr, "memory: epan refuses -o %s\n", preference);
    exit(2);
}

int main(void)
{
    setenv("WIRESHARK_DEBUG_WMEM_OVERRIDE", "simple", 1); /* an allocation is one of malloc's */
    epan_run_start();
    if (!blocks) {
        puts("memory: a sanitizer's malloc counts nothing");
        return SKIPPED;
    }
    kept(2 * PACKETS, 1); /* what free blocks there are then, there always are */
    struct kept other = of_a_packet(OTHER_PORT), packet = of_a_packet(UET_UDP_PORT);
    struct kept pdc = of_a_pdc();
    set("uetx.track:FALSE");
    struct kept untracked = of_a_packet(UET_UDP_PORT);
    printf("of any UDP packet: %.1f bytes in %.2f blocks\n"
           "more of a packet, without tracking: %.1f in %.2f\n"
           "more of a packet, with tracking: %.1f in %.2f\nmore of a PDC: %.1f in %.2f\n",
           other.bytes, other.blocks, untracked.bytes - other.bytes,
           untracked.blocks - other.blocks, packet.bytes - other.bytes,
           packet.blocks - other.blocks, pdc.bytes, pdc.blocks);
    bool none = untracked.blocks - other.blocks < 0.001;
    bool some = packet.bytes - other.bytes < MOST_OF_A_PACKET && pdc.bytes < MOST_OF_A_PDC &&
                packet.blocks > other.blocks && pdc.blocks > 1;
    return none && some ? 0 : 1;
}
