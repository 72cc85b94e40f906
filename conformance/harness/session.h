/* SPDX-License-Identifier: BSD-2-Clause */
/* What the tests of one run share: the FEP, the way to it, and how strictly to judge. */
#ifndef UET_CONFORMANCE_SESSION_H
#define UET_CONFORMANCE_SESSION_H

#include <signal.h>

#include "conformance/harness/dut.h"
#include "conformance/harness/test.h"
#include "conformance/result.h"
#include "port/port.h"
#include "ut/ut.h"

#define UET_MAX_GROUND 32

/* An entry of fep.yaml's `memory` or `receives`, after its own test. */
struct uet_entry {
    char wrong[160]; /* why it is of no use; "" as long as nothing speaks against it */
};

struct uet_session {
    const struct uet_dut *dut;
    struct uet_port *port;
    struct uet_ut *ut;    /* NULL: none */
    const char *pcap_dir; /* where captures go; NULL: none are written */
    uint64_t seed;
    uint32_t incarnation; /* on a real link: tells this run's PDCIDs and PSNs from another's */
    uint8_t spec;         /* enum uet_spec_version */
    uint8_t depth;        /* enum uet_depth: at how many points each test runs */
    bool tells;           /* the conversation of each test, also of one that passes */
    bool brief;           /* tests that are lengthy are skipped */
    bool strict;          /* a SHOULD that is not met fails the test */
    double slow;          /* factor on tolerances of a slow host, 1 and up */
    double time_scale;    /* factor on all durations, for emulators */
    double ceiling_s;     /* wall-clock seconds that one test may take */
    unsigned in_place;    /* how often each body runs without a reset of the FEP; 0 as 1 */

    /* Called when a test begins, after the FEP was reset; may be NULL. For selftest. */
    void (*prepare)(void *ctx);
    void *prepare_ctx;
    /* Called for each requirement that a test finds broken; may be NULL. For selftest. */
    void (*broken)(void *ctx, const char *requirement);
    void *broken_ctx;

    /*
     * Starts the FEP anew and opens its upper tester again (fep.yaml: restart): 0, or a negative
     * errno and a line in why. NULL: there is no such command.
     */
    int (*restart)(void *ctx, char *why, size_t size);
    void *restart_ctx;

    /* The same FEP set up otherwise: by the place in UET_OVER_SETUP; NULL: as given alone. */
    struct uet_session **setups;

    const char *set_up; /* where this is not as given: "native", "sealed", ...; NULL: it is */

    bool aside; /* it is such another one: a FEP that is lost there does not end the run */

    /* The same with secure domains, for tests of 3.7; and with jobs in clear beside those of its
     * domains, for tests that need both. NULL: as given alone. */
    struct uet_session *sealed, *beside;

    bool stranger_taken; /* the address from which strangers would speak is not free */

    volatile sig_atomic_t *stop; /* set by a signal handler: end soon; may be NULL */

    /* What the run has come to so far. */
    uint8_t used_pdcids[65536 / 8];                /* so that every test has fresh ones */
    uint16_t fragments;                            /* sent so far: each is of another packet */
    const struct uet_test *shaken[UET_MAX_GROUND]; /* sanity tests that did not pass */
    size_t n_shaken;
    struct uet_entry memory[UET_DUT_MAX_MEMORY], receives[UET_DUT_MAX_MEMORY];
    unsigned repeats;     /* > 0: a test is repeated, and takes other identifiers than before */
    bool goes_on;         /* in place: the FEP is not reset, for the body before was of this test */
    bool looks_again;     /* in place: the check after the last body */
    uint64_t held_rto_ns; /* in place: the longest RTO that a body has set: it may still run */
    bool spent;           /* in place: a body has set what cannot be set back */
    const char *served; /* the id of the last test for which the FEP has opened a PDC; NULL: none */
    bool under_way;     /* a FEP that is not reset may go on with an operation of an earlier test */
    uint32_t n_services; /* opened so far at a FEP that cannot be, or is not, reset */
    char ended[256];     /* why it ended before its last test (uet_run_tests), or "" */

    /* What the last test came to, beside its result. */
    bool began;        /* its body: the FEP was ready for it */
    uint32_t heard;    /* packets of the FEP */
    bool ever_heard;   /* in this run: one packet of it at least */
    bool last_word;    /* the last packet of all was the FEP's */
    uint32_t started;  /* in this run: a bit for each verb that has started an operation */
    bool no_initiator; /* in this run: its upper tester takes operations without an initiator ID
                          alone */
    uint32_t reaches;  /* a bit for each dimension (point.h) in which something varied, or could */
};

/* Capabilities of ports (enum uet_port_cap) by the names under which tests ask for them. */
#define UET_N_PORT_CAPS 6
extern const struct uet_port_cap_name {
    uint32_t cap;
    const char *name;
} uet_port_cap_names[UET_N_PORT_CAPS];

/* Defaults: no captures, seed 1, smoke depth, not strict, factors 1, ceiling 60 s. */
void uet_session_default(struct uet_session *session);

/* Of a note of a test that was not repeated as often as asked for: its text begins so. */
#define UET_NOT_REPEATED "repeated "

/*
 * Runs one test, as often in place as the session says, and fills in the result (the strings in it
 * are the test's, or static). section and pcap need not outlive the call.
 */
void uet_tc_run(struct uet_session *session, const struct uet_test *test,
                struct uet_result *result);

/*
 * Why the FEP or the port cannot run this test at all ("port: no ecn", "not claimed: send"),
 * written to out, and to *reason as an enum uet_skip_reason; false when it can.
 */
bool uet_tc_skips(const struct uet_session *session, const struct uet_test *test, char *out,
                  size_t n, uint8_t *reason);

/*
 * The one in which the test can run: the session, or the first that goes with it (beside, sealed,
 * setups) and is set up as the test needs it. NULL: none can, and out and *reason say why the first
 * that is set up so cannot, or else the session itself.
 */
struct uet_session *uet_session_for(struct uet_session *session, const struct uet_test *test,
                                    char *out, size_t n, uint8_t *reason);

/* What uet_tc_skips says, for words as in a test's `needs`; NULL: none. */
bool uet_session_lacks(const struct uet_session *session, const char *needs, char *out, size_t n,
                       uint8_t *reason);

#endif
