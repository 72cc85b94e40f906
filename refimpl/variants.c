/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * FEPs that conform and choose otherwise wherever the specification leaves freedom: what a test may
 * not take for granted. Each is a set of parameters and of choices (choices.h).
 */
#include <errno.h>
#include <string.h>

#include "refimpl/choices.h"
#include "refimpl/fep.h"
#include "uet_spec.h"

enum { PARAMS = 8 };

struct variant {
    const char *name, *text;
    struct {
        const char *name;
        uint64_t value;
    } params[PARAMS]; /* up to the first without a name */
    struct uet_fep_choices choices;
    uint8_t profiled;     /* 0: as it is; else 1 + enum uet_profile (3.3.1) */
    uint16_t payload_mtu; /* 0: as it is; so all below */
    uint16_t max_pdcs, max_stored_responses, max_messages, max_read_parts, max_packets;
    uint16_t max_unexpected, unexpected_bytes;
};

#define US 1000ull
#define MS 1000000ull

/* A new one goes to the end: the simulator draws the first ones by their number. */
static const struct variant variants[] = {
    {.name = "usual", .text = "the reference FEP as it is without --variant"},
    {.name = "eager",
     .text =
         "acknowledges every packet and every duplicate, asks for an ACK in each, resends early",
     .params = {{"Enb_ACK_Per_Pkt", 1}, {"RTO_Init_Time", 2 * MS}, {"NACK_Retx_Time", 0}},
     .choices = {.ack_each = true, .ack_old = true, .sack_base = UET_SACK_AT_TRIGGER}},
    {.name = "lazy",
     .text = "late answers, few ACKs, long timers, Clear Commands by time",
     .params = {{"ACK_Gen_Trigger", 32768},
                {"ACK_Gen_Min_Pkt_Add", 0},
                {"RTO_Init_Time", 40 * MS},
                {"NACK_Retx_Time", 20 * MS},
                {"PDS_Clear_Time", 5 * MS},
                {"Close_REQ_Time", 10 * MS}},
     .choices = {.answer_delay_ns = 300 * US}},
    {.name = "tiny",
     .text = "the smallest window, payload and pools",
     .params = {{"Default_MPR", 1}, {"Max_RTO_Retx_Cnt", 4}, {"Max_NACK_Retx_Cnt", 2}},
     .payload_mtu = 1024,
     .max_pdcs = 8,
     .max_stored_responses = 4,
     .max_messages = 4,
     .max_packets = 160},
    {.name = "chatty",
     .text = "a NOOP, a Negotiation and a Probe on every PDC it opens",
     .params = {{"Enb_ACK_Per_Pkt", 1}},
     .choices = {.cps_when_open = true, .sack_base = UET_SACK_EIGHTS}},
    {.name = "quiet",
     .text = "as few packets as it may: no ACK for CE alone, ACKs at the largest trigger",
     .params = {{"ACK_On_ECN", 0}, {"ACK_Gen_Trigger", 32768}, {"PDS_Clear_Time", 100 * MS}}},
    {.name = "wrap",
     .text = "PSNs just below 2^32, PDCIDs in no order, SACK bitmaps behind the trigger",
     .choices = {.start_psn = UET_START_AT_WRAP,
                 .pdcids = UET_PDCIDS_SHUFFLED,
                 .sack_base = UET_SACK_BEHIND}},
    {.name = "provider",
     .text = "as the consortium's provider reads what is contested",
     .params = {{"Default_MPR", 1}, {"PDS_Clear_Time", 0}},
     .choices = {.ack_old = true,
                 .syn_resends = true,
                 .mismatch_says_tpdcid = true,
                 .pdcids = UET_PDCIDS_FALLING,
                 .start_psn = UET_START_POSITIVE,
                 .sack_base = UET_SACK_AT_TRIGGER}},
    {.name = "plain",
     .text = "ACK and never ACK_CC, silence wherever it is allowed, one entropy value a PDC",
     .params = {{"ACK_CC", 0}, {"EV_Slots", 1}, {"ACK_Gen_Min_Pkt_Add", 2048}},
     .choices = {.asks_by_cp = true,
                 .asks_by_psn = true,
                 .trimmed_syn_silent = true,
                 .progress_ignored = true,
                 .reserved_cp_silent = true,
                 .close_req_silent = true},
     .payload_mtu = 2048},
    {.name = "stern",
     .text = "a NACK wherever one is allowed, NOOPs as target, no bitmap in ROD ACKs",
     .params = {{"ACK_Gen_Trigger", 4096}, {"Infer_Loss_Count", 2}},
     .choices = {.answer_delay_ns = 20 * US,
                 .noop_back = true,
                 .rod_sack_zero = true,
                 .trimmed_old_nacked = true,
                 .behind_nacked = true,
                 .progress_nacked = true,
                 .close_refused = true}},
    {.name = "hasty",
     .text = "closes what is idle for 30 ms, infers losses early, opens several PDCs to a peer",
     .params = {{"Idle_Time", 30 * MS},
                {"PDCs_Per_Tuple", 4},
                {"SACK_Loss_Count", 3},
                {"OOO_Loss_Count", 3},
                {"EV_Slots", 4},
                {"EV_Loss", 1},
                {"Tail_Loss_Time", 3 * MS},
                {"NACK_Retx_Time", 0}},
     .choices = {.start_psn = UET_START_AT_WRAP}},
    {.name = "careful",
     .text = "guarantees every message's response, one packet before the peer is known, slow",
     .params = {{"RTO_Init_Time", 200 * MS},
                {"PDS_Clear_Time", 1 * MS},
                {"New_PDC_Time", 100 * MS},
                {"Max_RTO_Retx_Cnt", 2},
                {"Default_MPR", 4}},
     .choices = {.answer_delay_ns = 20 * MS, .guarantees_all = true, .waits_for_peer = true}},
    {.name = "noopfirst",
     .text = "a NOOP opens its PDCs; ACKs after every 2 KiB",
     .params = {{"ACK_Gen_Trigger", 2048}, {"ACK_Gen_Min_Pkt_Add", 512}},
     .choices = {.noop_first = true, .ack_each = true, .start_psn = UET_START_AT_WRAP}},
    {.name = "narrow",
     .text = "a window of 20 PSNs, told as mpr 0 (1.0.3)",
     .params = {{"Override_MPR_Zero_Value", 20}, {"MPR_Zero", 1}, {"ACK_Gen_Trigger", 1024}},
     .choices = {.pdcids = UET_PDCIDS_SHUFFLED,
                 .sack_base = UET_SACK_EIGHTS,
                 .waits_for_peer = true}},
    {.name = "wide",
     .text = "windows of 8192 PSNs, packets of 8192 bytes",
     .params = {{"Default_MPR", 64}},
     .choices = {.sack_base = UET_SACK_BEHIND},
     .payload_mtu = 8192},
    {.name = "native",
     .text = "native IP: the entropy header in the place of UDP (3.5.10.1)",
     .params = {{"UET_Over_UDP", 0}}},
    {.name = "returning",
     .text = "read data never in an ACK, always on the return direction",
     .params = {{"Max_ACK_Data_Size", 0}}},
    {.name = "carrying",
     .text = "read data in ACKs up to 2 KiB, trimmable from 512 bytes on",
     .params = {{"Max_ACK_Data_Size", 2048}, {"Trimmable_ACK_Size", 512}}},
    {.name = "frugal",
     .text = "64 messages, 128 PSNs, a READ at a time, no NO_OP, no NOOP, a spare API above it",
     .params = {{"RTO_Init_Time", 5 * MS}, {"Default_MPR", 1}},
     .choices = {.no_no_op = true, .no_cp_noop = true, .reads_alone = true, .spare_api = true},
     .max_messages = 64,
     .max_read_parts = 128, /* one PDC takes half */
     .max_packets = 256},
    {.name = "slow",
     .text = "answers after 50 ms, and waits as long for its peers",
     .params = {{"RTO_Init_Time", 300 * MS}, {"New_PDC_Time", 100 * MS}},
     .choices = {.answer_delay_ns = 50 * MS}},
    {.name = "cramped",
     .text = "room for two READs, two packets and one guaranteed response; says when there is none",
     .max_stored_responses = 1,
     .max_read_parts = 4, /* one PDC takes half, of these as of the packets */
     .max_packets = 4},
    {.name = "keeping",
     .text = "keeps two sends without receive, 16 KiB, whatever the service",
     .choices = {.keeps_all = true},
     .max_unexpected = 2,
     .unexpected_bytes = 16384},
    {.name = "prompt",
     .text = "keeps sends without receive, and answers them before they have one",
     .choices = {.keeps_all = true, .kept_told_at_once = true}},
    {.name = "headers",
     .text = "keeps of sends without receive the header alone",
     .choices = {.keeps_all = true, .keeps_headers = true}},
    {.name = "nscc",
     .text = "NSCC bounds what it has in flight (3.6.13): 100 Gbit/s, 12 us; REPS",
     .params = {{"NSCC", 1}, {"LB", 2}}},
    {.name = "shy",
     .text = "NSCC with a small window that grows slowly and is cut hard; an EV bitmap",
     .params = {{"NSCC", 1},
                {"LB", 3},
                {"ev_set_size", 16},
                {"MaxWnd", 131072},
                {"fi", 4096},
                {"eta", 64},
                {"gamma", 95},
                {"trimming", 0}}},
    {.name = "aibase",
     .text = "of the profile AI-Base, all tests (`run --profile AI-Base`: those of the profile)",
     .profiled = 1 + UET_PROFILE_AI_BASE},
    {.name = "aifull", .text = "of the profile AI-Full", .profiled = 1 + UET_PROFILE_AI_FULL},
    {.name = "hpc", .text = "of the profile HPC", .profiled = 1 + UET_PROFILE_HPC},
    {.name = "asked",
     .text = "of security: says where PDCs begin, and does not authenticate the UDP header",
     .choices = {.tss_starts_random = true, .tss_udp_not_in_aad = true}},
    {.name = "leaky",
     .text = "as the consortium's provider reads what is contested of security",
     .choices = {.tss_floor_low = true,
                 .tss_nacks_in_clear = true,
                 .tss_ipv6_by_address = true,
                 .tss_takes_extra_ssi = true}},
    {.name = "credited",
     .text = "RCCC alone: sends on credit, and grants it (3.6.14)",
     .params = {{"RCCC", 1}}},
    {.name = "both",
     .text = "NSCC and RCCC together (3.6.11); it asks for credit that it has in hand once more",
     .params = {{"RCCC", 1}, {"NSCC", 1}, {"target_of_backlog", 1}}},
    {.name = "tuned",
     .text = "NSCC with parameters of its own: a late target, soft cuts, slow growth, a small gate",
     .params = {{"NSCC", 1},
                {"LB", 1},
                {"target_qdelay", 20 * US},
                {"gamma", 30},
                {"max_md_jump", 80},
                {"fi", 8192},
                {"qa_gate", 4},
                {"adjust_period_threshold", 30 * US}}},
    {.name = "rerouting",
     .text = "a ROD PDC leaves a path with bad news, ten round trips after the last at the soonest",
     .params = {{"NSCC", 1}, {"t_reroute", 10}}},
};

