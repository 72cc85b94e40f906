/* SPDX-License-Identifier: BSD-2-Clause */
/* The rules of security that are rows: part of struct uet_law. Private to refimpl/. */
#ifndef UET_REFIMPL_TSS_LAW_H
#define UET_REFIMPL_TSS_LAW_H

#include "wire/tss.h"

struct uet_fep;
struct tss_context;
struct tss_domain;
struct tss_slot;

struct tss_law {
    /* ---- what comes ---- */
    /* Is the domain in use (TSS-039)? */
    bool (*in_use)(const struct tss_domain *own);
    /* The slot whose key opens the packet (TSS-033). */
    uint8_t (*slot)(const struct tss_domain *own, const struct uet_packet *p);
    bool (*fits)(const struct uet_tss_sa *sa, const struct uet_packet *p);
    bool (*is_late)(uint16_t current, uint16_t packet, uint16_t lifetime);
    enum uet_tss_status (*open)(struct uet_tss_sa *sa, const uint8_t *frame,
                                const struct uet_tss_place *at, uint8_t *plain);
    /* It is dropped, and counted there; own is NULL when its SDI is not installed. */
    void (*drop)(struct uet_fep *fep, const struct uet_packet *p, struct tss_domain *own,
                 uint16_t counter);
    /* May it reach the PDC and the job that it names? */
    bool (*bound)(const struct uet_fep *fep, const struct uet_packet *p,
                  const struct tss_context *of_pdc);
    /* May what answers a Request of the job come so? */
    bool (*serves)(const struct uet_fep *fep, const struct tss_context *tss, uint32_t job_id);

    /* A key goes into a slot, in the place of what was there (TSS-036). */
    int (*load)(const struct uet_fep *fep, struct tss_slot *slot,
                const struct uet_tss_params *keys);

    /* A key is taken away, a domain is removed. */
    void (*unload)(struct tss_slot *slot);
    void (*remove)(struct uet_fep *fep, struct tss_domain *own);

    /* ---- what leaves ---- */
    enum uet_tss_status (*next)(struct uet_tss_sender *sender, struct uet_tss_stamp *stamp);
    /* May packets of the domain leave at all (TSS-039, ROB-052)? */
    bool (*may_leave)(const struct tss_domain *own);
    /* May a packet go in clear? */
    bool (*clear_may_go)(const struct uet_fep *fep);
    /* The slot whose key seals the packet, of which this is the TSS header and what follows. */
    uint8_t (*seals)(const struct tss_domain *own, const uint8_t *header);
    enum uet_tss_status (*seal)(struct uet_tss_sa *sa, uint8_t *frame,
                                const struct uet_tss_place *at);
    bool nacks_in_clear; /* contested (TSS-054): those that name no PDC */

    /* ---- where PDCs begin ---- */
    /* May that of a peer begin there? If not, *wanted is where. */
    bool (*start_ok)(struct uet_fep *fep, const struct tss_context *tss, uint32_t start_psn,
                     uint32_t *wanted);
    /* Below which none begins any more when one has ended that had these PSNs (TSS-066). */
    uint32_t (*floor)(uint32_t start_psn, uint32_t last_psn);
    void (*raise_floor)(struct uet_fep *fep, const struct tss_context *tss, uint32_t start_psn,
                        uint32_t floor);
    /* Does the domain tell its floor in Close ACKs (TSS-067)? */
    bool (*tells_floor)(const struct uet_fep *fep, const struct tss_context *tss, uint32_t *floor);
    /* A peer has told its floor (TSS-068). */
    void (*floor_told)(struct uet_fep *fep, const struct tss_context *tss, uint32_t floor);
};

/* Fills the law with the rules of 3.7. */
void uet_sd_law(struct tss_law *law);

#endif
