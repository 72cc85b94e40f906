/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * The rules of this FEP that are tables: its own copy, made when it starts and by each reset. First
 * the rule as the specification has it, then the edits of the version (config.spec), of the profile
 * (config.profile) and of the choices (choices.h), then, in the bent build, those of the faults
 * (faults/). What runs later reads its row and asks none of the four. Private.
 */
#ifndef UET_REFIMPL_LAW_H
#define UET_REFIMPL_LAW_H

#include "refimpl/pds/law.h"
#include "refimpl/pds/machine.h"
#include "refimpl/ses/law.h"
#include "refimpl/tss/law.h"

struct uet_fep;

/* What a Request that a switch has cut is answered (Table 3-61). */
enum uet_trim_answer { UET_TRIMMED_NACK, UET_TRIMMED_ACK, UET_TRIMMED_NOTHING };

struct uet_law {
    struct pds_law pds;
    struct {
        uint8_t no_pdc, psn[UET_PSN_PLACES]; /* enum uet_trim_answer: by enum psn_place */
    } trimmed;
    struct pdc_machine machine; /* its own, of the rows of pds/machine.c */
    /* Where read data goes in the queue of its PDC: to the end (PDS-169). */
    void (*queue_part)(struct uet_fep *fep, struct pdc *pdc, uint32_t id);
    /* A PDC is wanted and there is none: which idle one is closed, or asked for. */
    void (*make_room)(struct uet_fep *fep, bool reserved);
    bool rudi;                /* there is that mode (3.5.7.3) */
    uint32_t callable;        /* bit by ctl_type: what uet_fep_control sends */
    uint64_t answer_delay_ns; /* ACKs, NACKs and responses leave so much later */
    struct ses_law ses;
    struct tss_law tss;
};

void uet_law_make(struct uet_fep *fep);

#endif
