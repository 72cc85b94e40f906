/* SPDX-License-Identifier: BSD-2-Clause */
#include "conformance/violate/mutate.h"

#include <string.h>

#include "wire/build.h"

static const struct uet_violator violators[] = {
#define VIOLATOR(requirement, packets, spared, action, place, field, operand, what)                \
    {requirement, UET_HIT_##packets, UET_DO_##action, UET_AT_##place, field, operand, spared, what},
#include "conformance/violate/violators.def"
#undef VIOLATOR
};

size_t uet_n_violators(void)
{
    return sizeof(violators) / sizeof(violators[0]);
}

const struct uet_violator *uet_violator(size_t i)
{
    return i < uet_n_violators() ? &violators[i] : NULL;
}

static const struct {
    const char *header, *what, *why;
} permitted[] = {
#define PERMITTED(header, what, why) {header, what, why},
#include "conformance/violate/permitted.def"
#undef PERMITTED
};

const char *uet_permitted(const char *header, const char *what)
{
    for (size_t i = 0; i < sizeof(permitted) / sizeof(permitted[0]); i++)
        if (strcmp(permitted[i].header, header) == 0 &&
            (strcmp(permitted[i].what, what) == 0 || strcmp(permitted[i].what, "*") == 0))
            return permitted[i].why;
    return NULL;
}

/* ---- classes ---- */

static bool is_any(const struct uet_packet *p)
{
    return p->pds != UET_H_NONE;
}

static bool is_syn(const struct uet_packet *p)
{
    return uet_is_request(p) && uet_has_syn(p);
}

static bool is_not_syn(const struct uet_packet *p)
{
    return uet_is_request(p) && !uet_has_syn(p);
}

static bool is_retx(const struct uet_packet *p)
{
    return uet_is_request(p) && uet_rud_rod_req_retx(uet_pds(p));
}

static bool is_ack_of_cp(const struct uet_packet *p)
{
    return uet_is_ack(p) && uet_ack_next_hdr(uet_pds(p)) == UET_NH_NONE && !uet_ack_p(uet_pds(p));
}

static bool is_error(const struct uet_packet *p)
{
    return uet_is_ack(p) && uet_is_ses_response(p) &&
           uet_ses_rsp_return_code(uet_ses(p)) > UET_RC_OK;
}

static bool is_default(const struct uet_packet *p)
{
    return uet_is_ack(p) && uet_is_ses_response(p) &&
           uet_ses_rsp_opcode(uet_ses(p)) == UET_RSP_DEFAULT_RESPONSE;
}

static bool is_ack_data(const struct uet_packet *p)
{
    return uet_is_ack(p) && uet_is_ses_response_data(p);
}

static bool is_probe_ack(const struct uet_packet *p)
{
    return uet_is_ack(p) && uet_ack_p(uet_pds(p));
}

static bool is_ctl(const struct uet_packet *p, uint8_t ctl_type)
{
    return uet_is_cp(p) && uet_cp_ctl_type(uet_pds(p)) == ctl_type;
}

static bool is_close_command(const struct uet_packet *p)
{
    return is_ctl(p, UET_CTL_CLOSE_COMMAND);
}

static bool is_close_request(const struct uet_packet *p)
{
    return is_ctl(p, UET_CTL_CLOSE_REQUEST);
}

static bool is_clear_command(const struct uet_packet *p)
{
    return is_ctl(p, UET_CTL_CLEAR_COMMAND);
}

static bool is_ack_request(const struct uet_packet *p)
{
    return is_ctl(p, UET_CTL_ACK_REQUEST);
}

static bool is_clear_request(const struct uet_packet *p)
{
    return is_ctl(p, UET_CTL_CLEAR_REQUEST);
}

static bool is_som(const struct uet_packet *p)
{
    return uet_is_ses_std(p) && !uet_ses_has_offset(p);
}

static bool is_later(const struct uet_packet *p)
{
    return uet_ses_has_offset(p);
}

static bool is_eom(const struct uet_packet *p)
{
    return uet_is_ses_request(p) && uet_ses_req_eom(uet_ses(p));
}

static bool is_small_or_medium(const struct uet_packet *p)
{
    return p->ses >= UET_H_SES_REQ_SMALL && p->ses <= UET_H_SES_REQ_MEDIUM_RMA;
}

static bool is_read(const struct uet_packet *p)
{
    return uet_is_ses_request(p) && uet_ses_req_opcode(uet_ses(p)) == UET_OP_READ;
}

static bool is_return_data(const struct uet_packet *p)
{
    return uet_is_request(p) && uet_is_ses_response_data(p);
}

static bool is_return_retx(const struct uet_packet *p)
{
    return is_return_data(p) && is_retx(p);
}

static bool is_rudi_request(const struct uet_packet *p)
{
    return p->pds == UET_H_RUDI_REQ;
}

static bool is_rudi_retx(const struct uet_packet *p)
{
    return is_rudi_request(p) && uet_rudi_retx(uet_pds(p));
}

static bool is_rudi_response(const struct uet_packet *p)
{
    return p->pds == UET_H_RUDI_RESP;
}

static bool is_rudi_data(const struct uet_packet *p)
{
    return is_rudi_response(p) && uet_is_ses_response_data(p);
}

static const struct {
    const char *name;
    bool (*is)(const struct uet_packet *p);
} classes[UET_HIT_COUNT] = {
    [UET_HIT_ANY] = {"every packet", is_any},
    [UET_HIT_REQUEST] = {"Requests", uet_is_request},
    [UET_HIT_SYN] = {"syn Requests", is_syn},
    [UET_HIT_NOT_SYN] = {"Requests without syn", is_not_syn},
    [UET_HIT_RETX] = {"retransmissions", is_retx},
    [UET_HIT_ACK] = {"ACKs", uet_is_ack},
    [UET_HIT_ACK_CC] = {"ACK_CCs", uet_is_ack_cc},
    [UET_HIT_ACK_OF_CP] = {"ACKs of CPs", is_ack_of_cp},
    [UET_HIT_ACK_DEFAULT] = {"ACKs with a default response", is_default},
    [UET_HIT_ACK_ERROR] = {"ACKs with an error response", is_error},
    [UET_HIT_ACK_DATA] = {"ACKs with read data", is_ack_data},
    [UET_HIT_PROBE_ACK] = {"answers to Probes", is_probe_ack},
    [UET_HIT_NACK] = {"NACKs", uet_is_nack},
    [UET_HIT_CP] = {"CPs", uet_is_cp},
    [UET_HIT_CLOSE_COMMAND] = {"Close Commands", is_close_command},
    [UET_HIT_CLOSE_REQUEST] = {"Close Requests", is_close_request},
    [UET_HIT_CLEAR_COMMAND] = {"Clear Commands", is_clear_command},
    [UET_HIT_ACK_REQUEST] = {"ACK Requests", is_ack_request},
    [UET_HIT_CLEAR_REQUEST] = {"Clear Requests", is_clear_request},
    [UET_HIT_SOM] = {"first packets", is_som},
    [UET_HIT_LATER] = {"later packets of a message", is_later},
    [UET_HIT_EOM] = {"last packets", is_eom},
    [UET_HIT_SMALL_OR_MEDIUM] = {"small and medium Requests", is_small_or_medium},
    [UET_HIT_READ] = {"READs", is_read},
    [UET_HIT_RETURN_DATA] = {"Requests with read data", is_return_data},
    [UET_HIT_RETURN_RETX] = {"retransmissions of read data", is_return_retx},
    [UET_HIT_RUDI_REQUEST] = {"RUDI Requests", is_rudi_request},
    [UET_HIT_RUDI_RETX] = {"RUDI Requests sent again", is_rudi_retx},
    [UET_HIT_RUDI_RESPONSE] = {"RUDI Responses", is_rudi_response},
    [UET_HIT_RUDI_DATA] = {"RUDI Responses with read data", is_rudi_data},
    [UET_HIT_UUD] = {"UUD Requests", uet_is_uud},
};

const char *uet_hit_name(uint8_t packets)
{
    if (packets >= UET_HIT_HEADER && packets - UET_HIT_HEADER < UET_H_COUNT)
        return uet_headers[packets - UET_HIT_HEADER].name;
    return packets < UET_HIT_COUNT ? classes[packets].name : "unknown";
}

static bool has_header(const struct uet_packet *p, uint8_t id)
{
    return id != UET_H_NONE &&
           (p->pds == id || p->ses == id || p->cp_payload == id || p->cc_state == id);
}

bool uet_hit_matches(uint8_t packets, const struct uet_packet *p)
{
    if (packets >= UET_HIT_HEADER)
        return has_header(p, (uint8_t)(packets - UET_HIT_HEADER));
    return packets < UET_HIT_COUNT && p->pds != UET_H_NONE && classes[packets].is(p);
}

/* ---- actions ---- */

/* The header in which the field stands, and its first byte; UET_H_NONE when it is not there. */
static uint8_t header_at(uint8_t place, const struct uet_packet *p, size_t *offset)
{
    switch ((enum uet_place)place) {
    case UET_AT_PDS:
        *offset = p->pds_offset;
        return p->pds;
    case UET_AT_SES:
        *offset = p->ses_offset;
        return p->ses;
    case UET_AT_CP:
        *offset = p->cp_payload_offset;
        return p->cp_payload;
    case UET_AT_CC:
        *offset = p->cc_state_offset;
        return p->cc_state;
    case UET_AT_IP:
        *offset = p->ip_offset;
        return p->ip_version == 4 ? UET_H_IPV4 : UET_H_IPV6;
    case UET_AT_UDP:
        *offset = p->udp_offset;
        return p->udp_offset ? UET_H_UDP : UET_H_NONE;
    case UET_AT_ENTROPY:
        *offset = p->entropy_offset;
        return p->entropy_offset ? UET_H_ENTROPY : UET_H_NONE;
    }
    return UET_H_NONE;
}

static bool alter(const struct uet_violator *v, const struct uet_packet *p, uint8_t *frame)
{
    size_t offset = 0;
    uint8_t id = header_at(v->place, p, &offset);
    const struct uet_field *f = id ? uet_field_find(&uet_headers[id], v->field) : NULL;

    if (!f)
        return false;
    uint64_t value = uet_field_get(f, frame + offset), operand = (uint64_t)v->operand;
    value = v->action == UET_DO_SET   ? operand
            : v->action == UET_DO_ADD ? value + operand
                                      : value ^ operand;
    uet_field_set(f, frame + offset, value);
    return true;
}

bool uet_violate(const struct uet_violator *v, uint8_t protect, uint32_t *seen, uint8_t *frame,
                 uint32_t len, struct uet_fate *fate)
{
    struct uet_parse_options options = {.protect = protect};
    struct uet_packet p;

    *fate = (struct uet_fate){.copies = 1};
    /* A packet altered keeps its sender's order: it is not one with another trailer. */
    if (uet_parse(&p, frame, len, &options) == UET_PARSE_CRC_BAD &&
        uet_packet_crc_order(&p) == UET_CRC_LITTLE_ENDIAN)
        options.crc_order = UET_CRC_LITTLE_ENDIAN;
    if (uet_parse(&p, frame, len, &options) != UET_PARSE_OK || !uet_hit_matches(v->packets, &p) ||
        (*seen)++ < v->spared)
        return false;
    switch ((enum uet_action)v->action) {
    case UET_DO_DROP:
        fate->copies = 0;
        return true;
    case UET_DO_DUPLICATE:
        fate->copies = 2;
        fate->delay_ns = (uint64_t)v->operand;
        return true;
    case UET_DO_DELAY:
        fate->delay_ns = (uint64_t)v->operand;
        return true;
    default:
        if (!alter(v, &p, frame))
            return false;
        uet_refresh_as(frame, len, (enum uet_protect)protect,
                       (enum uet_crc_order)options.crc_order);
        return true;
    }
}
