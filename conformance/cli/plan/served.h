/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * How many tests an upper tester can serve, by what ut-check has seen it refuse: each test is tried
 * at the reference FEP, whose upper tester then refuses the same, and counts unless it is skipped.
 */
#ifndef UET_CONFORMANCE_CLI_SERVED_H
#define UET_CONFORMANCE_CLI_SERVED_H

#include "conformance/adapter/adapter.h"
#include "conformance/harness/run/runner.h"

struct uet_served;

/* For an upper tester that answers `hello`; NULL: it does not, or no memory. */
struct uet_served *uet_served_new(struct uet_ut *ut);
/* NULL is allowed. */
void uet_served_free(struct uet_served *served);

/* What one check came to: a refusal stands for every use of that argument. */
void uet_served_note(struct uet_served *served, const struct uet_adapter_result *result);

struct uet_served_counts {
    size_t initiator, of_initiator; /* tests of the FEP as initiator that it serves, of how many */
    size_t target, of_target;
};

/*
 * Tries them, a few seconds. codes: completions tell return codes, so fep.yaml may claim them. 0,
 * -EINTR, or another negative errno and a line in err.
 */
int uet_served_count(struct uet_served *served, bool codes, volatile sig_atomic_t *stop,
                     struct uet_served_counts *counts, char *err, size_t errlen);

/*
 * Tries tests at the reference FEP in the place of the one that fep.yaml tells of: with its claims,
 * parameters, memory and receives, and the verbs and modes of its upper tester (NULL: it has none).
 * What is skipped there is skipped at the FEP, too, unless it was by the FEP's choice. 0, or a
 * negative errno and a line in err.
 */
int uet_rehearse(const struct uet_dut *dut, struct uet_ut *ut, const struct uet_test *const *tests,
                 size_t n, const struct uet_run_events *events, char *err, size_t errlen);

#endif
