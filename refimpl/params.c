/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * The parameters of Table 3-28 by name. Unit, range and default come from the table (spec-map);
 * here stands where each lives in the configuration, and what this FEP takes where the table is
 * silent or its sources disagree.
 */
#include <errno.h>
#include <stddef.h>
#include <string.h>

#include "refimpl/fep.h"
#include "uet_spec.h"

#define MS 1000000ull
#define S  1000000000ull

enum { OWN_RANGE = 1, OWN_DEFAULT = 2 }; /* instead of the table's */

struct row {
    const char *name;
    uint16_t offset; /* in struct uet_fep_config */
    uint8_t size;
    uint8_t own;
    uint64_t low, high, standard;
    const char *unit; /* of a parameter that the table does not have */
};

#define PLACE(field)                                                                               \
    offsetof(struct uet_fep_config, field), sizeof(((struct uet_fep_config *)0)->field)
#define PARAM(field, own, low, high, standard, unit)                                               \
    {                                                                                              \
#field, PLACE(params.field), own, low, high, standard, unit                                \
    }
#define TABLE(field)             PARAM(field, 0, 0, 0, 0, NULL)
#define DEFAULT(field, standard) PARAM(field, OWN_DEFAULT, 0, 0, standard, NULL)
#define RANGE(field, low, high)  PARAM(field, OWN_RANGE, low, high, 0, NULL)
#define CHOICE(field, low, high, standard)                                                         \
    PARAM(field, OWN_RANGE | OWN_DEFAULT, low, high, standard, NULL)
#define LOCAL(field, low, high, standard, unit)                                                    \
    PARAM(field, OWN_RANGE | OWN_DEFAULT, low, high, standard, unit)
#define START(name, field, own, low, high, standard)                                               \
    {                                                                                              \
        name, PLACE(field), own, low, high, standard, NULL                                         \
    }

