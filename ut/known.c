/* SPDX-License-Identifier: BSD-2-Clause */
#include "ut/known.h"

#include <stdio.h>
#include <string.h>

const struct uet_ut_verb uet_ut_known[] = {
    {"hello", false, false},
    {"reset", false, false},
    {"set", false, false},
    {"service", false, false},
    {"reg_mem", true, false},
    {"get_mem", false, false},
    {"post_recv", true, false},
    {"withdraw", false, false},
    {"cancel", false, false},
    {"send", true, true},
    {"tagged_send", true, true},
    {"deferrable_send", true, true},
    {"deferrable_tagged_send", true, true},
    {"rendezvous_send", true, true},
    {"rendezvous_tagged_send", true, true},
    {"write", true, true},
    {"no_op", true, true},
    {"read", true, true},
    {"atomic", true, true},
    {"fetching_atomic", true, true},
    {"tagged_atomic", true, true},
    {"tagged_fetching_atomic", true, true},
    {"wait", false, false},
    {"close", false, false},
    {"close_request", false, false},
    {"counters", false, false},
    {"install_domain", false, false},
    {"rotate", false, false},
    {"advance_counter", false, false},
    {"enable_domain", false, false},
    {"remove_domain", false, false},
    {"restart", false, false},
    {"violate", false, false},
};

const size_t uet_ut_n_known = sizeof(uet_ut_known) / sizeof(uet_ut_known[0]);

const struct uet_ut_verb *uet_ut_known_find(const char *name)
{
    for (size_t i = 0; i < uet_ut_n_known; i++)
        if (strcmp(uet_ut_known[i].name, name) == 0)
            return &uet_ut_known[i];
    return NULL;
}

void uet_ut_not_there(const char *name, char *out, size_t size)
{
    snprintf(out, size, "there is no verb \"%.40s\": hello lists them", name ? name : "");
}
