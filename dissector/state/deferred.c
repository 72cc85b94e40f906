/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "dissector/state/deferred.h"

#include "dissector/state/links.h"

static int hf_request_in = UETX_NO_ID;
static int hf_deferred_in = UETX_NO_ID;
static int hf_rtr_in = UETX_NO_ID;
static int hf_asked_in = UETX_NO_ID;
static int hf_restarted_in = UETX_NO_ID;
static int hf_waited = UETX_NO_ID;
static int hf_restart_time = UETX_NO_ID;
static int hf_time = UETX_NO_ID;

/* A deferrable send. The frames are those of first packets. */
struct send {
    struct uetx_moment sent;      /* frame 0: not captured, an RTR told of it */
    struct uetx_moment rtr;       /* the first RTR for it */
    struct uetx_moment restarted; /* by the first send that does */
    uint32_t deferred_in;         /* the response that deferred it, or 0 */
    uint32_t job_id;              /* meaningful with sent */
    uint32_t trt;                 /* its target_restart_token: not 0 in a restart */
    uint32_t rtr_trt;             /* that of the RTR */
    bool rtr_turned;              /* the RTR has its tokens in the other order */
    struct send *before;          /* the send that it restarts, or NULL */
};

/* A token is its sender's (3.4.3.4). Compared as bytes: nothing of it is padding. */
struct token {
    struct uet_ip sender, target;
    uint16_t zero;
    uint32_t irt;
};
_Static_assert(sizeof(struct token) == 2 * sizeof(struct uet_ip) + 6, "no padding");

static wmem_map_t *by_token; /* struct token -> the newest struct send with it */
static wmem_map_t *by_frame; /* frame of a send, of a deferral of it, of an RTR -> struct send */

static guint hash_token(gconstpointer key)
{
    return wmem_strong_hash(key, sizeof(struct token));
}

static gboolean same_token(gconstpointer a, gconstpointer b)
{
    return memcmp(a, b, sizeof(struct token)) == 0;
}

/* ---- the first pass ---- */

static struct token token_of(struct uet_ip sender, struct uet_ip target, uint32_t irt)
{
    return (struct token){.sender = sender, .target = target, .irt = irt};
}

static struct send *find(const struct token *key)
{
    return wmem_map_lookup(by_token, key);
}

static struct send *find_frame(uint32_t frame)
{
    return frame ? wmem_map_lookup(by_frame, GUINT_TO_POINTER(frame)) : NULL;
}

static void remember(const struct uetx_state *s, struct send *d)
{
    wmem_map_insert(by_frame, GUINT_TO_POINTER(s->frame), d);
}

static struct uetx_moment now(const struct uetx_state *s)
{
    return (struct uetx_moment){s->frame, s->time_ns};
}

static struct send *make(const struct token *key)
{
    struct send *d = wmem_new0(wmem_file_scope(), struct send);
    wmem_map_insert(by_token, wmem_memdup(wmem_file_scope(), key, sizeof *key), d);
    return d;
}

/*
 * The send that one with the token trt restarts, of those with its initiator_restart_token. A
 * target that allocated no token has it restarted with 0, as its RTR says (3.4.3.4).
 */
static struct send *restarted_by(struct send *newest, uint32_t trt)
{
    if (!newest)
        return NULL;
    if (trt)
        return newest->before && newest->trt == trt ? newest->before : newest;
    return newest->rtr.frame && !newest->rtr_trt ? newest : NULL;
}

static void note_send(const struct uetx_state *s, const struct uet_packet *p)
{
    const uint8_t *ses = uet_ses(p);
    const struct token key = token_of(uet_src_ip(p), uet_dst_ip(p), uet_ses_req_defer_irt(ses));
    uint32_t trt = uet_ses_req_defer_trt(ses);
    struct send *before = restarted_by(find(&key), trt);
    struct send *d = make(&key);
    *d = (struct send){
        .sent = now(s), .job_id = uet_ses_req_job_id(ses), .trt = trt, .before = before};
    if (before && !before->restarted.frame)
        before->restarted = d->sent;
    remember(s, d);
}

