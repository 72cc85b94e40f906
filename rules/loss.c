/* SPDX-License-Identifier: BSD-2-Clause */
/* Rules for what NACKs and ACKs demand of the packets after them (3.5.12.7, 3.5.15). */
#include "rules/internal.h"

/*
 * 3.5.15: what is acknowledged is not sent again. The source shows what it knows to be acknowledged
 * by its CLEAR_PSN.
 */
static bool acked_again(const struct uet_ruling *r)
{
    const struct uet_track_dir *was = &r->t->was;
    uint32_t psn = uet_packet_psn(r->p);
    return uet_is_retx(r) && r->t->duplicate && was->clear_known && was->clear_by != 0 &&
           uet_psn_diff(psn, was->clear_psn) <= 0 && r->t->previous_frame < was->clear_by &&
           uet_violates(r,
                        "PSN 0x%08x again, which the source had cleared up to 0x%08x in packet %u",
                        psn, was->clear_psn, was->clear_by);
}

/* 3.5.8.3: with the ACK of its Close Command the initiator is done. */
static bool closed_again(const struct uet_ruling *r)
{
    const struct uet_track_psn *own = r->t->own;
    return r->t->forward && uet_ctl(r) == UET_CTL_CLOSE_COMMAND && r->t->duplicate && own &&
           own->acked_by && r->t->previous_frame < own->acked_by && uet_is_old(r, own->told_ns) &&
           uet_violates(r, "the Close Command again, which packet %u had acknowledged",
                        own->acked_by);
}

/* Since it was sent last UET_ACK_WITH_DATA asked for the packet itself (Table 3-58). */
static bool wanted(const struct uet_tracked *t)
{
    return t->own->nack_code == UET_NACK_ACK_WITH_DATA && t->own->wanted_by > t->previous_frame;
}

/*
 * 3.5.20.3.2: what SACK told received is asked about, not sent again. Not of the answer to a Probe,
 * whose CACK_PSN, on which SACK counts, may mean nothing (3.5.10.5).
 */
static bool sacked_again(const struct uet_ruling *r)
{
    const struct uet_track_psn *own = r->t->own;
    const struct uet_track_dir *was = &r->t->was;
    uint32_t psn = uet_packet_psn(r->p);
    bool covered = was->cack_known && uet_psn_diff(psn, was->cack_psn) <= 0;
    return uet_is_retx(r) && r->t->duplicate && own->told_by && !own->told_to_probe &&
           !wanted(r->t) && !own->acked_by && !covered && own->renacked_by < own->told_by &&
           r->t->previous_frame < own->told_by && uet_is_old(r, own->told_ns) &&
           uet_violates(r, "PSN 0x%08x again, which the SACK of packet %u told received", psn,
                        own->told_by);
}

/* Was the PDC ended by a NACK to this packet's sender, and has it had the time to read it? */
static bool ended(const struct uet_ruling *r)
{
    const struct uet_track_pdc *pdc = r->t->pdc;
    return pdc->failed && !pdc->failed_moot && pdc->failed_forward != r->t->forward &&
           uet_is_old(r, pdc->failed_ns);
}

static const char *failure(const struct uet_ruling *r)
{
    return uet_enum_name(UET_ENUM_PDS_NACK_CODE, r->t->pdc->failed_code);
}

/* Table 3-58: after a fatal NACK the PDC is closed. */
static bool new_after_fatal(const struct uet_ruling *r, bool closing)
{
    bool same = (r->t->pdc->failed_code == UET_NACK_CLOSING) == closing;
    return ended(r) && same && r->t->new_psn && !uet_is_retx(r) && !r->t->opens &&
           uet_violates(r, "new PSN 0x%08x on a PDC that %s had ended", uet_packet_psn(r->p),
                        failure(r));
}

static bool new_after_failure(const struct uet_ruling *r)
{
    return new_after_fatal(r, false);
}

static bool new_after_closing(const struct uet_ruling *r)
{
    return new_after_fatal(r, true);
}

/* Table 3-58: these two are not tried again. */
static bool again_after(const struct uet_ruling *r, uint8_t code)
{
    return ended(r) && r->t->pdc->failed_code == code && uet_is_retx(r) && r->t->duplicate &&
           uet_violates(r, "PSN 0x%08x again on a PDC that %s had ended", uet_packet_psn(r->p),
                        failure(r));
}

static bool again_after_closing_in_err(const struct uet_ruling *r)
{
    return again_after(r, UET_NACK_CLOSING_IN_ERR);
}

static bool again_after_gtd_resp(const struct uet_ruling *r)
{
    return again_after(r, UET_NACK_GTD_RESP_UNAVAIL);
}

