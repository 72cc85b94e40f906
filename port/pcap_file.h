/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Classic pcap files through libpcap, with nanoseconds: for tools that read nothing newer.
 * Reading goes through port/capture.h.
 */
#ifndef UET_PORT_PCAP_FILE_H
#define UET_PORT_PCAP_FILE_H

#include <stddef.h>
#include <stdint.h>

struct uet_pcap;

/* Makes the file anew ("-": standard output), Ethernet frames. 0, or -errno and a line in err. */
int uet_pcap_open(struct uet_pcap **out, const char *path, char *err, size_t errlen);

/* Appends a packet of len bytes. 0, or the first error of writing, from then on always. */
int uet_pcap_write(struct uet_pcap *pcap, const uint8_t *data, uint32_t len, uint64_t time_ns);

/* Writes out and frees. 0, or the first error of all: then the file is not whole. */
int uet_pcap_close(struct uet_pcap *pcap);

#endif