enum { N_VARIANTS = sizeof variants / sizeof *variants };

const char *uet_fep_variant(size_t i, const char **text)
{
    if (i >= N_VARIANTS)
        return NULL;
    if (text)
        *text = variants[i].text;
    return variants[i].name;
}

static void size_of(uint16_t *size, uint16_t value)
{
    if (value)
        *size = value;
}

int uet_fep_config_variant(struct uet_fep_config *config, const char *name)
{
    for (size_t i = 0; i < N_VARIANTS; i++) {
        const struct variant *v = &variants[i];
        int rc = 0;
        if (strcmp(v->name, name) != 0)
            continue;
        for (size_t j = 0; j < PARAMS && v->params[j].name && !rc; j++)
            rc = uet_fep_config_set(config, v->params[j].name, v->params[j].value);
        config->choices = &v->choices;
        if (v->profiled)
            config->profile = (uint8_t)(v->profiled - 1);
        size_of(&config->payload_mtu, v->payload_mtu);
        size_of(&config->max_pdcs, v->max_pdcs);
        size_of(&config->max_stored_responses, v->max_stored_responses);
        size_of(&config->max_messages, v->max_messages);
        size_of(&config->max_read_parts, v->max_read_parts);
        size_of(&config->max_unexpected, v->max_unexpected);
        if (v->max_packets)
            config->max_packets = v->max_packets;
        if (v->unexpected_bytes)
            config->unexpected_bytes = v->unexpected_bytes;
        return rc;
    }
    return -ENOENT;
}
