/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Writing pcapng files: one section, one Ethernet interface, nanoseconds, direction and comment on
 * each packet. Little-endian on every machine: same packets, same bytes. Reading goes through
 * port/capture.h.
 */
#ifndef UET_PORT_PCAPNG_H
#define UET_PORT_PCAPNG_H

#include <stddef.h>
#include <stdint.h>

#include "port/capture.h"

struct uet_pcapng;

/* Makes the file anew ("-": standard output). 0, or -errno and a line in err. */
int uet_pcapng_open(struct uet_pcapng **out, const char *path, char *err, size_t errlen);

/* The same, and tells the name of the interface; "" stands for "uet0", which is none. */
int uet_pcapng_open_on(struct uet_pcapng **out, const char *path, const char *interface, char *err,
                       size_t errlen);

/*
 * Appends a frame of len bytes. comment: UTF-8, NULL or "" for none, at most 65535 bytes. 0;
 * -E2BIG for a longer comment, -EMSGSIZE for a frame above 1 MiB (nothing is written then); or the
 * first error of writing (-ENOSPC: the disk is full), from then on always.
 */
int uet_pcapng_write(struct uet_pcapng *pcapng, const uint8_t *data, uint32_t len, uint64_t time_ns,
                     enum uet_direction direction, const char *comment);

/* Hands what is buffered to the system, so that a crash loses nothing. 0 or the first error. */
int uet_pcapng_flush(struct uet_pcapng *pcapng);

/* Writes out and frees. 0, or the first error of all: then the file is not whole. */
int uet_pcapng_close(struct uet_pcapng *pcapng);

#endif
