/* SPDX-License-Identifier: BSD-2-Clause */
#include "gen/corpus_list.h"

#include <stdbool.h>
#include <stdio.h>
#include <string.h>

/* ---- wrong lengths, sums, and what IP does wrong ---- */

static const struct gen_listed wrong[] = {
    {"eth/ip(!total_length=0)/udp/pds.nack", "total_length", UET_PARSE_IP_LENGTH, "length",
     UET_H_IPV4},
    {"eth/ip(!total_length=19)/udp/pds.nack", "total_length", UET_PARSE_IP_LENGTH, "length",
     UET_H_IPV4},
    {"eth/ip(!total_length=20)/udp/pds.nack", "total_length", UET_PARSE_UDP_SHORT, "length",
     UET_H_IPV4},
    {"eth/ip(!total_length=27)/udp/pds.nack", "total_length", UET_PARSE_UDP_SHORT, "length",
     UET_H_IPV4},
    {"eth/ip(!total_length=43)/udp/pds.nack", "total_length", UET_PARSE_UDP_LENGTH, "length",
     UET_H_IPV4},
    {"eth/ip(!total_length=45)/udp/pds.nack", "total_length", UET_PARSE_IP_LENGTH, "length",
     UET_H_IPV4},
    {"eth/ip(!total_length=45)/udp/pds.nack/pad(1)", "total_length", UET_PARSE_UDP_LENGTH, "length",
     UET_H_IPV4},
    {"eth/ip(!total_length=65535)/udp/pds.nack", "total_length", UET_PARSE_IP_LENGTH, "length",
     UET_H_IPV4},
    {"eth/ip6(!payload_length=0)/udp/pds.nack", "payload_length", UET_PARSE_UDP_SHORT, "length",
     UET_H_IPV6},
    {"eth/ip6(!payload_length=7)/udp/pds.nack", "payload_length", UET_PARSE_UDP_SHORT, "length",
     UET_H_IPV6},
    {"eth/ip6(!payload_length=23)/udp/pds.nack", "payload_length", UET_PARSE_UDP_LENGTH, "length",
     UET_H_IPV6},
    {"eth/ip6(!payload_length=25)/udp/pds.nack", "payload_length", UET_PARSE_IP_LENGTH, "length",
     UET_H_IPV6},
    {"eth/ip6(!payload_length=65535)/udp/pds.nack", "payload_length", UET_PARSE_IP_LENGTH, "length",
     UET_H_IPV6},
    {"eth/ip/udp(!length=0)/pds.nack", "length", UET_PARSE_UDP_LENGTH, "length", UET_H_UDP},
    {"eth/ip/udp(!length=7)/pds.nack", "length", UET_PARSE_UDP_LENGTH, "length", UET_H_UDP},
    {"eth/ip/udp(!length=23)/pds.nack", "length", UET_PARSE_UDP_LENGTH, "length", UET_H_UDP},
    {"eth/ip/udp(!length=25)/pds.nack", "length", UET_PARSE_UDP_LENGTH, "length", UET_H_UDP},
    {"eth/ip/udp(!length=65535)/pds.nack", "length", UET_PARSE_UDP_LENGTH, "length", UET_H_UDP},
    {"eth/ip(!header_checksum=0)/udp/pds.nack", "header_checksum", UET_PARSE_IP_CHECKSUM,
     "checksum", UET_H_IPV4},
    {"eth/ip(!header_checksum=1)/udp/pds.nack", "header_checksum", UET_PARSE_IP_CHECKSUM,
     "checksum", UET_H_IPV4},
    /* 3.5.10.1: sent as 0, ignored by the receiver */
    {"eth/ip/udp(!checksum=1)/pds.nack", "checksum", UET_PARSE_OK, "checksum", UET_H_UDP},
    {"eth/ip6/udp(!checksum=0xffff)/pds.nack", "checksum", UET_PARSE_OK, "checksum", UET_H_UDP},
    {"eth/ip/udp/pds.nack/crc(!crc32c=0)", "crc32c", UET_PARSE_CRC_BAD, "crc", UET_H_CRC_TRAILER},
    {"eth/ip/udp/pds.nack/crc(!crc32c=0xffffffff)", "crc32c", UET_PARSE_CRC_BAD, "crc",
     UET_H_CRC_TRAILER},
    {"eth/ip6/udp/pds.rud_req/ses.std/data(64)/crc(!crc32c=1)", "crc32c", UET_PARSE_CRC_BAD, "crc",
     UET_H_CRC_TRAILER},
    {"eth/ip(!version=0)/udp/pds.nack", "version", UET_PARSE_IP_VERSION, "header", UET_H_IPV4},
    {"eth/ip(!version=6)/udp/pds.nack", "version", UET_PARSE_IP_VERSION, "header", UET_H_IPV4},
    {"eth/ip(!ihl=0)/udp/pds.nack", "ihl", UET_PARSE_IP_VERSION, "header", UET_H_IPV4},
    {"eth/ip(!ihl=4)/udp/pds.nack", "ihl", UET_PARSE_IP_VERSION, "header", UET_H_IPV4},
    {"eth/ip(!ihl=15)/udp/pds.nack", "ihl", UET_PARSE_IP_SHORT, "header", UET_H_IPV4},
    {"eth/ip6(!version=4)/udp/pds.nack", "version", UET_PARSE_IP_VERSION, "header", UET_H_IPV6},
    {"eth/ip(!mf=1)/udp/pds.nack", "mf", UET_PARSE_IP_FRAGMENT, "header", UET_H_IPV4},
    {"eth/ip(!fragment_offset=1)/udp/pds.nack", "fragment_offset", UET_PARSE_IP_FRAGMENT, "header",
     UET_H_IPV4},
    {"eth/ip(!protocol=6)/udp/pds.nack", "protocol", UET_PARSE_NOT_UET, "header", UET_H_IPV4},
    {"eth/ip6(!next_header=0)/udp/pds.nack", "next_header", UET_PARSE_NOT_UET, "header",
     UET_H_IPV6},
    {"eth(!ethertype=0x0806)/ip/udp/pds.nack", "ethertype", UET_PARSE_NOT_UET, "header", UET_H_ETH},
    {"eth/ip/udp(!dst_port=4792)/pds.nack", "dst_port", UET_PARSE_NOT_UET, "header", UET_H_UDP},
};

