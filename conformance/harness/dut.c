/* SPDX-License-Identifier: BSD-2-Clause */
#include "conformance/harness/dut.h"

#include <fnmatch.h>
#include <stdio.h>
#include <string.h>

#include "wire/crc.h"
#include "wire/packet.h"

const struct uet_pics_info uet_pics[UET_PICS_COUNT] = {
    [UET_PICS_RUD] = {"rud", "reliable unordered delivery as target (3.5.7.1)", true},
    [UET_PICS_WRITE] = {"write", "UET_WRITE with the standard header (3.4.1.5.2)", true},
    [UET_PICS_WRITE_IMMEDIATE] = {"write-immediate", "WRITE with header data (3.4.1.9)", true},
    [UET_PICS_READ] = {"read", "UET_READ as target, standard header (3.4.1.5.3)", false},
    [UET_PICS_SEND] = {"send", "UET_SEND with the standard header (3.4.1.5.1)", true},
    [UET_PICS_NO_OP] = {"no-op", "UET_NO_OP (3.4.6.2)", true},
    [UET_PICS_SMALL_HEADER] = {"small-header", "optimized non-matching header (3.4.2.2)", false},
    [UET_PICS_MEDIUM_HEADER] = {"medium-header", "optimized 32-byte header (3.4.2.2)", false},
    [UET_PICS_GENERATIONS] = {"generations", "resource indices with generations (3.4.3.6.3)", true},
    [UET_PICS_ACK_CC] = {"ack-cc", "ACK_CC with NSCC state and SACK (3.5.10.4)", false},
    [UET_PICS_PROBE] = {"probe", "answers Probe Control Packets (3.5.16.5)", true},
    [UET_PICS_NOOP_OPENS] = {"noop-opens", "a NOOP with syn may open a PDC (3.5.16.1)", false},
    [UET_PICS_NEGOTIATION] = {"negotiation", "Negotiation Control Packet (3.5.16.7)", false},
    [UET_PICS_MULTI_PACKET_SEND] = {"multi-packet-send", "a SEND of several packets", true},
    [UET_PICS_TRUNCATION] = {"truncation", "overlong sends are cut when asked for", false},
    [UET_PICS_MSG_ERROR] = {"msg-error", "UET_MSG_ERROR (3.4.5.3.2)", false},
    [UET_PICS_COALESCING] = {"coalescing", "ACKs coalesced by ACK_Gen_Trigger (3.5.12.2)", true},
    [UET_PICS_ROD] = {"rod", "reliable ordered delivery (3.5.7.2)", true},
    [UET_PICS_RUDI] = {"rudi", "RUDI, for idempotent operations (3.5.7.3)", false},
    [UET_PICS_UUD] = {"uud", "unreliable unordered datagrams (3.5.7.4)", true},
    [UET_PICS_TRIMMING] = {"trimming", "knows trimmed packets by their DSCP (3.5.15, 4.1)", false},
    [UET_PICS_RESERVED_PDCS] = {"reserved-pdcs", "a pool of PDCs for use_rsv_pdc (3.5.8.2)", false},
    [UET_PICS_INFINITE_RETRIES] = {"infinite-retries", "Max_RTO_Retx_Cnt 15: no end (3.5.5)",
                                   false},
    [UET_PICS_TAIL_LOSS] = {"tail-loss", "a tail-loss timer, Tail_Loss_Time (3.5.5)", false},
    [UET_PICS_MPR_ZERO_OVERRIDE] = {"mpr-zero-override", "Override_MPR_Zero_Value (3.5.5, 1.0.3)",
                                    false},
    [UET_PICS_EXPERIMENTAL_NACKS] = {"experimental-nacks",
                                     "NACK 0xFD and 0xFE are handled by class (3.5.12.7)", false},
    [UET_PICS_CP_NOOP] = {"cp-noop", "takes and answers NOOP Control Packets (3.5.16.1)", true},
    [UET_PICS_RETURN_CODES] = {"return-codes", "completions of the upper tester bring return_code",
                               true},
    [UET_PICS_TAGGED] = {"tagged", "UET_TAGGED_SEND, exact tags (3.4.1.3.8)", false},
    [UET_PICS_DEFERRAL] = {"deferral", "puts off a deferrable send without receive (3.4.3.4)",
                           false},
    [UET_PICS_RENDEZVOUS] = {"rendezvous", "rendezvous sends (3.4.2.4)", false},
    [UET_PICS_KEEPS_UNEXPECTED] = {"keeps-unexpected",
                                   "keeps sends without receive, payload too (3.4.3.6.2.2)", false},
    [UET_PICS_TAGGED_ATOMICS] = {"tagged-atomics",
                                 "`atomics` on the receive that a tag finds, too (3.4.6.2)", false},
    [UET_PICS_NSCC] = {"nscc", "NSCC as source (3.6.13), always or where `set` NSCC turns it on",
                       false},
    [UET_PICS_OBLIVIOUS] = {"oblivious",
                            "oblivious spraying (3.6.16.3), always or where `set` LB 1 turns it on",
                            false},
    [UET_PICS_PATH_AWARE] =
        {"path-aware", "path-aware spraying (3.6.16.4), always or where `set` LB 3 turns it on",
         false},
    [UET_PICS_RCCC] = {"rccc", "RCCC, both roles (3.6.14), always or where `set` RCCC turns it on",
                       false},
    [UET_PICS_WILDCARD_TAGS] = {"wildcard-tags", "bits to ignore, matched in order (3.4.1.3.8)",
                                false},
};

