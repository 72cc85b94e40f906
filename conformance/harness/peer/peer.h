/* SPDX-License-Identifier: BSD-2-Clause */
/* The tester as a peer of the FEP, for the harness itself: packets out, packets in, its PDCs. */
#ifndef UET_HARNESS_PEER_H
#define UET_HARNESS_PEER_H

#include "conformance/harness/context/context.h"

/* ---- parts of packets (request.c, answer.c) ---- */

/*
 * Addresses and the FEP's protection; the same on a PDC; the PDS header of its next Request; a
 * standard SES request; a SES response to in.
 */
struct uet_out uet_out_start(struct uet_tc *tc, struct uet_ip self, uint16_t entropy);
struct uet_out uet_out_on(struct uet_pdc *pdc);
void uet_out_request(struct uet_out *o, uint8_t next_hdr);
void uet_out_standard(struct uet_tc *tc, struct uet_out *o, uint8_t opcode,
                      const struct uet_memory *m, uint64_t offset, const void *data, uint32_t n);
/* It is the part at that offset of a message of so many bytes (3.4.1.7.3, 3.4.2.1). */
void uet_out_part(struct uet_out *o, uint16_t message_id, uint32_t length, uint32_t at,
                  uint32_t part);
void uet_out_respond(struct uet_out *o, const struct uet_in *in, uint8_t opcode, uint8_t list,
                     uint8_t return_code);

/* From now on the test is in that domain, NULL: in clear (sealing.c). */
void uet_in_domain(struct uet_tc *tc, struct uet_domain *d);

/* ---- packets out (send.c) ---- */

/* Sends what waits for others that are sent in one go. Before time passes, or the FEP is asked. */
void uet_send_held(struct uet_tc *tc);

/* Is it of this PDS type (one of UET_PDS_*)? */
static inline bool uet_out_is(const struct uet_out *o, uint8_t type)
{
    return o->pds_len >= 2 && uet_pds_prologue_type(o->pds) == type;
}
/* Is that the type of a Request on a PDC, with CC state or not? */
static inline bool uet_pds_type_is_request(uint8_t type)
{
    return type == UET_PDS_RUD_REQ || type == UET_PDS_ROD_REQ || type == UET_PDS_RUD_CC_REQ ||
           type == UET_PDS_ROD_CC_REQ;
}
static inline bool uet_out_is_request(const struct uet_out *o)
{
    return o->pds_len >= 2 && uet_pds_type_is_request(uet_pds_prologue_type(o->pds));
}

/* It goes out now, whatever order and weather, amid what else is to come (amid.c). */
void uet_send_now(struct uet_tc *tc, const struct uet_out *o);
/* It alone, recorded, told in words, noted on its PDC (emit.c). */
void uet_emit(struct uet_tc *tc, const struct uet_out *o);
/* A copy of it that the network made: recorded and tracked, and nothing that the tester says. */
void uet_emit_copy(struct uet_tc *tc, const struct uet_out *o);
/* The frame of it, which is not sent; its length. */
size_t uet_frame_of(struct uet_tc *tc, const struct uet_out *o, uint8_t *frame, size_t cap);

/* The same bytes as frame `number` of the capture, once more. */
void uet_replay_now(struct uet_tc *tc, uint32_t number);

/* The same bytes as a frame that came, sent back: its addresses are swapped, and nothing else. */
void uet_reflect_now(struct uet_tc *tc, const struct uet_in *in);

/* ---- what else comes to the FEP (amid.c) ---- */

/* One of the FEP's has come, to which strangers may say something, too. */
void uet_amid_heard(struct uet_tc *tc, const struct uet_in *in);
/* What the FEP sends is for none of the tester's addresses. */
void uet_amid_stray(struct uet_tc *tc, const struct uet_packet *p);
/* Nothing more comes for now: the copy of the last answer does, behind all that it has brought. */
void uet_amid_late(struct uet_tc *tc);

/* ---- credit for the FEP (credit.c) ---- */

/* What a packet of the FEP's tells of its wants; grants more than that, when an ACK has gone. */
void uet_peer_hear_credit(struct uet_pdc *pdc, const struct uet_packet *p);
void uet_peer_give_credit(struct uet_tc *tc, struct uet_pdc *pdc);