/* ---- sealed (3.7): each mode, both headers, below each of the lower layers ---- */

/* The key of the known answers, which everybody knows. */
#define KEY "key=000102030405060708090a0b0c0d0e0f101112131415161718191a1b1c1d1e1f"
#define UET "/pds.rud_req/ses.std/data(64)"
static const struct {
    const char *line, *field;
} sealed[] = {
    {"eth/ip/udp/tss(" KEY ")" UET, ""},
    {"eth/ip/entropy/tss(" KEY ")" UET, ""},
    {"eth/vlan/ip/udp/tss(" KEY ")" UET, ""},
    {"eth/ip/udp/tss(" KEY ")" UET "/pad(4)", ""},
    {"eth/ip/udp/tss(an=1," KEY ")" UET, "an"},
    {"eth/ip/udp/tss(sdi=0xffffff," KEY ")" UET, "sdi"},
    {"eth/ip/udp/tss(counter=0xffffffffffff,epoch=0xffff," KEY ")" UET, "tsc.counter"},
    {"eth/ip/udp/tss(mode=cluster," KEY ")" UET, "mode"},
    {"eth/ip6/udp/tss(mode=cluster," KEY ")" UET, "mode"},
    {"eth/ip6/entropy/tss(mode=cluster," KEY ")" UET, "mode"},
    {"eth/ip/udp/tss(mode=cluster,counter=0x100,rekey_mask=0xff00,rekey_shift=8," KEY ")" UET,
     "rekey_mask"},
    {"eth/ip/udp/tss(mode=server,client=src," KEY ")" UET, "mode"},
    {"eth/ip/udp/tss(mode=server,client=dst," KEY ")/pds.ack/ses.rsp", "mode"},
    {"eth/ip/udp/tss(iv_mask=f0f1f2f3f4f5f6f7f8f9fafb," KEY ")" UET, "iv_mask"},
    {"eth/ip/udp/tss(encrypt_from=24," KEY ")" UET, "encrypt_from"},
    {"eth/ip/udp/tss(encrypt_from=0xffff," KEY ")" UET, "encrypt_from"},
    {"eth/ip/udp/tss(udp_in_aad=0," KEY ")" UET, "udp_in_aad"},
    {"eth/ip/udp/tss(" KEY ")/pds.rud_req/ses.std/data(4096)", ""},
    {"eth/ip/udp/tss(" KEY ")/pds.rud_req(syn=1)/ses.small/data(1)", ""},
    {"eth/ip/udp/tss(" KEY ")/pds.ack_cc/ses.rsp", ""},
    {"eth/ip/udp/tss(" KEY ")/pds.nack", ""},
    {"eth/ip/udp/tss(" KEY ")/pds.cp.close_command", ""},
    {"eth/ip/udp/tss(" KEY ")/pds.rudi_req/ses.std/data(8)", ""},
    {"eth/ip/udp/tss(" KEY ")/pds.uud_req/ses.std/data(8)", ""},
    {"eth/ip/udp/tss(sp=1,ssi=0x0a0b0c0d," KEY ")" UET, "ssi"},
    {"eth/ip6/udp/tss(sp=1,ssi=1," KEY ")" UET, "ssi"},
    {"eth/ip6/entropy/tss(sp=1,ssi=1,mode=cluster," KEY ")" UET, "ssi"},
    {"eth/ip6/udp/tss(sp=1,ssi=2,mode=server,client=src," KEY ")" UET, "ssi"},
};

