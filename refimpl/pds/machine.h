/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * The rows of a PDC's state machines, named as the transitions of Figures 3-48 (I) and 3-49 (T)
 * in docs/pdc-states.md; refimpl/tests/pds/transitions.txt says where the others are done.
 * Part of struct uet_law: variants and faults edit rows of their FEP's copy. Private.
 */
#ifndef UET_REFIMPL_PDS_MACHINE_H
#define UET_REFIMPL_PDS_MACHINE_H

#include <stdbool.h>
#include <stdint.h>

struct pdc;
struct uet_fep;

/* In these states, on this event, if that holds, do this, and go there. The first that fits. */
struct pdc_row {
    uint8_t event;   /* enum pdc_event */
    uint16_t states; /* a bit for each of enum pdc_state; 0: the row is out of force */
    bool (*guard)(struct uet_fep *, const struct pdc *);
    void (*action)(struct uet_fep *, struct pdc *);
    uint8_t next; /* enum pdc_state, or PDC_STAY */
};

#define PDC_STAY UINT8_MAX

enum pdc_initiator_row {
    ROW_I4,       /* the first ACK or NACK with a spdcid */
    ROW_I14,      /* own decision, Close Request, or REQ_CLOSE */
    ROW_I16,      /* the messages have ended */
    ROW_I17,      /* all is acknowledged: Close Command, or ... */
    ROW_I18,      /* ... nobody was there */
    ROW_I17_SENT, /* it has left */
    ROW_I19,
    ROW_I21_GONE,   /* the peer says that its half is gone (PDS-206) */
    ROW_I15,        /* in error, and the peer is told */
    ROW_I15_ALONE,  /* I8 and I5, too: no Close Command could arrive */
    ROW_I15_NOBODY, /* the peer has no such PDC */
    ROW_I21,
    ROW_I12_ASK,     /* read data does not come (PDS-215): is the target still there? */
    ROW_I12_END,     /* it does not come at all */
    ROW_NO_RESPONSE, /* a response that was promised (UET_NO_RESPONSE) does not come */
    INITIATOR_ROWS
};

enum pdc_target_row {
    ROW_T6,         /* T5, into PENDING, is in uet_target_lookup_syn */
    ROW_T7,         /* New_PDC_Time */
    ROW_T11,        /* Close Request */
    ROW_T12_BEGUN,  /* Close_REQ_Time, but a message goes on */
    ROW_T12,        /* no Close Command has come */
    ROW_T14,        /* a Close Command while own packets wait; contested, and no rule */
    ROW_T13_BEGIN,  /* it waits until all is quiet */
    ROW_T13,        /* Close ACK */
    ROW_T13_DATA,   /* read data is on its way */
    ROW_T13_TIME,   /* it never became quiet */
    ROW_T16_FAILED, /* in error: the Close Request itself */
    ROW_T16,        /* the Close Request tells of it */
    ROW_T16_CLOSING,
    ROW_T16_NOBODY, /* the peer has no such PDC, or this side no such domain any more */
    TARGET_ROWS
};

struct pdc_machine {
    struct pdc_row initiator[INITIATOR_ROWS];
    struct pdc_row target[TARGET_ROWS];
};

/* Both tables, as the rule has them. */
extern const struct pdc_machine uet_pdc_machine;

/* T14, where it is chosen: packets of this side wait for their ACK. */
bool uet_pdc_own_packets_wait(struct uet_fep *fep, const struct pdc *pdc);
/* PDS-210, where no NACK is chosen. */
void uet_pdc_end_unclosed(struct uet_fep *fep, struct pdc *pdc);
/* The ACK of the Close Command. */
void uet_pdc_ack_close(struct uet_fep *fep, struct pdc *pdc);

#endif