const char *const uet_dut_specs[] = {"1.0.3", "1.0.2", "1.0.1", NULL};

const char *const uet_dut_protections[] = {"none", "crc", "tss", NULL};

void uet_dut_default(struct uet_dut *dut)
{
    *dut = (struct uet_dut){
        .profile = "all",
        .protect = UET_PROTECT_NONE,
        .sdi = UET_DUT_SDI_ANY,
        .payload_mtu = 4096,
        .response_time_ns = 1000000000u,
        .restart_time_ns = 10000000000u,
    };
    for (size_t i = 0; i < UET_PICS_COUNT; i++)
        dut->claims[i] = uet_pics[i].by_default;
}

static struct uet_dut_param *find_param(const struct uet_dut *dut, const char *name)
{
    for (size_t i = 0; i < dut->n_params; i++)
        if (strcmp(dut->params[i].name, name) == 0)
            return (struct uet_dut_param *)&dut->params[i];
    return NULL;
}

bool uet_dut_param(const struct uet_dut *dut, const char *name, uint64_t *value)
{
    const struct uet_dut_param *p = find_param(dut, name);

    if (p)
        *value = p->value;
    return p != NULL;
}

uint64_t uet_dut_dscp(const struct uet_dut *dut, const char *name)
{
    uint64_t dscp;

    return uet_dut_param(dut, name, &dscp) && dscp < 64 ? UINT64_C(1) << dscp : 0;
}

uint64_t uet_dut_quiet(const struct uet_dut *dut)
{
    uint64_t usual = 50000000, part = dut->response_time_ns / 20;

    if (dut->quiet_time_ns)
        return dut->quiet_time_ns;
    return part > usual ? part : usual;
}

bool uet_dut_param_set(struct uet_dut *dut, const char *name, uint64_t value)
{
    struct uet_dut_param *p = find_param(dut, name);

    if (!p) {
        if (dut->n_params == UET_DUT_MAX_PARAMS)
            return false;
        p = &dut->params[dut->n_params++];
        snprintf(p->name, sizeof(p->name), "%s", name);
    }
    p->value = value;
    return true;
}

int uet_pics_feature(size_t item)
{
    for (size_t i = 0; i < uet_n_profiles; i++)
        if (strcmp(uet_profiles[i].name, uet_pics[item].name) == 0)
            return (int)i;
    return -1;
}

static bool any_pair(const uint32_t *pairs)
{
    bool any = false;

    for (size_t i = 0; i < UET_ATOMIC_OPS; i++)
        any |= pairs[i];
    return any;
}

static bool claims_feature(const struct uet_dut *dut, size_t feature)
{
    const char *name = uet_profiles[feature].name;
    int item = uet_pics_find(name, strlen(name));

    if (feature == UET_FEATURE_ATOMIC)
        return any_pair(dut->atomics.plain);
    if (feature == UET_FEATURE_FETCHING_ATOMIC)
        return any_pair(dut->atomics.fetching);
    return item < 0 || dut->claims[item];
}

size_t uet_dut_lacks(const struct uet_dut *dut, char *out, size_t size)
{
    size_t profile = UET_PROFILE_ALL, n = 0, at = 0;

    for (size_t p = 0; p < UET_PROFILE_ALL; p++)
        if (strcmp(uet_profile_names[p], dut->profile) == 0)
            profile = p;
    out[0] = 0;
    for (size_t f = 0; f < uet_n_profiles; f++) {
        if (uet_profiles[f].duty[profile] != 'M' || claims_feature(dut, f))
            continue;
        if (at < size)
            at += (size_t)snprintf(out + at, size - at, "%s%s", n ? " " : "", uet_profiles[f].name);
        n++;
    }
    return n;
}