/*
 * ---- trimmed (4.1.3): a switch left the DSCP of the role, lengths of IP that are right, and the
 * UDP length as it was. Here 16 is DSCP_TRIMMED and 18 DSCP_TRIMMED_LASTHOP.
 */
static const struct {
    const char *line;
    enum uet_header_id header;
    enum uet_parse_error expect;
} trimmed[] = {
    /* IP kept 24 bytes: UDP, PDS, and what was next to it */
    {"eth/ip(dscp=16)/udp(!length=128)/pds.rud_req/ses.std(!bytes=4)", UET_H_SES_REQ_STD_SOM1,
     UET_PARSE_TRIMMED},
    {"eth/ip(dscp=18)/udp(!length=128)/pds.rud_req/ses.std(!bytes=4)", UET_H_SES_REQ_STD_SOM1,
     UET_PARSE_TRIMMED},
    {"eth/ip6(dscp=16)/udp(!length=128)/pds.rud_req/ses.std(!bytes=4)", UET_H_SES_REQ_STD_SOM1,
     UET_PARSE_TRIMMED},
    {"eth/vlan/ip(dscp=16)/udp(!length=128)/pds.rod_req(retx=1)/ses.std(!bytes=4)",
     UET_H_SES_REQ_STD_SOM1, UET_PARSE_TRIMMED},
    {"eth/ip(dscp=16)/udp(!length=104)/pds.rud_req(syn=1)/ses.small(!bytes=4)", UET_H_SES_REQ_SMALL,
     UET_PARSE_TRIMMED},
    {"eth/ip(dscp=16)/udp(!length=116)/pds.rud_req/ses.medium(!bytes=4)", UET_H_SES_REQ_MEDIUM_RMA,
     UET_PARSE_TRIMMED},
    {"eth/ip(dscp=16)/udp(!length=132)/pds.rud_cc_req/!ses.std(!bytes=0)", UET_H_RUD_ROD_CC_REQ,
     UET_PARSE_TRIMMED},
    {"eth/ip(dscp=16)/udp(!length=128)/pds.rud_req/ses.std(!bytes=43)", UET_H_SES_REQ_STD_SOM1,
     UET_PARSE_TRIMMED},
    /* all headers and a part of the payload */
    {"eth/ip(dscp=16)/udp(!length=128)/pds.rud_req/ses.std(request_length=64)",
     UET_H_SES_REQ_STD_SOM1, UET_PARSE_OK},
    {"eth/ip(dscp=16)/udp(!length=128)/pds.rud_req/ses.std(request_length=64)/data(5)",
     UET_H_SES_REQ_STD_SOM1, UET_PARSE_OK},
    /* native: the entropy header has no length that would tell */
    {"eth/ip(dscp=16)/entropy/pds.rud_req/ses.std(!bytes=4)", UET_H_SES_REQ_STD_SOM1,
     UET_PARSE_TRIMMED},
    {"eth/ip6(dscp=18)/entropy/pds.rud_req/ses.std(!bytes=4)", UET_H_SES_REQ_STD_SOM1,
     UET_PARSE_TRIMMED},
    {"eth/ip(dscp=16)/udp(!length=44)/pds.rudi_req/ses.small(!bytes=8)", UET_H_SES_REQ_SMALL,
     UET_PARSE_TRIMMED},
    {"eth/ip(dscp=16)/udp(!length=128)/pds.ack/ses.rsp_data(!bytes=4)", UET_H_SES_RSP_DATA,
     UET_PARSE_TRIMMED},
};