/*
 * 3.5.12.7: what a NACK refused is not received before another copy comes. ACK: it names the PSN,
 * or its CACK_PSN covers it. A Close Command clears gaps too (3.5.8.3).
 */
static bool refused(const struct uet_ruling *r, bool (*means)(uint8_t code))
{
    const struct uet_track_psn *named = r->t->request;
    const struct uet_track_dir *was = &r->t->was;
    uint32_t cack = uet_ack_cack_psn(r->pds);
    if (uet_ack_p(r->pds) || r->t->mismatch || r->t->pdc->closing)
        return false;
    bool behind = named && named->nack_code == UET_NACK_PSN_OOR_WINDOW &&
                  uet_psn_diff(named->psn, cack) <= 0; /* too old, not too far ahead */
    if (named && !behind && named->n_copies == 1 && named->nacked_by && means(named->nack_code) &&
        !named->ack_requested)
        return uet_violates(r, "ACK_PSN 0x%08x, which packet %u had refused with %s", named->psn,
                            named->renacked_by,
                            uet_enum_name(UET_ENUM_PDS_NACK_CODE, named->nack_code));
    return was->refused_known && means(was->refused_code) &&
           uet_psn_diff(cack, was->refused_psn) >= 0 &&
           uet_violates(r, "CACK_PSN 0x%08x covers PSN 0x%08x, which %s had refused", cack,
                        was->refused_psn, uet_enum_name(UET_ENUM_PDS_NACK_CODE, was->refused_code));
}

static bool is_oor(uint8_t code)
{
    return code == UET_NACK_PSN_OOR_WINDOW;
}

static bool is_gtd_del(uint8_t code)
{
    return code == UET_NACK_NO_GTD_DEL_AVAIL;
}

static bool is_resource(uint8_t code)
{
    return code == UET_NACK_NO_PKT_BUFFER || code == UET_NACK_NO_SES_MSG_AVAIL ||
           code == UET_NACK_NO_RESOURCE;
}

static bool is_rod_ooo(uint8_t code)
{
    return code == UET_NACK_ROD_OOO;
}

static bool oor_received(const struct uet_ruling *r)
{
    return refused(r, is_oor);
}

static bool gtd_del_received(const struct uet_ruling *r)
{
    return refused(r, is_gtd_del);
}

static bool resource_received(const struct uet_ruling *r)
{
    return refused(r, is_resource);
}

static bool rod_ooo_received(const struct uet_ruling *r)
{
    return refused(r, is_rod_ooo);
}

static const struct uet_rule_row rows[] = {
    {{"PDS-205", "an acknowledged Close Command is not sent again"},
     UET_ON_CP,
     UET_NEEDS_SENDER,
     closed_again},
    {{"PDS-067", "what was out of the window is not received"},
     UET_ON_ACK,
     UET_NEEDS_SENDER,
     oor_received},
    {{"PDS-091", "without room for a response the PSN stays open"},
     UET_ON_ACK,
     UET_NEEDS_SENDER,
     gtd_del_received},
    {{"PDS-116", "what SACK told is not sent again"},
     UET_ON_REQUEST,
     UET_NEEDS_SENDER | UET_WHEN_RETX,
     sacked_again},
    {{"PDS-138", "a fatal NACK ends the PDC"},
     UET_ON_REQUEST,
     UET_NEEDS_SENDER | UET_WHEN_FAILED,
     new_after_failure},
    {{"PDS-139", "UET_CLOSING ends the PDC"},
     UET_ON_REQUEST,
     UET_NEEDS_SENDER | UET_WHEN_FAILED,
     new_after_closing},
    {{"PDS-140", "nothing is sent again after UET_CLOSING_IN_ERR"},
     UET_ON_REQUEST,
     UET_NEEDS_SENDER | UET_WHEN_FAILED,
     again_after_closing_in_err},
    {{"PDS-141", "nothing is sent again after UET_GTD_RESP_UNAVAIL"},
     UET_ON_REQUEST,
     UET_NEEDS_SENDER | UET_WHEN_FAILED,
     again_after_gtd_resp},
    {{"PDS-149", "what lack of resources refused is not received"},
     UET_ON_ACK,
     UET_NEEDS_SENDER,
     resource_received},
    {{"PDS-162", "what is acknowledged is not sent again"},
     UET_ON_REQUEST,
     UET_NEEDS_SENDER | UET_WHEN_RETX,
     acked_again},
    {{"PDS-166", "what UET_ROD_OOO refused is not received"},
     UET_ON_ACK,
     UET_NEEDS_SENDER,
     rod_ooo_received},
};

const struct uet_rule_table uet_rules_loss = UET_TABLE(rows);
