/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * 3.4.6.3, Table 3-21: what each operation makes of an element, on every datatype that the FEP
 * claims. Numbers that are exact in each datatype of their kind, so that no rounding is asked for.
 * How the two LONG_DOUBLE types look on the wire no public source tells: of them only 0 is used,
 * and the 1 that the FEP itself makes there, whose padding is taken to be the same each time.
 */
#include <string.h>

#include "conformance/harness/steps/atomics.h"
#include "conformance/harness/steps/memory.h"
#include "conformance/harness/steps/requests.h"
#include "conformance/tests/pds.h"

#define S   UET_KIND_SIGNED
#define U   UET_KIND_UNSIGNED
#define INT UET_KIND_INTEGER
#define R   UET_KIND_REAL
#define C   UET_KIND_COMPLEX
#define ANY UET_KIND_ANY

/* One test for each operation; a row: on what, of how many bytes at least, T, I, compare, result.
 */
#define AMO(name, amo, text, formula, requirements_too, ...)                                       \
    UET_TEST(amo_##name, .id = "ses.3.4.6.3.amo-" text,                                            \
             .requirements = "SES-139 SES-137" requirements_too, .role = UET_ROLE_TARGET,          \
             .needs = "rud write upper-tester",                                                    \
             .purpose = "The operation " text " makes " formula " of an element.",                 \
             .preamble = "A memory region; PDC open.",                                             \
             .stimulus =                                                                           \
                 "WRITE of an element; the atomic on it: with the old value, and without, "        \
                 "on each datatype that is claimed; small numbers, edges of the width.",           \
             .expected = "The old value comes back where it is asked for; the memory holds the "   \
                         "new one, its neighbours are as before.")                                 \
    {                                                                                              \
        static const struct amo_row rows[] = {__VA_ARGS__};                                        \
        atomic_makes(tc, amo, rows, sizeof rows / sizeof *rows);                                   \
    }

AMO(min, UET_AMO_MIN, "min", "min(T, I)", "", {ANY & ~C, 0, "5", "3", NULL, "3"},
    {ANY & ~C, 0, "3", "5", NULL, "3"}, {S | R, 0, "1", "-1", NULL, "-1"},
    {U, 0, "1", "-1", NULL, "1"}, {INT, 2, "0x0100", "0x00ff", NULL, "0x00ff"},
    {INT, 8, "0x0000000100000000", "0x00000000ffffffff", NULL, "0x00000000ffffffff"},
    {R, 0, "inf", "5", NULL, "5"}, {R, 0, "5", "inf", NULL, "5"},
    {R, 0, "-inf", "-5", NULL, "-inf"})

AMO(max, UET_AMO_MAX, "max", "max(T, I)", "", {ANY & ~C, 0, "5", "3", NULL, "5"},
    {ANY & ~C, 0, "3", "5", NULL, "5"}, {S | R, 0, "1", "-1", NULL, "1"},
    {U, 0, "1", "-1", NULL, "-1"}, {INT, 2, "0x0100", "0x00ff", NULL, "0x0100"},
    {INT, 8, "0x0000000100000000", "0x00000000ffffffff", NULL, "0x0000000100000000"},
    {R, 0, "inf", "5", NULL, "inf"}, {R, 0, "5", "inf", NULL, "inf"},
    {R, 0, "-inf", "-5", NULL, "-5"})

AMO(sum, UET_AMO_SUM, "sum", "T + I", "", {ANY, 0, "5", "7", NULL, "12"},
    {ANY, 0, "5", "-7", NULL, "-2"}, {INT, 0, "-1", "2", NULL, "1"},
    {INT, 2, "0x00ff", "1", NULL, "0x0100"}, {INT, 4, "0x00ffffff", "1", NULL, "0x01000000"},
    {INT, 8, "0x00000000ffffffff", "1", NULL, "0x0000000100000000"},
    {INT, 16, "0xffffffffffffffff", "1", NULL, "0x10000000000000000"},
    {R, 0, "1.5", "0.25", NULL, "1.75"}, {C, 0, "1,2", "4,-8", NULL, "5,-6"},
    {R, 0, "inf", "-5", NULL, "inf"}, {R, 0, "5", "-inf", NULL, "-inf"})

