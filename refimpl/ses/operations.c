/* SPDX-License-Identifier: BSD-2-Clause */
/* The opcodes of Table 3-17, a row each: what is special to one stands here and nowhere else. */
#include "refimpl/ses/operation.h"
#include "refimpl/ses/ses.h"

#define RUDI SES_ON(UET_MODE_RUDI)
#define UUD  SES_ON(UET_MODE_UUD)
#define ALL_FORMS                                                                                  \
    (SES_FORM(UET_OP_HEADER_STD) | SES_FORM(UET_OP_HEADER_SMALL) | SES_FORM(UET_OP_HEADER_MEDIUM))
#define TAGGED_FORMS (SES_FORM(UET_OP_HEADER_STD) | SES_FORM(UET_OP_HEADER_MEDIUM)) /* no tag */

/* What every target does, with bytes or without. */
#define DELIVERS                                                                                   \
    .size = uet_deliver_size, .check = uet_deliver_check, .plan = uet_deliver_plan,                \
    .answer = uet_deliver_answer, .commit = uet_deliver_commit

/* Never on RUDI (SES-085). */
#define ATOMIC                                                                                     \
    .takes = SES_ON_PDC, .starts = SES_ON_PDC, .by_packet = true, .whole = true,                   \
    .size = uet_atomic_size, .check = uet_atomic_check, .valid = uet_atomic_valid,                 \
    .asks = uet_atomic_asks, .write = uet_atomic_write

/* On memory of a key, with both rights (SES-135); on the receive of a tag, which has none. */
#define ATOMIC_BY_KEY                                                                              \
    .names = UET_RI_RMA, .forms = ALL_FORMS, .rights = UET_RIGHT_READ | UET_RIGHT_WRITE,           \
    .commit = uet_atomic_commit
#define ATOMIC_BY_TAG                                                                              \
    .feature = UET_FEATURE_TAGGED_ATOMICS, .names = UET_RI_TAGGED, .forms = TAGGED_FORMS,          \
    .commit = uet_atomic_commit_receive

#define FETCHES                                                                                    \
    .fetches = true, .plan = uet_atomic_fetch_plan, .answer = uet_read_answer,                     \
    .take = uet_atomic_take, .complete = uet_fetched_all

/* On RUD, as the order of ROD is no use to what comes later (SES-154, contested). */
#define DEFERRABLE                                                                                 \
    .takes = SES_ON_PDC, .starts = SES_ON(UET_MODE_RUD), .forms = SES_FORM(UET_OP_HEADER_STD),     \
    .stops = UET_OP_MSG_ERROR, .holds = true, .defers = UET_OP_DEFERRABLE_RTR,                     \
    .header_data = true, .size = uet_deferrable_size, .check = uet_deliver_check,                  \
    .plan = uet_deliver_plan, .answer = uet_held_answer, .commit = uet_deferrable_commit,          \
    .valid = uet_deferrable_valid, .fields = uet_deferrable_fields, .write = uet_deliver_write

#define RENDEZVOUS                                                                                 \
    .feature = UET_FEATURE_RENDEZVOUS, .takes = SES_ON_PDC, .starts = SES_ON_PDC,                  \
    .forms = SES_FORM(UET_OP_HEADER_STD), .stops = UET_OP_MSG_ERROR, .holds = true,                \
    .reads = UET_OP_READ, .header_data = true, .size = uet_rendezvous_size,                        \
    .check = uet_rendezvous_check, .plan = uet_deliver_plan, .answer = uet_held_answer,            \
    .lacks = uet_rendezvous_lacks, .begins = uet_held_rest_begins, .finished = uet_held_rest,      \
    .commit = uet_rendezvous_commit, .valid = uet_rendezvous_valid,                                \
    .carries = uet_rendezvous_carries, .write = uet_rendezvous_write

