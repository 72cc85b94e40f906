/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Rules for sealed packets (3.7). Those of the header need no key: they judge a packet that nobody
 * has opened, too.
 */
#include <string.h>

#include "rules/internal.h"
#include "wire/crc.h"
#include "wire/inet.h"
#include "wire/layers.h"

/* ---- the header and the lengths ---- */

/* 3.7.11, Table 3-90. */
static bool reserved_bit(const struct uet_ruling *r)
{
    return r->p->seal.rsvd && uet_violates(r, "the reserved bit of the TSS header is 1, sent as 0");
}

/* 3.7. A UDP length that is too large is that of a trimmed packet (4.1.3). */
static bool udp_length(const struct uet_ruling *r)
{
    const struct uet_packet *p = r->p;
    if (!p->tss || p->error != UET_PARSE_UDP_LENGTH)
        return false;
    unsigned length = uet_udp_length(p->frame + p->udp_offset);
    return uet_violates(r, "UDP length is %u, TSS header and ICV included it is %u", length,
                        (unsigned)(p->ip_end - p->udp_offset));
}

/* From the source address to UDP or entropy header, UDP length as it was before TSS or not. */
static uint32_t crc_below(const struct uet_packet *p, bool before)
{
    uint8_t head[64 + UET_UDP_BYTES]; /* IPv4 options, or two addresses of IPv6 */
    size_t start = p->ip_offset + uet_crc_from(p->ip_version), n = p->tss_offset - start;
    memcpy(head, p->frame + start, n < sizeof head ? n : sizeof head);
    if (before && p->udp_offset && n <= sizeof head) {
        uint8_t *udp = head + (p->udp_offset - start);
        unsigned added = uet_header_bytes[p->tss] + UET_TSS_TRAILER_BYTES;
        uet_udp_length_set(udp, (uint16_t)(uet_udp_length(udp) - added));
    }
    return uet_crc32c(0, head, n < sizeof head ? n : sizeof head);
}

/* Is the CRC of the packet in the four bytes: with TSS header and lengths, or of it in clear? */
static bool is_crc(const struct uet_packet *p, const uint8_t *bytes)
{
    size_t at = (size_t)(bytes - p->frame);
    for (int before = 0; before < 2; before++) {
        uint32_t below = crc_below(p, before);
        uint32_t without = uet_crc32c(below, p->frame + p->pds_offset, at - p->pds_offset);
        uint32_t with = uet_crc32c(below, p->frame + p->tss_offset, at - p->tss_offset);
        if (uet_crc_order_of(bytes, without) >= 0 || uet_crc_order_of(bytes, with) >= 0)
            return true;
    }
    return false;
}

/* 3.5.25: no CRC with TSS. Seen in front of the ICV alone: behind it, no key opens the packet. */
static bool crc_too(const struct uet_ruling *r)
{
    const struct uet_packet *p = r->p;
    bool whole = p->tss && p->pds && p->ip_end && p->icv_offset && p->tss_offset > p->ip_offset;
    return whole && p->payload_len >= UET_CRC_TRAILER_BYTES &&
           is_crc(p, p->frame + p->icv_offset - UET_CRC_TRAILER_BYTES) &&
           uet_violates(r, "the CRC of the packet stands in front of its ICV; TSS has none");
}

/* ---- the IV ---- */

/*
 * Who sends the same packet twice has used its IV twice; on the way a packet may be copied, and
 * only another one with the same IV tells. Whether it had the same key tells the key alone, where
 * the capture may lack packets: the AN may have got another one while none was seen.
 */
static bool iv_used(const struct uet_ruling *r)
{
    const struct uet_track_seal *s = &r->t->seal;
    bool another = s->used_key && !s->used_alike && r->p->seal.mark;
    return s->known && s->used_by && (r->sender || another);
}

static bool iv_reuse(const struct uet_ruling *r)
{
    const struct uet_packet_seal *s = &r->p->seal;
    return iv_used(r) &&
           uet_violates(r, "SDI 0x%06x AN %u epoch %u counter %llu was used by packet %u",
                        r->p->sdi, s->an, s->epoch, (unsigned long long)s->counter,
                        r->t->seal.used_by);
}

