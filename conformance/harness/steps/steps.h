/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * The language of the tests: who says what, who must answer what by when, which field is checked
 * for which requirement. One verb each; conformance/tests/README.md shows how they read.
 *
 *   say(tc, &syn);
 *   const struct uet_in *ack = hear(tc, "PDS-029", ACK_OF(&syn));
 *   field(tc, "PDS-133", ack, UET_F_PDS_DPDCID, p->pdcid);
 *   silence(tc, "PDS-155", NACK_ON(p), .within = UET_MS);
 *
 * What a step waits for is a struct uet_want, written as designators: the names in capitals below
 * stand for a few of them, and more may follow (.within = ..., .also = ..., .named = ...).
 */
#ifndef UET_HARNESS_STEPS_H
#define UET_HARNESS_STEPS_H

#include "conformance/harness/tc.h"

/* ---- what the tester says ---- */

/* Sends it; the same again as a retransmission (retx=1, ar=1). */
void say(struct uet_tc *tc, const struct uet_out *o);
void say_again(struct uet_tc *tc, const struct uet_out *o);

/* Says it, and takes what names it and tells what became of it (uet_expect_answer). */
const struct uet_in *ask(struct uet_tc *tc, const char *requirement, const struct uet_out *o);

/* Says it again, and takes the ACK that this brings, not a late copy of an older one. */
const struct uet_in *ask_anew(struct uet_tc *tc, const char *requirement, const struct uet_out *o);

/* A PDCID that is not this one, far from it, and not 0, which in a NACK says that there is none. */
static inline uint16_t other_pdcid(uint16_t pdcid)
{
    return pdcid == 0x5555 ? 0x2aaa : pdcid ^ 0x5555;
}

/* ---- what the FEP says ---- */

/*
 * It must come, within .within ns (0: the FEP's response time), or the test fails in the name of
 * that requirement: the one that calls for the packet, which need not be the test's subject.
 */
#define hear(tc, requirement, ...) uet_hear(tc, requirement, &(const struct uet_want){__VA_ARGS__})

/* It may come: NULL when it does not. */
#define maybe(tc, ...) uet_hear_maybe(tc, &(const struct uet_want){__VA_ARGS__})

/* It must not come for .within ns (0: as long as any timer that is told of the FEP). */
#define silence(tc, requirement, ...)                                                              \
    uet_silence(tc, requirement, &(const struct uet_want){__VA_ARGS__})

/* From now on it may come, any number of times. .ctx must live as long as the test. */
#define tolerate(tc, ...) uet_tolerate(tc, &(const struct uet_want){__VA_ARGS__})

/* What the three macros call. The packet is the test's, until it ends. */
const struct uet_in *uet_hear(struct uet_tc *tc, const char *requirement,
                              const struct uet_want *want);
const struct uet_in *uet_hear_maybe(struct uet_tc *tc, const struct uet_want *want);
void uet_silence(struct uet_tc *tc, const char *requirement, const struct uet_want *want);

/* The ACK of a request or CP that says more than that it arrived, for what was said before. */
const struct uet_in *hear_answer(struct uet_tc *tc, const char *requirement,
                                 const struct uet_out *o);

/* ---- what it may be: designators of a struct uet_want ---- */

/* Of these codes, or of these types of Control Packets. */
#define CODES(...)                                                                                 \
    .codes = (const uint8_t[]){__VA_ARGS__}, .n_codes = sizeof((const uint8_t[]){__VA_ARGS__})

#define OF_PSN(of_pdc, of_psn) .pdc = (of_pdc), .with_psn = true, .psn = (of_psn)
#define OF_PACKET(o)           OF_PSN((o)->pdc, (o)->psn)

/* What answers a packet that the tester said. */
#define ACK_OF(o)             .kind = UET_WANT_ACK, OF_PACKET(o)
#define COVERED(o)            .kind = UET_WANT_ACK, .covering = true, OF_PACKET(o)
#define NACK_OF(o, ...)       .kind = UET_WANT_NACK, OF_PACKET(o), CODES(__VA_ARGS__)
#define REFUSAL_OF(o)         .kind = UET_WANT_NACK, OF_PACKET(o) /* a NACK of whatever code */
#define ANSWER_TO(o)          .kind = UET_WANT_ANSWER, OF_PACKET(o)
#define COVERED_OR_REFUSED(o) .kind = UET_WANT_ANSWER, .covering = true, OF_PACKET(o)
#define ANYTHING_OF(o)        OF_PACKET(o) /* of whatever kind */

/* What comes on a PDC; NULL: on any. */
#define ACK_ON(p)       .kind = UET_WANT_ACK, .pdc = (p)
#define NACK_ON(p, ...) .kind = UET_WANT_NACK, .pdc = (p), CODES(__VA_ARGS__)
#define REFUSAL_ON(p)   .kind = UET_WANT_NACK, .pdc = (p)
#define ANSWER_ON(p)    .kind = UET_WANT_ANSWER, .pdc = (p)
#define CP_ON(p, ...)   .kind = UET_WANT_CP, .pdc = (p), CODES(__VA_ARGS__)

/* A Request of the FEP that is no copy of an earlier one; any copy of that PSN. */
#define REQUEST_ON(p)         .kind = UET_WANT_REQUEST, .pdc = (p), .also = is_first, .named = "new Request"
#define REQUEST_OF(p, of_psn) .kind = UET_WANT_REQUEST, OF_PSN(p, of_psn)

