/* SPDX-License-Identifier: BSD-2-Clause */
#include "wire/class.h"

/* Sets of headers of spec-map/headers.csv, counted from the first of their layer. */
#define PDS(id) (UINT64_C(1) << (UET_H_##id - UET_H_RUD_ROD_REQ))
#define SES(id) (UINT64_C(1) << (UET_H_SES_##id - UET_H_SES_REQ_STD_SOM1))

#define ANY     UINT64_MAX
#define SYN     (PDS(RUD_ROD_REQ_SYN) | PDS(RUD_ROD_CC_REQ_SYN))
#define NOT_SYN (PDS(RUD_ROD_REQ) | PDS(RUD_ROD_CC_REQ))
#define REQUEST (SYN | NOT_SYN)
#define PROBED  (PDS(ACK_PROBE) | PDS(ACK_CC_PROBE) | PDS(ACK_CCX_PROBE))
#define ACK_CCS (PDS(ACK_CC) | PDS(ACK_CC_PROBE))
#define ACKS    (PDS(ACK) | PDS(ACK_CC) | PDS(ACK_CCX) | PDS(ACK_EPSN_REFPROV) | PROBED)
#define NACKS   (PDS(NACK) | PDS(NACK_RUDI) | PDS(NACK_CCX) | PDS(NACK_CCX_RUDI))
#define CPS     (PDS(CP) | PDS(CP_SYN))

#define SOM     (SES(REQ_STD_SOM1) | SES(REQ_DEFER_SEND_SOM1) | SES(REQ_RTR) | SES(REQ_NO_OP))
#define LATER   (SES(REQ_STD_SOM0) | SES(REQ_DEFER_SEND_SOM0) | SES(REQ_MSG_ERROR))
#define SHORT   (SES(REQ_SMALL) | SES(REQ_MEDIUM_MSG) | SES(REQ_MEDIUM_RMA))
#define SES_REQ (SOM | LATER | SHORT)
#define SES_RSP (SES(RSP) | SES(RSP_DEFAULT) | SES(RSP_NO_RESPONSE))
#define DATA    (SES(RSP_DATA) | SES(RSP_DATA_SMALL))