/*
 * The send that an RTR is for. The reference provider has the two tokens in the other order, and
 * gives none of its own (SES-148): then 0 stands in the place of the initiator's.
 */
static struct send *asked_for(const struct uet_packet *p, struct token *key, bool *turned)
{
    const uint8_t *ses = uet_ses(p);
    uint32_t irt = uet_ses_req_rtr_irt(ses), trt = uet_ses_req_rtr_trt(ses);
    *key = token_of(uet_dst_ip(p), uet_src_ip(p), irt);
    struct send *d = find(key);
    if (!irt && trt && (!d || d->rtr.frame)) {
        const struct token other = token_of(key->sender, key->target, trt);
        struct send *second = find(&other);
        *turned = second && !second->rtr.frame && second->job_id == uet_ses_req_job_id(ses);
        if (*turned)
            return second;
    }
    return d && d->before && trt && d->trt == trt ? d->before : d; /* it has been restarted */
}

static void note_rtr(const struct uetx_state *s, const struct uet_packet *p)
{
    struct token key;
    bool turned = false;
    struct send *d = asked_for(p, &key, &turned);
    if (!d)
        d = make(&key);
    if (!d->rtr.frame) {
        d->rtr = now(s);
        d->rtr_trt = turned ? 0 : uet_ses_req_rtr_trt(uet_ses(p));
        d->rtr_turned = turned;
    }
    remember(s, d);
}

void uetx_deferred_note(struct uetx_state *s, const struct uet_tracked *t)
{
    const struct uet_packet *p = &t->packet;
    if (s->message_in != s->frame)
        return;
    if (uet_is_ses_deferrable(p))
        note_send(s, p);
    else if (p->ses == UET_H_SES_REQ_RTR)
        note_rtr(s, p);
}

/* It says so by a modified_length below the length of the message (3.4.3.4). */
bool uetx_deferred_response(const struct uetx_state *s, const struct uet_tracked *t)
{
    const struct uet_packet *p = &t->packet;
    const struct uet_track_message *m = t->message;
    if (!m || p->ses != UET_H_SES_RSP || uet_ses_rsp_return_code(uet_ses(p)) != UET_RC_OK ||
        uet_ses_rsp_modified_length(uet_ses(p)) >= m->request_length)
        return false;
    if (m->opcode != UET_OP_DEFERRABLE_SEND && m->opcode != UET_OP_DEFERRABLE_TSEND)
        return false;
    struct send *d = find_frame(m->first_frame);
    if (d && !d->deferred_in) {
        d->deferred_in = s->frame;
        remember(s, d);
    }
    return true;
}

/* ---- the tree ---- */

/* What it restarts. */
static void show_restart(const struct send *d, const struct uetx_state *s, struct uetx_pdu *u,
                         proto_tree *tree)
{
    const struct send *before = d->before;
    uetx_link_add(u, tree, hf_request_in, before->sent.frame);
    if (!before->rtr.frame || before->rtr.frame > d->sent.frame || before->rtr_trt != d->trt)
        return;
    uetx_link_add(u, tree, hf_asked_in, before->rtr.frame);
    if (s->frame == d->sent.frame)
        uetx_span_add(u, tree, hf_restart_time, before->rtr, d->sent);
}

static void show_send(const struct send *d, const struct uetx_state *s, struct uetx_pdu *u,
                      proto_tree *tree)
{
    if (d->before)
        show_restart(d, s, u, tree);
    if (!PINFO_FD_VISITED(u->pinfo))
        return; /* the rest lies ahead */
    uetx_link_add(u, tree, hf_deferred_in, d->deferred_in);
    uetx_link_add(u, tree, hf_rtr_in, d->rtr.frame);
    uetx_link_add(u, tree, hf_restarted_in, d->restarted.frame);
    if (s->frame == d->sent.frame)
        uetx_span_add(u, tree, hf_time, d->sent, d->restarted);
}

