/* SPDX-License-Identifier: BSD-2-Clause */
/* The harness parses each frame once: recorder, tracker, rules and test share the packet. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "conformance/harness/tests/toy.h"
#include "port/memory.h"

/* The linker leads calls to these past the functions (--wrap): they are counted on the way. */
static unsigned parses, requests, answers;

enum uet_parse_error __real_uet_parse(struct uet_packet *, const uint8_t *, size_t,
                                      const struct uet_parse_options *);
enum uet_parse_error __wrap_uet_parse(struct uet_packet *, const uint8_t *, size_t,
                                      const struct uet_parse_options *);
int __real_uet_mem_emit(struct uet_port *, const uint8_t *, uint32_t);
int __wrap_uet_mem_emit(struct uet_port *, const uint8_t *, uint32_t);

enum uet_parse_error __wrap_uet_parse(struct uet_packet *p, const uint8_t *frame, size_t len,
                                      const struct uet_parse_options *o)
{
    if (o)
        parses++;
    else /* the toy FEP, which has none, reads what the tester sent */
        requests++;
    return __real_uet_parse(p, frame, len, o);
}

int __wrap_uet_mem_emit(struct uet_port *port, const uint8_t *frame, uint32_t len)
{
    answers++;
    return __real_uet_mem_emit(port, frame, len);
}

static void once(void **state)
{
    (void)state;
    parses = requests = answers = 0;
    expect_verdict("zz.1.2.open-one", UET_PASS, NULL);
    assert_true(requests > 0 && answers > 0);
    assert_int_equal(parses, requests + answers);
}

int main(void)
{
    const struct CMUnitTest tests[] = {TEST(once)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
