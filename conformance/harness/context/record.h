/* SPDX-License-Identifier: BSD-2-Clause */
/* A test's capture: every frame both ways, and the story in their comments. */
#ifndef UET_CONFORMANCE_RECORD_H
#define UET_CONFORMANCE_RECORD_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct uet_arena;
struct uet_packet;

struct uet_record_frame {
    const uint8_t *data;
    uint32_t len;
    const uint8_t *clear; /* the same in clear, where it was sealed and is open; else NULL */
    bool out;             /* sent by the tester */
    uint64_t time_ns;
    struct uet_note *first_note, *last_note; /* lines of its comment */
};

struct uet_record {
    struct uet_arena **arena; /* where frames and comments are kept */
    struct uet_record_frame *frames;
    uint32_t n, cap;
};

/* Keeps a copy of the frame; *data is the copy. Returns its number from 1, 0: no memory. */
uint32_t uet_record_frame(struct uet_record *record, const uint8_t *frame, uint32_t len, bool out,
                          uint64_t time_ns, const uint8_t **data);

/* Adds a line to the comment of frame `number`; 0 and unknown numbers are ignored. */
void uet_record_note(struct uet_record *record, uint32_t number, const char *text);

/* The same: the packet in words (print.h), written when the capture is. It must live as long. */
void uet_record_note_packet(struct uet_record *record, uint32_t number,
                            const struct uet_packet *packet);

/*
 * Writes the pcapng: as on that interface ("": none), its times plus epoch_ns. 0 or a negative
 * errno and a line in err.
 */
int uet_record_write(const struct uet_record *record, const char *path, const char *interface,
                     uint64_t epoch_ns, char *err, size_t errlen);

void uet_record_free(struct uet_record *record);

#endif
