/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Steps of tests of transport security (3.7; `needs` tss). All that the tester sends is sealed for
 * the domain of its PDC, with a counter that nothing had before; `o.tss` (harness/seal.h) says what
 * is wrong with it, o.protect = UET_PROTECT_NONE that it goes in clear. What comes is opened, and
 * fails the test when it does not open (TSS-007), or is clear on a PDC that is not (TSS-051).
 */
#ifndef UET_HARNESS_STEPS_SEALED_H
#define UET_HARNESS_STEPS_SEALED_H

#include "conformance/harness/steps/steps.h"
#include "wire/keyfile.h"

/* ---- domains ---- */

/*
 * From now on the test is in a domain whose target begins PDCs so: PDCs, memory and operations are
 * of it. Skips where the key file has none.
 */
void in_domain_that_starts(struct uet_tc *tc, enum uet_key_start how);

/*
 * The same of a domain in which the FEP is the server of clients with SSIs (TSS-029). One that
 * has not spoken yet is not known to it.
 */
void in_domain_of_clients(struct uet_tc *tc);

/* The same of a domain in which the FEP sends with an SSI of its own, which the key file tells. */
void in_domain_of_senders(struct uet_tc *tc);

/* The same of a domain with headers in clear: encryption begins behind this byte, from the first of
 * the TSS header on. */
uint16_t in_domain_with_offset(struct uet_tc *tc);

/* The same of a domain whose packets have an SSI, of clients or of senders. */
void in_domain_with_ssis(struct uet_tc *tc);

/* The same of a domain with automatic rekey. */
void in_domain_that_rekeys(struct uet_tc *tc);

/* The same of a domain that serves several JobIDs, which it returns, *n of them. */
const uint32_t *in_domain_of_jobs(struct uet_tc *tc, uint8_t *n);

/* The same of another domain than that of the test so far, of that start. */
void in_other_domain_that_starts(struct uet_tc *tc, enum uet_key_start how);

/* The same of another domain than that of the test so far; skips where there is one alone. */
void in_other_domain(struct uet_tc *tc);

/* That domain, in which the test is not; skips likewise. */
struct uet_domain *other_domain(struct uet_tc *tc);

/* How many the key file tells, and from now on the test is in that one of them. */
unsigned domains(const struct uet_tc *tc);
void in_domain(struct uet_tc *tc, unsigned i);

/*
 * From now on the test is in none (`needs` clear-jobs): PDCs, memory and operations are of a job
 * that goes in clear. Returns the domain that it was in, for in_domain_again.
 */
struct uet_domain *in_clear_job(struct uet_tc *tc);
void in_domain_again(struct uet_tc *tc, struct uet_domain *d);

/* Of the domain in which the test is now. */
uint32_t sdi_now(const struct uet_tc *tc);
bool ssi_mode_now(const struct uet_tc *tc);
/* Has each address of the tester a key of its own (3.7.8: server mode without SSI)? */
bool key_of_each_client(const struct uet_tc *tc);
/* The FEP's own SSI there, as the key file tells it. */
uint32_t ssi_now(const struct uet_tc *tc);

/* The tester seals with the other AN from now on; skips where the key file has no key of it. */
void seal_with_other_an(struct uet_tc *tc);

/* The counter that the next sealed packet has; what it has instead is the test's to choose. */
uint64_t next_counter(const struct uet_tc *tc);

/*
 * The next counter from which on automatic rekey (TSS-032) has another value. It and `around`
 * counters on each side, its own among those above, are the test's to give. Skips where the key
 * file has no rekey, or the edge is so far that a later run could have its counters again.
 */
uint64_t rekey_edge(struct uet_tc *tc, uint64_t around);

/*
 * By the verb `install_domain` the FEP gets a domain that the key file does not have, with a new
 * key, and the test is in it. Skips where settings cannot be told by the verb. Returns the domain
 * that the test was in, for in_domain_again.
 */
struct uet_domain *in_new_domain(struct uet_tc *tc);

/* The same; it begins in that epoch, and its other slot has a new key, too. */
struct uet_domain *in_new_domain_of_two_keys(struct uet_tc *tc, uint16_t epoch);

/*
 * The same as the first; it serves one job alone, which the key file names in no domain. A domain
 * that serves all jobs serves it, too: which of the two the FEP takes for it is its own affair.
 * Skips where the FEP would be the server of clients with SSIs, as it has heard of none there.
 */
struct uet_domain *in_new_domain_of_new_job(struct uet_tc *tc);

