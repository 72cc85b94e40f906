/* SPDX-License-Identifier: BSD-2-Clause */
#include "tools/uetcat/options.h"

#include "tools/uetcat/args.h"

/* Options whose value is a number of the SES header. */
static bool take_number(struct uetcat_link *l, int o)
{
    static const struct {
        const char *name;
        uint64_t max;
    } numbers[] = {[UETCAT_OPT_JOB - UETCAT_OPT_JOB] = {"--job", 0xffffff},
                   [UETCAT_OPT_PID - UETCAT_OPT_JOB] = {"--pid", 0xfff},
                   [UETCAT_OPT_RI - UETCAT_OPT_JOB] = {"--ri", 0xfff}};
    int i = o - UETCAT_OPT_JOB;
    uint64_t v;
    if (!uetcat_number(l->command, numbers[i].name, optarg, 0, numbers[i].max, &v))
        return false;
    if (o == UETCAT_OPT_JOB)
        l->job_id = (uint32_t)v;
    else if (o == UETCAT_OPT_PID)
        l->pid_on_fep = (uint16_t)v;
    else
        l->resource_index = (uint16_t)v;
    return true;
}

int uetcat_fep_option(struct uetcat_link *l, int o)
{
    switch (o) {
    case 'S':
        l->have_source = true;
        return uetcat_address(l->command, "-S", optarg, &l->src);
    case 'I':
        l->ifname = optarg;
        return 1;
    case 'W':
        return uetcat_seconds(l->command, "-W", optarg, 0.000001, 86400, &l->wait_ns);
    case UETCAT_OPT_JOB:
    case UETCAT_OPT_PID:
    case UETCAT_OPT_RI:
        return take_number(l, o);
    case UETCAT_OPT_REL:
        l->relative = true;
        return 1;
    case UETCAT_OPT_CRC:
        return uetcat_protect(l->command, optarg, false, &l->protect);
    case UETCAT_OPT_CRC_ORDER:
        return uetcat_crc_order(l->command, optarg, &l->crc_order);
    case UETCAT_OPT_ENCAPSULATION:
        return uetcat_link_encapsulation(l, optarg);
    case UETCAT_OPT_IP_PROTOCOL:
        return uetcat_link_ip_protocol(l, optarg);
    case UETCAT_OPT_ENTROPY:
        return uetcat_entropy_read(l->command, optarg, &l->entropy);
    case UETCAT_OPT_PCAP:
        l->pcap = optarg;
        return 1;
    default:
        return -1;
    }
}
