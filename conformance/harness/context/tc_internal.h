/* SPDX-License-Identifier: BSD-2-Clause */
/* The running test, for the harness itself. Tests see it through tc.h. */
#ifndef UET_CONFORMANCE_TC_INTERNAL_H
#define UET_CONFORMANCE_TC_INTERNAL_H

#include <setjmp.h>
#include <stdarg.h>

#include "conformance/harness/context/record.h"
#include "conformance/harness/session.h"
#include "conformance/harness/tc.h"
#include "rules/rules.h"
#include "track/track.h"
#include "wire/print.h"

#define UET_MAX_TOLERATED 8
#define UET_MAX_SET       8

/* A packet of the tester's, kept so that the postamble can send again what got no answer. */
struct uet_sent {
    struct uet_sent *next;
    struct uet_out out;
    bool takes_psn;
};

struct uet_tc {
    struct uet_session *session;
    const struct uet_test *test;
    struct uet_result *result;
    uint64_t rng;

    jmp_buf leave; /* out of the body */
    bool in_body;
    int preamble; /* > 0: what goes wrong is inconc */
    const char *claim;

    struct uet_arena *arena;
    struct uet_record record;
    struct uet_track *track;
    struct uet_rules *rules;

    struct uet_pdc *pdcs;
    bool accepting; /* the FEP may open PDCs to the tester */
    bool by_itself; /* the peer answers: not what the test says */
    bool auto_ack;
    struct uet_in *in_first, *in_last;
    uint32_t forgotten; /* frames up to this one match nothing any more */
    const struct uet_in *current;
    struct uet_want tolerated[UET_MAX_TOLERATED];
    size_t n_tolerated;

    char sent[UET_LINE_MAX]; /* the last packet of the body, in words */
    uint32_t sent_frame;
    char asked[120];              /* what the upper tester was asked for since that packet, or "" */
    struct uet_finding rule_said; /* by which rule the verdict is a fail, or "" */
    bool rule_speaks;             /* a rule judges, not the body */
    uint64_t start_ns, wall_deadline_ns;
    uint64_t quiet_ns; /* of uet_tc_quiet, once it was asked for */
    bool port_broken;
    uint16_t next_message_id;
    uint32_t next_pkt_id;
    bool unsettled; /* a packet was sent and may still be under way */
    uint32_t service_count;
    bool late_request; /* the FEP goes on with what an earlier test began */
    bool keeps_state;  /* the FEP cannot be reset: numbers of earlier tests are not used again */
    struct uet_open *open;         /* where limits are told: the Requests that the FEP was sent */
    struct uet_memory *any_target; /* of uet_any_request, or NULL as long as it needs none */
    struct uet_dut_param set[UET_MAX_SET]; /* parameters that this test has changed */
    size_t n_set;
    struct uet_ut_completion *completions; /* taken from the FEP, not yet asked for */
    size_t n_completions, room_completions;
};

/* ---- memory of a test ---- */

struct uet_arena;
/* Zeroed memory until the end of the test; never NULL (ends the test as error). */
void *uet_tc_alloc(struct uet_tc *tc, size_t n);
void *uet_arena_alloc(struct uet_arena **arena, size_t n); /* NULL: no memory */
void uet_arena_free(struct uet_arena **arena);

/* ---- verdicts (judge.c) ---- */

/* Worsens the verdict; keeps the message of the worst. */
void uet_tc_worsen(struct uet_tc *tc, enum uet_verdict verdict, const char *requirement,
                   const struct uet_in *in, const char *format, ...)
    __attribute__((format(printf, 5, 6)));
void uet_tc_vworsen(struct uet_tc *tc, enum uet_verdict verdict, const char *requirement,
                    const struct uet_in *in, const char *format, va_list args);

/* The FEP broke a requirement: fail, finding or remark, by its level. True when it failed. */
bool uet_tc_violated(struct uet_tc *tc, const char *requirement, const struct uet_in *in,
                     const char *format, ...) __attribute__((format(printf, 4, 5)));
/* What a rule reports only (struct uet_violation): a finding; with --strict as any other. */
void uet_tc_reported(struct uet_tc *tc, const char *requirement, const struct uet_in *in,
                     const char *why);
_Noreturn void uet_tc_leave(struct uet_tc *tc);