#define CONGESTED "nscc rccc oblivious path-aware"

const struct uet_dut_param_use uet_dut_param_uses[] = {
    {"max-reads", "read"},
    {"max-unexpected", "keeps-unexpected"},
    {"Write_Completions", "write-immediate"},
    {"config_base_rtt", CONGESTED " rod ack-cc"},
    {"sender_link_rate", CONGESTED},
    {"MaxWnd", CONGESTED},
    {"target_qdelay", CONGESTED},
    {"fi", CONGESTED},
    {"eta", CONGESTED},
    {"gamma", CONGESTED},
    {"max_md_jump", CONGESTED},
    {"qa_gate", CONGESTED},
    {"alpha", "nscc"},
    {"qa_threshold", "nscc"},
    {"disable_quick_adapt", "nscc"},
    {"adjust_period_threshold", "nscc"},
    {"ev_saturation_fraction", "path-aware"},
    {"t_reroute", "rod"},
    {"New_PDC_Time", "tss"},
    {"Limit_PSN_Range", ""},
    {"Trimmable_ACK_Size", ""},
    {"New_PDC_Timeout_Thresh", ""},
    {"Max_Tail_Loss_Retx", ""},
};

const size_t uet_dut_n_param_uses = sizeof(uet_dut_param_uses) / sizeof(*uet_dut_param_uses);

static bool claims_any(const struct uet_dut *dut, const char *claims)
{
    bool any = false;

    for (const char *at = claims; *at;) {
        const size_t n = strcspn(at, " ");
        const int item = uet_pics_find(at, n);

        any = any || (item >= 0 && dut->claims[item]) ||
              (n == 3 && memcmp(at, "tss", 3) == 0 && dut->keys[0]);
        at += n + (at[n] == ' ');
    }
    return any;
}

bool uet_dut_is_unused(const struct uet_dut *dut, const struct uet_dut_param_use *use)
{
    return find_param(dut, use->name) && !claims_any(dut, use->claims);
}

size_t uet_dut_unused(const struct uet_dut *dut, char *out, size_t size)
{
    size_t n = 0, at = 0;

    out[0] = 0;
    for (size_t i = 0; i < uet_dut_n_param_uses; i++) {
        const struct uet_dut_param_use *use = &uet_dut_param_uses[i];

        if (!uet_dut_is_unused(dut, use))
            continue;
        if (at < size)
            at += (size_t)snprintf(out + at, size - at, "%s%s (%s)", n ? ", " : "", use->name,
                                   *use->claims ? use->claims : UET_DUT_NO_READER);
        n++;
    }
    return n;
}

int uet_pics_find(const char *name, size_t n)
{
    for (int i = 0; i < UET_PICS_COUNT; i++)
        if (strlen(uet_pics[i].name) == n && memcmp(uet_pics[i].name, name, n) == 0)
            return i;
    return -1;
}

uint8_t uet_dut_order(const struct uet_dut *dut)
{
    return dut->crc_order == UET_DUT_CRC_LITTLE ? UET_CRC_LITTLE_ENDIAN : UET_CRC_BIG_ENDIAN;
}

const struct uet_dut_known *uet_dut_known(const struct uet_dut *dut, const char *test)
{
    for (size_t i = 0; i < dut->n_known; i++)
        if (dut->known[i].test[0] && fnmatch(dut->known[i].test, test, 0) == 0)
            return &dut->known[i];
    return NULL;
}

uint64_t uet_dut_largest_pool(const struct uet_dut *dut, const char **name)
{
    static const char *const pools[] = {"max-pdcs", "max-open-messages", "max-stored-responses",
                                        "max-reads"};
    uint64_t most = 0, told;

    for (size_t i = 0; i < sizeof(pools) / sizeof(pools[0]); i++)
        if (uet_dut_param(dut, pools[i], &told) && told > most) {
            most = told;
            *name = pools[i];
        }
    return most;
}

bool uet_dut_is_tester(const struct uet_dut *dut, const struct uet_ip *ip)
{
    for (size_t i = 0; i < UET_DUT_TESTERS; i++)
        if (uet_ip_equal(ip, &dut->tester[i]))
            return true;
    return false;
}

struct uet_ip uet_dut_stranger(const struct uet_dut *dut)
{
    struct uet_ip ip = dut->tester[0];
    uint8_t *last = &ip.bytes[ip.version == 6 ? 15 : 3];

    do
        *last ^= *last & 0x40 ? 0x41 : 0x40;
    while (uet_dut_is_tester(dut, &ip) || uet_ip_equal(&ip, &dut->address));
    return ip;
}