static const struct ses_op operations[UET_OP_MSG_ERROR + 2] = {
    [UET_OP_NO_OP] = {.feature = UET_FEATURE_NO_OP,
                      .names = SES_NAMES_NOTHING,
                      .takes = SES_ON_PDC,
                      .starts = SES_ON_PDC,
                      .forms = ALL_FORMS,
                      .header_data = true,
                      .size = uet_deliver_size,
                      .check = uet_no_op_check,
                      .plan = uet_deliver_plan,
                      .answer = uet_deliver_answer,
                      .commit = uet_deliver_commit,
                      .valid = uet_no_op_valid},
    [UET_OP_WRITE] = {.feature = UET_FEATURE_WRITE,
                      .names = UET_RI_RMA,
                      .takes = SES_ON_PDC | RUDI,
                      .starts = SES_ON_PDC | RUDI,
                      .forms = ALL_FORMS,
                      .rights = UET_RIGHT_WRITE,
                      .stops = UET_OP_MSG_ERROR,
                      .header_data = true,
                      DELIVERS,
                      .lacks = uet_write_lacks,
                      .valid = uet_deliver_valid,
                      .write = uet_deliver_write},
    [UET_OP_READ] = {.feature = UET_FEATURE_READ,
                     .names = UET_RI_RMA,
                     .takes = SES_ON_PDC | RUDI,
                     .starts = SES_ON_PDC | RUDI,
                     .forms = ALL_FORMS,
                     .rights = UET_RIGHT_READ,
                     .fetches = true,
                     .by_packet = true,
                     .size = uet_read_size,
                     .check = uet_read_check,
                     .plan = uet_read_plan,
                     .answer = uet_read_answer,
                     .commit = uet_read_commit,
                     .valid = uet_read_valid,
                     .segment = uet_read_segment,
                     .take = uet_read_take,
                     .complete = uet_fetched_all},
    [UET_OP_ATOMIC] = {.feature = UET_FEATURE_ATOMIC,
                       ATOMIC,
                       ATOMIC_BY_KEY,
                       .plan = uet_atomic_plan,
                       .answer = uet_deliver_answer},
    [UET_OP_FETCHING_ATOMIC] = {.feature = UET_FEATURE_FETCHING_ATOMIC,
                                ATOMIC,
                                ATOMIC_BY_KEY,
                                FETCHES},
    [UET_OP_SEND] = {.feature = UET_FEATURE_SEND,
                     .unasked = true,
                     .names = UET_RI_SEND,
                     .takes = SES_ON_PDC,
                     .starts = SES_ON_PDC,
                     .forms = ALL_FORMS,
                     .stops = UET_OP_MSG_ERROR,
                     .keeps = true,
                     .header_data = true,
                     DELIVERS,
                     .valid = uet_deliver_valid,
                     .write = uet_deliver_write},
    [UET_OP_RENDEZVOUS_SEND] = {.names = UET_RI_SEND, RENDEZVOUS},
    [UET_OP_DATAGRAM_SEND] = {.feature = UET_FEATURE_DATAGRAM,
                              .names = SES_NAMES_NO_RI, /* on a PDC; UUD takes it as a SEND */
                              .takes = UUD,
                              .starts = UUD, /* and nothing else (SES-038) */
                              .forms = ALL_FORMS,
                              .header_data = true,
                              .unnumbered = true,
                              DELIVERS,
                              .valid = uet_datagram_valid,
                              .write = uet_deliver_write},
    [UET_OP_DEFERRABLE_SEND] = {.feature = UET_FEATURE_DEFERRAL,
                                .instead = UET_OP_SEND, /* SES-144 */
                                .names = UET_RI_SEND,
                                DEFERRABLE},
    [UET_OP_TAGGED_SEND] = {.feature = UET_FEATURE_TAGGED,
                            .unasked = true,
                            .names = UET_RI_TAGGED,
                            .takes = SES_ON_PDC,
                            .starts = SES_ON_PDC,
                            .forms = TAGGED_FORMS,
                            .stops = UET_OP_MSG_ERROR,
                            .keeps = true,
                            .header_data = true,
                            DELIVERS,
                            .valid = uet_deliver_valid,
                            .write = uet_deliver_write},
    [UET_OP_RENDEZVOUS_TSEND] = {.names = UET_RI_TAGGED, RENDEZVOUS},
    [UET_OP_DEFERRABLE_TSEND] = {.feature = UET_FEATURE_DEFERRABLE_TSEND,
                                 .names = UET_RI_TAGGED,
                                 DEFERRABLE},
    [UET_OP_DEFERRABLE_RTR] = {.feature = UET_FEATURE_RESTART,
                               .names = SES_NAMES_NOTHING, /* but a token (SES-176) */
                               .takes = SES_ON_PDC,
                               .by_packet = true,
                               .size = uet_rtr_size,
                               .check = uet_rtr_check,
                               .plan = uet_deliver_plan,
                               .answer = uet_rtr_answer,
                               .commit = uet_rtr_commit,
                               .carries = uet_rtr_carries,
                               .fields = uet_rtr_fields},
    [UET_OP_TSEND_ATOMIC] = {ATOMIC, ATOMIC_BY_TAG, .plan = uet_atomic_plan,
                             .answer = uet_deliver_answer},
    [UET_OP_TSEND_FETCH_ATOMIC] = {ATOMIC, ATOMIC_BY_TAG, FETCHES},
    [UET_OP_MSG_ERROR] = {.feature = UET_FEATURE_MSG_ERROR,
                          .names = SES_NAMES_MESSAGE,
                          .takes = SES_ON_PDC,
                          .size = uet_deliver_size,
                          .check = uet_msg_error_check,
                          .plan = uet_deliver_plan,
                          .answer = uet_deliver_answer,
                          .commit = uet_msg_error_commit},
    /* The reserved ones are refused once their address is good, as far as it is known (Table 3-19).
     */
    [UET_OP_MSG_ERROR + 1] = {.names = SES_NAMES_NO_RI, DELIVERS},
};

void uet_ses_law_make(struct ses_law *law)
{
    memcpy(law->ops, operations, sizeof operations);
    law->exhausted = uet_service_exhausted;
    law->next_generation = uet_service_next_generation;
    law->withdraw = uet_region_withdraw;
    law->cancel = uet_receive_cancel;
    law->is_user_key = uet_region_is_user_key;
    law->forms = ALL_FORMS;
    law->tagged = law->wildcards = true;
    law->minds_peer_length = true;
    law->for_peer = uet_op_for_peer;
    law->short_form_fits = uet_op_short_form_fits;
    law->is_news = uet_ses_truncation_is_news;
    law->may_segment = uet_ses_segment_by_row;
    law->pause = uet_ses_pause;
    law->keeping = (struct ses_keeping){.is_for = uet_receive_fits,
                                        .is_room = uet_unexpected_is_room,
                                        .is_ready = uet_unexpected_is_ready,
                                        .over = uet_unexpected_drop};
    uet_ses_checks_make(law);
}
