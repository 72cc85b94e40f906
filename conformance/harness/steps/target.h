/* SPDX-License-Identifier: BSD-2-Clause */
/* Longer steps towards a FEP that is the target: PDCs, Requests, exchanges. */
#ifndef UET_HARNESS_STEPS_TARGET_H
#define UET_HARNESS_STEPS_TARGET_H

#include "conformance/harness/steps/steps.h"

/* ---- PDCs ---- */

/*
 * Somebody who speaks to the PDC of p without owning it: same dpdcid and the last PSN of p, so that
 * a FEP that takes it has nothing new, but another spdcid (or, when the test says so, another
 * address).
 */
struct uet_pdc *stranger(struct uet_tc *tc, const struct uet_pdc *p);

/* A PDCID of the FEP that no PDC of this test has. */
uint16_t unused_pdcid(const struct uet_pdc *p);

/* A PDC of the tester's that the FEP does not have, next to one that it has. */
struct uet_pdc *pdc_beside(struct uet_tc *tc, const struct uet_pdc *known);

/* The same where it does not matter next to which: what is sent on it has an unknown dpdcid. */
struct uet_pdc *pdc_unknown(struct uet_tc *tc);

/* A PDC of that mode, opened with one Request; the ACK of it, unless ack is NULL. */
struct uet_pdc *open_in_mode(struct uet_tc *tc, bool rod, const struct uet_in **ack);

/* The same of a RUD PDC. */
struct uet_pdc *open_with_ack(struct uet_tc *tc, const struct uet_in **ack);

/* The test has so many open at once: a FEP that tells that it has fewer is skipped. */
void need_pdcs(struct uet_tc *tc, unsigned n);

/* Closes a PDC by hand; preamble of tests on what comes after. */
void close_now(struct uet_tc *tc, struct uet_pdc *p);

/* Opens PDCs until the FEP refuses one, at most one more than it says it has. */
void use_up_pdcs(struct uet_tc *tc);

/*
 * The same, with nothing acknowledged: no PDC of the FEP is free before the time that it returns
 * (the port's clock, ns), when Close_REQ_Time may end one that it asks to close;
 * UINT64_MAX where that is not told.
 */
uint64_t leave_no_pdc(struct uet_tc *tc);

/*
 * What needs no PDC has come: that it came at `free_ns` or later is a finding, it may have waited.
 * The FEP was told to send it at `begun_ns`; when that took half of the time, nothing can be said.
 */
void did_not_wait(struct uet_tc *tc, const char *requirement, const struct uet_in *in,
                  uint64_t begun_ns, uint64_t free_ns);

/*
 * More SYNs were acknowledged than the FEP has PDCs. Either they all work, and the number told is
 * too small; or the FEP has no PDC for some, and acknowledged all the same. last: the newest PDC.
 */
void too_many_opened(struct uet_tc *tc, const char *requirement, struct uet_pdc *last,
                     const char *of);

/* ---- what the tester says ---- */

/* A NO_OP whose PSN is not counted as used: it will be refused, or comes out of turn. */
struct uet_out request_at(struct uet_pdc *p, uint32_t psn);

/* The same with syn=1 and psn_offset although the FEP's PDCID is known (3.5.8.2). */
struct uet_out syn_request_at(struct uet_pdc *p, uint32_t psn);

/* A Control Packet with this PSN, not counted as used. */
struct uet_out cp_at(struct uet_pdc *p, uint8_t ctl_type, uint32_t psn);

/* A WRITE that the FEP must refuse: its answer is an error, delivered with guarantee (3.4.3.3). */
struct uet_out refused_write(struct uet_pdc *p, const struct uet_memory *m);

/* Takes ar away: no ACK is asked for. */
void ask_no_ack(struct uet_out *o);

/* So many Requests in one go. */
void say_requests(struct uet_tc *tc, struct uet_pdc *p, uint32_t n);

/* ---- exchanges ---- */

/* Sends it and takes the ACK that tells what became of it, for what is tested now (uet_for). */
const struct uet_in *exchange(struct uet_tc *tc, const struct uet_out *o);

/* Sends it again, and takes the ACK that this brings, in the same sense. */
const struct uet_in *exchange_again(struct uet_tc *tc, const struct uet_out *o);

/* Preamble of the CLEAR tests: the refused WRITE was answered with an error. */
const struct uet_in *exchange_refused(struct uet_tc *tc, const struct uet_out *o);

/*
 * Sends it on a PDC of pdc_unknown() and takes the NACK, for tests of what a NACK looks like: that
 * one comes at all is PDS-038, and no subject of theirs.
 */
const struct uet_in *unknown_nacked(struct uet_tc *tc, const struct uet_out *o);

/*
 * What a stranger sends is refused with one of these codes. One source calls the check optional
 * (Table 3-58): a FEP without it is a finding, and NULL is returned.
 */
const struct uet_in *stranger_refused(struct uet_tc *tc, const char *requirement,
                                      const struct uet_out *o, const uint8_t *codes, size_t n);

/*
 * The PDC still serves its rightful peer: a new Request is acknowledged under the same TPDCID. Not
 * if the FEP asked for its close, as it may when it runs short, and closed it in the meantime.
 */
void still_serves(struct uet_tc *tc, const char *requirement, struct uet_pdc *p);

/* ---- what the FEP is set to ---- */

/* Where it can be set, the longest Close_REQ_Time (3.5.5): a tester in time does not miss it. */
void close_req_long(struct uet_tc *tc);

/* A switch of the FEP (Table 3-28) that turns off what a test is about; unknown: it is not. */
void skip_when(struct uet_tc *tc, const char *parameter, uint64_t value);

#endif
