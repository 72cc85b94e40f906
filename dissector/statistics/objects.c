/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Messages as files: tshark --export-objects uetx,DIRECTORY; File > Export Objects > UETX. */
#include "dissector/state/message.h"
#include "dissector/statistics/tap.h"
#include "wire/print.h"

#include <epan/export_object.h>
#include <epan/tap.h>
#include <epan/to_str.h>

static int tap = -1;

/* A message that is whole with this packet. */
struct object {
    tvbuff_t *bytes;
    const char *what; /* its opcode, or "READ_DATA" */
    uint32_t job_id;
    uint16_t resource_index;
};

static const char *opcode_of(const struct uetx_pdu *u)
{
    if (!uet_is_ses_request(&u->p))
        return "READ_DATA";
    return uet_print_name(UET_ENUM_SES_REQ_OPCODE, uet_ses_req_opcode(uet_ses(&u->p)));
}

void uetx_object(const struct uetx_state *s, const struct uetx_pdu *u, tvbuff_t *message,
                 uint16_t resource_index)
{
    if (!have_tap_listener(tap) || uetx_seen_before(s))
        return;
    struct object *o = wmem_new(u->pinfo->pool, struct object);
    bool request = uet_is_ses_request(&u->p);
    uint32_t job =
        request ? uet_ses_req_job_id(uet_ses(&u->p)) : uet_ses_rsp_job_id(uet_ses(&u->p));
    *o = (struct object){message, opcode_of(u), job, resource_index};
    tap_queue_packet(tap, u->pinfo, o);
}

static tap_packet_status packet(void *data, packet_info *pinfo, epan_dissect_t *edt _U_,
                                const void *tapped, tap_flags_t flags _U_)
{
    export_object_list_t *list = data;
    const struct object *o = tapped;
    char *from = address_to_str(NULL, &pinfo->net_src), *to = address_to_str(NULL, &pinfo->net_dst);
    export_object_entry_t *entry = g_new0(export_object_entry_t, 1);
    entry->pkt_num = pinfo->num;
    entry->hostname = g_strdup_printf("%s to %s", from, to);
    entry->content_type = g_strdup(o->what);
    entry->filename = g_strdup_printf("frame%u_%s_job%u_ri%u.bin", pinfo->num, o->what, o->job_id,
                                      o->resource_index);
    entry->payload_len = tvb_captured_length(o->bytes);
    entry->payload_data = (guint8 *)tvb_memdup(NULL, o->bytes, 0, entry->payload_len);
    list->add_entry(list->gui_data, entry);
    wmem_free(NULL, from);
    wmem_free(NULL, to);
    return TAP_PACKET_REDRAW;
}

void uetx_objects_register(int proto)
{
    tap = register_export_object(proto, packet, NULL);
}
