/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * What a conformance test is, and the registry of all of them.
 *
 * One declaration with UET_TEST puts a test into a linker section; nothing else lists it. A
 * program that wants the tests links their objects (the object library uet_tests), so that the
 * linker drops none.
 */
#ifndef UET_CONFORMANCE_TEST_H
#define UET_CONFORMANCE_TEST_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "conformance/harness/point.h"

struct uet_tc; /* a running test: harness/tc.h */

/* The role of the FEP under test. */
enum uet_role {
    UET_ROLE_TARGET,    /* the tester initiates, the FEP answers: no upper tester needed */
    UET_ROLE_INITIATOR, /* an upper tester makes the FEP initiate, the tester answers */
    UET_ROLE_PASSIVE,   /* judged by the rules on traffic alone */
};

/* Entries of fep.yaml that have a test each. */
enum uet_entry_kind { UET_ENTRY_NONE, UET_ENTRY_MEMORY, UET_ENTRY_RECEIVES };

#define UET_TEST_ID 96 /* bytes of an id, its end included */

struct uet_test {
    const char *id;           /* "pds.3.5.8.2.syn-any-packet-opens": stable for ever, no ordinals */
    const char *requirements; /* ids separated by a space; the first is what a failure names */
    uint8_t role;             /* enum uet_role */
    bool sanity;              /* runs before the others; other tests may build on it */
    bool last;                /* runs behind the others: it does what a reset does not undo */
    uint8_t by_entry;         /* enum uet_entry_kind: a sanity test that tries one entry of
                                 fep.yaml, and runs once for each. One that fails spoils the
                                 tests that use that entry, and no other */
    uint8_t entry;            /* which of them, from 0; no part of a declaration */
    bool contested;           /* the verdict rests on a reading of confidence C */
    uint32_t port_caps;       /* UET_PORT_* that the port must have */
    const char *needs;        /* PICS items that must be claimed, separated by a space, or NULL;
                                 upper-tester; any-request: one that uet_any_request can send */
    bool claim_binds;         /* the first requirement is a MAY; who takes it (claims `needs`, has
                                 the parameter, goes that way) must do it right */
    const char *params;       /* PIXIT parameters that must be known (timers ...), or NULL */
    const char *builds_on;    /* ids of sanity tests: when one failed this test is inconc;
                                 NULL: all those of its role */
    const char *over;         /* dimensions, or places of them (point.h), to which it goes though
                                 not every test does, separated by a space, or NULL */
    const char *not_over;     /* to which it does not though others do: its requirement fixes that;
                                 "all": it has its ordinary point only */
    struct uet_point point;   /* where it runs; no part of a declaration */
    bool lengthy;             /* thousands of packets: a run at depth smoke leaves it out */
    const char *once;         /* why its body cannot be repeated without a reset of the FEP, or NULL
                                 (`run --in-place`) */

    /* The plan, for a vendor's review (`uetconform list --markdown`). */
    const char *purpose;  /* one line */
    const char *preamble; /* NULL: fresh PDC of the tester's peer, opened by the stimulus itself */
    const char *stimulus;
    const char *expected;

    void (*body)(struct uet_tc *tc);
};

/*
 * Declares a test and opens its body:
 *
 *   UET_TEST(syn_any_packet_opens, .id = "pds.3.5.8.2.syn-any-packet-opens",
 *            .requirements = "PDS-029", .role = UET_ROLE_TARGET, .purpose = "...",
 *            .stimulus = "...", .expected = "...")
 *   {
 *       struct uet_pdc *p = uet_pdc_new(tc); ...
 *   }
 */
#define UET_TEST(name, ...)                                                                        \
    static void name(struct uet_tc *tc);                                                           \
    static const struct uet_test name##_test = {.body = name, __VA_ARGS__};                        \
    static const struct uet_test *const name##_entry __attribute__((section("uet_tests"), used)) = \
        &name##_test;                                                                              \
    static void name(struct uet_tc *tc)

/*
 * Every registered test, ordered by section number and then by id, in an array of *n that the
 * caller frees. NULL (and *n == 0) when there is none or no memory.
 */
const struct uet_test **uet_tests_sorted(size_t *n);

/* The test of that id, or NULL. "ID.2" is the test ID of fep.yaml's second entry. */
const struct uet_test *uet_test_find(const char *id);

/* "target", "initiator", "passive". */
const char *uet_role_name(uint8_t role);

#define UET_SECTION_MAX 24

/*
 * The parts of an id. uet_test_area writes "pds"; uet_test_section writes "3.5.8.2"; both into
 * out (UET_SECTION_MAX bytes) and return it. uet_test_slug points into the id.
 */
const char *uet_test_area(const struct uet_test *test, char *out);
const char *uet_test_section(const struct uet_test *test, char *out);
const char *uet_test_slug(const struct uet_test *test);

/* Is this one of the words of its `needs`? */
bool uet_test_needs(const struct uet_test *test, const char *need);

/* Does the test claim this requirement (itself, or one that says the same)? */
bool uet_test_claims(const struct uet_test *test, const char *requirement);

/* Walks words separated by spaces: gives the next one's length, 0 at the end; *at moves past it. */
size_t uet_next_word(const char **at, const char **word);

#endif
