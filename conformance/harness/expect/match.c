/* SPDX-License-Identifier: BSD-2-Clause */
/* Does a packet match what a test waits for? And that in words. */
#include <stdio.h>
#include <string.h>

#include "conformance/harness/expect/expect.h"

static bool code_among(const struct uet_want *w, uint8_t code)
{
    if (w->n_codes == 0)
        return true;
    return memchr(w->codes, code, w->n_codes) != NULL;
}

static bool psn_matches(const struct uet_want *w, const struct uet_packet *p)
{
    if (!w->with_psn)
        return true;
    if (uet_is_ack(p) && uet_ack_p(uet_pds(p)))
        return false; /* a Probe's answer names no PSN */
    if (uet_is_cp(p) && !uet_consumes_psn(p))
        return w->kind == UET_WANT_CP && uet_packet_psn(p) == w->psn; /* it has 0 there */
    if (w->covering && uet_is_ack(p) && uet_psn_diff(uet_ack_cack_psn(uet_pds(p)), w->psn) >= 0)
        return true;
    bool by_id = uet_is_rudi(p) || uet_is_nack_rudi(p);
    return (by_id ? uet_pkt_id(p) : uet_packet_psn(p)) == w->psn;
}

static bool kind_matches(const struct uet_want *w, const struct uet_packet *p)
{
    if (!uet_is_of(w->kind, p))
        return w->kind == UET_WANT_ANY; /* of no kind at all, too */
    if (w->kind == UET_WANT_NACK)
        return code_among(w, uet_nack_nack_code(uet_pds(p)));
    return w->kind != UET_WANT_CP || code_among(w, uet_cp_ctl_type(uet_pds(p)));
}

/*
 * A Request or Control Packet that names no PDC of the tester's is what no test waits for: it is
 * judged as unexpected, and a body may take the PDC of what it gets.
 */
static bool is_stray(const struct uet_want *w, const struct uet_in *in)
{
    return !in->pdc && (w->kind == UET_WANT_REQUEST || w->kind == UET_WANT_CP);
}

bool uet_want_matches(const struct uet_want *w, const struct uet_in *in)
{
    if (in->packet.error != UET_PARSE_OK || is_stray(w, in))
        return false;
    return kind_matches(w, &in->packet) && (!w->pdc || w->pdc == in->pdc) &&
           psn_matches(w, &in->packet) && (!w->also || w->also(in, w->ctx));
}

static void name_codes(const struct uet_want *w, char *out, size_t n)
{
    uint8_t e = w->kind == UET_WANT_NACK ? UET_ENUM_PDS_NACK_CODE : UET_ENUM_PDS_CTL_TYPE;

    out[0] = '\0';
    for (size_t i = 0; i < w->n_codes; i++) {
        size_t at = strlen(out);

        snprintf(out + at, n - at, "%s%s", i ? " or " : " ", uet_enum_name(e, w->codes[i]));
    }
}

/* "ACK of PSN 0x12345678": what a test waits for, in words. */
const char *uet_want_name(const struct uet_want *w, char *out, size_t n)
{
    static const char *const kinds[] = {
        [UET_WANT_ANY] = "packet",
        [UET_WANT_ACK] = "ACK",
        [UET_WANT_NACK] = "NACK",
        [UET_WANT_REQUEST] = "Request",
        [UET_WANT_CP] = "CP",
        [UET_WANT_RUDI_REQUEST] = "RUDI Request",
        [UET_WANT_RUDI_RESPONSE] = "RUDI Response",
        [UET_WANT_UUD] = "UUD Request",
        [UET_WANT_ANSWER] = "ACK or NACK",
    };
    bool by_id = w->kind == UET_WANT_RUDI_REQUEST || w->kind == UET_WANT_RUDI_RESPONSE;
    char codes[120], psn[48] = "";

    if (w->named)
        return w->named;
    name_codes(w, codes, sizeof(codes));
    if (w->with_psn)
        snprintf(psn, sizeof(psn), " %s %s 0x%08x", w->covering ? "covering" : "of",
                 by_id ? "pkt_id" : "PSN", w->psn);
    snprintf(out, n, "%s%s%s", kinds[w->kind], codes, psn);
    return out;
}

/* Does it tell that the FEP, which took one packet of a PDC, has no room for more (Table 3-58)? */
bool uet_tells_no_room(const struct uet_in *in)
{
    static const uint8_t no_room[] = {UET_NACK_NO_PKT_BUFFER, UET_NACK_NO_GTD_DEL_AVAIL,
                                      UET_NACK_NO_SES_MSG_AVAIL, UET_NACK_NO_RESOURCE};
    const struct uet_want refusal = {
        .kind = UET_WANT_NACK, .codes = no_room, .n_codes = sizeof(no_room)};

    return in->pdc && in->pdc->sent && in->pdc->sent->next && uet_want_matches(&refusal, in);
}