AMO(diff, UET_AMO_DIFF, "diff", "T - I", "", {ANY, 0, "5", "7", NULL, "-2"},
    {ANY, 0, "12", "7", NULL, "5"}, {INT, 2, "0x0100", "1", NULL, "0x00ff"},
    {INT, 8, "0x0000000100000000", "1", NULL, "0x00000000ffffffff"},
    {INT, 16, "0x10000000000000000", "1", NULL, "0xffffffffffffffff"},
    {C, 0, "1,2", "4,-8", NULL, "-3,10"}, {R, 0, "inf", "5", NULL, "inf"},
    {R, 0, "5", "inf", NULL, "-inf"})

AMO(prod, UET_AMO_PROD, "prod", "T * I", "", {ANY, 0, "5", "7", NULL, "35"},
    {ANY, 0, "-2", "3", NULL, "-6"}, {INT, 2, "0x00ff", "0x0010", NULL, "0x0ff0"},
    {INT, 8, "0x00000000ffffffff", "2", NULL, "0x00000001fffffffe"},
    {R, 0, "1.0078125", "2", NULL, "2.015625"}, /* all of a BF16's fraction */
    {R, 0, "1.5", "-0.5", NULL, "-0.75"}, {C, 0, "1,2", "3,4", NULL, "-5,10"},
    {R, 0, "inf", "0.5", NULL, "inf"}, {R, 0, "-2", "inf", NULL, "-inf"})

AMO(lor, UET_AMO_LOR, "lor", "T || I", "", {ANY, 0, "0", "0", NULL, "0"},
    {ANY, 0, "0", "4", NULL, "1"}, {ANY, 0, "6", "0", NULL, "1"},
    {INT, 2, "0x0100", "0", NULL, "1"}, {C, 0, "0,0", "0,2", NULL, "1,0"})

AMO(land, UET_AMO_LAND, "land", "T && I", "", {ANY, 0, "6", "0", NULL, "0"},
    {ANY, 0, "0", "4", NULL, "0"}, {ANY, 0, "4", "3", NULL, "1"},
    {INT, 2, "0x0100", "0x0001", NULL, "1"}, {C, 0, "0,3", "2,0", NULL, "1,0"})

AMO(bor, UET_AMO_BOR, "bor", "T | I", "", {INT, 0, "0x51", "0x39", NULL, "0x79"},
    {INT, 8, "0x5100000000000039", "0x3900000000000051", NULL, "0x7900000000000079"},
    {INT, 16, "0x51000000000000000000000000000039", "0x39000000000000000000000000000051", NULL,
     "0x79000000000000000000000000000079"})

AMO(band, UET_AMO_BAND, "band", "T & I", "", {INT, 0, "0x51", "0x39", NULL, "0x11"},
    {INT, 8, "0x5100000000000039", "0x3900000000000051", NULL, "0x1100000000000011"},
    {INT, 16, "0x51000000000000000000000000000039", "0x39000000000000000000000000000051", NULL,
     "0x11000000000000000000000000000011"})

AMO(lxor, UET_AMO_LXOR, "lxor", "T != I as truth values", "", {ANY, 0, "0", "0", NULL, "0"},
    {ANY, 0, "6", "0", NULL, "1"}, {ANY, 0, "0", "4", NULL, "1"}, {ANY, 0, "6", "4", NULL, "0"},
    {INT, 2, "0x0100", "0", NULL, "1"})

AMO(bxor, UET_AMO_BXOR, "bxor", "T ^ I", "", {INT, 0, "0x51", "0x39", NULL, "0x68"},
    {INT, 8, "0x5100000000000039", "0x3900000000000051", NULL, "0x6800000000000068"},
    {INT, 16, "0x51000000000000000000000000000039", "0x39000000000000000000000000000051", NULL,
     "0x68000000000000000000000000000068"})

AMO(read, UET_AMO_READ, "read", "T", "", {ANY, 0, "5", "7", NULL, "5"},
    {ANY, 0, "-2", "0", NULL, "-2"})

