/* SPDX-License-Identifier: BSD-2-Clause */
#include "tools/uetcat/probe/ask.h"

#include <stdio.h>
#include <string.h>

#include "wire/build.h"
#include "wire/print.h"

/* A Request is sent three times within the patience, the first one after a seventh of it. */
enum { PACKETS = 16, RESENDS = 2, SHARES = 7, SIZES = 8192 };

#define STRANGER 0xfffeu /* a PDCID that the FEP has not given to anybody */
#define ENTROPY  0xc0deu /* one value, so that its echo is seen, and over UDP a port of its own */

/* ---- what comes ---- */

static uint32_t number_of(const struct uet_packet *p)
{
    return uet_is_rudi(p) || uet_is_nack_rudi(p) ? uet_pkt_id(p) : uet_packet_psn(p);
}

/* The first packet of its kind is the one that asks: none waits from before but what is resent. */
static void note_asked(struct probe *probe, const struct uet_packet *p)
{
    const bool cp = uet_is_cp(p);
    if (probe->asked || !probe->waits ||
        (probe->asks == PROBE_BY_REQUEST
             ? cp || uet_is_ack(p) || uet_is_nack(p) ||
                   (uet_is_request(p) && uet_rud_rod_req_retx(uet_pds(p)))
             : !cp || uet_cp_ctl_type(uet_pds(p)) != probe->ctl_type))
        return;
    probe->asked = true;
    probe->pdcid = uet_spdcid(p);
    probe->psn = number_of(p);
    probe->entropy = uet_entropy(p);
}

/* Is it the answer to that? What was asked before may be answered, or refused, late. */
static bool answers(const struct probe *probe, const struct uet_packet *p)
{
    if (!probe->asked)
        return false;
    if (p->pds == UET_H_RUDI_RESP || uet_is_nack_rudi(p))
        return number_of(p) == probe->psn;
    if (uet_dpdcid(p) != probe->pdcid)
        return false;
    if (uet_is_ack(p)) /* the answer to a Probe names no PSN */
        return uet_ack_p(uet_pds(p)) || uet_psn_diff(number_of(p), probe->psn) >= 0;
    return uet_is_nack(p) && number_of(p) == probe->psn;
}

/* The network marks a packet: CE instead of ECT (3.6). */
static void mark(struct uetcat_link *l, const struct uet_packet *p)
{
    uint8_t *ip = l->frame + p->ip_offset;
    if (p->ip_version == 4)
        ip[1] |= UET_ECN_CE;
    else
        ip[1] |= UET_ECN_CE << 4;
    uet_refresh_as(l->frame, p->len, l->protect, (enum uet_crc_order)l->crc_order);
}

static void on_packet(void *ctx, const struct uet_packet *p, bool sent, uint64_t now_ns)
{
    struct probe *probe = ctx;
    if (sent) {
        if (probe->marks && uet_is_request(p))
            mark(probe->link, p);
        note_asked(probe, p);
        return;
    }
    if (!probe->waits || probe->answer.came || !answers(probe, p))
        return;
    if (uet_is_nack(p) && uet_nack_nack_code(uet_pds(p)) == UET_NACK_NEW_START_PSN) {
        probe->new_start = true; /* part of a secure start: the same is asked again */
        probe->asked = false;
        return;
    }
    const uint8_t *h = uet_pds(p);
    int order = uet_packet_crc_order(p);
    probe->answer = (struct probe_answer){
        .came = true,
        .pds = p->pds,
        .after_ns = now_ns - probe->since_ns,
        .nack = uet_is_nack(p),
        .nack_code = uet_is_nack(p) ? uet_nack_nack_code(h) : 0,
        .has_crc = order >= 0,
        .little = order == UET_CRC_LITTLE_ENDIAN,
        .same_entropy = uet_entropy(p) == probe->entropy,
        .ce = uet_is_ack(p) && uet_ack_m(h),
        .dscp = uet_dscp(p),
    };
}

/* ---- the client ---- */

static uint16_t largest_payload(const struct uetcat_link *l)
{
    uint16_t payload = SIZES;
    while (payload > 1024 && payload + 150u > l->port->mtu)
        payload /= 2;
    return payload;
}

bool probe_open(struct probe *p, bool native, enum uet_protect protect, uint8_t order)
{
    struct uetcat_link *l = p->link;
    l->native = native;
    l->protect = protect;
    l->crc_order = order;
    if (l->udp)
        uet_udp_protect(l->port, (uint8_t)protect, order);
    struct uet_fep_config config = uetcat_client_config(l, PACKETS);
    config.payload_mtu = largest_payload(l);
    config.max_pdcs = 64;
    config.params.RTO_Init_Time = l->wait_ns / SHARES;
    config.params.Max_RTO_Retx_Cnt = RESENDS;
    config.params.Max_NACK_Retx_Cnt = 1;
    if (!uetcat_client_open(&p->client, l, &config))
        return false;
    if (l->entropy.n == 0 && !l->keys) { /* which authenticate the UDP header */
        l->entropy.value[0] = ENTROPY;
        l->entropy.n = 1;
    }
    p->client.watch = on_packet;
    p->client.watch_ctx = p;
    return p->open = true;
}

