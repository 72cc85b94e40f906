/* SPDX-License-Identifier: BSD-2-Clause */
/* READs of a FEP that is the target: memory to be read, and the data that comes of them. */
#ifndef UET_HARNESS_STEPS_READS_H
#define UET_HARNESS_STEPS_READS_H

#include "conformance/harness/steps/steps.h"

#define SOURCE_PID     0x5a4 /* not that to which the FEP sends */
#define SOURCE_RI      9
#define KEY_OPTIMIZED  (1ull << 62 | SOURCE_RI) /* Table 2-13: RKEY is the RI */
#define KEY_IDEMPOTENT (1ull << 63)             /* idempotent_safe */

/* Memory of the FEP with bytes that are told apart. */
struct source {
    struct uet_memory m;
    const uint8_t *bytes;
};

/* n bytes; without an upper tester the test writes them there first. */
struct source need_source(struct uet_tc *tc, uint32_t n);
/* Registered with this key; upper tester only (else skip). */
struct source need_source_with_key(struct uet_tc *tc, uint32_t n, uint64_t key);

#define ACK_DATA_DEFAULT 16 /* Max_ACK_Data_Size (Table 3-28) */

/* A message of n bytes must not ride in ACKs: Max_ACK_Data_Size, made smaller where it allows it.
 */
uint32_t ack_data_below(struct uet_tc *tc, uint32_t n);
/* Bytes that fill one packet and come on the return direction. */
uint32_t more_than_ack_data(struct uet_tc *tc);

/* What one packet of a READ asks for: where in the message. */
uint32_t asked_offset(const struct uet_out *o);

/* ---- the data ---- */

/* The data of that packet of a READ, in an ACK or in a Request; any data of the return direction.
 */
#define DATA_OF(o)                                                                                 \
    .pdc = (o)->pdc, .also = brings_data, .ctx = (o), .named = "packet with the data of that READ"
#define DATA_OR_REFUSAL_OF(o)                                                                      \
    .pdc = (o)->pdc, .also = data_or_refusal, .ctx = (o), .named = "read data, or a NACK"
#define DATA_ON(p)                                                                                 \
    .kind = UET_WANT_REQUEST, .pdc = (p), .also = is_data, .named = "Request with read data"

/* For .also: read data, of whatever READ; of this packet of one (an uet_out). First copies. */
bool is_data(const struct uet_in *in, const void *none);
bool brings_data(const struct uet_in *in, const void *read);
bool data_or_refusal(const struct uet_in *in, const void *read);

/* The data of that packet must come, and not in the ACK. */
const struct uet_in *hear_return_data(struct uet_tc *tc, const char *requirement,
                                      const struct uet_out *o);
/*
 * The i-th Request of data of which none is acknowledged. How many a target lets be outstanding is
 * its own affair, but for the first.
 */
const struct uet_in *hear_outstanding_data(struct uet_tc *tc, const char *requirement,
                                           const struct uet_pdc *p, size_t i);

/* Says the READ and takes its data from the ACK; a FEP that returns it in a Request is skipped. */
const struct uet_in *read_in_ack(struct uet_tc *tc, const char *requirement,
                                 const struct uet_out *o);

/* The n bytes that it brings, and it says so. */
const uint8_t *data_in(struct uet_tc *tc, const char *requirement, const struct uet_in *in,
                       uint32_t job_id, uint32_t n);
/* It brings n bytes of the memory from that offset on, and says so. */
void check_data(struct uet_tc *tc, const char *requirement, const struct uet_in *in,
                const struct source *s, uint32_t offset, uint32_t n);

/* For numbers of the specification: they hold when read data is the first that the target sends. */
void skip_when_noop_first(struct uet_tc *tc, const struct uet_pdc *p);

#endif
