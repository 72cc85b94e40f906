/* SPDX-License-Identifier: BSD-2-Clause */
/* 3.5.8 under 3.7: where a secured PDC begins. */
#include "conformance/harness/steps/memory.h"
#include "conformance/harness/steps/reads.h"
#include "conformance/harness/steps/sealed.h"
#include "conformance/tests/pds_target.h"

enum { BYTES = 64 };

UET_TEST(
    random_start, .id = "tss.3.5.8.write-begins-at-random-start",
    .requirements = "TSS-059 TSS-061 TSS-051", .role = UET_ROLE_TARGET,
    .needs = "rud write upper-tester tss", .not_over = "psn used after-read aged reopened",
    .purpose = "A secured WRITE begins where a target of RANDOM_1RTT_START says, and is executed.",
    .stimulus = "A WRITE with syn=1, sealed for a domain of RANDOM_1RTT_START; another one on the "
                "Start_PSN of the answer.",
    .expected = "NACK UET_NEW_START_PSN; then an ACK, and the data in memory. Of the first one "
                "nothing is written. All that comes is sealed for that domain.")
{
    in_domain_that_starts(tc, UET_KEY_RANDOM_1RTT);
    start_by_hand(tc);
    uet_try_param(tc, "New_PDC_Time", 100 * UET_MS); /* a slow FEP answers after its 5 ms */
    struct uet_memory m = uet_need_memory(tc, 2 * BYTES);
    const uint8_t *data = uet_tc_bytes(tc, BYTES);
    const struct kept first_half = keep(tc, &m, 0, BYTES);
    struct uet_pdc *p = uet_pdc_new(tc);
    struct uet_out early = uet_write(p, &m, 0, data, BYTES);
    uint32_t start;

    say(tc, &early);
    hear_new_start(tc, "TSS-059", &early, &start);
    start_at(p, start);
    struct uet_out write = uet_write(p, &m, BYTES, data, BYTES);
    uet_check_success(tc, "TSS-061", ask(tc, "TSS-061", &write));
    memory_holds(tc, "TSS-061", &m, BYTES, data, BYTES);
    unchanged(tc, "TSS-059", &first_half);
}

UET_TEST(return_start, .id = "tss.3.5.8.return-direction-starts-there",
         .requirements = "TSS-061 PDS-028", .role = UET_ROLE_TARGET, .needs = "rud read tss",
         .not_over = "psn used after-read aged reopened",
         .purpose = "Where a target of RANDOM_1RTT_START says, its own direction begins, too.",
         .preamble = "Memory of a few bytes more than Max_ACK_Data_Size.",
         .stimulus =
             "A READ of all of it with syn=1, sealed for a domain of RANDOM_1RTT_START; the "
             "same on the Start_PSN of the answer.",
         .expected = "NACK UET_NEW_START_PSN; then the data, in a Request of the return direction "
                     "whose PSN is that Start_PSN.")
{
    in_domain_that_starts(tc, UET_KEY_RANDOM_1RTT);
    start_by_hand(tc);
    uet_try_param(tc, "New_PDC_Time", 100 * UET_MS);
    const uint32_t n = more_than_ack_data(tc);
    struct uet_memory m = uet_need_memory(tc, n); /* of a job of that domain */
    struct uet_pdc *p = uet_pdc_new(tc);
    struct uet_out early = uet_read(p, &m, 0, n);
    uint32_t start;

    say(tc, &early);
    hear_new_start(tc, "TSS-059", &early, &start);
    start_at(p, start);
    struct uet_out read = uet_read(p, &m, 0, n);
    say(tc, &read);
    const struct uet_in *in = hear_return_data(tc, "TSS-061", &read);
    field(tc, "PDS-028", in, UET_F_PDS_PSN, start);
}
