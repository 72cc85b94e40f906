/* SPDX-License-Identifier: BSD-2-Clause */
/* One function for each packet of golden_bytes.h: makes it in out, returns what uet_build_finish
 * does. */
#ifndef UET_WIRE_TESTS_GOLDEN_BUILD_H
#define UET_WIRE_TESTS_GOLDEN_BUILD_H

#include <stddef.h>
#include <stdint.h>

int build_syn_write(uint8_t *out, size_t cap);
int build_small_send(uint8_t *out, size_t cap);
int build_medium_rma(uint8_t *out, size_t cap);
int build_medium_message(uint8_t *out, size_t cap);
int build_std_som0(uint8_t *out, size_t cap);
int build_ack_default(uint8_t *out, size_t cap);
int build_ack_cc_response(uint8_t *out, size_t cap);
int build_ack_probe(uint8_t *out, size_t cap);
int build_nack_inv_dpdcid(uint8_t *out, size_t cap);
int build_close_command(uint8_t *out, size_t cap);
int build_noop_syn(uint8_t *out, size_t cap);
int build_negotiation(uint8_t *out, size_t cap);
int build_probe(uint8_t *out, size_t cap);
int build_no_op(uint8_t *out, size_t cap);
int build_ack_no_response(uint8_t *out, size_t cap);

#endif
