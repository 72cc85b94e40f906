/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Who talks to whom: tshark -z conv,uetx (pairs of FEPs), conv,uetx_pdc, conv,uetx_job, the same
 * with endpoints; Statistics > Conversations and Endpoints. A frame counts once, with all its
 * bytes.
 *
 * Wireshark's tables know addresses and ports. The end of a PDC, or a FEP in a job, is an address
 * of a type of its own, whose name says more than the IP address that filters take; its port is the
 * number of the PDC (uetx.stream), or the JobID.
 */
#include "dissector/statistics/tap.h"

#include "wire/addr.h"

#include <epan/address_types.h>
#include <epan/conversation_table.h>
#include <epan/tap.h>

/* The conversation type whose ports are plain numbers, and stand in filters. */
#define NUMBERED CONVERSATION_NCP

enum table { PDC, JOB, TABLES };

/* The bytes of an address: the key of a row, without holes that nobody sets. */
struct end {
    uint32_t number; /* of the PDC, or JobID */
    uint8_t ip[16];
    uint8_t version, table;
};
#define END_BYTES ((int)(offsetof(struct end, table) + 1))

static int taps[TABLES], end_type;

static struct end end_of(const address *a)
{
    struct end e;
    memcpy(&e, a->data, (size_t)END_BYTES);
    return e;
}

static void ip_text(const struct end *e, char out[UET_IP_TEXT])
{
    struct uet_ip ip = {.version = e->version};
    memcpy(ip.bytes, e->ip, sizeof ip.bytes);
    uet_ip_text(&ip, out);
}

static int end_to_text(const address *a, gchar *out, int n)
{
    struct end e = end_of(a);
    char text[UET_IP_TEXT];
    ip_text(&e, text);
    return (int)g_strlcpy(out, text, (gsize)n) + 1;
}

static int end_text_bytes(const address *a _U_)
{
    return UET_IP_TEXT;
}

#define NAME_BYTES (UET_IP_TEXT + 16)

/* "192.0.2.1 0x1001": with what is known when the row is shown; else "192.0.2.1 PDC 3". */
static void name_pdc(const struct end *e, char *out)
{
    struct uet_ip ip = {.version = e->version};
    memcpy(ip.bytes, e->ip, sizeof ip.bytes);
    const struct uet_track_pdc *pdc = uetx_pdc_of_stream(e->number);
    size_t n = strlen(out);
    uint16_t pdcid = !pdc ? 0 : uet_ip_equal(&ip, &pdc->initiator_ip) ? pdc->ipdcid : pdc->tpdcid;
    if (pdcid)
        snprintf(out + n, NAME_BYTES - n, " 0x%04x", pdcid);
    else
        snprintf(out + n, NAME_BYTES - n, " PDC %u", e->number);
}

/* epan copies what it gets before it asks again. */
static const gchar *end_name(const address *a)
{
    static char out[NAME_BYTES];
    struct end e = end_of(a);
    ip_text(&e, out);
    size_t n = strlen(out);
    if (e.table == PDC)
        name_pdc(&e, out);
    else
        snprintf(out + n, sizeof out - n, " job %u", e.number);
    return out;
}

static int end_name_bytes(void)
{
    return NAME_BYTES;
}

static const char *filter_of_ip(bool v6, conv_filter_type_e wanted)
{
    switch (wanted) {
    case CONV_FT_SRC_ADDRESS:
        return v6 ? "ipv6.src" : "ip.src";
    case CONV_FT_DST_ADDRESS:
        return v6 ? "ipv6.dst" : "ip.dst";
    case CONV_FT_ANY_ADDRESS:
        return v6 ? "ipv6.addr" : "ip.addr";
    default:
        return CONV_FILTER_INVALID;
    }
}

static const char *filter_of(const address *a, conv_filter_type_e wanted)
{
    if (a->type != end_type)
        return filter_of_ip(a->type == AT_IPv6, wanted);
    struct end e = end_of(a);
    bool port =
        wanted == CONV_FT_SRC_PORT || wanted == CONV_FT_DST_PORT || wanted == CONV_FT_ANY_PORT;
    if (port)
        return e.table == PDC ? "uetx.stream" : "uetx.ses.job_id";
    return filter_of_ip(e.version == 6, wanted);
}

static const char *conversation_field(conv_item_t *item, conv_filter_type_e wanted)
{
    return filter_of(&item->src_address, wanted);
}

static const char *endpoint_field(endpoint_item_t *item, conv_filter_type_e wanted)
{
    return filter_of(&item->myaddress, wanted);
}

static ct_dissector_info_t conversation_fields = {conversation_field};
static et_dissector_info_t endpoint_fields = {endpoint_field};

static void add_conversation(void *table, packet_info *pinfo, const address *from,
                             const address *to, uint32_t number)
{
    add_conversation_table_data(table, from, to, number, number, 1, (int)pinfo->fd->pkt_len,
                                &pinfo->rel_ts, &pinfo->abs_ts, &conversation_fields,
                                from->type == end_type ? NUMBERED : CONVERSATION_NONE);
}

