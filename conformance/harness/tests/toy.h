/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * A FEP of ten lines that obeys or misbehaves as a test of the harness says, the UET_TESTs that run
 * against it (toy_tests.c), and how to run them.
 */
#ifndef UET_HARNESS_TESTS_TOY_H
#define UET_HARNESS_TESTS_TOY_H

#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include "conformance/harness/run/known.h"
#include "conformance/harness/run/outside.h"
#include "conformance/harness/tc.h"
#include "wire/tss.h"

struct toy {
    struct uet_port *port;
    bool silent, deviates, wrong_dpdcid, wrong_retx, once, nack, malformed, undeliverable;
    uint8_t late_frame[128]; /* comes before the first answer */
    uint32_t late_len;
    uint8_t nack_code, close_code;    /* close_code: of the NACK that a Close Command gets */
    int32_t nack_ahead;               /* the NACK names a PSN so far ahead of the packet */
    bool fails_at_zero, retx_at_zero; /* a Request of PSN 0 gets a wrong spdcid, a wrong retx */
    bool not_when_used;               /* zz.1.10.after-preamble is skipped at `used` */
    struct toy_heard {
        uint32_t psn;
        uint16_t entropy;
        uint8_t type, next_hdr, opcode, dscp;
        bool retx;
    } heard[8]; /* the first Requests */
    size_t n_heard;
    bool harmed_by_damage; /* once a damaged frame has come, a PDC has another spdcid */
    bool harmed;
    bool one_pdc;          /* and no room for another */
    bool first_alone;      /* nor for a PDC that begins ahead of Start_PSN */
    uint16_t pdc;          /* the initiator's PDCID of that one */
    struct uet_tss_sa *sa; /* what comes and goes is sealed; NULL: it is not */
    struct uet_tss_stamp stamp;
    bool answers_in_clear, spoils_icv, takes_clear;
    uint8_t last_sealed[2048]; /* as it came last, */
    uint32_t last_sealed_len;
    unsigned not_opened;   /* so many did not open */
    uint8_t close_dscp;    /* of the last Close Command */
    unsigned closes, deaf; /* deaf: so many Requests get no answer, then all do */
};

/* Begun anew by toy_set_up; dut is session's, outside and tally are of the last run_selected. */
extern struct toy toy;
extern struct uet_dut dut;
extern struct uet_session session;
extern struct uet_outside outside;
extern struct uet_known_tally tally;
extern char put_back[8];     /* what zz.1.9.ends-early has put back, in order */
extern uint64_t listened_ns; /* how long zz.1.9.listens would have listened */

int toy_set_up(void **state);
int toy_tear_down(void **state);
#define TEST(f) cmocka_unit_test_setup_teardown(f, toy_set_up, toy_tear_down)

/* One test, as the runner begins it; that it is skipped as not claimed; its verdict and words. */
struct uet_result run(const char *id);
void skipped(const char *id, const char *says);
void expect_verdict(const char *id, enum uet_verdict verdict, const char *says);

/* A run; its results are kept until the next. NULL: there is none of that id. */
extern struct uet_result results[48];
extern size_t n_results;
struct uet_summary run_selected(const struct uet_selection *selection);
const struct uet_result *result_of(const char *id);

#endif