/* The Request, the Control Packet, that the FEP retransmits: a FEP that never retries is skipped.
 */
#define RESEND_OF(in)                                                                              \
    .kind = UET_WANT_REQUEST, OF_PSN((in)->pdc, psn_of(in)), .also = is_resend,                    \
    .named = "retransmission of that PSN", .again = true
#define CP_AGAIN(in)                                                                               \
    .kind = UET_WANT_CP, OF_PSN((in)->pdc, psn_of(in)), .also = is_same_cp_resent, .ctx = (in),    \
    .named = "the same CP again with retx=1", .again = true

/* What the FEP sends when it tries a message again, on whatever PDC: skipped as RESEND_OF is. */
#define MESSAGE_AGAIN .kind = UET_WANT_REQUEST, .named = "the message again", .again = true

/* Whatever Request the FEP retransmits on a PDC. */
#define ANY_RESEND_ON(p)                                                                           \
    .kind = UET_WANT_REQUEST, .pdc = (p), .also = is_resend, .named = "retransmission",            \
    .again = true

/* Of no PDC: of whatever copy; with retx=0; a copy of what came before. */
#define RUDI_REQUEST     .kind = UET_WANT_RUDI_REQUEST
#define NEW_RUDI_REQUEST .kind = UET_WANT_RUDI_REQUEST, .also = is_first_rudi
#define RUDI_RESEND_OF(in)                                                                         \
    .kind = UET_WANT_RUDI_REQUEST, .with_psn = true, .psn = psn_of(in), .again = true
#define RUDI_RESPONSE_TO(o) .kind = UET_WANT_RUDI_RESPONSE, .with_psn = true, .psn = (o)->psn
#define DATAGRAM            .kind = UET_WANT_UUD

/* For .also. */
bool is_first(const struct uet_in *in, const void *none);
bool is_resend(const struct uet_in *in, const void *none);
bool is_same_cp_resent(const struct uet_in *in, const void *first);
bool is_first_rudi(const struct uet_in *in, const void *none);

/* ---- what stands in it ---- */

/*
 * A field of the packet has this value, or the requirement is not met. id is its display filter
 * (enum uet_filter_id: UET_F_PDS_CACK_PSN): name, place, enumeration and what follows from other
 * fields (CLEAR_PSN, ACK_PSN) come from the data. The header nearest to the front that has it
 * counts. PSNs are compared as serial numbers. A packet without the field does not meet it.
 */
bool field(struct uet_tc *tc, const char *requirement, const struct uet_in *in, uint16_t id,
           uint64_t value);
bool field_at_least(struct uet_tc *tc, const char *requirement, const struct uet_in *in,
                    uint16_t id, uint64_t least);
bool field_at_most(struct uet_tc *tc, const char *requirement, const struct uet_in *in, uint16_t id,
                   uint64_t most);
bool field_is_not(struct uet_tc *tc, const char *requirement, const struct uet_in *in, uint16_t id,
                  uint64_t value);

/* One of these. */
#define field_among(tc, requirement, in, id, ...)                                                  \
    uet_field_among(tc, requirement, in, id, (const uint64_t[]){__VA_ARGS__},                      \
                    sizeof((const uint64_t[]){__VA_ARGS__}) / sizeof(uint64_t))
bool uet_field_among(struct uet_tc *tc, const char *requirement, const struct uet_in *in,
                     uint16_t id, const uint64_t *values, size_t n);

/* The second packet came at least ns after the first, as far as uet_tc_tolerance can tell. */
bool not_before(struct uet_tc *tc, const char *requirement, const struct uet_in *first,
                const struct uet_in *second, uint64_t ns);

/* It carries so many bytes of payload. */
bool payload_bytes(struct uet_tc *tc, const char *requirement, const struct uet_in *in,
                   uint32_t bytes);

/* What it has there; a packet without that field fails the test. */
uint64_t value_of(struct uet_tc *tc, const struct uet_in *in, uint16_t id);

/* The initiator ID of uet_op stands in it, where the user of the FEP may choose one (SES-095). */
void check_initiator(struct uet_tc *tc, const char *requirement, const struct uet_in *in);

/* The PSN that it has or names. */
uint32_t psn_of(const struct uet_in *in);

/* Does the SACK bitmap of this ACK tell that PSN received? An ACK without a bitmap does not. */
bool sacked(const struct uet_in *ack, uint32_t psn);

/* ---- what the upper tester says ---- */

/* The operation, receive or region completes with that status, in the name of the requirement. */
struct uet_ut_completion completes(struct uet_tc *tc, const char *requirement, uint64_t handle,
                                   uint32_t status);
/* The same with whatever status; with that of an error. */
struct uet_ut_completion completion_of(struct uet_tc *tc, const char *requirement, uint64_t handle);
void ends_in_error(struct uet_tc *tc, const char *requirement, uint64_t handle);
/* It tells so many bytes, if it tells any: an API need not (docs/upper-tester.md, `wait`). */
void tells_length(struct uet_tc *tc, const char *requirement, const char *what,
                  const struct uet_ut_completion *c, uint64_t bytes);
/* What has completed does not complete again. */
void not_again(struct uet_tc *tc, const char *requirement, uint64_t handle);
/* It does not complete within that time (ns; 0: uet_tc_quiet). */
void stays_open(struct uet_tc *tc, const char *requirement, uint64_t handle, uint64_t within);

#endif
