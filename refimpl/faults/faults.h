/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * The faults of the bent build (uet_fep_bent), and where they enter: hooks, which in uet_fep are
 * empty; nothing else of the FEP knows of faults. Private to refimpl/. See README.md here.
 */
#ifndef UET_REFIMPL_FAULTS_FAULTS_H
#define UET_REFIMPL_FAULTS_FAULTS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "refimpl/faults/list.h"
#include "refimpl/fep.h"
#include "wire/packet.h"

struct uet_fep;
struct uet_fault_ways;

#ifdef UET_BENT
/* Of a way: the number of its table, and its own in that. */
struct uet_fault_place {
    uint16_t part, way;
};

/* Which rules are broken: violate.c sets it, the hooks read it. So no rule that the FEP keeps is
 * linked to the code that breaks it. */
struct uet_faults {
    uint16_t n; /* of them */
    bool broken[VIOLATION_COUNT];
    const struct uet_fault_ways *const *parts; /* all that can be broken; NULL while n is 0 */
    struct uet_fault_place begin, end;         /* their ways stand between these */
    struct uet_fep_params told;     /* the parameters as the application sees and sets them */
    uint64_t memo[VIOLATION_COUNT]; /* what a fault wants to remember; 0 when it begins */
    uint8_t frame[UET_FRAME_MAX];   /* the frame that has come, as the faults have changed it */
};

/* The law has just been made: breaks its rows. */
void uet_faults_rows(struct uet_fep *fep);
/* The parameters for the application; those in force (fep->params) differ where one is broken. */
struct uet_fep_params *uet_faults_told(struct uet_fep *fep);
/* Before each call into the FEP: the parameters in force. */
void uet_faults_before(struct uet_fep *fep);
/* A frame has come: a changed copy, good until the next one comes; NULL when it is lost. */
const uint8_t *uet_faults_in(struct uet_fep *fep, const uint8_t *frame, size_t *len);
/* The same of one that was sealed, and is open now: false when it is lost. */
bool uet_faults_opened(struct uet_fep *fep, struct uet_packet *p);
/* A frame leaves, not yet sealed, in a buffer of UET_FRAME_MAX bytes: its length now, 0 when it is
 * lost. */
size_t uet_faults_out(struct uet_fep *fep, uint8_t *frame, size_t len);
/* After each call into the FEP. */
void uet_faults_after(struct uet_fep *fep);
/* All has been reset. */
void uet_faults_reset(struct uet_fep *fep);
#else
static inline void uet_faults_rows(struct uet_fep *fep)
{
    (void)fep;
}
/* fep->params itself, which this header does not see. */
#define uet_faults_told(fep) (&(fep)->params)
static inline void uet_faults_before(struct uet_fep *fep)
{
    (void)fep;
}
static inline const uint8_t *uet_faults_in(struct uet_fep *fep, const uint8_t *frame, size_t *len)
{
    (void)fep, (void)len;
    return frame;
}
static inline bool uet_faults_opened(struct uet_fep *fep, struct uet_packet *p)
{
    (void)fep, (void)p;
    return true;
}
static inline size_t uet_faults_out(struct uet_fep *fep, uint8_t *frame, size_t len)
{
    (void)fep, (void)frame;
    return len;
}
static inline void uet_faults_after(struct uet_fep *fep)
{
    (void)fep;
}
static inline void uet_faults_reset(struct uet_fep *fep)
{
    (void)fep;
}
#endif

#endif
