/* SPDX-License-Identifier: BSD-2-Clause */
#include "tools/uetfep/demo.h"

#include "ut/verbs.h"

enum { JOB = 0, PID = 0, RI = 0, KEY = 1, MEMORY = 1 << 20, RECEIVE = 1 << 16, RECEIVES = 16 };

/* Its bytes tell where they stand: uet_ut_pattern with seed 0. */
static int open_memory(struct uet_ut *ut)
{
    static uint8_t bytes[MEMORY];
    const struct uet_ut_memory memory = {.job_id = JOB,
                                         .any_job = true,
                                         .pid_on_fep = PID,
                                         .resource_index = RI,
                                         .key = KEY,
                                         .length = MEMORY,
                                         .data = bytes};

    uet_ut_pattern(bytes, sizeof(bytes), 0, 0);
    return uet_ut_reg_mem(ut, &memory, NULL, NULL);
}

static int post(struct uet_ut *ut)
{
    json_t *reply, *request = json_pack("{s:s, s:b, s:i, s:i, s:i, s:b, s:b}", "verb", "post_recv",
                                        "any_job", 1, "pid_on_fep", PID, "resource_index", RI,
                                        "length", RECEIVE, "truncate", 1, "repost", 1);
    int rc = uet_ut_call(ut, request, &reply);

    json_decref(reply);
    return rc;
}

int demo_open(struct uet_ut *ut)
{
    struct uet_ut_service service = {.job_id = JOB, .pid_on_fep = PID, .resource_index = RI};
    int rc = 0;

    for (int ri_class = UET_UT_RMA; ri_class <= UET_UT_SEND && rc == 0; ri_class++) {
        service.ri_class = (uint8_t)ri_class;
        rc = uet_ut_service(ut, &service);
    }
    if (rc == 0)
        rc = open_memory(ut);
    for (int i = 0; i < RECEIVES && rc == 0; i++)
        rc = post(ut);
    return rc;
}
