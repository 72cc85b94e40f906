/* SPDX-License-Identifier: BSD-2-Clause */
#include "conformance/harness/atomics.h"

#include <stdio.h>
#include <string.h>

#include "uet_spec.h"

const char *const uet_atomic_ops[UET_ATOMIC_OPS] = {
    [UET_AMO_MIN] = "min",           [UET_AMO_MAX] = "max",
    [UET_AMO_SUM] = "sum",           [UET_AMO_DIFF] = "diff",
    [UET_AMO_PROD] = "prod",         [UET_AMO_LOR] = "lor",
    [UET_AMO_LAND] = "land",         [UET_AMO_BOR] = "bor",
    [UET_AMO_BAND] = "band",         [UET_AMO_LXOR] = "lxor",
    [UET_AMO_BXOR] = "bxor",         [UET_AMO_READ] = "read",
    [UET_AMO_WRITE] = "write",       [UET_AMO_CSWAP] = "cswap",
    [UET_AMO_CSWAP_NE] = "cswap-ne", [UET_AMO_CSWAP_LE] = "cswap-le",
    [UET_AMO_CSWAP_LT] = "cswap-lt", [UET_AMO_CSWAP_GE] = "cswap-ge",
    [UET_AMO_CSWAP_GT] = "cswap-gt", [UET_AMO_MSWAP] = "mswap",
    [UET_AMO_INVAL] = "inval",
};

const char *const uet_atomic_types[UET_ATOMIC_TYPES] = {
    [UET_TYPE_INT8] = "i8",           [UET_TYPE_UINT8] = "u8",
    [UET_TYPE_INT16] = "i16",         [UET_TYPE_UINT16] = "u16",
    [UET_TYPE_INT32] = "i32",         [UET_TYPE_UINT32] = "u32",
    [UET_TYPE_INT64] = "i64",         [UET_TYPE_UINT64] = "u64",
    [UET_TYPE_INT128] = "i128",       [UET_TYPE_UINT128] = "u128",
    [UET_TYPE_FLOAT] = "f32",         [UET_TYPE_DOUBLE] = "f64",
    [UET_TYPE_FLOAT_COMPLEX] = "c64", [UET_TYPE_DOUBLE_COMPLEX] = "c128",
    [UET_TYPE_LONG_DOUBLE] = "ld",    [UET_TYPE_LONG_DOUBLE_COMPLEX] = "cld",
    [UET_TYPE_BF16] = "bf16",         [UET_TYPE_FP16] = "f16",
};

/* Which of them the n characters are; -1: none. */
static int among(const char *const *names, size_t count, const char *text, size_t n)
{
    for (size_t i = 0; i < count; i++)
        if (strlen(names[i]) == n && memcmp(names[i], text, n) == 0)
            return (int)i;
    return -1;
}

/* fadd is how everybody calls it. */
static int op_of(const char *text, size_t n)
{
    return n == 3 && memcmp(text, "add", 3) == 0 ? UET_AMO_SUM
                                                 : among(uet_atomic_ops, UET_ATOMIC_OPS, text, n);
}

/* "u64", or "u8-u64": a bit for each; 0: none such. */
static uint32_t types_of(const char *text)
{
    size_t n = strcspn(text, "-");
    int from = among(uet_atomic_types, UET_ATOMIC_TYPES, text, n);
    int to = text[n] ? among(uet_atomic_types, UET_ATOMIC_TYPES, text + n + 1, strlen(text + n + 1))
                     : from;

    if (from < 0 || to < from)
        return 0;
    return (uint32_t)((1ull << (to + 1)) - (1ull << from));
}

bool uet_atomics_add(struct uet_atomics *claims, const char *text, char *err)
{
    size_t n = strcspn(text, ":");
    int op = op_of(text, n);
    bool fetching = op < 0 && *text == 'f';
    uint32_t bits = text[n] ? types_of(text + n + 1) : 0;

    if (fetching)
        op = op_of(text + 1, n - 1);
    if (op < 0)
        snprintf(err, 4 * UET_ATOMIC_TEXT,
                 "'%.60s' names no operation: min, sum, cswap, ..., with an f before it when the "
                 "old value comes back",
                 text);
    else if (!bits)
        snprintf(err, 4 * UET_ATOMIC_TEXT,
                 "'%.60s' names no datatype behind a colon: u64, i8-u64, f32, ...", text);
    else
        (fetching ? claims->fetching : claims->plain)[op] |= bits;
    return op >= 0 && bits;
}

bool uet_atomics_claimed(const struct uet_atomics *claims, bool fetching, uint8_t amo,
                         uint8_t datatype)
{
    return amo < UET_ATOMIC_OPS && datatype < UET_ATOMIC_TYPES &&
           (fetching ? claims->fetching : claims->plain)[amo] >> datatype & 1;
}

const char *uet_atomics_name(bool fetching, uint8_t amo, uint8_t datatype,
                             char out[static UET_ATOMIC_TEXT])
{
    if (amo < UET_ATOMIC_OPS && datatype < UET_ATOMIC_TYPES)
        snprintf(out, UET_ATOMIC_TEXT, "%s%s:%s", fetching ? "f" : "", uet_atomic_ops[amo],
                 uet_atomic_types[datatype]);
    else
        snprintf(out, UET_ATOMIC_TEXT, "%u:%u", amo, datatype);
    return out;
}
