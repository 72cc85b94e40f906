/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Rules that the bent build (uet_fep_bent) can be told to break, where the behaviour is state and
 * a packet mutator at the port could not show it. README.md here says how one is written.
 * X(name, id, what it does when bent): the name is the id, and what else tells it from another of
 * the same id.
 */
#ifndef UET_REFIMPL_FAULTS_LIST_H
#define UET_REFIMPL_FAULTS_LIST_H

#include "refimpl/faults/list/cms.h"
#include "refimpl/faults/list/net.h"
#include "refimpl/faults/list/pds.h"
#include "refimpl/faults/list/rob.h"
#include "refimpl/faults/list/ses.h"
#include "refimpl/faults/list/tss.h"

#define UET_VIOLATIONS(X)                                                                          \
    UET_VIOLATIONS_NET(X)                                                                          \
    UET_VIOLATIONS_PDS(X)                                                                          \
    UET_VIOLATIONS_SES(X)                                                                          \
    UET_VIOLATIONS_CMS(X)                                                                          \
    UET_VIOLATIONS_TSS(X)                                                                          \
    UET_VIOLATIONS_ROB(X)

enum uet_violation_id {
#define UET_VIOLATION_ENUM(name, id, text) VIOLATION_##name,
    UET_VIOLATIONS(UET_VIOLATION_ENUM) VIOLATION_COUNT
#undef UET_VIOLATION_ENUM
};

#endif
