/* SPDX-License-Identifier: BSD-2-Clause */
/* What a test does before its point and after it, for the harness itself. */
#ifndef UET_HARNESS_PREAMBLE_H
#define UET_HARNESS_PREAMBLE_H

#include "conformance/harness/expect/expect.h"

/* Where the FEP sends to at the tester: numbers that need all bits of their fields. */
enum { UET_TC_PEER_PID = 0xa53, UET_TC_PEER_RI = 0x8c5 };
#define UET_TC_INITIATOR 0xfedc0001u /* of what the FEP sends: a number with all its bits */

/* The JobID of what it asks for: one that the domain serves in which the test is. */
uint32_t uet_tc_job(const struct uet_tc *tc);

/* Do packets of the job go as those of the test do, sealed in its domain or in clear? */
bool uet_tc_reaches(const struct uet_tc *tc, uint32_t job_id);

/* From now on the test is in the domain that serves the job, or in clear where none does. */
void uet_tc_join(struct uet_tc *tc, uint32_t job_id);

/* Does the domain serve a few JobIDs alone? A NO_OP has none of them (SES-028). */
bool uet_tc_jobs_listed(const struct uet_tc *tc);

/* A key of the user's form: bits 63:48 zero (Table 2-13). */
uint64_t uet_tc_some_key(struct uet_tc *tc);

/* ---- what fep.yaml declares (declared.c) ---- */

/* An entry of at least that length; ends the test where there is none, or none that works. */
struct uet_memory uet_declared_memory(struct uet_tc *tc, uint32_t length);
struct uet_memory uet_declared_receive(struct uet_tc *tc, uint32_t length);

/* An entry in the words of a test. */
struct uet_memory uet_declared_as_memory(const struct uet_dut_memory *d);
struct uet_memory uet_declared_as_receive(const struct uet_dut_receive *d);

/* ---- a Request that the FEP claims (any_request.c) ---- */

#define UET_NO_ANY_REQUEST "no request is claimed that can be sent: no-op, write, or send"

/* Is there one: NO_OP, or a WRITE or SEND to what stands ready? */
bool uet_has_any_request(const struct uet_session *session);

/* Is UET_OP_WRITE, UET_OP_READ or UET_OP_SEND claimed, and something ready for it? */
bool uet_stands_ready(const struct uet_session *session, uint8_t opcode);

/* ---- another PDC beside that of the test (company.c) ---- */

/* Opens the company of the point, beside a PDC that the test is about to open. */
void uet_company(struct uet_tc *tc, const struct uet_pdc *of);

/* ---- where a PDC begins in a secure domain (secure_start.c) ---- */

/* Asks the FEP where a PDC is to begin (RANDOM_1RTT_START). */
void uet_secure_ask(struct uet_tc *tc, struct uet_pdc *pdc);

/* Moves a PDC that is about to be opened to where it may begin; wanted: there, or NULL. */
void uet_secure_start(struct uet_tc *tc, struct uet_pdc *pdc, const uint32_t *wanted);

/* ---- what went over an open PDC before (past.c) ---- */

/* Before a PDC is opened: what its PDCID was used for, and where its PSNs begin. */
void uet_past_before(struct uet_tc *tc, struct uet_pdc *pdc);

/* Makes a PDC that was just opened one with the past of the point. */
void uet_past(struct uet_tc *tc, struct uet_pdc *pdc);

/* The same of the PDC that the FEP opens for an operation like this: others went before. */
void uet_past_of_fep(struct uet_tc *tc, const struct uet_ut_operation *like);

/* ---- the postamble (closing.c) ---- */

/* Closes a PDC of the tester's, or has the FEP close one of its own. False: it did not close. */
bool uet_peer_close(struct uet_tc *tc, struct uet_pdc *pdc);

/* Closes what the test left open, and notes a finding where some PDC would not close. */
void uet_peer_postamble(struct uet_tc *tc);

/* Looks at completions that the test did not wait for. */
void uet_last_completions(struct uet_tc *tc);

#endif