static const struct row rows[] = {
    START("UET_Over_UDP", over_udp, 0, 0, 0, 0),
    START("UDP_Dest_Port", udp_port, OWN_RANGE, 1, UINT16_MAX, 0),
    START("IP_Proto_Nxt_Hdr", ip_protocol, OWN_RANGE | OWN_DEFAULT, 1, 255,
          UET_IPPROTO_UET_EXPERIMENTAL),
    START("UET_Data_Protect", protect, OWN_RANGE, UET_PROTECT_NONE, UET_PROTECT_TSS, 0),
    TABLE(Limit_PSN_Range),
    TABLE(Default_MPR),
    CHOICE(Override_MPR_Zero_Value, 0, 127, 0), /* 0: not set */
    TABLE(Max_ACK_Data_Size),
    TABLE(Trimmable_ACK_Size),
    TABLE(ACK_On_ECN),
    TABLE(Enb_ACK_Per_Pkt),
    TABLE(ACK_Gen_Trigger),
    TABLE(ACK_Gen_Min_Pkt_Add),
    DEFAULT(RTO_Init_Time, 5 * MS), /* the consortium's provider */
    TABLE(Max_RTO_Retx_Cnt),
    DEFAULT(NACK_Retx_Time, 1 * MS),
    TABLE(Max_NACK_Retx_Cnt),
    RANGE(New_PDC_Timeout_Thresh, 0, UINT32_MAX),
    TABLE(New_PDC_Time),
    DEFAULT(PDS_Clear_Time, 0),        /* off: a Clear Command goes at once */
    DEFAULT(Close_REQ_Time, 100 * MS), /* four resends of a lost packet fit in */
    DEFAULT(Tail_Loss_Time, 0),        /* off */
    DEFAULT(Max_Tail_Loss_Retx, 5),
    CHOICE(Syn_Retx_Safety_Time, 0, 8 * S, 50 * MS), /* ten first RTOs */
    LOCAL(SES_Retry_Cnt, 0, 255, 5, "count"),
    LOCAL(PDCs_Per_Tuple, 1, 64, 1, "count"),
    LOCAL(Deferral_Time, 1 * MS, UINT64_MAX, 8 * S, "ns"),
    LOCAL(Rendezvous_Time, 1 * MS, UINT64_MAX, 60 * S, "ns"),
    LOCAL(Idle_Time, 0, UINT64_MAX, 0, "ns"),
    LOCAL(ACK_CC, 0, 1, 1, "bool"),
    LOCAL(SACK_Loss_Count, 0, 255, 0, "packets"),
    LOCAL(OOO_Loss_Count, 0, UINT16_MAX - 1, 0, "packets"),
    LOCAL(EV_Loss, 0, 1, 0, "bool"),
    LOCAL(EV_Slots, 0, 16384, 0, "count"),
    LOCAL(Infer_Loss_Count, 0, UINT16_MAX, 0, "packets"),
    LOCAL(MPR_Zero, 0, 1, 0, "bool"),
    LOCAL(CC_Window, 0, UINT32_MAX, 0, "bytes"),
    LOCAL(RCCC, 0, 1, 0, "bool"),
    LOCAL(credit_rate, 1, 100, 99, "%"),
    LOCAL(ARC, 0, 1, 0, "bool"),
    LOCAL(oversubscription, 0, 255, 0, "ratio"),
    LOCAL(target_of_backlog, 0, 1, 0, "bool"),
    LOCAL(idle_credit, 0, 1, 1, "bool"),
    LOCAL(host_pressure, 0, 127, 0, "1/128"),
    LOCAL(NSCC, 0, 1, 0, "bool"),
    LOCAL(trimming, 0, 1, 1, "bool"),
    LOCAL(sender_link_rate, 1, 1600000, 100000, "Mbit/s"),
    LOCAL(receiver_link_rate, 0, 1600000, 0, "Mbit/s"),
    LOCAL(config_base_rtt, 1000, 10 * MS, 12000, "ns"),
    LOCAL(target_qdelay, 0, 10 * MS, 0, "ns"),
    LOCAL(MaxWnd, 0, 1u << 30, 0, "bytes"),
    LOCAL(alpha, 0, UINT32_MAX * 1024ull, 0, "bytes/s"),
    LOCAL(fi, 0, 1u << 30, 0, "bytes"),
    LOCAL(fi_scale, 0, 1000000, 0, "1/1000"),
    LOCAL(eta, 0, 1u << 30, 0, "bytes"),
    LOCAL(gamma, 0, 100, 80, "%"),
    LOCAL(max_md_jump, 0, 100, 50, "%"),
    LOCAL(qa_gate, 0, 31, 3, "shift"),
    LOCAL(qa_threshold, 0, UINT32_MAX, 0, "ns"),
    LOCAL(disable_quick_adapt, 0, 1, 0, "bool"),
    LOCAL(adjust_bytes_threshold, 0, 1u << 30, 0, "bytes"),
    LOCAL(adjust_period_threshold, 0, 10 * MS, 0, "ns"),
    LOCAL(fast_increase_tolerance, 0, MS, 1000, "ns"),
    LOCAL(LB, 0, 3, 0, "row"),
    LOCAL(ev_set_size, 1, 256, 64, "count"),
    LOCAL(ev_saturation_fraction, 0, 100, 50, "%"),
    LOCAL(t_reroute, 0, 1000000, 0, "RTTs"),
    LOCAL(reps_freeze_time, 0, S, 10 * MS, "ns"),
    LOCAL(reps_explore, 0, 255, 16, "packets"),
    LOCAL(CCCs, 0, UINT16_MAX, 0, "count"),
    LOCAL(PSN_Bitmaps, 0, UINT16_MAX, 0, "count"),
    LOCAL(Start_PSN, 0, UET_FEP_RANDOM_PSN, UET_FEP_RANDOM_PSN, "PSN"),
    LOCAL(Write_Completions, 0, UET_FEP_WRITE_COMPLETIONS, UET_FEP_WRITE_COMPLETIONS, "count"),
};

enum { N_ROWS = sizeof rows / sizeof *rows };

static const struct row *find(const char *name)
{
    for (size_t i = 0; i < N_ROWS; i++) {
        if (!strcmp(rows[i].name, name))
            return &rows[i];
    }
    return NULL;
}

