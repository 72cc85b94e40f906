/* SPDX-License-Identifier: BSD-2-Clause */
#include <errno.h>
#include <stddef.h>
#include <string.h>

#include "refimpl/fep.h"

/*
 * Table 3-28 as data. Ranges and defaults marked C in the facts are choices: NACK_Retx_Time is the
 * upper layer's 1 ms, RTO_Init_Time 5 ms (the consortium's provider), PDS_Clear_Time 0 (the
 * optional timer is off: a Clear Command goes at once), Close_REQ_Time 10 ms.
 */
#define MS 1000000ull
#define S  1000000000ull

struct row {
    const char *name;
    uint64_t min, max, standard;
    uint16_t offset;
    uint8_t size;
};

#define ROW(field, low, high, value)                                                               \
    {                                                                                              \
#field, low, high, value, offsetof(struct uet_fep_params, field),                          \
            sizeof(((struct uet_fep_params *)0)->field)                                            \
    }

static const struct row rows[] = {
    ROW(Default_MPR, 1, 255, 8),
    ROW(Max_ACK_Data_Size, 0, 8192, 16),
    ROW(ACK_On_ECN, 0, 1, 1),
    ROW(Enb_ACK_Per_Pkt, 0, 1, 0),
    ROW(ACK_Gen_Trigger, 0, 32768, 16384),
    ROW(ACK_Gen_Min_Pkt_Add, 0, 2048, 1024),
    ROW(RTO_Init_Time, 0, 8 * S, 5 * MS),
    ROW(Max_RTO_Retx_Cnt, 0, 15, 5),
    ROW(NACK_Retx_Time, 0, 8 * S, 1 * MS),
    ROW(Max_NACK_Retx_Cnt, 0, 31, 5),
    ROW(PDS_Clear_Time, 0, 100 * MS, 0),
    ROW(Close_REQ_Time, 0, 100 * MS, 10 * MS),
    ROW(Tail_Loss_Time, 0, 100 * MS, 0),
    ROW(Max_Tail_Loss_Retx, 0, 15, 5),
    ROW(Limit_PSN_Range, 0, 1, 1),
    ROW(Trimmable_ACK_Size, 0, 10240, 10240),
    ROW(Override_MPR_Zero_Value, 0, 127, 0),
    ROW(Syn_Retx_Safety_Time, 0, 8 * S, 0),
    ROW(New_PDC_Time, 0, 100 * MS, 5 * MS),
    ROW(New_PDC_Timeout_Thresh, 0, UINT32_MAX, 1024),
    ROW(SES_Retry_Cnt, 0, 255, 5),
    ROW(Idle_Time, 0, UINT64_MAX, 0),
    ROW(ACK_CC, 0, 1, 1),
};

static const struct row *find(const char *name)
{
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        if (!strcmp(rows[i].name, name))
            return &rows[i];
    }
    return NULL;
}

/* A parameter is a bool or an unsigned integer; its size says which. */
static void store(struct uet_fep_params *params, const struct row *row, uint64_t value)
{
    unsigned char *at = (unsigned char *)params + row->offset;
    uint16_t v16 = (uint16_t)value;
    uint32_t v32 = (uint32_t)value;
    switch (row->size) {
    case 1:
        *at = (unsigned char)value;
        return;
    case 2:
        memcpy(at, &v16, sizeof v16);
        return;
    case 4:
        memcpy(at, &v32, sizeof v32);
        return;
    default:
        memcpy(at, &value, sizeof value);
    }
}

static uint64_t load(const struct uet_fep_params *params, const struct row *row)
{
    const unsigned char *at = (const unsigned char *)params + row->offset;
    uint16_t v16;
    uint32_t v32;
    uint64_t v64;
    switch (row->size) {
    case 1:
        return *at;
    case 2:
        memcpy(&v16, at, sizeof v16);
        return v16;
    case 4:
        memcpy(&v32, at, sizeof v32);
        return v32;
    default:
        memcpy(&v64, at, sizeof v64);
        return v64;
    }
}

void uet_fep_config_default(struct uet_fep_config *config)
{
    *config = (struct uet_fep_config){
        .seed = 1,
        .payload_mtu = 4096,
        .max_pdcs = 256,
        .max_packets = 4096,
        .max_rudi_packets = 256,
        .max_stored_responses = 256,
        .max_services = 64,
        .max_regions = 64,
        .max_receives = 256,
        .max_operations = 256,
        .max_messages = 256,
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
        store(&config->params, &rows[i], rows[i].standard);
}

int uet_fep_param_set(struct uet_fep_params *params, const char *name, uint64_t value)
{
    const struct row *row = find(name);
    if (!row)
        return -ENOENT;
    if (value < row->min || value > row->max)
        return -ERANGE;
    store(params, row, value);
    return 0;
}

int uet_fep_param_get(const struct uet_fep_params *params, const char *name, uint64_t *value)
{
    const struct row *row = find(name);
    if (!row)
        return -ENOENT;
    *value = load(params, row);
    return 0;
}

const char *uet_fep_param_name(size_t i)
{
    return i < sizeof rows / sizeof *rows ? rows[i].name : NULL;
}
