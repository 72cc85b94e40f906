/* SPDX-License-Identifier: BSD-2-Clause */
#include "port/pcap_file.h"

#include <errno.h>
#include <pcap/pcap.h>
#include <stdlib.h>
#include <string.h>

#include "port/capture_internal.h"

enum { SNAPLEN = 262144 };

/* ---- reading ---- */

static int pcap_read_next(struct uet_capture *capture, struct uet_capture_packet *packet)
{
    pcap_t *pcap = capture->state;
    off_t at = ftello(capture->file);
    uint64_t offset = at < 0 ? 0 : (uint64_t)at;
    struct pcap_pkthdr *header;
    const u_char *data;
    int rc = pcap_next_ex(pcap, &header, &data);
    int link = pcap_datalink(pcap);

    if (rc == PCAP_ERROR_BREAK)
        return 0;
    if (rc != 1)
        return capture_fail(capture, ferror(capture->file) ? EIO : EBADMSG, offset,
                            "%s: the record is damaged or the file cut short", pcap_geterr(pcap));
    packet->data = data;
    packet->caplen = header->caplen;
    packet->len = header->len > header->caplen ? header->len : header->caplen;
    /* With nanosecond precision tv_usec holds nanoseconds. */
    packet->time_ns = (uint64_t)header->ts.tv_sec * 1000000000u + (uint64_t)header->ts.tv_usec;
    packet->offset = offset;
    /* libpcap turns the file's LINKTYPE_RAW into the system's DLT_RAW. */
    packet->linktype = link == DLT_RAW ? UET_LINKTYPE_RAW_IP : (uint32_t)link;
    return 1;
}

static void pcap_read_close(struct uet_capture *capture)
{
    /* pcap_close closes the FILE with it, but leaves standard input open. */
    pcap_close(capture->state);
    if (capture->file != stdin)
        capture->file = NULL;
}

static const struct capture_format pcap_format = {.next = pcap_read_next, .close = pcap_read_close};

int capture_begin_pcap(struct uet_capture *capture)
{
    char why[PCAP_ERRBUF_SIZE] = "";

    capture->state =
        pcap_fopen_offline_with_tstamp_precision(capture->file, PCAP_TSTAMP_PRECISION_NANO, why);
    if (!capture->state)
        return capture_fail(capture, EBADMSG, 0, "%s: the file header is damaged or cut short",
                            why);
    capture->format = &pcap_format;
    return 0;
}

/* ---- writing ---- */

struct uet_pcap {
    pcap_t *pcap;
    pcap_dumper_t *dumper;
    int failed;
};

int uet_pcap_open(struct uet_pcap **out, const char *path, char *err, size_t errlen)
{
    struct uet_pcap *pcap = calloc(1, sizeof(*pcap));

    if (pcap)
        pcap->pcap =
            pcap_open_dead_with_tstamp_precision(DLT_EN10MB, SNAPLEN, PCAP_TSTAMP_PRECISION_NANO);
    if (!pcap || !pcap->pcap) {
        free(pcap);
        snprintf(err, errlen, "%s: not enough memory", path);
        return -ENOMEM;
    }
    errno = 0;
    pcap->dumper = pcap_dump_open(pcap->pcap, path);
    if (!pcap->dumper) {
        int rc = errno ? -errno : -EIO;

        snprintf(err, errlen, "cannot write: %s", pcap_geterr(pcap->pcap));
        pcap_close(pcap->pcap);
        free(pcap);
        return rc;
    }
    *out = pcap;
    return 0;
}

int uet_pcap_write(struct uet_pcap *pcap, const uint8_t *data, uint32_t len, uint64_t time_ns)
{
    struct pcap_pkthdr header = {.ts = {.tv_sec = (time_t)(time_ns / 1000000000u),
                                        .tv_usec = (suseconds_t)(time_ns % 1000000000u)},
                                 .caplen = len,
                                 .len = len};

    if (pcap->failed)
        return pcap->failed;
    if (len > SNAPLEN)
        return -EMSGSIZE;
    errno = 0;
    pcap_dump((u_char *)pcap->dumper, &header, data);
    if (ferror(pcap_dump_file(pcap->dumper)))
        pcap->failed = errno ? -errno : -EIO;
    return pcap->failed;
}

int uet_pcap_close(struct uet_pcap *pcap)
{
    int rc = pcap->failed;

    errno = 0;
    if (pcap_dump_flush(pcap->dumper) && rc == 0)
        rc = errno ? -errno : -EIO;
    pcap_dump_close(pcap->dumper);
    pcap_close(pcap->pcap);
    free(pcap);
    return rc;
}
