/* SPDX-License-Identifier: BSD-2-Clause */
/* JOB:PID:RI and lengths, as the programs' options have them. */
#ifndef UET_TOOLS_PLACE_H
#define UET_TOOLS_PLACE_H

#include <stdbool.h>
#include <stdint.h>

/* The address of a resource index (3.4.1.3). */
struct uet_place {
    uint32_t job_id;
    uint16_t pid_on_fep, resource_index;
};

/* A whole number without sign, decimal or 0x; *end is what follows it. */
bool uet_place_number(const char *text, uint64_t *out, const char **end);

/* "JOB:PID:RI:", what follows, or NULL. */
const char *uet_place_parse(const char *text, struct uet_place *place);

/* A length in bytes, KiB or MiB, at least 1, to the end of the text. */
bool uet_place_length(const char *text, uint32_t *length);

#endif