AMO(write, UET_AMO_WRITE, "write", "I", "", {ANY, 0, "5", "7", NULL, "7"},
    {ANY, 0, "-2", "0", NULL, "0"},
    {INT, 8, "0x0102030405060708", "0x1112131415161718", NULL, "0x1112131415161718"},
    {C, 0, "1,2", "3,4", NULL, "3,4"})

/* Compare OP target: the operand that is compared stands on the left. */
#define CSWAP " SES-021 SES-022 SES-141 SES-179"

AMO(cswap, UET_AMO_CSWAP, "cswap", "I when the compare operand equals T", CSWAP,
    {ANY, 0, "5", "9", "5", "9"}, {ANY, 0, "5", "9", "4", "5"},
    {INT, 2, "0x0105", "9", "0x0005", "0x0105"},
    {INT, 8, "0x0000000100000005", "9", "0x0000000000000005", "0x0000000100000005"},
    {INT, 16, "0x10000000000000005", "9", "0x5", "0x10000000000000005"},
    {INT, 16, "0x10000000000000005", "9", "0x10000000000000005", "9"},
    {C, 0, "5,1", "9", "5,2", "5,1"}, {C, 0, "5,1", "9", "5,1", "9"})

AMO(cswap_ne, UET_AMO_CSWAP_NE, "cswap-ne", "I when the compare operand is not T", CSWAP,
    {ANY, 0, "5", "9", "5", "5"}, {ANY, 0, "5", "9", "4", "9"},
    {INT, 2, "0x0105", "9", "0x0005", "9"},
    {INT, 8, "0x0000000100000005", "9", "0x0000000000000005", "9"}, {C, 0, "5,1", "9", "5,2", "9"})

AMO(cswap_le, UET_AMO_CSWAP_LE, "cswap-le", "I when compare <= T", CSWAP,
    {ANY & ~C, 0, "5", "9", "5", "9"}, {ANY & ~C, 0, "5", "9", "4", "9"},
    {ANY & ~C, 0, "5", "9", "6", "5"}, {S | R, 0, "5", "9", "-1", "9"}, {U, 0, "5", "9", "-1", "5"})

AMO(cswap_lt, UET_AMO_CSWAP_LT, "cswap-lt", "I when compare < T", CSWAP,
    {ANY & ~C, 0, "5", "9", "5", "5"}, {ANY & ~C, 0, "5", "9", "4", "9"},
    {ANY & ~C, 0, "5", "9", "6", "5"}, {S | R, 0, "5", "9", "-1", "9"}, {U, 0, "5", "9", "-1", "5"})

AMO(cswap_ge, UET_AMO_CSWAP_GE, "cswap-ge", "I when compare >= T", CSWAP,
    {ANY & ~C, 0, "5", "9", "5", "9"}, {ANY & ~C, 0, "5", "9", "4", "5"},
    {ANY & ~C, 0, "5", "9", "6", "9"}, {S | R, 0, "5", "9", "-1", "5"}, {U, 0, "5", "9", "-1", "9"})

AMO(cswap_gt, UET_AMO_CSWAP_GT, "cswap-gt", "I when compare > T", CSWAP,
    {ANY & ~C, 0, "5", "9", "5", "5"}, {ANY & ~C, 0, "5", "9", "4", "5"},
    {ANY & ~C, 0, "5", "9", "6", "9"}, {S | R, 0, "5", "9", "-1", "5"}, {U, 0, "5", "9", "-1", "9"})

AMO(mswap, UET_AMO_MSWAP, "mswap", "(I & mask) | (T & ~mask)", " SES-167",
    {INT, 0, "0x53", "0x3a", "0x0f", "0x5a"}, {INT, 0, "0x53", "0x3a", "0", "0x53"},
    {INT, 0, "0x53", "0x3a", "-1", "0x3a"},
    {INT, 8, "0x1122334455667788", "0x0102030405060708", "0xff000000000000ff",
     "0x0122334455667708"})

/* ---- LONG_DOUBLE: 0 is all zero bytes in whatever form, and what they do with it is 0 again ----
 */

