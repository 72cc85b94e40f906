/* SPDX-License-Identifier: BSD-2-Clause */
/* Which format a capture file has, and the way to its reader. */
#include "port/capture.h"

#include <errno.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include "port/capture_internal.h"

int capture_fail(struct uet_capture *capture, int code, uint64_t offset, const char *format, ...)
{
    va_list args;
    int n = snprintf(capture->error, sizeof(capture->error), "%s: offset %llu: ", capture->path,
                     (unsigned long long)offset);

    if (n > 0 && (size_t)n < sizeof(capture->error)) {
        va_start(args, format);
        vsnprintf(capture->error + n, sizeof(capture->error) - (size_t)n, format, args);
        va_end(args);
    }
    capture->failed = -code;
    return -code;
}

static const struct {
    uint8_t magic[4];
    int (*begin)(struct uet_capture *capture);
    const char *refusal; /* where begin is NULL: what it is instead, and what to do */
} formats[] = {
    {{0x0a, 0x0d, 0x0d, 0x0a}, capture_begin_pcapng, NULL},
    {{0xd4, 0xc3, 0xb2, 0xa1}, capture_begin_pcap, NULL}, /* microseconds, little-endian */
    {{0xa1, 0xb2, 0xc3, 0xd4}, capture_begin_pcap, NULL},
    {{0x4d, 0x3c, 0xb2, 0xa1}, capture_begin_pcap, NULL}, /* nanoseconds */
    {{0xa1, 0xb2, 0x3c, 0x4d}, capture_begin_pcap, NULL},
    {{0x1f, 0x8b, 0x08}, NULL, "the file is compressed: unpack it first with gunzip"},
    {{0x28, 0xb5, 0x2f, 0xfd}, NULL, "the file is compressed: unpack it first with unzstd"},
};

static int begin(struct uet_capture *capture)
{
    uint8_t magic[4] = {0};
    size_t n = fread(magic, 1, sizeof(magic), capture->file);

    if (n < sizeof(magic) && ferror(capture->file) && errno == EISDIR)
        return capture_fail(capture, errno, 0, "it is a directory: give a capture file");
    if (n < sizeof(magic) && ferror(capture->file))
        return capture_fail(capture, errno, 0, "cannot read: %s", strerror(errno));
    if (n < sizeof(magic))
        return capture_fail(capture, EBADMSG, n,
                            "the file ends before the first 4 bytes: it is no capture");
    for (size_t i = 0; i < sizeof(formats) / sizeof(formats[0]); i++) {
        if (memcmp(magic, formats[i].magic, formats[i].refusal ? 3 : 4) != 0)
            continue;
        if (formats[i].refusal)
            return capture_fail(capture, EBADMSG, 0, "%s", formats[i].refusal);
        /* Back into stdio's buffer, where they still are: this works on a pipe too. */
        for (n = sizeof(magic); n-- > 0;)
            if (ungetc(magic[n], capture->file) == EOF)
                return capture_fail(capture, EIO, 0, "cannot read from the start");
        return formats[i].begin(capture);
    }
    return capture_fail(capture, EBADMSG, 0,
                        "neither pcapng nor pcap (it begins with %02x %02x %02x %02x): give a "
                        "capture file",
                        magic[0], magic[1], magic[2], magic[3]);
}

int uet_capture_open(struct uet_capture **out, const char *path, char *err, size_t errlen)
{
    size_t path_size = strlen(path) + 1;
    struct uet_capture *capture = calloc(1, sizeof(*capture) + path_size);
    int rc = 0;

    if (!capture) {
        snprintf(err, errlen, "%s: not enough memory", path);
        return -ENOMEM;
    }
    capture->path = memcpy(capture + 1, path, path_size);
    capture->file = strcmp(path, "-") == 0 ? stdin : fopen(path, "rb");
    if (!capture->file) {
        rc = -errno;
        snprintf(err, errlen, "%s: cannot open: %s", path, strerror(errno));
    } else {
        rc = begin(capture);
        if (rc)
            snprintf(err, errlen, "%s", capture->error);
    }
    if (rc)
        uet_capture_close(capture);
    else
        *out = capture;
    return rc;
}

int uet_capture_next(struct uet_capture *capture, struct uet_capture_packet *packet)
{
    memset(packet, 0, sizeof(*packet));
    return capture->failed ? capture->failed : capture->format->next(capture, packet);
}

const char *uet_capture_error(const struct uet_capture *capture)
{
    return capture->error;
}

void uet_capture_close(struct uet_capture *capture)
{
    if (!capture)
        return;
    if (capture->format)
        capture->format->close(capture);
    if (capture->file && capture->file != stdin)
        fclose(capture->file);
    free(capture);
}
