/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Packets in clear, for a new file (-U UETX). */
#include "dissector/statistics/tap.h"

#include <epan/exported_pdu.h>
#include <epan/tap.h>

static int export_tap = -1;

void uetx_export(const struct uetx_pdu *u)
{
    if (!have_tap_listener(export_tap))
        return;
    exp_pdu_data_t *pdu =
        export_pdu_create_common_tags(u->pinfo, "uetx", EXP_PDU_TAG_DISSECTOR_NAME);
    pdu->tvb_captured_length = u->captured;
    pdu->tvb_reported_length = u->p.len;
    pdu->pdu_tvb = u->tvb;
    tap_queue_packet(export_tap, u->pinfo, pdu);
}

void uetx_export_register(void)
{
    export_tap = register_export_pdu_tap("UETX");
}
