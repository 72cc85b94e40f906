/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * From captured bytes to a packet: links, tunnels, CRC trailers. First bytes of an input: link type
 * (2, big-endian), bits 0-1 protect, 2 any order, 3 little-endian, 4 native IP of protocol 17, then
 * how many bytes the capture left away (1); then what was captured, twice, as from one sender.
 */
#include <string.h>

#include "fuzz/fuzz.h"
#include "wire/captured/reader.h"
#include "wire/print.h"

static void use(const struct uet_packet *p)
{
    char text[1 << 16];
    int n = uet_print_packet(text, sizeof text, p);
    FUZZ_CHECK(n >= 0);
    FUZZ_CHECK(uet_payload_promised(p) >= -1);
    if (p->ip_end)
        (void)uet_src_ip(p);
}

static void check(const struct uet_inner *in, enum uet_decap_end end, const struct uet_packet *p,
                  size_t caplen, size_t len)
{
    FUZZ_CHECK(end == in->end && end <= UET_DECAP_EXTENSION);
    if (end != UET_DECAP_UET) {
        FUZZ_CHECK(p->error == UET_PARSE_NOT_UET);
        return;
    }
    FUZZ_CHECK((size_t)in->offset + in->caplen <= caplen);
    FUZZ_CHECK(in->len >= in->caplen);
    FUZZ_CHECK(in->tunnelled || (size_t)in->offset + in->len >= len); /* a mirror cut it */
    FUZZ_CHECK(in->start == UET_START_ETH || in->start == UET_START_IP);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    if (size < 4 || size > UINT16_MAX)
        return 0;
    uint32_t linktype = (uint32_t)(data[0] << 8 | data[1]);
    const struct uet_parse_options o = {.protect = data[2] & 3,
                                        .lenient = true,
                                        .crc_order = data[2] & 8 ? UET_CRC_LITTLE_ENDIAN
                                                                 : UET_CRC_BIG_ENDIAN,
                                        .ip_protocol = data[2] & 16 ? 17 : 0};
    size_t caplen = size - 4, len = caplen + data[3];
    uint8_t *exact = malloc(caplen ? caplen : 1); /* a read of more shows under ASan */
    struct uet_reader *r = uet_reader_new(&o, data[2] & 4, NULL);
    FUZZ_CHECK(exact && r);
    memcpy(exact, data + 4, caplen);
    for (int i = 0; i < 2; i++) {
        struct uet_packet p;
        struct uet_inner in;
        enum uet_decap_end end = uet_reader_take(r, linktype, exact, caplen, len, &p, &in);
        check(&in, end, &p, caplen, len);
        use(&p);
    }
    uet_reader_free(r);
    free(exact);
    return 0;
}
