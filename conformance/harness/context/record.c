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

void uet_record_note(struct uet_record *record, uint32_t number, const char *text)
{
    if (number == 0 || number > record->n)
        return;
    struct uet_record_frame *f = &record->frames[number - 1];
    size_t old = f->comment ? strlen(f->comment) + 1 : 0, n = strlen(text);
    char *comment = uet_arena_alloc(record->arena, old + n + 1);

    if (!comment) /* the story loses a line; the capture stays */
        return;
    if (old) {
        memcpy(comment, f->comment, old - 1);
        comment[old - 1] = '\n';
    }
    memcpy(comment + old, text, n + 1);
    f->comment = comment;
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

        rc = uet_pcapng_write(file, f->data, f->len, f->time_ns + epoch_ns,
                              f->out ? UET_DIRECTION_OUT : UET_DIRECTION_IN, f->comment);
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