/* ---- a storm (storm.c) ---- */

/* Does it take what came, so that nobody hears it? */
bool uet_storm_takes(struct uet_tc *tc, struct uet_in *in);
/* Sends an answer of the peer's through it; what it has delayed. */
void uet_storm_sends(struct uet_tc *tc, const struct uet_out *o);
void uet_storm_late(struct uet_tc *tc);

/* ---- told limits of the FEP (limits.c) ---- */

/* Before a packet is sent: ends the test as skip where it would go beyond what fep.yaml tells. */
void uet_limits_send(struct uet_tc *tc, const struct uet_out *o);
/* What a packet of the FEP's answers is no longer open. */
void uet_limits_take(struct uet_tc *tc, const struct uet_in *in);
/* Are as many PDCs open as fep.yaml tells (max-pdcs), none of which the FEP may go on with? */
bool uet_limits_no_pdc(const struct uet_tc *tc);

/* ---- PDCs of the tester (pdc.c) ---- */

/* A PDC of the tester at that address of its own, with a PDCID that this test has not had; the
 * test's. */
struct uet_pdc *uet_peer_pdc_new(struct uet_tc *tc, struct uet_ip self);
/* The PDC that a packet of the FEP belongs to, a SYN to the one that it opened; NULL: none that
 * there is. */
struct uet_pdc *uet_peer_find(struct uet_tc *tc, const struct uet_packet *p);
/* Is that one of the tester's own addresses? */
static inline bool uet_peer_is_tester(const struct uet_tc *tc, const struct uet_ip *to)
{
    return uet_dut_is_tester(tc->session->dut, to);
}

/* Has this test given that PDCID to a PDC of its own? */
bool uet_peer_had(const struct uet_tc *tc, uint16_t pdcid);

/* Before its first packet is built: where it begins is known from now on. */
static inline void uet_pdc_begin(struct uet_pdc *pdc)
{
    if (!pdc->unstarted)
        return;
    pdc->unstarted = false;
    pdc->tc->ask_start(pdc->tc, pdc);
}

/* Where its PSNs begin, both ways. */
void uet_pdc_start_at(struct uet_pdc *pdc, uint32_t start_psn);

/* A packet was sent: it is kept, with what it tells of CLEAR_PSN and CACK_PSN. */
void uet_peer_sent(struct uet_tc *tc, const struct uet_out *out);

/* Moves clear_psn over what is acknowledged, unless the test does that itself. */
void uet_pdc_advance_clear(struct uet_pdc *pdc);

/* Did the FEP send this PSN before; it came now. */
bool uet_pdc_heard(const struct uet_pdc *pdc, uint32_t psn);
void uet_pdc_hear(struct uet_pdc *pdc, uint32_t psn);

/* A NACK that a conforming FEP may send as things stand now? */
bool uet_tc_free_nack(const struct uet_in *in);

/* The spdcid of that PDC's NACK of this code: 0 of one that says that there is no PDC (3.5.12.7).
 */
uint16_t uet_peer_nack_spdcid(const struct uet_pdc *pdc, uint8_t code);

/* ---- what came (peer.c) ---- */

/* Bookkeeping and, unless told not to, answers. */
void uet_peer_take(struct uet_tc *tc, struct uet_in *in);

/* ---- what ACK_CCs tell of it (received.c) ---- */

/* Counts the bytes of a Request that came, unless a copy of it is counted. */
void uet_peer_count(struct uet_pdc *pdc, struct uet_in *in);
/* rcvd_bytes for the next ACK_CC, in 256 bytes: never less than a test has told (CMS-024). */
uint32_t uet_peer_rcvd(const struct uet_pdc *pdc);
/* A packet was sent: rcvd_bytes is told, and what a NACK refuses is not counted any more. */
void uet_peer_told_rcvd(struct uet_pdc *pdc, const struct uet_out *out);

/* ---- the tracker and the rules (watch.c) ---- */

/* False: no memory. */
bool uet_watch_start(struct uet_tc *tc);

