/* SPDX-License-Identifier: BSD-2-Clause */
/* Requests in forms that a PDC carries, to be said where there is none (3.5.7.3, 3.5.7.4). */
#ifndef UET_CONFORMANCE_TESTS_WITHOUT_PDC_H
#define UET_CONFORMANCE_TESTS_WITHOUT_PDC_H

#include <string.h>

#include "conformance/harness/steps/steps.h"

/* A PDC that only lends the forms: nothing is said on it. */
static inline struct uet_pdc *lending_pdc(struct uet_tc *tc)
{
    struct uet_pdc *none = uet_pdc_new(tc);

    none->auto_close = false;
    return none;
}

/* What has no PDC gets the SES header of that Request. */
static inline void take_form(struct uet_out *o, const struct uet_out *like)
{
    memcpy(o->ses, like->ses, like->ses_len);
    o->ses_len = like->ses_len;
}

/* A send of this text. */
typedef struct uet_out form_of_send(struct uet_pdc *p, const struct uet_memory *m,
                                    const char *text);

static inline struct uet_out small_send(struct uet_pdc *p, const struct uet_memory *m,
                                        const char *text)
{
    return uet_small(p, UET_OP_SEND, m, 0, text, (uint32_t)strlen(text));
}

static inline struct uet_out medium_send(struct uet_pdc *p, const struct uet_memory *m,
                                         const char *text)
{
    return uet_medium(p, UET_OP_SEND, m, 0, text, (uint32_t)strlen(text));
}

static inline struct uet_out deferrable_send(struct uet_pdc *p, const struct uet_memory *m,
                                             const char *text)
{
    struct uet_out o = uet_send_message(p, m, text, (uint32_t)strlen(text));

    uet_ses_req_opcode_set(o.ses, UET_OP_DEFERRABLE_SEND);
    return o;
}

/* The forms of a send to an untagged receive, but UET_SEND with the standard header. */
static const struct send_form {
    uint8_t claim, next_hdr;
    form_of_send *send;
} send_forms[] = {{UET_PICS_SMALL_HEADER, UET_NH_REQUEST_SMALL, small_send},
                  {UET_PICS_MEDIUM_HEADER, UET_NH_REQUEST_MEDIUM, medium_send},
                  {UET_PICS_DEFERRAL, UET_NH_REQUEST_STD, deferrable_send}};

/* The next one that the FEP claims, behind f or (NULL) the first; NULL: there is none. */
static inline const struct send_form *next_form(struct uet_tc *tc, const struct send_form *f)
{
    for (f = f ? f + 1 : send_forms; f < send_forms + sizeof(send_forms) / sizeof(*f); f++)
        if (uet_tc_dut(tc)->claims[f->claim])
            return f;
    return NULL;
}

#endif
