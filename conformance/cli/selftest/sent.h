/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Which kinds of packets the reference FEP sends in which test, as one run without a fault shows.
 * Each test begins with a reset and takes its random numbers from its name, so a fault in packets
 * that are not sent in it changes nothing there: who looks for that fault may leave it out.
 */
#ifndef UET_CONFORMANCE_CLI_SENT_H
#define UET_CONFORMANCE_CLI_SENT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "conformance/cli/target/target.h"
#include "conformance/harness/run/runner.h"

struct uet_sent;

/*
 * Runs these tests, in a process of its own, and sees what is sent. session is one of target's; its
 * `prepare` is not called. NULL: no memory, no process, or it did not come to its end.
 */
struct uet_sent *uet_sent_learn(const struct uet_target *target, const struct uet_session *session,
                                const struct uet_test *const *tests, size_t n);

/* Is a packet of that class (wire/class.h) sent in the test of that number? */
bool uet_sent_in(const struct uet_sent *sent, size_t test, uint8_t class);

/* NULL is allowed. */
void uet_sent_free(struct uet_sent *sent);

#endif
