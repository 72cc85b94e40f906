/* SPDX-License-Identifier: BSD-2-Clause */
/* 3.5.12.1, 3.4.4.2: a READ of the FEP's of more packets than it asks for at once. */
#include "conformance/harness/steps/fep_reads.h"

enum { PACKETS = 100 };

/* The Requests that come before their data has, at most all of them; how many. */
static size_t asked_for(struct uet_tc *tc, const struct uet_in **in)
{
    size_t n = 0;

    while (n < PACKETS && (in[n] = uet_next_request(tc, NULL)))
        n++;
    return n;
}

/* Their data, in Requests of the return direction: each second one, and then those between. */
static void serve_in_disorder(struct uet_tc *tc, const struct fep_read *r,
                              const struct uet_in *const *in, size_t n)
{
    for (size_t first = 2; first-- > 0;) {
        for (size_t i = first; i < n; i += 2) {
            struct uet_out data = uet_return_data(in[i]->pdc, in[i], r->bytes);
            say(tc, &data);
        }
    }
}

UET_TEST(long_read_in_disorder, .id = "pds.3.5.12.1.long-read-in-disorder",
         .requirements = "PDS-121 SES-082", .role = UET_ROLE_INITIATOR, .not_over = "all",
         .purpose = "A READ, however long, takes its data in whatever order it comes.",
         .preamble = "None.",
         .stimulus = "The FEP reads 100 payload MTUs. What it asks for at once is acknowledged; "
                     "then its data comes, each second part first; and so with what it asks for "
                     "after that.",
         .expected = "The read completes with its bytes.")
{
    const struct uet_in *in[PACKETS];
    struct uet_ut_operation op = uet_op(tc, PACKETS * uet_tc_dut(tc)->payload_mtu);
    struct fep_read r = {.n = op.length, .bytes = uet_tc_bytes(tc, op.length)};
    r.handle = uet_do_read(tc, &op);
    for (size_t n; (n = asked_for(tc, in)) > 0;)
        serve_in_disorder(tc, &r, in, n);
    check_read(tc, "PDS-121", &r);
}
