/* SPDX-License-Identifier: BSD-2-Clause */
#include "wire/impair.h"

#include <errno.h>

#include "wire/build.h"
#include "wire/class.h"

/* Bytes of IP payload that a trim leaves: UDP and the longest PDS header of a Request (Table 4-1).
 */
#define TRIM_KEEP 24u

/* The header in which the field stands, and its first byte; UET_H_NONE when it is not there. */
static uint8_t header_at(uint8_t place, const struct uet_packet *p, size_t *offset)
{
    switch ((enum uet_impair_place)place) {
    case UET_IN_PDS:
        *offset = p->pds_offset;
        return p->pds;
    case UET_IN_SES:
        *offset = p->ses_offset;
        return p->ses;
    case UET_IN_CP:
        *offset = p->cp_payload_offset;
        return p->cp_payload;
    case UET_IN_CC:
        *offset = p->cc_state_offset;
        return p->cc_state;
    case UET_IN_IP:
        *offset = p->ip_offset;
        return p->ip_version == 4 ? UET_H_IPV4 : UET_H_IPV6;
    case UET_IN_UDP:
        *offset = p->udp_offset;
        return p->udp_offset ? UET_H_UDP : UET_H_NONE;
    case UET_IN_ENTROPY:
        *offset = p->entropy_offset;
        return p->entropy_offset ? UET_H_ENTROPY : UET_H_NONE;
    }
    return UET_H_NONE;
}

static bool alter(const struct uet_impairment *rule, const struct uet_packet *p, uint8_t *frame)
{
    size_t offset = 0;
    uint8_t id = header_at(rule->place, p, &offset);
    const struct uet_field *f = id ? uet_field_find(&uet_headers[id], rule->field) : NULL;

    if (!f)
        return false;
    uint64_t value = uet_field_get(f, frame + offset), operand = (uint64_t)rule->operand;
    value = rule->action == UET_IMPAIR_SET   ? operand
            : rule->action == UET_IMPAIR_ADD ? value + operand
                                             : value ^ operand;
    uet_field_set(f, frame + offset, value);
    return true;
}

static bool trim(uint8_t *frame, uint32_t *len, uint8_t dscp)
{
    int n = uet_trim(frame, *len, TRIM_KEEP, dscp);

    if (n > 0)
        *len = (uint32_t)n;
    return n > 0;
}

static bool flip(const struct uet_packet *p, uint8_t *frame)
{
    if (p->payload_len == 0)
        return false;
    frame[p->payload_offset + p->payload_len / 2] ^= 0x10;
    return true;
}

static bool harm(const struct uet_impairment *rule, const struct uet_packet *p, uint8_t *frame,
                 uint32_t *len, struct uet_fate *fate)
{
    switch ((enum uet_impair_action)rule->action) {
    case UET_IMPAIR_DROP:
        fate->copies = 0;
        return true;
    case UET_IMPAIR_DUPLICATE:
        fate->copies++;
        fate->delay_ns += (uint64_t)rule->operand;
        return true;
    case UET_IMPAIR_DELAY:
        fate->delay_ns += (uint64_t)rule->operand;
        return true;
    case UET_IMPAIR_TRIM:
        return trim(frame, len, (uint8_t)rule->operand);
    case UET_IMPAIR_FLIP:
        return flip(p, frame);
    default:
        return alter(rule, p, frame);
    }
}

int uet_impair(const struct uet_impairment *rule, const struct uet_parse_options *how,
               uint32_t *seen, uint8_t *frame, uint32_t *len, struct uet_fate *fate)
{
    struct uet_parse_options options = *how;
    enum uet_crc_order order = UET_CRC_BIG_ENDIAN;
    struct uet_packet p;

    /* A packet altered keeps its sender's order: it is not one with another trailer. */
    if (uet_parse(&p, frame, *len, &options) == UET_PARSE_CRC_BAD &&
        uet_packet_crc_order(&p) == UET_CRC_LITTLE_ENDIAN)
        options.crc_order = order = UET_CRC_LITTLE_ENDIAN;
    if (uet_parse(&p, frame, *len, &options) != UET_PARSE_OK || !uet_is_of(rule->packets, &p))
        return 0;
    uint32_t n = (*seen)++;
    if (n < rule->spared || (rule->count && n - rule->spared >= rule->count))
        return 0;
    if (!harm(rule, &p, frame, len, fate))
        return -EINVAL;
    if (rule->action < UET_IMPAIR_DROP || rule->action == UET_IMPAIR_FLIP)
        uet_refresh_as(frame, *len, (enum uet_protect)how->protect, order);
    return 1;
}
