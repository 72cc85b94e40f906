/* SPDX-License-Identifier: BSD-2-Clause */
/* What the semantic sublayer knows: operations, messages, posted receives. Private to ses/. */
#ifndef UET_REFIMPL_SES_STATE_H
#define UET_REFIMPL_SES_STATE_H

#include "refimpl/ses_pds.h"

/* A message of several packets on its way in (3.4.1.14). */
struct message {
    uint32_t next;      /* of the same PDC */
    uint32_t hash_next; /* by {pdc, message_id} */
    uint16_t pdc;
    uint16_t message_id;
    uint8_t opcode;
    uint8_t return_code; /* the first error; sticky (SES-116) */
    bool som_seen;
    bool has_header_data;
    uint32_t length;   /* request_length */
    uint32_t carried;  /* bytes after which it is over, as its initiator has stopped or reads on */
    uint32_t received; /* payload bytes so far */
    uint64_t offsets;  /* the sum of their message_offsets: a part that came twice shows in it */
    uint64_t buffer_offset;
    uint32_t job_id;
    uint32_t initiator;
    uint64_t key;
    uint64_t header_data;
    uint32_t receive; /* for a SEND: the buffer it took */
    uint32_t held;    /* or none: its header is kept under this token, its bytes are not */
    uint32_t rest;    /* under this token the rest of it is being read; 0: it brings all itself */
    uint32_t kept;    /* or none: all of it is kept here (unexpected.c) */
    uint32_t slot;    /* ... and this one for its answer, until it is answered */
    bool overflow;    /* some of it was kept before it found its receive (SES-098) */
};

/* What SES has to do with a PDC. In the place of PDC 0 stands what has none: RUDI. */
struct ses_pdc {
    uint32_t ops_head, ops_tail; /* operations in the order in which they are sent */
    uint32_t op_next;            /* the first that is not sent whole */
    uint32_t messages;           /* target: messages in progress */
    uint16_t n_ops;
    uint16_t n_owed; /* target: answers that are promised */
    bool reading;    /* target: of the READ asked for last more packets are to come */
    uint32_t run;    /* this life of the PDC: no other one of this FEP has had the number */
};

/* ---- what requests are addressed to ---- */

struct service {
    struct uet_link by_name, by_family, by_job, by_pid, by_pid_of_job;
    bool exhausted; /* and so disabled, until there are receives again */
    struct uet_service call;
};

struct region {
    struct uet_link by_name, by_family;
    uint32_t reader;  /* the operation whose bytes peers read from it (rendezvous); 0: none */
    uint32_t n_parts; /* data that is sent from it */
    bool registered, removed;
    struct uet_region call;
};

struct posted {
    struct uet_link by_name, by_family; /* in posting order, until a message takes it */
    uint32_t number;                    /* the order of posting over all */
    uint32_t held; /* promised to this send, which will come once more; 0: to nobody */
    struct uet_receive call;
};

/* Where the rest of a rendezvous send may be read (Figure 3-15). */
struct ses_read_address {
    uint16_t pid_on_fep, resource_index;
    uint8_t ri_generation;
    uint64_t offset, key;
};

/*
 * A send that came before its receive, and of which the header is kept (3.4.3.6.2.1); from when its
 * receive is posted until it comes again, or until the rest of it has been read, too.
 */
struct held {
    uint32_t next, prev; /* in the order of arrival */
    uint32_t number;     /* ... of these and of those of which all is kept */
    uint32_t token;      /* its target_restart_token: no other one has it */
    uint32_t receive;    /* 0: still none */
    uint64_t until;      /* from then on another may have its place, or its receive */
    uint32_t length;     /* bytes that will be in the receive */
    bool comes, is_read; /* its own packets do, or the first of one without receive; it is read */
    uint8_t status;      /* ... how either has failed (enum uet_completion_status), */
    uint8_t return_code; /* ... and why */
    struct uet_ip from;
    struct ses_request request;
    struct ses_read_address read;
    struct tss_context tss; /* under whose keys it came: what it makes this FEP do goes so, too */
};

