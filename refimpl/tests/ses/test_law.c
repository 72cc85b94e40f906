/* SPDX-License-Identifier: BSD-2-Clause */
/* The tables of the semantic sublayer: whole rows, and the order of the checks. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "refimpl/ses/law.h"

/* Whatever comes gets an answer: no row lacks what every request goes through. */
static void test_rows_are_whole(void **state)
{
    struct ses_law law;
    (void)state;
    uet_ses_law_make(&law);
    for (size_t i = 0; i < sizeof law.ops / sizeof *law.ops; i++) {
        const struct ses_op *op = &law.ops[i];
        assert_true(op->size && op->check && op->plan && op->answer && op->commit);
        assert_true(op->names <= SES_NAMES_MESSAGE);
        assert_true(!op->starts || op->forms);
        assert_true(!op->starts || op->valid);
        assert_true(!(op->starts && op->fetches) || (op->take && op->complete));
    }
}

static void expect_codes(const struct ses_law *law, const uint8_t *order, const uint8_t *codes)
{
    size_t n = 0;
    for (; order[n] != SES_CHECKS; n++)
        assert_int_equal(law->checks[order[n]].code, codes[n]);
    assert_int_equal(codes[n], 0);
}

/*
 * 3.4.1.3 and Table 3-19: JobID, PIDonFEP, RI, enabled, generation, opcode, then key or buffer,
 * JobID on it, right, range. Before it the version (UNCOR) and ie, which wins over all but an
 * earlier error (SES-113); behind it the form. 0xff: the check says which code.
 */
static void test_order(void **state)
{
    static const uint8_t write[] = {
        UET_RC_UNCOR,        UET_RC_INITIATOR_ERROR, UET_RC_BAD_JOB_ID,
        UET_RC_BAD_PID,      UET_RC_BAD_INDEX,       UET_RC_DISABLED,
        UET_RC_DISABLED_GEN, UET_RC_BAD_GENERATION,  UET_RC_UNSUPPORTED_OP,
        UET_RC_BAD_MKEY,     UET_RC_PERM_VIOLATION,  UET_RC_OP_VIOLATION,
        UET_RC_BAD_ADDR,     UET_RC_OP_VIOLATION,    0xff,
        UET_RC_OP_VIOLATION, UET_RC_OP_VIOLATION,    0};
    static const uint8_t more_of_a_send[] = {0xff,
                                             UET_RC_UNCOR,
                                             UET_RC_OP_VIOLATION,
                                             UET_RC_OP_VIOLATION,
                                             UET_RC_PERM_VIOLATION,
                                             UET_RC_INITIATOR_ERROR,
                                             UET_RC_BAD_JOB_ID,
                                             UET_RC_BAD_PID,
                                             UET_RC_BAD_INDEX,
                                             UET_RC_DISABLED,
                                             UET_RC_DISABLED_GEN,
                                             UET_RC_BAD_GENERATION,
                                             UET_RC_UNSUPPORTED_OP,
                                             UET_RC_NO_MATCH,
                                             UET_RC_PERM_VIOLATION,
                                             UET_RC_TOO_LONG,
                                             UET_RC_PERM_VIOLATION, /* the message's JobID */
                                             UET_RC_OP_VIOLATION,
                                             0xff,
                                             UET_RC_OP_VIOLATION,
                                             UET_RC_OP_VIOLATION,
                                             UET_RC_OP_VIOLATION,
                                             0};
    static const uint8_t no_op[] = {UET_RC_UNCOR, UET_RC_INITIATOR_ERROR, UET_RC_UNSUPPORTED_OP,
                                    0xff, 0};
    struct ses_law law;
    (void)state;
    uet_ses_law_make(&law);
    uet_ses_law_order(&law);
    expect_codes(&law, law.order[UET_RI_RMA][UET_MODE_RUD][false], write);
    expect_codes(&law, law.order[UET_RI_RMA][UET_MODE_ROD][false], write);
    expect_codes(&law, law.order[UET_RI_SEND][UET_MODE_RUD][true], more_of_a_send);
    expect_codes(&law, law.order[SES_NAMES_NOTHING][UET_MODE_RUD][false], no_op);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_rows_are_whole),
                                       cmocka_unit_test(test_order)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
