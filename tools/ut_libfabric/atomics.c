/* SPDX-License-Identifier: BSD-2-Clause */
#include "tools/ut_libfabric/atomics.h"

#include <rdma/fi_atomic.h>

#include "spec-map/spec.h"
#include "uet_spec.h"

#define ITEMS(a) (sizeof(a) / sizeof((a)[0]))

/* Table 3-21; UET_AMO_DIFF and UET_AMO_INVAL have no word there. */
static const struct {
    uint8_t amo;
    enum fi_op op;
    bool compares;
} ops[] = {
    {UET_AMO_MIN, FI_MIN, false},          {UET_AMO_MAX, FI_MAX, false},
    {UET_AMO_SUM, FI_SUM, false},          {UET_AMO_PROD, FI_PROD, false},
    {UET_AMO_LOR, FI_LOR, false},          {UET_AMO_LAND, FI_LAND, false},
    {UET_AMO_BOR, FI_BOR, false},          {UET_AMO_BAND, FI_BAND, false},
    {UET_AMO_LXOR, FI_LXOR, false},        {UET_AMO_BXOR, FI_BXOR, false},
    {UET_AMO_READ, FI_ATOMIC_READ, false}, {UET_AMO_WRITE, FI_ATOMIC_WRITE, false},
    {UET_AMO_CSWAP, FI_CSWAP, true},       {UET_AMO_CSWAP_NE, FI_CSWAP_NE, true},
    {UET_AMO_CSWAP_LE, FI_CSWAP_LE, true}, {UET_AMO_CSWAP_LT, FI_CSWAP_LT, true},
    {UET_AMO_CSWAP_GE, FI_CSWAP_GE, true}, {UET_AMO_CSWAP_GT, FI_CSWAP_GT, true},
    {UET_AMO_MSWAP, FI_MSWAP, true},
};

/* Table 3-22; half floats have no word there, and long double's bytes no public form. */
static const struct {
    uint8_t type;
    enum fi_datatype datatype;
    uint32_t bytes;
} types[] = {
    {UET_TYPE_INT8, FI_INT8, 1},
    {UET_TYPE_UINT8, FI_UINT8, 1},
    {UET_TYPE_INT16, FI_INT16, 2},
    {UET_TYPE_UINT16, FI_UINT16, 2},
    {UET_TYPE_INT32, FI_INT32, 4},
    {UET_TYPE_UINT32, FI_UINT32, 4},
    {UET_TYPE_INT64, FI_INT64, 8},
    {UET_TYPE_UINT64, FI_UINT64, 8},
    {UET_TYPE_INT128, FI_INT128, 16},
    {UET_TYPE_UINT128, FI_UINT128, 16},
    {UET_TYPE_FLOAT, FI_FLOAT, 4},
    {UET_TYPE_DOUBLE, FI_DOUBLE, 8},
    {UET_TYPE_FLOAT_COMPLEX, FI_FLOAT_COMPLEX, 8},
    {UET_TYPE_DOUBLE_COMPLEX, FI_DOUBLE_COMPLEX, 16},
};

bool atomics_find(struct uet_args *args, struct fabric_operation *op, bool *compares)
{
    uint8_t amo = uet_arg_enumerator(args, "amo", UET_ENUM_AMO_OPCODE);
    uint8_t type = uet_arg_enumerator(args, "datatype", UET_ENUM_AMO_DATATYPE);
    size_t o = 0, t = 0;

    while (o < ITEMS(ops) && ops[o].amo != amo)
        o++;
    while (t < ITEMS(types) && types[t].type != type)
        t++;
    if (o == ITEMS(ops))
        uet_arg_refuse(args, "\"amo\": libfabric has no such operation");
    if (t == ITEMS(types))
        uet_arg_refuse(args, "\"datatype\": libfabric has no such type");
    if (args->error[0])
        return false;
    op->op = ops[o].op;
    op->datatype = types[t].datatype;
    op->bytes = types[t].bytes;
    *compares = ops[o].compares;
    return true;
}
