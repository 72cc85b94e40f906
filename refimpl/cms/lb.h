/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Load balancing (3.6.16): which entropy value (EV) the next packet to a destination gets, and what
 * the answers say of the EVs used. A way to balance is a row of uet_lbs and a file. A PDC of ROD
 * has one EV at a time, whatever the row (PDS-004); t_reroute says when it may take another.
 */
#ifndef UET_REFIMPL_CMS_LB_H
#define UET_REFIMPL_CMS_LB_H

#include <stdbool.h>
#include <stdint.h>

struct uet_fep;
struct ccc;

enum { LB_EVS = 256, LB_CACHED = 8 };

enum uet_lb_row {
    LB_RANDOM,    /* any EV, at random, or EV_Slots of them in turn */
    LB_OBLIVIOUS, /* each of a set once, in an order that changes from pass to pass (3.6.16.3) */
    LB_REPS,      /* those of unmarked answers once more, else a new one (3.6.16.4) */
    LB_BITMAP,    /* as oblivious, but those with bad news are passed over once (3.6.16.4) */
    LB_COUNT
};

/* What the answer to a packet, or the lack of one, says of its EV. */
enum uet_lb_news { LB_GOOD, LB_MARKED, LB_TRIMMED, LB_LOST };

/* A pass over the set: the numbers 0 to ev_set_size - 1 in the order of a XOR. */
struct uet_lb_pass {
    uint16_t at, turn; /* the next number, and what it is XORed with */
};

struct uet_lb_state {
    uint8_t row;   /* enum uet_lb_row: begun for this one */
    uint16_t base; /* the EVs of the set follow this one */
    union {
        struct uet_lb_pass pass;
        struct {
            struct uet_lb_pass pass;
            uint16_t n_bad;
            uint64_t bad[LB_EVS / 64]; /* a bit for each number of the set */
        } bitmap;
        struct {
            uint64_t thaws_at;
            uint16_t cached[LB_CACHED];
            uint8_t n, end;  /* in the ring; where the next one goes */
            uint8_t fresh;   /* the newest of them, not used again yet */
            uint8_t turn;    /* frozen: the one used next */
            uint8_t explore; /* new ones still to be drawn before it may freeze again */
            bool frozen;
        } reps;
    };
};

struct uet_lb {
    uint16_t (*pick)(struct uet_fep *fep, struct uet_lb_state *lb);
    void (*told)(struct uet_fep *fep, struct uet_lb_state *lb, uint16_t ev, enum uet_lb_news news);
};

extern const struct uet_lb uet_lbs[LB_COUNT];

/* The EV of the next RUD packet to this destination, by LB; ... */
uint16_t uet_lb_pick(struct uet_fep *fep, struct ccc *ccc);
/* ... and what is known of an EV. */
void uet_lb_told(struct uet_fep *fep, struct ccc *ccc, uint16_t ev, enum uet_lb_news news);

/* ---- path.c ---- */

/* The EV of that number in the set, and the number of an EV; false: it is none of the set. */
uint16_t uet_lb_ev(const struct uet_lb_state *lb, uint16_t number);
bool uet_lb_number(const struct uet_fep *fep, const struct uet_lb_state *lb, uint16_t ev,
                   uint16_t *number);
/* The next number of the pass. */
uint16_t uet_lb_step(struct uet_fep *fep, struct uet_lb_pass *pass);

/* ---- oblivious.c, reps.c, bitmap.c ---- */

uint16_t uet_lb_oblivious_pick(struct uet_fep *fep, struct uet_lb_state *lb);
uint16_t uet_lb_reps_pick(struct uet_fep *fep, struct uet_lb_state *lb);
void uet_lb_reps_told(struct uet_fep *fep, struct uet_lb_state *lb, uint16_t ev,
                      enum uet_lb_news news);
uint16_t uet_lb_bitmap_pick(struct uet_fep *fep, struct uet_lb_state *lb);
void uet_lb_bitmap_told(struct uet_fep *fep, struct uet_lb_state *lb, uint16_t ev,
                        enum uet_lb_news news);

#endif
