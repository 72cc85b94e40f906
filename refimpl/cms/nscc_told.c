/* SPDX-License-Identifier: BSD-2-Clause */
/* The destination's half of NSCC: what its ACKs echo (3.6.9.2, 3.6.13.8). */
#include "refimpl/cms/cms.h"

void uet_nscc_write(uint8_t *state, const struct uet_cc_state *is)
{
    uint64_t units = (is->rcvd_bytes + UET_RCVD_BYTES_UNIT - 1) / UET_RCVD_BYTES_UNIT;
    uet_ack_cc_state_nscc_rcvd_bytes_set(state, (uint32_t)units & 0xffffffu);
    uet_ack_cc_state_nscc_ooo_count_set(state, is->ooo_count);
    uet_ack_cc_state_nscc_rcv_cwnd_pend_set(state, is->rcv_cwnd_pend);
}

void uet_nscc_delay(uint8_t *state, uint64_t delay_ns)
{
    uint64_t units = (delay_ns + UET_SERVICE_UNIT / 2) / UET_SERVICE_UNIT;
    uint16_t value = (uint16_t)(units < UET_SERVICE_LONG ? units : UET_SERVICE_LONG);
    uet_ack_cc_state_nscc_service_time_set(state, value);
}

void uet_nscc_read(const uint8_t *state, struct uet_cc_state *is)
{
    is->grants = false;
    is->rcvd_bytes = (uint64_t)uet_ack_cc_state_nscc_rcvd_bytes(state) * UET_RCVD_BYTES_UNIT;
    is->service_ns = uet_ack_cc_state_nscc_service_time(state) * UET_SERVICE_UNIT;
    is->ooo_count = uet_ack_cc_state_nscc_ooo_count(state);
    is->rcv_cwnd_pend = uet_ack_cc_state_nscc_rcv_cwnd_pend(state);
    is->rc = uet_ack_cc_state_nscc_rc(state);
}
