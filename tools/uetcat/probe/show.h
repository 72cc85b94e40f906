/* SPDX-License-Identifier: BSD-2-Clause */
/* What `uetcat probe` prints: a table as it grows, or one JSON object at the end. */
#ifndef UETCAT_PROBE_SHOW_H
#define UETCAT_PROBE_SHOW_H

#include <jansson.h>

#include "tools/uetcat/probe/ask.h"

struct probe_show {
    bool json;
    json_t *object, *trials;
    const char *group; /* of the line before */
};

void probe_show_start(struct probe_show *s, const struct uetcat_link *l);
/* A trial and its answer, as the FEP gave it; note: what to know of that, or NULL. */
void probe_show_answer(struct probe_show *s, const char *group, const char *name,
                       const struct probe_answer *a, const char *note);
/* What was seen to be so, or not; and what was not tried, or cannot be told. */
void probe_show_fact(struct probe_show *s, const char *group, const char *name, bool holds,
                     const char *note);
void probe_show_note(struct probe_show *s, const char *group, const char *name, const char *note);
/* Nothing came: why that may be. */
void probe_show_silence(struct probe_show *s, const char *why);
/* wrapping: what is answered, NULL for nothing; payload: the largest that was, 0 for none. */
void probe_show_end(struct probe_show *s, const char *wrapping, unsigned payload);

#endif
