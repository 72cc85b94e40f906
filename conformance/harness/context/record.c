/* SPDX-License-Identifier: BSD-2-Clause */
#include "conformance/harness/context/record.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "conformance/harness/context/context.h"
#include "port/pcapng.h"

uint32_t uet_record_frame(struct uet_record *record, const uint8_t *frame, uint32_t len, bool out,
                          uint64_t time_ns, const uint8_t **data)
{
    if (record->n == record->cap) {
        uint32_t cap = record->cap ? record->cap * 2 : 64;
        struct uet_record_frame *more = realloc(record->frames, cap * sizeof(*more));

        if (!more)
            return 0;
        record->frames = more;
        record->cap = cap;
    }
    uint8_t *copy = uet_arena_alloc(record->arena, len);
    if (!copy)
        return 0;
    memcpy(copy, frame, len);
    record->frames[record->n++] =
        (struct uet_record_frame){.data = copy, .len = len, .out = out, .time_ns = time_ns};
    *data = copy;
    return record->n;
}

/* A line of a comment: words, or a packet that will be told in words. */
struct uet_note {
    struct uet_note *next;
    const struct uet_packet *packet; /* or NULL */
    char text[];
};

static struct uet_note *add_note(struct uet_record *record, uint32_t number, size_t text_size)
{
    struct uet_note *note = number > 0 && number <= record->n
                                ? uet_arena_alloc(record->arena, sizeof(*note) + text_size)
                                : NULL;

    if (!note) /* without memory the story loses a line; the capture stays */
        return NULL;
    struct uet_record_frame *f = &record->frames[number - 1];
    if (f->last_note)
        f->last_note->next = note;
    else
        f->first_note = note;
    f->last_note = note;
    return note;
}

void uet_record_note(struct uet_record *record, uint32_t number, const char *text)
{
    size_t size = strlen(text) + 1;
    struct uet_note *note = add_note(record, number, size);

    if (note)
        memcpy(note->text, text, size);
}

void uet_record_note_packet(struct uet_record *record, uint32_t number,
                            const struct uet_packet *packet)
{
    struct uet_note *note = add_note(record, number, 0);

    if (note)
        note->packet = packet;
}

static const char *words_of(const struct uet_note *note, char *line)
{
    if (!note->packet)
        return note->text;
    uet_print_line(line, UET_LINE_MAX, note->packet);
    return line;
}

/* Its notes, a line each; NULL where it has none, or no memory is left. The caller frees it. */
static char *comment_of(const struct uet_record_frame *f)
{
    char line[UET_LINE_MAX], *comment;
    size_t size = 0, at = 0;

    for (const struct uet_note *note = f->first_note; note; note = note->next)
        size += strlen(words_of(note, line)) + 1;
    comment = size ? malloc(size) : NULL;
    for (const struct uet_note *note = f->first_note; comment && note; note = note->next) {
        const char *words = words_of(note, line);
        size_t n = strlen(words);

        memcpy(comment + at, words, n);
        at += n;
        comment[at++] = note->next ? '\n' : '\0';
    }
    return comment;
}

int uet_record_write(const struct uet_record *record, const char *path, const char *interface,
                     uint64_t epoch_ns, char *err, size_t errlen)
{
    struct uet_pcapng *file;
    int rc = uet_pcapng_open_on(&file, path, interface, err, errlen), closed;

    if (rc)
        return rc;
    for (uint32_t i = 0; i < record->n && !rc; i++) {
        const struct uet_record_frame *f = &record->frames[i];
        char *comment = comment_of(f);

        rc = uet_pcapng_write(file, f->data, f->len, f->time_ns + epoch_ns,
                              f->out ? UET_DIRECTION_OUT : UET_DIRECTION_IN, comment);
        free(comment);
    }
    closed = uet_pcapng_close(file);
    rc = rc ? rc : closed;
    if (rc)
        snprintf(err, errlen, "%s: %s", path, strerror(-rc));
    return rc;
}

void uet_record_free(struct uet_record *record)
{
    free(record->frames);
    record->frames = NULL;
    record->n = record->cap = 0;
}
