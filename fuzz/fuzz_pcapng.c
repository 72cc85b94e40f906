/* SPDX-License-Identifier: BSD-2-Clause */
/* The reader of capture files, pcapng and pcap: an input is a file. */
#define _GNU_SOURCE
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "fuzz/fuzz.h"
#include "port/capture.h"

/* Reads all bytes that the packet claims to have. */
static void touch(const struct uet_capture_packet *packet)
{
    volatile uint8_t sink = 0;
    for (uint32_t i = 0; i < packet->caplen; i++)
        sink ^= packet->data[i];
    FUZZ_CHECK(packet->len >= packet->caplen);
    if (packet->comment)
        sink ^= (uint8_t)strlen(packet->comment);
    (void)sink;
}

static void read_all(struct uet_capture *capture, size_t size)
{
    struct uet_capture_packet packet;
    size_t n = 0;
    int r;
    while ((r = uet_capture_next(capture, &packet)) > 0) {
        touch(&packet);
        FUZZ_CHECK(++n <= size); /* no packet takes no bytes: it ends */
    }
    FUZZ_CHECK((r < 0) == (uet_capture_error(capture)[0] != '\0'));
    FUZZ_CHECK(uet_capture_next(capture, &packet) == r); /* and the same ever after */
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    char path[64], err[400] = "";
    struct uet_capture *capture;
    int fd = memfd_create("capture", MFD_CLOEXEC);
    FUZZ_CHECK(fd >= 0);
    FUZZ_CHECK(write(fd, data, size) == (ssize_t)size);
    snprintf(path, sizeof path, "/proc/self/fd/%d", fd);
    if (uet_capture_open(&capture, path, err, sizeof err) == 0) {
        read_all(capture, size);
        uet_capture_close(capture);
    } else {
        FUZZ_CHECK(err[0] && !strchr(err, '\n'));
    }
    close(fd);
    return 0;
}
