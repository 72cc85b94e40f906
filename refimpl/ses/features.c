/* SPDX-License-Identifier: BSD-2-Clause */
/* What a FEP without a feature of SES does instead (3.3.1). */
#include "refimpl/ses/operation.h"

#define ROWS(law) (sizeof(law)->ops / sizeof *(law)->ops)

/* RC_UNSUPPORTED_OP once the address is good (SES-025), or another opcode in its place. */
static void without_opcode(struct ses_law *law, struct ses_op *row)
{
    const struct ses_op was = *row;
    *row = law->ops[was.instead ? was.instead : ROWS(law) - 1];
    row->forms = was.forms;
    row->starts = 0;
    if (!was.instead)
        row->names = was.names;
}

/* There is no RI space of tagged sends either. */
static void without_tags(struct ses_law *law)
{
    for (size_t i = 0; i < ROWS(law); i++)
        if (law->ops[i].names == UET_RI_TAGGED)
            law->ops[i] = law->ops[ROWS(law) - 1];
    law->tagged = law->wildcards = false;
}

static void without_form(struct ses_law *law, uint8_t header)
{
    law->forms &= (uint8_t)~SES_FORM(header);
    for (size_t i = 0; i < ROWS(law); i++)
        law->ops[i].forms &= law->forms;
}

static void without_mode(struct ses_law *law, uint8_t mode)
{
    for (size_t i = 0; i < ROWS(law); i++) {
        law->ops[i].takes &= (uint8_t)~SES_ON(mode);
        law->ops[i].starts &= (uint8_t)~SES_ON(mode);
    }
}

void uet_ses_go_without(struct ses_law *law, uint8_t feature)
{
    for (size_t i = 0; i < ROWS(law) - 1; i++)
        if (law->ops[i].feature == feature)
            without_opcode(law, &law->ops[i]);
    switch (feature) {
    case UET_FEATURE_TAGGED:
        without_tags(law);
        break;
    case UET_FEATURE_WILDCARD_TAGS:
        law->wildcards = false;
        break;
    case UET_FEATURE_SMALL_HEADER:
        without_form(law, UET_OP_HEADER_SMALL);
        break;
    case UET_FEATURE_MEDIUM_HEADER:
        without_form(law, UET_OP_HEADER_MEDIUM);
        break;
    case UET_FEATURE_RUDI:
        without_mode(law, UET_MODE_RUDI);
        break;
    }
}