/* A claimed operation on two elements of 0, which the memory has already. */
static void keeps_zero(struct uet_pdc *p, const struct uet_memory *m, const struct uet_atomic *a)
{
    struct uet_tc *tc = p->tc;
    struct uet_out o = uet_atomic(p, m, 0, a);

    if (a->plain) {
        accepted(tc, "SES-137", &o);
    } else {
        say(tc, &o);
        const struct uet_in *in = hear(tc, "SES-139", DATA_OF(&o));
        uet_check(tc, "SES-139",
                  memcmp(data_in(tc, "SES-139", in, m->job_id, a->n), a->operand, a->n) == 0,
                  "0 is not what was fetched where 0 is");
    }
    memory_holds(tc, "SES-137", m, 0, a->operand, a->n);
}

UET_TEST(amo_long_doubles, .id = "ses.3.4.6.3.amo-on-long-doubles", .contested = true,
         .requirements = "SES-137 SES-139", .role = UET_ROLE_TARGET,
         .needs = "rud any-request upper-tester", .not_over = "all",
         .purpose = "Each operation that is claimed on long doubles is done on them, too.",
         .preamble = "Memory that is all 0; PDC open.",
         .stimulus = "Of LONG_DOUBLE (16 bytes) and LONG_DOUBLE_COMPLEX (32 bytes) each pair that "
                     "is claimed, with operands of 0: what any of them makes of 0 and 0 is 0.",
         .expected = "A success; 0 comes back where the old value is asked for, and stands there.")
{
    static const uint8_t types[] = {UET_TYPE_LONG_DOUBLE, UET_TYPE_LONG_DOUBLE_COMPLEX};
    static const uint8_t zero[UET_ELEMENT_MAX] = {0};
    const struct uet_memory m =
        region(tc, .job_id = UET_TC_JOB, .pid_on_fep = UET_TC_PID, .resource_index = SOURCE_RI,
               .key = 0xe20000000000u, .length = 64);
    struct uet_pdc *p = NULL;
    for (unsigned i = 0; i < 4u * UET_ATOMIC_OPS; i++) {
        struct uet_atomic a = {.amo = (uint8_t)(i / 4),
                               .datatype = types[i / 2 % 2],
                               .operand = zero,
                               .n = i / 2 % 2 ? 32 : 16,
                               .plain = i % 2};
        if (a.amo == UET_AMO_MSWAP || !claims_atomic(tc, a.plain, a.amo, a.datatype))
            continue; /* MSWAP: has another form, perhaps (SES-167), and no numbers */
        a.compare = a.amo >= UET_AMO_CSWAP && a.amo < UET_AMO_MSWAP ? zero : NULL;
        p = p ? p : uet_pdc_open(tc);
        keeps_zero(p, &m, &a);
    }
    if (!p)
        uet_skip_for(tc, UET_SKIP_NOT_CLAIMED, "no atomic of long doubles is claimed");
}

/* ---- ... and what LOR makes of 0 and anything else is 1, in the form of the FEP itself ---- */

enum { LONG_BYTES = 16 };

/* The old value: an element of 0 and 1 as `one` writes them, the imaginary part last. */
static void old_is(struct uet_tc *tc, const uint8_t *old, const char *parts, const uint8_t *one,
                   const char *after)
{
    static const uint8_t zero[LONG_BYTES] = {0};

    for (unsigned i = 0; parts[i]; i++)
        if (parts[i] != '?')
            uet_check(tc, "SES-137",
                      memcmp(old + i * LONG_BYTES, parts[i] == '1' ? one : zero, LONG_BYTES) == 0,
                      "the %s part is not %c after %s", i ? "imaginary" : "real", parts[i], after);
}

/* `T`: anything that is not 0; 1: as LOR has made it, which the second step brings. */
struct long_step {
    uint8_t amo;
    const char *operand, *old, *before; /* the operation whose result the old value is */
};