static bool again(const struct uet_ruling *r, const char *what)
{
    return r->p->tss && iv_used(r) && r->t->seal.used_again &&
           uet_violates(r, "%s has the counter %llu of packet %u", what,
                        (unsigned long long)r->p->seal.counter, r->t->seal.used_by);
}

static bool resend(const struct uet_ruling *r)
{
    return again(r, "what is sent again");
}

static bool answer_again(const struct uet_ruling *r)
{
    return again(r, "the repeated answer");
}

/* With the key of one client, the IVs of both sides differ by nothing but epoch and counter. */
static bool shared_iv(const struct uet_ruling *r)
{
    const struct uet_packet_seal *s = &r->p->seal;
    return r->t->seal.shared_by &&
           uet_violates(r,
                        "SSI 0x%08x epoch %u counter %llu was used by packet %u of another source",
                        s->ssi, s->epoch, (unsigned long long)s->counter, r->t->seal.shared_by);
}

static bool same_epoch(const struct uet_ruling *r)
{
    return r->t->seal.path_epoch == r->p->seal.epoch;
}

/* Of one path: several transmit queues may mix their packets. Equal ones are TSS-018's. */
static bool counter_falls(const struct uet_ruling *r)
{
    const struct uet_track_seal *s = &r->t->seal;
    return r->p->tss && r->sender && s->path_by && same_epoch(r) &&
           r->p->seal.counter < s->path_counter &&
           uet_violates(r, "counter %llu after %llu in packet %u of the same path",
                        (unsigned long long)r->p->seal.counter, (unsigned long long)s->path_counter,
                        s->path_by);
}

static bool epoch_falls(const struct uet_ruling *r)
{
    const struct uet_track_seal *s = &r->t->seal;
    return r->p->tss && r->sender && s->path_by &&
           (int16_t)(r->p->seal.epoch - s->path_epoch) < 0 &&
           uet_violates(r, "epoch %u after %u in packet %u of the same path", r->p->seal.epoch,
                        s->path_epoch, s->path_by);
}

/* Several queues may have sent some before the one that is seen first. */
#define FEW 256u

static bool turn(const struct uet_ruling *r)
{
    const struct uet_packet_seal *s = &r->p->seal;
    if (!r->sender || !r->t->seal.new_key)
        return false;
    if (s->epoch)
        return uet_violates(r, "AN %u begins with epoch %u, required 0", s->an, s->epoch);
    return s->counter > r->t->seal.other_counter && s->counter > FEW &&
           uet_violates(r, "AN %u begins with counter %llu, required 0", s->an,
                        (unsigned long long)s->counter);
}

/* ---- PDCs ---- */

static bool is_early_nack(const struct uet_ruling *r)
{
    return uet_is_nack(r->p) && (!uet_spdcid(r->p) || !r->t->pdc->established);
}

static bool is_clear(const struct uet_ruling *r)
{
    return r->t->pdc && uet_is_bound(r) && !r->p->tss;
}

static bool clear_among_sealed(const struct uet_ruling *r)
{
    return is_clear(r) && !is_early_nack(r) &&
           uet_violates(r, "in clear on a PDC whose packets have SDI 0x%06x", r->t->pdc->sdi);
}

static bool clear_nack(const struct uet_ruling *r)
{
    return is_clear(r) && is_early_nack(r) &&
           uet_violates(r, "a NACK in clear for a packet with SDI 0x%06x", r->t->pdc->sdi);
}

/* The SSI of the client goes both ways: who answers copies it. Only a key tells the mode. */
static bool client_ssi(const struct uet_ruling *r)
{
    const struct uet_track_pdc *pdc = r->t->pdc;
    const struct uet_packet_seal *s = &r->p->seal;
    return r->p->tss == UET_H_TSS_HDR_16 && s->mode == UET_TSS_MODE_SERVER && pdc->sdi_known &&
           pdc->ssi_of_initiator && !r->t->forward && s->ssi != pdc->ssi &&
           uet_violates(r, "SSI 0x%08x, that of the client is 0x%08x", s->ssi, pdc->ssi);
}

