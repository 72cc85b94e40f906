/* SPDX-License-Identifier: BSD-2-Clause */
/* Every line of violators.def can do what it says. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>

#include <cmocka.h>

#include "conformance/violate/mutate.h"
#include "wire/class.h"

/* The header kinds in which the field of a violator may stand. */
static bool header_fits(const struct uet_impairment *v, const struct uet_header *h)
{
    switch ((enum uet_impair_place)v->place) {
    case UET_IN_PDS:
        return h->layer == UET_LAYER_PDS;
    case UET_IN_SES:
        return h->layer == UET_LAYER_SES;
    case UET_IN_CP:
        return strncmp(h->name, "cp_payload", 10) == 0;
    case UET_IN_CC:
        return strncmp(h->name, "ack_cc_state", 12) == 0;
    case UET_IN_IP:
        return strcmp(h->name, "ipv4") == 0;
    case UET_IN_UDP:
        return strcmp(h->name, "udp") == 0;
    case UET_IN_ENTROPY:
        return strcmp(h->name, "entropy") == 0;
    }
    return false;
}

static void fields_exist(void **state)
{
    (void)state;
    for (size_t i = 0; i < uet_n_violators(); i++) {
        const struct uet_impairment *v = &uet_violator(i)->impair;
        bool found = v->action >= UET_IMPAIR_DROP;

        for (size_t h = 1; h < uet_n_headers && !found; h++)
            found = header_fits(v, &uet_headers[h]) && uet_field_find(&uet_headers[h], v->field);
        if (!found)
            print_message("%s: no field '%s'\n", uet_violator(i)->requirement, v->field);
        assert_true(found);
        assert_non_null(uet_requirement_find(uet_violator(i)->requirement));
        assert_true(v->packets < UET_CLASS_COUNT);
    }
    assert_null(uet_violator(uet_n_violators()));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(fields_exist),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
