/* SPDX-License-Identifier: BSD-2-Clause */
/* Where a packet ends: IP, UDP and the frame do not agree. */
#include "conformance/harness/steps/memory.h"
#include "conformance/harness/steps/requests.h"

UET_TEST(udp_beyond_ip, .id = "rob.3.5.10.1.udp-beyond-ip", .requirements = "ROB-026",
         .role = UET_ROLE_TARGET, .needs = "write upper-tester udp",
         .preamble = "A region; PDC open.",
         .purpose = "What stands behind the end of the IP packet is no part of it, whatever the "
                    "UDP length is.",
         .stimulus = "A WRITE of 64 bytes whose IP length ends 32 bytes before the end that UDP "
                     "and the frame have; then, on another PDC, one as it should be.",
         .expected = "The first is not executed; the second is.",
         .once = "its first PDC stays open")
{
    struct uet_memory m = uet_need_memory(tc, 64);
    struct uet_pdc *p = uet_pdc_open(tc);
    struct uet_out o = uet_write(p, &m, 0, uet_tc_bytes(tc, 64), 64);
    struct kept before = keep(tc, &m, 0, 64);
    uint32_t udp = 8u + o.pds_len + o.ses_len + 64 + (o.protect == UET_PROTECT_CRC ? 4 : 0);
    o.wrong.ip_length = true;
    o.wrong.ip_length_value =
        (uint16_t)(udp - 32 + (uet_tc_dut(tc)->address.version == 4 ? 20 : 0));
    not_executed(tc, "ROB-026", &o);
    unchanged(tc, "ROB-026", &before);
    p->auto_close = false; /* its PSN is missing, and it may be closed as idle */
    p->unfinished = true;
    struct uet_out right = uet_write(uet_pdc_open(tc), &m, 0, o.payload, 64);
    accepted(tc, "ROB-026", &right);
}