/* PSNs from Start_PSN on; those below it are no use of its range. */
static uint32_t used_psns(const struct uet_ruling *r)
{
    const struct uet_track_pdc *pdc = r->t->pdc;
    uint32_t used = uet_packet_psn(r->p) - pdc->start_psn;
    bool counts = r->p->tss && pdc->start_known && pdc->opened_in_sight && r->t->forward;
    return counts && used < UINT32_MAX - 0x10000 ? used : 0;
}

#define PSNS UINT32_C(0x80000000)

static bool new_message_late(const struct uet_ruling *r)
{
    bool begins = r->ses && (!uet_is_ses_std(r->p) || uet_ses_req_som(r->ses));
    return begins && !r->t->duplicate && used_psns(r) > PSNS &&
           uet_violates(r, "a message begins %u PSNs from Start_PSN, at most 2^31", used_psns(r));
}

/* 255 * 128 is the largest MP_Range (3.5.11.10). */
static bool far_late(const struct uet_ruling *r)
{
    return used_psns(r) > PSNS + 255 * 128 &&
           uet_violates(r, "%u PSNs from Start_PSN: more than 2^31 and an MP_Range", used_psns(r));
}

static const struct uet_rule_row rows[] = {
    {{"TSS-003", "the reserved bit of the TSS header is 0"},
     UET_ON_SEALED,
     UET_WHEN_SEALED,
     reserved_bit},
    {{"TSS-005", "lengths include TSS header and ICV"}, UET_ON_SEALED, UET_WHEN_SEALED, udp_length},
    {{"TSS-006", "no CRC beside TSS"}, UET_ON_SEALED, UET_WHEN_SEALED, crc_too},
    {{"TSS-018", "no IV is used twice"}, UET_ON_SEALED, UET_WHEN_SEALED, iv_reuse},
    {{"TSS-019", "the counter rises"}, UET_ON_SEALED, UET_WHEN_SEALED, counter_falls},
    {{"TSS-019", "the epoch does not go back"},
     UET_ON_SEALED | UET_REPORTED,
     UET_WHEN_SEALED,
     epoch_falls},
    {{"TSS-020", "what is sent again has a new counter"},
     UET_ON_SENDS | UET_ON_RUDI_REQUEST,
     UET_WHEN_SEALED,
     resend},
    {{"TSS-021", "a repeated answer has a new counter"},
     UET_ON_ANSWERS | UET_ON_RUDI_RESPONSE,
     UET_WHEN_SEALED,
     answer_again},
    {{"TSS-029", "a server answers with the SSI of its client"},
     UET_ON_SENDS | UET_ON_ANSWERS,
     UET_NEEDS_PDC | UET_WHEN_SEALED,
     client_ssi},
    {{"TSS-030", "client and server share no IV"},
     UET_ON_SEALED | UET_REPORTED,
     UET_WHEN_SEALED,
     shared_iv},
    {{"TSS-035", "a new key begins with epoch and counter 0"},
     UET_ON_SEALED,
     UET_WHEN_SEALED,
     turn},
    {{"TSS-051", "no packet in clear on a sealed PDC"},
     UET_ON_SENDS | UET_ON_ANSWERS,
     UET_NEEDS_PDC | UET_WHEN_SECURED,
     clear_among_sealed},
    {{"TSS-054", "no NACK in clear for what was sealed"},
     UET_ON_NACK | UET_REPORTED,
     UET_NEEDS_PDC | UET_WHEN_SECURED,
     clear_nack},
    {{"TSS-055", "no message begins beyond Start_PSN + 2^31"},
     UET_ON_REQUEST,
     UET_NEEDS_PSN | UET_WHEN_SEALED,
     new_message_late},
    {{"TSS-055", "no PSN far beyond Start_PSN + 2^31"},
     UET_ON_SENDS | UET_REPORTED,
     UET_NEEDS_PSN | UET_WHEN_SEALED,
     far_late},
};

const struct uet_rule_table uet_rules_tss = UET_TABLE(rows);