static struct uet_fep_param_info info_of(const struct row *row)
{
    const struct uet_param *param = uet_param_find(row->name);
    struct uet_fep_param_info info = {
        .name = row->name,
        .unit = param ? param->unit : row->unit,
        .low = row->low,
        .high = row->high,
        .standard = row->standard,
        .at_start = row->offset < offsetof(struct uet_fep_config, params),
        .local = !param,
        .spec = param,
    };
    if (param && !(row->own & OWN_RANGE)) {
        info.low = param->low;
        info.high = param->high;
    }
    if (param && !(row->own & OWN_DEFAULT))
        info.standard = param->standard;
    return info;
}

bool uet_fep_param_info(size_t i, struct uet_fep_param_info *info)
{
    if (i >= N_ROWS)
        return false;
    *info = info_of(&rows[i]);
    return true;
}

/* A parameter is a bool or an unsigned integer; its size says which. */
static void store(unsigned char *at, const struct row *row, uint64_t value)
{
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

static uint64_t load(const unsigned char *at, const struct row *row)
{
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
        .profile = UET_PROFILE_ALL,
        .dscp_rtx = UET_FEP_NO_DSCP,
        .max_pdcs = 256,
        .max_packets = 4096,
        .max_rudi_packets = 256,
        .max_stored_responses = 256,
        .max_services = 64,
        .max_regions = 64,
        .max_receives = 256,
        .max_operations = 256,
        .max_messages = 256,
        .max_held = 64,
        .max_unexpected = 32,
        .unexpected_bytes = 65536,
        .max_read_parts = 512,
    };
    for (size_t i = 0; i < N_ROWS; i++)
        store((unsigned char *)config + rows[i].offset, &rows[i], info_of(&rows[i]).standard);
}

static int set(unsigned char *at, const struct row *row, uint64_t value)
{
    const struct uet_fep_param_info info = info_of(row);
    if (value < info.low || value > info.high)
        return -ERANGE;
    if (!strcmp(row->name, "Trimmable_ACK_Size") && value % 16) /* Table 3-28 */
        return -ERANGE;
    if (!strcmp(row->name, "ev_set_size") && (value & (value - 1)))
        return -ERANGE;
    store(at, row, value);
    return 0;
}

int uet_fep_config_set(struct uet_fep_config *config, const char *name, uint64_t value)
{
    const struct row *row = find(name);
    return row ? set((unsigned char *)config + row->offset, row, value) : -ENOENT;
}

int uet_fep_config_get(const struct uet_fep_config *config, const char *name, uint64_t *value)
{
    const struct row *row = find(name);
    if (!row)
        return -ENOENT;
    *value = load((const unsigned char *)config + row->offset, row);
    return 0;
}

/* The place in the parameters alone; NULL for those of the start. */
static const struct row *find_live(const char *name, size_t *offset, int *error)
{
    const size_t before = offsetof(struct uet_fep_config, params);
    const struct row *row = find(name);
    *error = row ? -EPERM : -ENOENT;
    if (!row || row->offset < before)
        return NULL;
    *offset = row->offset - before;
    return row;
}

int uet_fep_param_set(struct uet_fep_params *params, const char *name, uint64_t value)
{
    size_t offset = 0;
    int error;
    const struct row *row = find_live(name, &offset, &error);
    return row ? set((unsigned char *)params + offset, row, value) : error;
}

int uet_fep_param_get(const struct uet_fep_params *params, const char *name, uint64_t *value)
{
    size_t offset = 0;
    int error;
    const struct row *row = find_live(name, &offset, &error);
    if (!row)
        return error;
    *value = load((const unsigned char *)params + offset, row);
    return 0;
}

bool uet_fep_param_at(const struct uet_fep_config *config, const struct uet_fep_params *params,
                      size_t i, const char **name, uint64_t *value)
{
    const size_t before = offsetof(struct uet_fep_config, params);

    if (i >= N_ROWS)
        return false;
    *name = rows[i].name;
    *value = rows[i].offset < before
                 ? load((const unsigned char *)config + rows[i].offset, &rows[i])
                 : load((const unsigned char *)params + rows[i].offset - before, &rows[i]);
    return true;
}

const char *uet_fep_param_name(size_t i)
{
    return i < N_ROWS ? rows[i].name : NULL;
}
