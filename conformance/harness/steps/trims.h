/* SPDX-License-Identifier: BSD-2-Clause */
/* Packets as a switch leaves them that trims (4.1). */
#ifndef UET_HARNESS_STEPS_TRIMS_H
#define UET_HARNESS_STEPS_TRIMS_H

#include "conformance/harness/steps/steps.h"

#define DATA 512u /* bytes of payload of what is trimmed */

/* Bytes that a switch leaves behind the IP header: UDP or entropy header, 16 more (Table 4-1). */
uint16_t min_trim(struct uet_tc *tc);

/* The packet as a switch leaves it whose queue was full: cut, with the DSCP of that role. */
struct uet_out trimmed(struct uet_tc *tc, const struct uet_out *o, const char *role);

/* The same of a packet that is no longer than what a trim leaves: only its DSCP tells. */
struct uet_out marked(struct uet_tc *tc, const struct uet_out *o);
struct uet_out marked_as(struct uet_tc *tc, const struct uet_out *o, const char *role);

/* A WRITE of DATA bytes, to be trimmed. */
struct uet_out some_write(struct uet_tc *tc, struct uet_pdc *p, const struct uet_memory *m);

#endif
