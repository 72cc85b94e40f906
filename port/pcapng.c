/* SPDX-License-Identifier: BSD-2-Clause */
#include "port/pcapng.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "port/pcapng_format.h"

enum {
    BUFFER = 256 << 10,
    FRAME_MAX = 1 << 20,
    COMMENT_MAX = 65535,
};

struct uet_pcapng {
    int fd;
    int failed; /* the first error, sticky: what follows it would be a file with a hole */
    size_t used;
    uint8_t buffer[BUFFER];
};

/* ---- bytes ---- */

static void write_all(struct uet_pcapng *pcapng, const uint8_t *data, size_t len)
{
    while (len > 0 && pcapng->failed == 0) {
        ssize_t n = write(pcapng->fd, data, len);

        if (n < 0 && errno == EINTR)
            continue;
        if (n < 0) {
            pcapng->failed = -errno;
            return;
        }
        data += n;
        len -= (size_t)n;
    }
}

int uet_pcapng_flush(struct uet_pcapng *pcapng)
{
    write_all(pcapng, pcapng->buffer, pcapng->used);
    pcapng->used = 0;
    return pcapng->failed;
}

static void put(struct uet_pcapng *pcapng, const void *data, size_t len)
{
    if (len > BUFFER - pcapng->used)
        uet_pcapng_flush(pcapng);
    if (len > BUFFER) {
        write_all(pcapng, data, len);
        return;
    }
    memcpy(pcapng->buffer + pcapng->used, data, len);
    pcapng->used += len;
}

static void put16(struct uet_pcapng *pcapng, uint32_t v)
{
    const uint8_t bytes[2] = {(uint8_t)v, (uint8_t)(v >> 8)};

    put(pcapng, bytes, sizeof(bytes));
}

static void put32(struct uet_pcapng *pcapng, uint32_t v)
{
    const uint8_t bytes[4] = {(uint8_t)v, (uint8_t)(v >> 8), (uint8_t)(v >> 16),
                              (uint8_t)(v >> 24)};

    put(pcapng, bytes, sizeof(bytes));
}

static uint32_t padded(uint32_t len)
{
    return (len + 3) & ~3u;
}

static void put_padded(struct uet_pcapng *pcapng, const void *data, uint32_t len)
{
    static const uint8_t zeros[4];

    put(pcapng, data, len);
    put(pcapng, zeros, padded(len) - len);
}

/* ---- blocks ---- */

static uint32_t option_len(uint32_t len)
{
    return 4 + padded(len);
}

static void put_option(struct uet_pcapng *pcapng, uint32_t code, const void *value, uint32_t len)
{
    put16(pcapng, code);
    put16(pcapng, len);
    put_padded(pcapng, value, len);
}

static void put_section(struct uet_pcapng *pcapng)
{
    static const char program[] = "uetkit";
    uint32_t total = NG_BLOCK_MIN + 16 + option_len(sizeof(program) - 1) + 4;

    put32(pcapng, NG_SECTION);
    put32(pcapng, total);
    put32(pcapng, NG_BYTE_ORDER);
    put16(pcapng, 1); /* version 1.0 */
    put16(pcapng, 0);
    put32(pcapng, UINT32_MAX); /* section length: not told */
    put32(pcapng, UINT32_MAX);
    put_option(pcapng, NG_OPT_USERAPPL, program, sizeof(program) - 1);
    put32(pcapng, NG_OPT_END);
    put32(pcapng, total);
}

static void put_interface(struct uet_pcapng *pcapng, const char *name)
{
    static const uint8_t nanoseconds = 9;
    uint32_t length = (uint32_t)strlen(name);
    uint32_t total = NG_BLOCK_MIN + 8 + option_len(length) + option_len(1) + 4;

    put32(pcapng, NG_INTERFACE);
    put32(pcapng, total);
    put16(pcapng, UET_LINKTYPE_ETHERNET);
    put16(pcapng, 0);
    put32(pcapng, 0); /* no limit on the bytes of a packet */
    put_option(pcapng, NG_OPT_NAME, name, length);
    put_option(pcapng, NG_OPT_TSRESOL, &nanoseconds, 1);
    put32(pcapng, NG_OPT_END);
    put32(pcapng, total);
}

int uet_pcapng_write(struct uet_pcapng *pcapng, const uint8_t *data, uint32_t len, uint64_t time_ns,
                     enum uet_direction direction, const char *comment)
{
    size_t comment_len = comment ? strlen(comment) : 0;
    const uint8_t flags[4] = {(uint8_t)direction};
    uint32_t total = NG_BLOCK_MIN + 20 + padded(len);

    if (comment_len > COMMENT_MAX)
        return -E2BIG;
    if (len > FRAME_MAX)
        return -EMSGSIZE;
    if (comment_len)
        total += option_len((uint32_t)comment_len);
    if (direction)
        total += option_len(sizeof(flags));
    if (comment_len || direction)
        total += 4;
    put32(pcapng, NG_PACKET);
    put32(pcapng, total);
    put32(pcapng, 0); /* interface */
    put32(pcapng, (uint32_t)(time_ns >> 32));
    put32(pcapng, (uint32_t)time_ns);
    put32(pcapng, len);
    put32(pcapng, len);
    put_padded(pcapng, data, len);
    if (comment_len)
        put_option(pcapng, NG_OPT_COMMENT, comment, (uint32_t)comment_len);
    if (direction)
        put_option(pcapng, NG_OPT_FLAGS, flags, sizeof(flags));
    if (comment_len || direction)
        put32(pcapng, NG_OPT_END);
    put32(pcapng, total);
    return pcapng->failed;
}

/* ---- the file ---- */

int uet_pcapng_open(struct uet_pcapng **out, const char *path, char *err, size_t errlen)
{
    return uet_pcapng_open_on(out, path, "", err, errlen);
}

int uet_pcapng_open_on(struct uet_pcapng **out, const char *path, const char *interface, char *err,
                       size_t errlen)
{
    struct uet_pcapng *pcapng = malloc(sizeof(*pcapng));
    int rc = -ENOMEM;

    if (pcapng) {
        pcapng->failed = 0;
        pcapng->used = 0;
        pcapng->fd = strcmp(path, "-") == 0
                         ? dup(STDOUT_FILENO)
                         : open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0666);
        rc = pcapng->fd < 0 ? -errno : 0;
    }
    if (rc) {
        snprintf(err, errlen, "%s: cannot write: %s", path, strerror(-rc));
        free(pcapng);
        return rc;
    }
    put_section(pcapng);
    put_interface(pcapng, *interface ? interface : "uet0");
    *out = pcapng;
    return 0;
}

int uet_pcapng_close(struct uet_pcapng *pcapng)
{
    int rc = uet_pcapng_flush(pcapng);

    /* Some file systems tell only here that the disk is full. */
    if (close(pcapng->fd) && rc == 0)
        rc = -errno;
    free(pcapng);
    return rc;
}
