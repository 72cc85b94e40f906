/* SPDX-License-Identifier: BSD-2-Clause */
/* Rules from text: what each form means, and what is said of a wrong one. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>

#include <cmocka.h>

#include "interop/relay/plan.h"
#include "wire/class.h"

#define BOTH                                                                                       \
    {                                                                                              \
        true, true                                                                                 \
    }

static void each_form_is_read(void **state)
{
    static const struct relay_rule rules[] = {
        {.text = "loss 1%", .kind = RELAY_LOSS, .chance = 10000, .from = BOTH},
        {.text = " loss  100% ", .kind = RELAY_LOSS, .chance = 1000000, .from = BOTH},
        {.text = "loss 0.0001%", .kind = RELAY_LOSS, .chance = 1, .from = BOTH},
        {.text = "loss 0%", .kind = RELAY_LOSS, .chance = 0, .from = BOTH},
        {.text = "left: loss 2.5%", .kind = RELAY_LOSS, .chance = 25000, .from = {true, false}},
        {.text = "right:loss 1%", .kind = RELAY_LOSS, .chance = 10000, .from = {false, true}},
        {.text = "duplicate 1%", .kind = RELAY_DUPLICATE, .chance = 10000, .from = BOTH},
        {.text = "duplicate 1% after 100us",
         .kind = RELAY_DUPLICATE,
         .chance = 10000,
         .span_ns = 100000,
         .from = BOTH},
        {.text = "reorder 5% by 3",
         .kind = RELAY_REORDER,
         .chance = 50000,
         .count = 3,
         .from = BOTH},
        {.text = "delay 200us", .kind = RELAY_DELAY, .chance = 1000000, .ns = 200000, .from = BOTH},
        {.text = "delay 1.5ms jitter 250ns",
         .kind = RELAY_DELAY,
         .chance = 1000000,
         .ns = 1500000,
         .span_ns = 250,
         .from = BOTH},
        {.text = "corrupt 0.5%", .kind = RELAY_CORRUPT, .chance = 5000, .from = BOTH},
        {.text = "ce 10%", .kind = RELAY_CE, .chance = 100000, .from = BOTH},
        {.text = "trim 2%", .kind = RELAY_TRIM, .chance = 20000, .from = BOTH},
        {.text = "trim 2% dscp 0 to 63",
         .kind = RELAY_TRIM,
         .chance = 20000,
         .dscp = 0,
         .dscp_after = 63,
         .from = BOTH},
        {.text = "rehash 4 paths 100us",
         .kind = RELAY_REHASH,
         .chance = 1000000,
         .count = 4,
         .ns = 100000,
         .from = BOTH},
        {.text = "rehash 256 paths 1us every 500ms",
         .kind = RELAY_REHASH,
         .chance = 1000000,
         .count = 256,
         .ns = 1000,
         .span_ns = 500000000,
         .from = BOTH},
        {.text = "cut at 200ms for 2s",
         .kind = RELAY_CUT,
         .chance = 1000000,
         .ns = 200000000,
         .span_ns = 2000000000,
         .from = BOTH},
        {.text = "queue 64KiB at 1Gbit/s",
         .kind = RELAY_QUEUE,
         .chance = 1000000,
         .bytes = 65536,
         .rate = 1000000000,
         .ce_above = RELAY_NEVER,
         .trim_above = RELAY_NEVER,
         .from = BOTH},
        {.text = "right: queue 1.5MiB at 2.5Gbit/s ce above 1000 trim above 1MiB dscp 1 to 2",
         .kind = RELAY_QUEUE,
         .chance = 1000000,
         .bytes = 1572864,
         .rate = 2500000000,
         .ce_above = 1000,
         .trim_above = 1048576,
         .dscp = 1,
         .dscp_after = 2,
         .from = {false, true}},
        {.text = "queue 0 at 1000kbit/s trim above 0 of requests",
         .kind = RELAY_QUEUE,
         .chance = 1000000,
         .rate = 1000000,
         .ce_above = RELAY_NEVER,
         .packets = UET_CLASS_REQUEST,
         .from = BOTH},
        {.text = "left: loss 1% of requests",
         .kind = RELAY_LOSS,
         .chance = 10000,
         .packets = UET_CLASS_REQUEST,
         .from = {true, false}},
        {.text = "ce 1% of nacks",
         .kind = RELAY_CE,
         .chance = 10000,
         .packets = UET_CLASS_NACK,
         .from = BOTH},
    };
    struct relay_plan plan = {0};
    char err[400];

    (void)state;
    for (size_t i = 0; i < sizeof rules / sizeof *rules; i++) {
        const struct relay_rule *want = &rules[i], *got = &plan.rules[i];

        if (relay_plan_add(&plan, want->text, err, sizeof err))
            fail_msg("%s: %s", want->text, err);
        assert_int_equal(plan.n_rules, i + 1);
        assert_ptr_equal(got->text, want->text);
        assert_int_equal(got->kind, want->kind);
        assert_int_equal(got->packets, want->packets);
        assert_memory_equal(got->from, want->from, sizeof got->from);
        assert_int_equal(got->chance, want->chance);
        assert_int_equal(got->count, want->count);
        assert_int_equal(got->ns, want->ns);
        assert_int_equal(got->span_ns, want->span_ns);
        assert_int_equal(got->bytes, want->bytes);
        assert_int_equal(got->rate, want->rate);
        assert_int_equal(got->ce_above, want->ce_above);
        assert_int_equal(got->trim_above, want->trim_above);
        if (want->dscp_after) {
            assert_int_equal(got->dscp, want->dscp);
            assert_int_equal(got->dscp_after, want->dscp_after);
        }
    }
}

static void a_wrong_rule_is_told_at_its_word(void **state)
{
    static const struct {
        const char *text, *says;
    } wrong[] = {
        {"", "its end: no impairment"},
        {"left:", "its end: no impairment"},
        {"lose 1%", "'lose': no impairment (did you mean loss?): give cut, loss,"},
        {"up: loss 1%", "'up:': no impairment"},
        {"loss", "its end: give a share"},
        {"loss 1", "'1': give a share of the packets from 0% to 100%, such as 1%"},
        {"loss -1%", "'-1%': give a share"},
        {"loss 101%", "'101%': give a share"},
        {"loss 100.1%", "'100.1%': give a share"},
        {"loss 1%%", "'1%%': give a share"},
        {"loss .%", "'.%': give a share"},
        {"loss 1% often", "'often': nothing of this kind can stand here"},
        {"loss 1% of", "its end: no kind of packets"},
        {"loss 1% of request", "'request': no kind of packets (did you mean requests?)"},
        {"loss 1% of acks too", "'too': nothing of this kind"},
        {"reorder 5%", "its end: 'by' should stand here"},
        {"reorder 5% by 0", "'0': give a number from 1 to 1000"},
        {"reorder 5% by three", "'three': give a number"},
        {"duplicate 1% after 5", "'5': give a time"},
        {"delay 200", "'200': give a time of at most an hour, such as 200us"},
        {"delay 3601s", "'3601s': give a time of at most an hour"},
        {"delay 99999999999999999999s", "'99999999999999999999s': give a time"},
        {"delay 200us jitter", "its end: give a time"},
        {"trim 2% dscp 64 to 11", "'64': give a number from 0 to 63"},
        {"trim 2% dscp 10", "its end: 'to' should stand here"},
        {"trim 2% dscp 10 to 10", "'10': a trimmed packet has another DSCP"},
        {"trim 2% dscp 10 to x", "'x': give a number from 0 to 63"},
        {"queue lots", "'lots': give bytes up to 64MiB, such as 100000 or 64KiB"},
        {"queue 65MiB at 1Gbit/s", "'65MiB': give bytes up to 64MiB"},
        {"queue 64KB at 1Gbit/s", "'64KB': give bytes"},
        {"queue 64KiB", "its end: 'at' should stand here"},
        {"queue 64KiB at 1Gbit", "'1Gbit': give a rate from 1Mbit/s to 1000Gbit/s"},
        {"queue 64KiB at 999kbit/s", "'999kbit/s': give a rate"},
        {"queue 64KiB at 1Gbit/s ce 10%", "'10%': 'above' should stand here"},
        {"queue 64KiB at 1Gbit/s trim above", "its end: give bytes"},
        {"queue 64KiB at 1Gbit/s trim above 0 ce above 0", "'ce': nothing of this kind"},
        {"rehash 1 paths 100us", "'1': give a number from 2 to 256"},
        {"rehash 4 ways 100us", "'ways': 'paths' should stand here"},
        {"rehash 4 paths 100us every 0ms", "'0ms': give a time above 0"},
        {"cut for 100ms", "'for': 'at' should stand here"},
        {"cut at 200ms", "its end: 'for' should stand here"},
        {"cut at 1s for 1s of requests", "'of': nothing of this kind"},
    };
    struct relay_plan plan = {0};
    char err[400];

    (void)state;
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        err[0] = 0;
        if (relay_plan_add(&plan, wrong[i].text, err, sizeof err) != -1 ||
            strncmp(err, wrong[i].says, strlen(wrong[i].says)) != 0)
            fail_msg("'%s': said '%s', not '%s'", wrong[i].text, err, wrong[i].says);
        assert_null(strchr(err, '\n'));
        assert_int_equal(plan.n_rules, 0);
    }
}

static void a_plan_has_an_end(void **state)
{
    struct relay_plan plan = {0};
    char err[400];

    (void)state;
    for (int i = 0; i < RELAY_RULES_MAX; i++)
        assert_int_equal(relay_plan_add(&plan, "loss 1%", err, sizeof err), 0);
    assert_int_equal(relay_plan_add(&plan, "loss 1%", err, sizeof err), -1);
    assert_non_null(strstr(err, "at most 32"));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(each_form_is_read),
        cmocka_unit_test(a_wrong_rule_is_told_at_its_word),
        cmocka_unit_test(a_plan_has_an_end),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