/* What the tracker says of a packet, and what the rules say of that; in NULL: the tester sent it.
 */
const struct uet_tracked *uet_watch_track(struct uet_tc *tc, const struct uet_packet *packet,
                                          uint64_t now);
/* What comes again under its PSN must carry what it carried at first (3.5.15). */
void uet_watch_resend(struct uet_tc *tc, const struct uet_in *in);
/* ---- what its operations were asked to be (asked.c) ---- */

/* What is, beside what was asked: the first field in which they differ, and in how many. */
struct uet_beside {
    const struct uet_packet *p; /* of a Request */
    const char *requirement, *field;
    uint64_t is, asked;
    unsigned n;
};

void uet_hold_against(struct uet_beside *b, const char *requirement, const char *field, uint64_t is,
                      uint64_t asked);

/* From now on operations are noted; not any more. */
void uet_asked_start(struct uet_tc *tc);
void uet_asked_end(struct uet_tc *tc);
/* A packet was sent, which may have told it another ri_generation. */
void uet_peer_told_generation(struct uet_tc *tc, const struct uet_out *o);
/* A Request that came has the address and the options of an operation that was asked for. */
void uet_watch_asked(struct uet_tc *tc, const struct uet_in *in);

/* ---- what its completions tell (completed.c) ---- */

/* A SES Request that the tester has sent. */
struct uet_said {
    struct uet_said *next;
    struct uet_ip from;
    uint64_t match_bits, header_data, offset;
    uint32_t job_id, initiator, length;
    uint32_t irt; /* of a deferrable send: the token of its initiator */
    uint16_t pid_on_fep, resource_index;
    uint8_t opcode;
    bool som, has_header_data, has_initiator;
    uint32_t times, completed; /* so often it was said, and so many completions told of it */
    const uint8_t *ext;        /* that of a rendezvous, or NULL */
};

/* From now on operations that have begun, and receives that are posted, are noted; not any more. */
void uet_completed_start(struct uet_tc *tc);
/*
 * Has each WRITE and send that the FEP has begun been completed, with no packet since, and nothing
 * else been begun?
 */
bool uet_completed_all(const struct uet_tc *tc);
void uet_completed_end(struct uet_tc *tc);
/* The tester sends it: a Request may fill a receive, a response end an operation. */
void uet_completed_said(struct uet_tc *tc, const struct uet_packet *p);
/* A completion tells what its operation or its message was. */
void uet_watch_completed(struct uet_tc *tc, const struct uet_ut_completion *c);

void uet_watch_judge(struct uet_tc *tc, const struct uet_in *in, const struct uet_tracked *tracked);

/* Records, parses into packet and tracks a frame that the tester sends; clear: the same in clear,
 * as long as the test; NULL: it is not sealed, or nobody can open it. */
void uet_tc_record_sent(struct uet_tc *tc, const uint8_t *frame, uint32_t len, const uint8_t *clear,
                        struct uet_packet *packet);

/* ---- pumping (pump.c) ---- */

/*
 * Receives until the deadline or the first batch, takes packets in and lets the peer answer. False
 * when the deadline is over. Ends the test when the port is broken or its wall time is over.
 */
bool uet_tc_pump(struct uet_tc *tc, uint64_t deadline_ns);

/* Real time: lets pass, after the last packet, what the two sides need to take in what is under
 * way. */
void uet_tc_settle(struct uet_tc *tc);

#define UET_PSN_WINDOW 32768 /* PSNs that the bit maps of a PDC can tell apart */

/* A bit for each PSN, as in uet_pdc. */
static inline bool uet_psn_bit(const uint8_t *bits, uint32_t psn)
{
    return bits[(psn & 0xffff) >> 3] >> (psn & 7) & 1;
}

static inline void uet_psn_bit_set(uint8_t *bits, uint32_t psn, bool on)
{
    uint8_t mask = (uint8_t)(1u << (psn & 7));

    if (on)
        bits[(psn & 0xffff) >> 3] |= mask;
    else
        bits[(psn & 0xffff) >> 3] &= (uint8_t)~mask;
}

#endif