/* A rule's opinion of a packet that came. It knows no preamble: what breaks it, breaks it. */
void uet_tc_rule_broken(struct uet_tc *tc, const struct uet_in *in, const char *requirement,
                        const char *message);

/* ---- what fep.yaml declares (declared.c) ---- */

/* An entry of at least that length; ends the test where there is none, or none that works. */
struct uet_memory uet_declared_memory(struct uet_tc *tc, uint32_t length);
struct uet_memory uet_declared_receive(struct uet_tc *tc, uint32_t length);

/* ---- pumping (pump.c) ---- */

uint64_t uet_wall_ns(void);

/*
 * Receives until the deadline or the first batch, takes packets in and lets the peer answer. False
 * when the deadline is over. Ends the test when the port is broken or its wall time is over.
 */
bool uet_tc_pump(struct uet_tc *tc, uint64_t deadline_ns);

/* Real time: lets pass what the two sides need to take in what is under way (upper.c). */
void uet_tc_settle(struct uet_tc *tc);

/* Makes the FEP forget what earlier tests left; false when the upper tester does not do it. */
bool uet_tc_reset(struct uet_tc *tc);

/* Gives a FEP's retransmission timer the host's slowness, where that can be done (upper.c). */
void uet_tc_slow_timers(struct uet_tc *tc);

/* Makes a FEP that is set to no retries retry, where it can be set. */
void uet_tc_let_retry(struct uet_tc *tc);

/* ns of the test's time scale; and the FEP's response time so scaled. */
uint64_t uet_tc_scale(const struct uet_tc *tc, uint64_t ns);
uint64_t uet_tc_patience(const struct uet_tc *tc);

/* Records, tracks a frame that the tester sends. */
void uet_tc_record_sent(struct uet_tc *tc, const uint8_t *frame, uint32_t len);

/* One line on a packet that came. */
const char *uet_tc_line(const struct uet_in *in, char *out);

/* ---- parts of packets (send.c) ---- */

/*
 * Addresses and the FEP's protection; the same on a PDC; the PDS header of its next Request; a
 * standard SES request; a SES response to in.
 */
struct uet_out uet_out_start(struct uet_tc *tc, struct uet_ip self, uint16_t entropy);
struct uet_out uet_out_on(struct uet_pdc *pdc);
void uet_out_request(struct uet_out *o, uint8_t next_hdr);
void uet_out_standard(struct uet_tc *tc, struct uet_out *o, uint8_t opcode,
                      const struct uet_memory *m, uint64_t offset, const void *data, uint32_t n);
void uet_out_respond(struct uet_out *o, const struct uet_in *in, uint8_t opcode, uint8_t list,
                     uint8_t return_code);

/* ---- a Request that the FEP claims (any_request.c) ---- */

#define UET_NO_ANY_REQUEST "no request is claimed that can be sent: no-op, write, or send"

/* Is there one: NO_OP, or a WRITE or SEND to what stands ready? */
bool uet_has_any_request(const struct uet_session *session);

/* ---- told limits of the FEP (limits.c) ---- */

/* Before a packet is sent: ends the test as skip where it would go beyond what fep.yaml tells. */
void uet_limits_send(struct uet_tc *tc, const struct uet_out *o);
/* What a packet of the FEP's answers is no longer open. */
void uet_limits_take(struct uet_tc *tc, const struct uet_in *in);

/* ---- the peer (peer.c) ---- */

struct uet_pdc *uet_peer_pdc_new(struct uet_tc *tc, struct uet_ip self);
struct uet_pdc *uet_peer_find(struct uet_tc *tc, const struct uet_packet *p);
/* Has this test given that PDCID to a PDC of its own? */
bool uet_peer_had(const struct uet_tc *tc, uint16_t pdcid);

/* Bookkeeping and, unless told not to, answers. */
void uet_peer_take(struct uet_tc *tc, struct uet_in *in);
void uet_peer_sent(struct uet_tc *tc, const struct uet_out *out);

/* Closes what the test left open, and notes a finding where some PDC would not close. */
void uet_peer_postamble(struct uet_tc *tc);

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

/* Is this packet one that a conforming FEP may send unasked? (expect.c) */
/* A NACK that a conforming FEP may send as things stand now? */
bool uet_tc_free_nack(const struct uet_in *in);
bool uet_tc_tolerates(const struct uet_tc *tc, const struct uet_in *in);
void uet_tc_judge_unexpected(struct uet_tc *tc);

#endif