static void show_rtr(const struct send *d, const struct uetx_state *s, struct uetx_pdu *u,
                     proto_tree *tree)
{
    proto_item *item = uetx_link_add(u, tree, hf_request_in, d->sent.frame);
    if (d->rtr_turned && s->message_in == d->rtr.frame)
        proto_item_append_text(item, " (the tokens are in the other order)");
    uetx_span_add(u, tree, hf_waited, d->sent, now(s));
    if (PINFO_FD_VISITED(u->pinfo) && d->restarted.frame > s->frame)
        uetx_link_add(u, tree, hf_restarted_in, d->restarted.frame);
}

void uetx_deferred_links(const struct uetx_state *s, struct uetx_pdu *u, proto_tree *tree)
{
    bool answer = u->p.ses == UET_H_SES_RSP, rtr = u->p.ses == UET_H_SES_REQ_RTR;
    if (!(answer || rtr || uet_is_ses_deferrable(&u->p)) || !wmem_map_size(by_frame))
        return;
    const struct send *d = find_frame(answer ? s->frame : s->message_in);
    if (!d)
        return;
    if (answer)
        uetx_link_add(u, tree, hf_request_in, d->sent.frame);
    else if (rtr)
        show_rtr(d, s, u, tree);
    else
        show_send(d, s, u, tree);
}

void uetx_deferred_register(int proto)
{
    static hf_register_info hf[] = {
        {&hf_request_in,
         {"deferred request in", "uetx.deferred.request_in", FT_FRAMENUM, BASE_NONE,
          FRAMENUM_TYPE(FT_FRAMENUM_REQUEST), 0,
          "The deferrable send that this response defers, this RTR asks for, this send restarts; "
          "3.4.3.4",
          HFILL}},
        {&hf_deferred_in,
         {"deferred in", "uetx.deferred.deferred_in", FT_FRAMENUM, BASE_NONE,
          FRAMENUM_TYPE(FT_FRAMENUM_RESPONSE), 0,
          "The response that defers this send (later pass); 3.4.3.4", HFILL}},
        {&hf_rtr_in,
         {"ready to restart in", "uetx.deferred.rtr_in", FT_FRAMENUM, BASE_NONE,
          FRAMENUM_TYPE(FT_FRAMENUM_RESPONSE), 0,
          "The UET_DEFERRABLE_RTR for this send (later pass); 3.4.3.4", HFILL}},
        {&hf_asked_in,
         {"restart asked for in", "uetx.deferred.asked_in", FT_FRAMENUM, BASE_NONE,
          FRAMENUM_TYPE(FT_FRAMENUM_REQUEST), 0,
          "The UET_DEFERRABLE_RTR that this send follows; 3.4.3.4", HFILL}},
        {&hf_restarted_in,
         {"restarted in", "uetx.deferred.restarted_in", FT_FRAMENUM, BASE_NONE,
          FRAMENUM_TYPE(FT_FRAMENUM_RETRANS_NEXT), 0,
          "The send that restarts the deferred one (later pass); 3.4.3.4", HFILL}},
        {&hf_waited,
         {"time since the deferred send", "uetx.deferred.waited", FT_RELATIVE_TIME, BASE_NONE, NULL,
          0, "From the first packet of the send to its RTR", HFILL}},
        {&hf_restart_time,
         {"time since the RTR", "uetx.deferred.restart_time", FT_RELATIVE_TIME, BASE_NONE, NULL, 0,
          "From the UET_DEFERRABLE_RTR to the send that follows it", HFILL}},
        {&hf_time,
         {"time to the restart", "uetx.deferred.time", FT_RELATIVE_TIME, BASE_NONE, NULL, 0,
          "From the first packet of the send to the one that restarts it (later pass)", HFILL}},
    };
    proto_register_field_array(proto, hf, array_length(hf));
    by_token = wmem_map_new_autoreset(wmem_epan_scope(), wmem_file_scope(), hash_token, same_token);
    by_frame =
        wmem_map_new_autoreset(wmem_epan_scope(), wmem_file_scope(), g_direct_hash, g_direct_equal);
}
