/* SPDX-License-Identifier: BSD-2-Clause */
/* PDCs that end, in each way. */
#include "conformance/tests/endurance/endurance.h"

static bool opens_and_closes(struct endure *e)
{
    struct uet_pdc *p = opens_pdc(e);

    return p && closes_pdc(e, p);
}

UET_TEST(pdcs_closed, .id = "rob.3.5.8.3.pdcs-closed", .requirements = "ROB-035",
         .role = UET_ROLE_TARGET, .needs = "rud any-request", AT_ONE_POINT, .preamble = "None.",
         .purpose = "PDCs that their initiator closes leave their room for others.",
         .stimulus = "A PDC is opened and closed, more often than the FEP has PDCs.",
         .expected = "Each SYN and each Close Command is acknowledged; then the FEP serves as "
                     "before.")
{
    endure(&(struct endure){.tc = tc, .requirement = "ROB-035"}, opens_and_closes);
}
