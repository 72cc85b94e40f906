/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * What a FEP does of that nobody has told: found out by exchanges, for a first look at it without a
 * fep.yaml. Only what a FEP shows to whoever knows its address: that takes no memory, no buffer and
 * no upper tester.
 */
#ifndef UET_CONFORMANCE_FEATURES_H
#define UET_CONFORMANCE_FEATURES_H

#include "conformance/harness/session.h"

struct uet_feature {
    enum uet_pics_item item;
    bool holds;
};

#define UET_N_FEATURES 5 /* no-op, rod, cp-noop, probe, ack-cc */

/*
 * Tries each at the FEP of the session, whose dut tells how its packets are wrapped
 * (uet_learn_protection). dut is the session's: its claims become what was found, and no others.
 */
void uet_find_features(struct uet_session *session, struct uet_dut *dut,
                       struct uet_feature found[UET_N_FEATURES]);

#endif