void probe_close(struct probe *p)
{
    if (!p->open)
        return;
    uetcat_client_hang_up(&p->client, uetcat_link_now(p->link) + p->link->wait_ns);
    uetcat_client_close(&p->client);
    p->open = false;
}

/* ---- questions ---- */

static void begin(struct probe *p, enum probe_asks asks, uint8_t ctl_type)
{
    p->asks = (uint8_t)asks;
    p->ctl_type = ctl_type;
    p->asked = false;
    p->answer = (struct probe_answer){0};
    p->since_ns = uetcat_link_now(p->link);
    p->waits = true;
}

/*
 * Until the operation has ended, with `of_operation`; else until an answer comes. A little more
 * than the patience, since the FEP gives up just then.
 */
static struct probe_answer wait_for(struct probe *p, bool of_operation)
{
    const uint64_t end_ns = p->since_ns + p->link->wait_ns + p->link->wait_ns / 4;
    struct uet_completion c;
    struct probe_answer *a = &p->answer;
    while (!uetcat_interrupted && !p->link->broken && uetcat_link_now(p->link) < end_ns &&
           !(of_operation ? a->ended : a->came)) {
        uetcat_client_step(&p->client, end_ns);
        while (uet_fep_completion(p->client.fep, &c)) {
            a->ended = true;
            a->status = c.status;
            a->return_code = c.return_code;
        }
    }
    p->waits = false;
    return *a;
}

struct probe_answer probe_operation(struct probe *p, const struct uet_operation *op)
{
    struct uet_operation each = *op;
    const struct uetcat_link *l = p->link;
    each.to = l->dst;
    each.relative = l->relative;
    each.job_id = l->job_id;
    each.pid_on_fep = l->pid_on_fep;
    each.resource_index = l->resource_index;
    begin(p, PROBE_BY_REQUEST, 0);
    if (uet_fep_submit(p->client.fep, &each, p->since_ns) < 0) {
        p->waits = false;
        return (struct probe_answer){.unasked = true};
    }
    return wait_for(p, op->mode != UET_MODE_UUD);
}

struct probe_answer probe_control(struct probe *p, uint8_t ctl_type)
{
    begin(p, PROBE_BY_CONTROL, ctl_type);
    if (uet_fep_control(p->client.fep, &p->link->dst, ctl_type, p->since_ns) < 0) {
        p->waits = false;
        return (struct probe_answer){.unasked = true};
    }
    return wait_for(p, false);
}

struct probe_answer probe_stranger(struct probe *p)
{
    struct uetcat_link *l = p->link;
    const struct uet_route route = {.src = l->src,
                                    .dst = l->dst,
                                    .entropy = ENTROPY,
                                    .native = l->native,
                                    .ip_protocol = l->ip_protocol,
                                    .crc_order = l->crc_order,
                                    .ecn = UET_ECN_ECT0};
    struct uet_build b;
    uet_build_start(&b, l->frame, sizeof l->frame, &route);
    uint8_t *h = uet_build_cp(&b, UET_H_CP, UET_H_CP_PAYLOAD_NOOP);
    uet_cp_type_set(h, UET_PDS_CP);
    uet_cp_ctl_type_set(h, UET_CTL_NOOP);
    uet_cp_ar_set(h, 1);
    uet_cp_psn_set(h, 1);
    uet_cp_spdcid_set(h, STRANGER);
    uet_cp_dpdcid_set(h, STRANGER);
    int length = uet_build_finish(&b, l->protect, NULL);
    begin(p, PROBE_BY_CONTROL, UET_CTL_NOOP);
    p->asked = true;
    p->pdcid = STRANGER;
    p->psn = 1;
    if (length > 0)
        uetcat_link_send(l, (size_t)length);
    return wait_for(p, false);
}

/* ---- in words ---- */

static const char *kind_of(uint8_t pds)
{
    return pds == UET_H_RUDI_RESP                               ? "RUDI Response"
           : pds == UET_H_ACK_CC || pds == UET_H_ACK_CC_PROBE   ? "ACK_CC"
           : pds == UET_H_ACK_CCX || pds == UET_H_ACK_CCX_PROBE ? "ACK_CCX"
                                                                : "ACK";
}

void probe_text(const struct probe_answer *a, char *text, size_t n)
{
    double ms = (double)a->after_ns / 1e6;
    if (a->unasked)
        snprintf(text, n, "not asked: the reference FEP does not do that");
    else if (!a->came)
        snprintf(text, n, "%s", a->ended && a->status == UET_STATUS_OK ? "sent" : "silence");
    else if (a->nack)
        snprintf(text, n, "NACK %s, %.3f ms", uet_enum_name(UET_ENUM_PDS_NACK_CODE, a->nack_code),
                 ms);
    else if (a->ended && a->status != UET_STATUS_PDS_ERROR)
        snprintf(text, n, "%s, %s, %.3f ms", kind_of(a->pds),
                 uet_enum_name(UET_ENUM_SES_RETURN_CODE,
                               a->status == UET_STATUS_OK ? UET_RC_OK : a->return_code),
                 ms);
    else
        snprintf(text, n, "%s, %.3f ms", kind_of(a->pds), ms);
}