/* One of these headers of PDS, one of these of SES, and a field of either from low to high. */
static const struct {
    const char *name;
    uint64_t pds, ses; /* ANY: whichever, none too */
    const char *field; /* NULL: whatever they say */
    uint8_t low, high;
} classes[UET_CLASS_COUNT] = {
    [UET_CLASS_ANY] = {"every packet", ANY, ANY, NULL, 0, 0},
    [UET_CLASS_REQUEST] = {"Requests", REQUEST, ANY, NULL, 0, 0},
    [UET_CLASS_SYN] = {"syn Requests", SYN, ANY, NULL, 0, 0},
    [UET_CLASS_NOT_SYN] = {"Requests without syn", NOT_SYN, ANY, NULL, 0, 0},
    [UET_CLASS_RETX] = {"retransmissions", REQUEST, ANY, "retx", 1, 1},
    [UET_CLASS_ACK] = {"ACKs", ACKS, ANY, NULL, 0, 0},
    [UET_CLASS_ACK_CC] = {"ACK_CCs", ACK_CCS, ANY, NULL, 0, 0},
    [UET_CLASS_ACK_OF_CP] = {"ACKs of CPs", ACKS & ~PROBED, ANY, "next_hdr", UET_NH_NONE,
                             UET_NH_NONE},
    [UET_CLASS_ACK_DEFAULT] = {"ACKs with a default response", ACKS, SES(RSP_DEFAULT), NULL, 0, 0},
    [UET_CLASS_ACK_ERROR] = {"ACKs with an error response", ACKS, SES_RSP, "return_code",
                             UET_RC_OK + 1, UINT8_MAX},
    [UET_CLASS_ACK_DATA] = {"ACKs with read data", ACKS, DATA, NULL, 0, 0},
    [UET_CLASS_PROBE_ACK] = {"answers to Probes", PROBED, ANY, NULL, 0, 0},
    [UET_CLASS_NACK] = {"NACKs", NACKS, ANY, NULL, 0, 0},
    [UET_CLASS_ANSWER] = {"ACKs and NACKs", ACKS | NACKS, ANY, NULL, 0, 0},
    [UET_CLASS_CP] = {"CPs", CPS, ANY, NULL, 0, 0},
#define CTL(type) CPS, ANY, "ctl_type", UET_CTL_##type, UET_CTL_##type
    [UET_CLASS_CLOSE_COMMAND] = {"Close Commands", CTL(CLOSE_COMMAND)},
    [UET_CLASS_CLOSE_REQUEST] = {"Close Requests", CTL(CLOSE_REQUEST)},
    [UET_CLASS_CLEAR_COMMAND] = {"Clear Commands", CTL(CLEAR_COMMAND)},
    [UET_CLASS_ACK_REQUEST] = {"ACK Requests", CTL(ACK_REQUEST)},
    [UET_CLASS_CLEAR_REQUEST] = {"Clear Requests", CTL(CLEAR_REQUEST)},
#undef CTL
    [UET_CLASS_SOM] = {"first packets", ANY, SOM, NULL, 0, 0},
    [UET_CLASS_LATER] = {"later packets of a message", ANY, LATER, NULL, 0, 0},
    [UET_CLASS_EOM] = {"last packets", ANY, SES_REQ, "eom", 1, 1},
    [UET_CLASS_SMALL_OR_MEDIUM] = {"small and medium Requests", ANY, SHORT, NULL, 0, 0},
    [UET_CLASS_SES_REQUEST] = {"SES requests", ANY, SES_REQ, NULL, 0, 0},
    [UET_CLASS_READ] = {"READs", ANY, SES_REQ, "opcode", UET_OP_READ, UET_OP_READ},
    [UET_CLASS_DATA] = {"read data", ANY, DATA, NULL, 0, 0},
    [UET_CLASS_RETURN_DATA] = {"Requests with read data", REQUEST, DATA, NULL, 0, 0},
    [UET_CLASS_RETURN_RETX] = {"retransmissions of read data", REQUEST, DATA, "retx", 1, 1},
    [UET_CLASS_RUDI_REQUEST] = {"RUDI Requests", PDS(RUDI_REQ), ANY, NULL, 0, 0},
    [UET_CLASS_RUDI_RETX] = {"RUDI Requests sent again", PDS(RUDI_REQ), ANY, "retx", 1, 1},
    [UET_CLASS_RUDI_RESPONSE] = {"RUDI Responses", PDS(RUDI_RESP), ANY, NULL, 0, 0},
    [UET_CLASS_RUDI_DATA] = {"RUDI Responses with read data", PDS(RUDI_RESP), DATA, NULL, 0, 0},
    [UET_CLASS_UUD] = {"UUD Requests", PDS(UUD_REQ), ANY, NULL, 0, 0},
};

const char *uet_class_name(uint8_t class)
{
    if (class >= UET_CLASS_HEADER && class - UET_CLASS_HEADER < UET_H_COUNT)
        return uet_headers[class - UET_CLASS_HEADER].name;
    return class < UET_CLASS_COUNT ? classes[class].name : "unknown";
}

static bool among(uint64_t set, uint8_t id, uint8_t first)
{
    return set == ANY || (id >= first && set >> (id - first) & 1);
}

static bool says(const struct uet_packet *p, const char *name, uint64_t low, uint64_t high)
{
    const uint8_t *at = uet_pds(p);
    const struct uet_field *f = uet_field_find(&uet_headers[p->pds], name);

    if (!f && p->ses) {
        at = uet_ses(p);
        f = uet_field_find(&uet_headers[p->ses], name);
    }
    return f && uet_field_get(f, at) >= low && uet_field_get(f, at) <= high;
}

bool uet_is_of(uint8_t class, const struct uet_packet *p)
{
    if (class >= UET_CLASS_HEADER) {
        uint8_t id = (uint8_t)(class - UET_CLASS_HEADER);
        return id && (p->pds == id || p->ses == id || p->cp_payload == id || p->cc_state == id);
    }
    return class < UET_CLASS_COUNT && p->pds &&
           among(classes[class].pds, p->pds, UET_H_RUD_ROD_REQ) &&
           among(classes[class].ses, p->ses, UET_H_SES_REQ_STD_SOM1) &&
           (!classes[class].field ||
            says(p, classes[class].field, classes[class].low, classes[class].high));
}
