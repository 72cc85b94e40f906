/* SPDX-License-Identifier: BSD-2-Clause */
/* The checks of a request as a table (checks.c). */
#ifndef UET_REFIMPL_SES_CHECKS_H
#define UET_REFIMPL_SES_CHECKS_H

#include "refimpl/ses/operation.h"
#include "refimpl/ses/ses.h"

/* A request on its way through the checks. */
struct ses_judged {
    struct uet_fep *fep;
    const struct uet_packet *p;
    const struct ses_request *r;
    const struct message *m; /* the message that it continues, or NULL */
    bool ahead;              /* it came ahead of a gap */
    uint8_t mode;            /* enum uet_mode */
    /* What the checks find: */
    const struct uet_service *service; /* NULL: none */
    uint32_t region, receive;          /* 0: none */
    bool refused;                      /* there is one, but for another JobID */
    bool exhausted;                    /* there is none, nor any other for the RI */
    bool held, kept;                   /* there is none, and it is kept until there is */
    uint8_t code;                      /* of a check whose code is SES_RC_FOUND */
};

#define SES_RC_FOUND 0xffu /* the check itself says which: j->code */

/* offset + length > size, without overflow. */
static inline bool uet_ses_outside(uint64_t offset, uint64_t length, uint64_t size)
{
    return offset > size || length > size - offset;
}

/* The code of the first check that does not hold; UET_RC_OK when all do. */
uint8_t uet_ses_judge(struct ses_judged *j);
/* Judges plan->request, and plans what will be done and answered. m: its message, or NULL. */
void uet_ses_plan(struct uet_fep *fep, const struct uet_packet *p, const struct message *m,
                  uint8_t mode, struct ses_plan *plan);

#endif