/* A send that came before its receive, and of which all is kept (3.4.3.6.2.2). */
struct unexpected {
    uint32_t next, prev; /* in the order in which they began to arrive */
    uint32_t number;     /* ... of these and of those that are held */
    uint32_t blocks;     /* its bytes */
    uint32_t message;    /* more of it is to come; 0: all is there */
    uint32_t slot;       /* of its answer, then */
    uint16_t pdc;        /* that it came on; 0: closed */
    struct uet_ip from;
    struct ses_request request;
};

#define UNEXPECTED_BLOCK 256u

struct unexpected_block {
    uint32_t next;
    uint8_t bytes[UNEXPECTED_BLOCK];
};

enum op_state {
    OP_WAITING, /* for a PDC or for a time */
    OP_QUEUED,  /* on a PDC, nothing sent */
    OP_SENDING,
    OP_SENT, /* all packets sent */
    OP_ENDED /* its completion tells how */
};

/* One READ of a rendezvous, at its source. */
struct reading {
    uint32_t run, id; /* which: the life of its PDC, and its message_id or PSN */
    uint32_t total;   /* bytes that it asks for; 0: no READ */
    uint64_t from;    /* ... of the region, from here on */
    uint32_t arrived; /* ... and how many have come there */
    bool over;        /* a later READ asks for them: of this one nothing counts any more */
};

#define READINGS 8u

struct operation {
    uint32_t next, prev; /* of the PDC, or the waiting list */
    uint32_t sent;       /* payload bytes */
    uint32_t unacked;    /* packets not retired */
    uint32_t modified;   /* bytes the target says it changed */
    uint16_t message_id;
    uint16_t pdc;
    uint8_t state;
    uint8_t return_code;
    uint8_t retries;     /* on new PDCs */
    uint8_t ses_retries; /* after a return code that may pass */
    uint8_t generation;  /* the current one, as RC_BAD_GENERATION told it */
    bool in_turn;        /* on ROD, to an RI that was disabled: none of them overtakes another */
    uint32_t number;     /* the order of submission */
    uint16_t left;       /* the PDC on which it was last */
    bool modified_known : 1;
    bool maybe_done : 1; /* a packet of it has left, and nobody has refused that */
    bool no_response;    /* a packet was answered with UET_NO_RESPONSE (SES-110) */
    uint32_t psn;        /* READ: of its first packet, which names it when message_id does not */
    uint32_t n_have;     /* READ: packets from the first on whose data has come, ... */
    uint64_t have;       /* ... and which of those after the next one: bit i is n_have + i */
    uint64_t not_before;
    uint32_t irt;      /* initiator_restart_token of a deferrable send; RTR: the one it names; of a
                          rendezvous its own */
    uint32_t trt;      /* target_restart_token that it carries */
    uint32_t next_trt; /* ... of the restart that is to come */
    bool deferred;     /* it was told so: it waits for an RTR (SES-146) */
    bool restarts;     /* an RTR has come: next_trt */
    uint32_t used_trt; /* of the last restart: not to be used again (SES-169) */
    const struct uet_region *region; /* of a rendezvous: where the target reads, */
    uint32_t to_read;                /* ... how much, */
    uint32_t settled; /* ... how much of it has arrived by READs that are not remembered, ... */
    struct reading readings[READINGS]; /* ... and by those that are */
    bool overflow;                     /* ... the target says that it holds the message */
    bool parked;                       /* ... nothing else is to come */
    uint32_t held;            /* of this FEP itself, for this held send; 0: of the application */
    struct tss_context begun; /* under whose keys it goes: those of its submission */
    struct uet_operation call;
};

static inline struct operation *op_at(const struct uet_fep *fep, uint32_t id)
{
    return pool_item(&fep->operations, id);
}

static inline struct ses_pdc *ses_pdc_at(const struct uet_fep *fep, uint16_t pdc)
{
    return &fep->ses_pdcs[pdc];
}

static inline struct message *message_at(const struct uet_fep *fep, uint32_t id)
{
    return pool_item(&fep->messages, id);
}

static inline struct held *held_at(const struct uet_fep *fep, uint32_t id)
{
    return pool_item(&fep->held, id);
}

static inline struct posted *receive_at(const struct uet_fep *fep, uint32_t id)
{
    return pool_item(&fep->receives, id);
}

#endif