/* ---- what single implementations send; a parser takes some of it only on request ---- */

static const struct gen_listed theirs[] = {
    {"eth/ip/udp/ack_epsn_refprov(expected_psn=0x9abcdef0)", "expected_psn", UET_PARSE_OK,
     "implementation", UET_H_ACK_EPSN_REFPROV},
    {"eth/ip/udp/pds.cp(syn=1)/cp_payload_negotiation_pre103", "", UET_PARSE_OK, "implementation",
     UET_H_CP_PAYLOAD_NEGOTIATION_PRE103},
    {"eth/ip/udp/pds.rud_req/ses.std(!opcode=16)/refprov_ses_ext_sync(sync_group=7)/data(8)",
     "sync_group", UET_PARSE_OK, "implementation", UET_H_REFPROV_SES_EXT_SYNC},
    {"eth/ip/udp/pds.rud_req/ses.std(!opcode=17)/refprov_ses_ext_sync(sync_group=7)/"
     "ses.atomic(atomic_opcode=sum)/data(8)",
     "sync_group", UET_PARSE_OK, "implementation", UET_H_REFPROV_SES_EXT_SYNC},
};

static int each(const struct gen_listed *list, size_t n,
                int (*add)(void *ctx, const struct gen_listed *l), void *ctx)
{
    int rc = 0;
    for (size_t i = 0; i < n && rc == 0; i++)
        rc = add(ctx, &list[i]);
    return rc;
}

static int each_sealed(int (*add)(void *ctx, const struct gen_listed *l), void *ctx)
{
    int rc = 0;
    for (size_t i = 0; i < sizeof sealed / sizeof *sealed && rc == 0; i++) {
        bool ssi = strstr(sealed[i].line, "sp=1") != NULL;
        const struct gen_listed l = {.line = sealed[i].line,
                                     .field = sealed[i].field,
                                     .expect = UET_PARSE_SEALED,
                                     .kind = "sealed",
                                     .header = ssi ? UET_H_TSS_HDR_16 : UET_H_TSS_HDR_12};
        rc = add(ctx, &l);
    }
    return rc;
}

static int each_trimmed(int (*add)(void *ctx, const struct gen_listed *l), void *ctx)
{
    int rc = 0;
    for (size_t i = 0; i < sizeof trimmed / sizeof *trimmed && rc == 0; i++) {
        const struct gen_listed l = {.line = trimmed[i].line,
                                     .field = "dscp",
                                     .expect = trimmed[i].expect,
                                     .kind = "trimmed",
                                     .header = trimmed[i].header};
        rc = add(ctx, &l);
    }
    return rc;
}

/* ---- payloads of the sizes that matter, with the trailer and without ---- */

static int size(unsigned n, int (*add)(void *ctx, const struct gen_listed *l), void *ctx)
{
    static const char request[] = "eth/ip/udp/pds.rud_req/ses.std/data";
    char line[120];
    struct gen_listed l = {.line = line, .field = "", .kind = "size", .expect = UET_PARSE_OK};
    snprintf(line, sizeof line, "%s(%u)", request, n);
    l.header = UET_H_SES_REQ_STD_SOM1;
    int rc = add(ctx, &l);
    snprintf(line, sizeof line, "%s(%u)/crc", request, n);
    l.header = UET_H_CRC_TRAILER;
    if (rc == 0)
        rc = add(ctx, &l);
    snprintf(line, sizeof line, "eth/ip/udp/pds.nack/crc/pad(%u)", n);
    return rc == 0 && n <= 64 ? add(ctx, &l) : rc;
}

int gen_each_listed(int (*add)(void *ctx, const struct gen_listed *l), void *ctx)
{
    static const unsigned sizes[] = {0,  1,   2,   3,    4,    5,    63,  64,
                                     65, 255, 256, 1024, 2048, 4096, 8192};
    int rc = each(wrong, sizeof wrong / sizeof *wrong, add, ctx);
    for (size_t i = 0; i < sizeof sizes / sizeof *sizes && rc == 0; i++)
        rc = size(sizes[i], add, ctx);
    if (rc == 0)
        rc = each_sealed(add, ctx);
    if (rc == 0)
        rc = each_trimmed(add, ctx);
    return rc == 0 ? each(theirs, sizeof theirs / sizeof *theirs, add, ctx) : rc;
}