static void calculates(struct uet_pdc *p, const struct uet_memory *m, uint8_t datatype,
                       const struct long_step *steps, size_t n_steps)
{
    struct uet_tc *tc = p->tc;
    const unsigned n = LONG_BYTES * (unsigned)strlen(steps->operand);
    uint8_t one[LONG_BYTES] = {0}, operand[UET_ELEMENT_MAX];

    for (size_t i = 0; i < n_steps; i++) {
        for (unsigned k = 0; k < n; k++) {
            const char part = steps[i].operand[k / LONG_BYTES];
            operand[k] = part == 'T' ? 0xbf : part == '1' ? one[k % LONG_BYTES] : 0;
        }
        struct uet_atomic a = {
            .amo = steps[i].amo, .datatype = datatype, .operand = operand, .n = n};
        struct uet_out o = uet_atomic(p, m, datatype == UET_TYPE_LONG_DOUBLE ? 0 : 32, &a);
        say(tc, &o);
        const uint8_t *old = data_in(tc, "SES-139", hear(tc, "SES-139", DATA_OF(&o)), m->job_id, n);
        if (i == 1)
            memcpy(one, old, sizeof one);
        old_is(tc, old, steps[i].old, one, steps[i].before);
    }
    uet_check(tc, "SES-137", memcmp(one, (uint8_t[LONG_BYTES]){0}, sizeof one) != 0,
              "LOR makes 0 of 0 and of what is not 0");
}

static bool claims_steps(struct uet_tc *tc, uint8_t datatype)
{
    return claims_atomic(tc, false, UET_AMO_LOR, datatype) &&
           claims_atomic(tc, false, UET_AMO_SUM, datatype) &&
           claims_atomic(tc, false, UET_AMO_DIFF, datatype) &&
           claims_atomic(tc, false, UET_AMO_PROD, datatype);
}

UET_TEST(amo_long_ones, .id = "ses.3.4.6.3.amo-on-long-ones", .contested = true,
         .requirements = "SES-137 SES-139", .role = UET_ROLE_TARGET,
         .needs = "rud any-request upper-tester", .not_over = "all",
         .purpose = "SUM, DIFF and PROD calculate with long doubles, and with both of their parts.",
         .preamble = "Memory that is all 0; PDC open.",
         .stimulus = "On LONG_DOUBLE and LONG_DOUBLE_COMPLEX, where they are claimed: LOR, that "
                     "makes a 1 in the FEP's own form; with it 1 - 1, 0 + i, i * i, -1 + 1.",
         .expected = "Each brings the old value that the one before it has made.")
{
    static const struct long_step real[] = {
        {UET_AMO_LOR, "T", "0", "nothing"}, {UET_AMO_SUM, "0", "1", "LOR"},
        {UET_AMO_PROD, "1", "1", "1 + 0"},  {UET_AMO_DIFF, "1", "1", "1 * 1"},
        {UET_AMO_SUM, "1", "0", "1 - 1"},   {UET_AMO_SUM, "0", "1", "0 + 1"}};
    static const struct long_step pair[] = {
        {UET_AMO_LOR, "T0", "00", "nothing"}, {UET_AMO_SUM, "00", "10", "LOR"},
        {UET_AMO_DIFF, "10", "10", "1 + 0"},  {UET_AMO_SUM, "01", "00", "1 - 1"},
        {UET_AMO_PROD, "01", "01", "0 + i"},  {UET_AMO_SUM, "10", "?0", "i * i"},
        {UET_AMO_DIFF, "01", "00", "-1 + 1"}, {UET_AMO_SUM, "01", "0?", "0 - i"},
        {UET_AMO_SUM, "00", "00", "-i + i"}};
    bool reals = claims_steps(tc, UET_TYPE_LONG_DOUBLE);
    bool pairs = claims_steps(tc, UET_TYPE_LONG_DOUBLE_COMPLEX);
    if (!reals && !pairs)
        uet_skip_for(tc, UET_SKIP_NOT_CLAIMED, "long doubles are not calculated with");
    const struct uet_memory m =
        region(tc, .job_id = UET_TC_JOB, .pid_on_fep = UET_TC_PID, .resource_index = SOURCE_RI,
               .key = 0xe20000000001u, .length = 64);
    struct uet_pdc *p = uet_pdc_open(tc);
    if (reals)
        calculates(p, &m, UET_TYPE_LONG_DOUBLE, real, sizeof real / sizeof *real);
    if (pairs)
        calculates(p, &m, UET_TYPE_LONG_DOUBLE_COMPLEX, pair, sizeof pair / sizeof *pair);
}
