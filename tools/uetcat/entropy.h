/* SPDX-License-Identifier: BSD-2-Clause */
/* Entropy values (3.5.10.1): the UDP source port, or the field of the entropy header. */
#ifndef UETCAT_ENTROPY_H
#define UETCAT_ENTROPY_H

#include <stdbool.h>
#include <stdint.h>

enum { UETCAT_ENTROPIES = 65536 };

/* The values to use, in turn. */
struct uetcat_entropy {
    uint32_t n; /* 0: the FEP chooses */
    uint32_t next;
    uint16_t value[UETCAT_ENTROPIES];
};

/*
 * Reads "0xc000", "0xc000-0xc00f", "all:64" (so many, spread over all), or several of these with
 * commas; each value counts once. False after a message in the command's name.
 */
bool uetcat_entropy_read(const char *command, const char *text, struct uetcat_entropy *e);

/* The next one. */
uint16_t uetcat_entropy_take(struct uetcat_entropy *e);

/* Puts them into another order, drawn from the random numbers. */
void uetcat_entropy_shuffle(struct uetcat_entropy *e, uint64_t (*random)(void));

#endif
