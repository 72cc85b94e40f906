/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * What a run rests on, for whoever must vouch for it: the FEP and what it says of itself, its
 * fep.yaml, the claims and parameters in force, and the tester with its host and command line.
 */
#ifndef UET_CONFORMANCE_CLI_CONDITIONS_H
#define UET_CONFORMANCE_CLI_CONDITIONS_H

#include "conformance/cli/target/setups.h"
#include "conformance/cli/target/target.h"
#include "conformance/result.h"

#define UET_CONDITIONS_TEXT 262144 /* bytes of fep.yaml that are told; a note says what is cut */

struct uet_conditions {
    struct uet_condition *list; /* in the order in which it is told */
    size_t n, room;
    bool no_memory;
};

/*
 * Gathers them for a target that is open; asks its upper tester `hello` once. What cannot be found
 * out is left out. fep: as --fep named it; argv: of the sub-command; setups: in which tests run,
 * too; session: the run's. 0 or -ENOMEM; freed by uet_conditions_free in any case.
 */
int uet_conditions_gather(struct uet_conditions *conditions, const char *fep,
                          const struct uet_target *target, const struct uet_setups *setups,
                          const struct uet_session *session, int argc, char **argv);
void uet_conditions_free(struct uet_conditions *conditions);

#endif