/*
 * No reset puts back what verbs have made of a domain. Said before such a verb: undo(tc, what) is
 * called when the test ends, however it ends, before its PDCs are closed; the last that was said
 * first, and none twice. `what` lives as long as the test; undo returns what a verb does. undone:
 * the test has done so itself.
 */
void undo_at_end(struct uet_tc *tc, int (*undo)(struct uet_tc *tc, const void *what),
                 const void *what);
void undone(struct uet_tc *tc, int (*undo)(struct uet_tc *tc, const void *what), const void *what);

/* The domain is in use, and no wrong ICV counted any more (TSS-043); of undo_at_end. */
int domain_in_use(struct uet_tc *tc, const void *sdi);

/*
 * Said before a domain latches, by a test that `needs` unlatch: none of the wrong ICVs of before
 * counts, and the latch ends with the test, where no reset sees to that, too.
 */
void unlatch_at_end(struct uet_tc *tc, const uint32_t *sdi);

/* The domain of in_new_domain is removed again; else that happens when the PDCs are closed. */
void remove_new_domain(struct uet_tc *tc);

/* ---- where a PDC begins (3.5.8.2) ---- */

/*
 * From now on new PDCs begin where the test puts them (uet_pdc_new_at), though the FEP may want
 * them elsewhere. Before this the tester has seen to it that they begin where they may.
 */
void start_by_hand(struct uet_tc *tc);

/*
 * Does the FEP say of each PDC where it begins (RANDOM_1RTT_START)? Then the tester asks first, and
 * the PDC is PENDING before the test's first packet comes. Known once a PDC was made.
 */
bool fep_says_start(const struct uet_tc *tc);

/* NACK UET_NEW_START_PSN for this SYN, and the Start_PSN that it wants. */
const struct uet_in *hear_new_start(struct uet_tc *tc, const char *requirement,
                                    const struct uet_out *syn, uint32_t *start);

/*
 * As ask, of a uet_any_request with syn=1 that comes late: where the FEP says where a PDC begins
 * and New_PDC_Time could not be set, what was PENDING may be over. Then it says so anew, and is
 * asked there.
 */
void ask_late(struct uet_tc *tc, const char *requirement, const struct uet_out *syn);

/*
 * Where the PSNs of a new PDC begin, for who counts from there before anything is built: a FEP that
 * says where (RANDOM_1RTT_START) is asked.
 */
uint32_t first_psn(struct uet_pdc *p);

/* Moves a PDC that is not open yet there; what is said on it then is built anew. */
void start_at(struct uet_pdc *p, uint32_t start_psn);

/* ---- a FEP that begins anew ---- */

/*
 * By the verb `restart`: what the FEP has of the test so far is gone, PDCs and memory, too. Skips
 * where the upper tester has no such verb. A test of it is `last`, and has its ordinary point only.
 */
void fep_restarts(struct uet_tc *tc);

/* By the verb `reset`: it has no PDCs any more, and what it was told above them is forgotten. */
void fep_is_reset(struct uet_tc *tc);

/* ---- what is wrong with a packet ---- */

/* Bytes from the first of the TSS header to the last of the ICV, as it goes out sealed. */
uint16_t sealed_bytes(const struct uet_out *o);

/* By so much a packet is longer than in clear; 0 where it is not sealed. */
uint16_t sealing_adds(const struct uet_out *o);

/* Of them, where the encrypted ones begin (the header's length) and where the ICV does. */
uint16_t header_bytes(const struct uet_out *o);
uint16_t icv_at(const struct uet_out *o);

/*
 * Is it of the tester's second address, and the FEP a server of clients with SSIs? Such a one may
 * drop in silence what one client sends on the PDC of another.
 */
bool is_of_other_client(const struct uet_tc *tc, const struct uet_out *o);

/* A copy that goes in clear, as the FEP takes packets of jobs that no domain serves. */
struct uet_out as_if_clear(const struct uet_tc *tc, const struct uet_out *o);

/* A copy with these bits of one byte inverted after sealing; at: from the TSS header's first. */
struct uet_out flipped(const struct uet_out *o, int16_t at, uint8_t bits);

/* A packet with that one in it, sealed, in the place of what stands behind the TSS header. */
struct uet_out sealed_inside(struct uet_tc *tc, const struct uet_out *o);

/* ---- replay ---- */

/* The number of the frame that was said last, for replay. */
uint32_t last_said(const struct uet_tc *tc);

/* Sends the same bytes again, that the tester or the FEP has sent before: 1 is the first frame. */
void replay(struct uet_tc *tc, uint32_t frame);

/* Sends what the FEP sent back to it: the same bytes, but for the addresses, which are swapped. */
void reflect(struct uet_tc *tc, const struct uet_in *in);

#endif