static void add_endpoints(void *table, packet_info *pinfo, const address *from, const address *to,
                          uint32_t number)
{
    endpoint_type type = from->type == end_type ? NUMBERED : ENDPOINT_NONE;
    int bytes = (int)pinfo->fd->pkt_len;
    add_endpoint_table_data(table, from, number, TRUE, 1, bytes, &endpoint_fields, type);
    add_endpoint_table_data(table, to, number, FALSE, 1, bytes, &endpoint_fields, type);
}

typedef void add_fn(void *, packet_info *, const address *, const address *, uint32_t);

static bool is_counted(const struct uetx_tap *t)
{
    return !t->state || !t->state->twice_of;
}

static tap_packet_status add_pair(void *data, packet_info *pinfo, const void *tapped,
                                  tap_flags_t flags, add_fn *add)
{
    ((conv_hash_t *)data)->flags = flags;
    if (!is_counted(tapped))
        return TAP_PACKET_DONT_REDRAW;
    add(data, pinfo, &pinfo->net_src, &pinfo->net_dst, 0);
    return TAP_PACKET_REDRAW;
}

static bool make_end(struct end *e, const address *ip, enum table table, uint32_t number)
{
    memset(e, 0, sizeof *e);
    e->version = ip->type == AT_IPv4 ? 4 : 6;
    e->table = (uint8_t)table;
    e->number = number;
    if ((ip->type != AT_IPv4 && ip->type != AT_IPv6) || ip->len > (int)sizeof e->ip)
        return false;
    memcpy(e->ip, ip->data, (size_t)ip->len);
    return true;
}

static tap_packet_status add_numbered(void *data, packet_info *pinfo, const void *tapped,
                                      tap_flags_t flags, add_fn *add, enum table table)
{
    const struct uetx_tap *t = tapped;
    struct end ends[2];
    address from, to;
    bool known = table == JOB ? t->job_known : t->state && t->state->pdc;
    ((conv_hash_t *)data)->flags = flags;
    if (!known || !is_counted(t))
        return TAP_PACKET_DONT_REDRAW;
    uint32_t number = table == JOB ? t->job_id : t->state->pdc->track->stream;
    if (!make_end(&ends[0], &pinfo->net_src, table, number) ||
        !make_end(&ends[1], &pinfo->net_dst, table, number))
        return TAP_PACKET_DONT_REDRAW;
    set_address(&from, end_type, END_BYTES, &ends[0]);
    set_address(&to, end_type, END_BYTES, &ends[1]);
    add(data, pinfo, &from, &to, number);
    return TAP_PACKET_REDRAW;
}

#define LISTENER(name, ...)                                                                        \
    static tap_packet_status name(void *data, packet_info *pinfo, epan_dissect_t *edt _U_,         \
                                  const void *tapped, tap_flags_t flags)                           \
    {                                                                                              \
        return __VA_ARGS__;                                                                        \
    }

LISTENER(pair_conversation, add_pair(data, pinfo, tapped, flags, add_conversation))
LISTENER(pair_endpoint, add_pair(data, pinfo, tapped, flags, add_endpoints))
LISTENER(pdc_conversation, add_numbered(data, pinfo, tapped, flags, add_conversation, PDC))
LISTENER(pdc_endpoint, add_numbered(data, pinfo, tapped, flags, add_endpoints, PDC))
LISTENER(job_conversation, add_numbered(data, pinfo, tapped, flags, add_conversation, JOB))
LISTENER(job_endpoint, add_numbered(data, pinfo, tapped, flags, add_endpoints, JOB))

bool uetx_conversations_wanted(void)
{
    return have_tap_listener(taps[PDC]) || have_tap_listener(taps[JOB]);
}

void uetx_conversations(packet_info *pinfo, const struct uetx_tap *t)
{
    for (int i = 0; i < TABLES; i++)
        tap_queue_packet(taps[i], pinfo, t);
}

/* A table is that of a protocol, by whose short name Wireshark remembers that it is shown. */
static int register_table_of(const char *name, const char *short_name, const char *filter_name)
{
    int proto = proto_register_protocol(name, short_name, filter_name);
    proto_set_cant_toggle(proto);
    return proto;
}

/* A table is fed by the tap of its protocol's name. */
void uetx_conversations_register(int proto)
{
    int pdc = register_table_of("Ultra Ethernet Transport, PDCs", "UETX PDC", "uetx_pdc");
    int job = register_table_of("Ultra Ethernet Transport, jobs", "UETX job", "uetx_job");
    taps[PDC] = register_tap("uetx_pdc");
    taps[JOB] = register_tap("uetx_job");
    end_type =
        address_type_dissector_register("AT_UETX", "End of a UETX conversation", end_to_text,
                                        end_text_bytes, NULL, NULL, NULL, end_name, end_name_bytes);
    register_conversation_table(proto, TRUE, pair_conversation, pair_endpoint);
    register_conversation_table(pdc, FALSE, pdc_conversation, pdc_endpoint);
    register_conversation_table(job, FALSE, job_conversation, job_endpoint);
}
