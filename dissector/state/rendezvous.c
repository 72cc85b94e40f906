/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "dissector/state/rendezvous.h"

#include "dissector/state/links.h"

static int hf_send_in = UETX_NO_ID;
static int hf_waited = UETX_NO_ID;
static int hf_read_in = UETX_NO_ID;
static int hf_complete_in = UETX_NO_ID;
static int hf_time = UETX_NO_ID;

/*
 * Where a READ may begin. Whether read_offset is that of the whole buffer or of what was not sent
 * eagerly is not settled (SES-156): both are looked for, and which one it was is said.
 */
enum from {
    FROM_START, /* read_offset */
    FROM_REST,  /* read_offset + eager_length */
    FROM_NEXT,  /* where the READ before it ended */
    FROMS
};

static const char *const from_text[FROMS] = {[FROM_START] = "from read_offset on",
                                             [FROM_REST] = "behind the eager part",
                                             [FROM_NEXT] = "goes on with it"};

/* A rendezvous send. */
struct uetx_rendezvous {
    struct uetx_moment sent; /* its first packet */
    struct uetx_moment read; /* the first packet of the first READ for it */
    struct uetx_moment complete;
    uint32_t length, eager;
    uint32_t asked;     /* bytes of the first READ */
    uint64_t reached;   /* how far into the message READs have asked */
    uint64_t data_came; /* bytes of READs whose data have all come */
};

/* The address of a READ. Compared as bytes: nothing of it is padding. */
struct place {
    struct uet_ip source, reader;
    uint16_t pid_on_fep, resource_index, zero;
    uint32_t job_id, from; /* enum from */
    uint64_t key, offset;
};
_Static_assert(sizeof(struct place) == 2 * sizeof(struct uet_ip) + 30, "no padding");

static wmem_map_t *by_place; /* struct place -> the newest struct uetx_rendezvous with it */
static wmem_map_t *by_frame; /* its first frame -> struct uetx_rendezvous */

static guint hash_place(gconstpointer key)
{
    return wmem_strong_hash(key, sizeof(struct place));
}

static gboolean same_place(gconstpointer a, gconstpointer b)
{
    return memcmp(a, b, sizeof(struct place)) == 0;
}

/* ---- the first pass ---- */

static struct uetx_moment now(const struct uetx_state *s)
{
    return (struct uetx_moment){s->frame, s->time_ns};
}

static void put(struct place place, enum from from, uint64_t ahead, struct uetx_rendezvous *r)
{
    place.from = from;
    place.offset += ahead;
    wmem_map_insert(by_place, wmem_memdup(wmem_file_scope(), &place, sizeof place), r);
}

void uetx_rendezvous_note(const struct uetx_state *s, const struct uet_packet *p)
{
    if (!uet_in_ses_ext_rendezvous(p->ext))
        return;
    const uint8_t *ext = uet_ses_ext(p);
    const struct place place = {.source = uet_src_ip(p),
                                .reader = uet_dst_ip(p),
                                .pid_on_fep = uet_ses_ext_rendezvous_read_pid_on_fep(ext),
                                .resource_index = uet_ses_ext_rendezvous_read_resource_index(ext),
                                .job_id = uet_ses_req_job_id(uet_ses(p)),
                                .key = uet_ses_ext_rendezvous_read_memory_key(ext),
                                .offset = uet_ses_ext_rendezvous_read_offset(ext)};
    struct uetx_rendezvous *r = wmem_new0(wmem_file_scope(), struct uetx_rendezvous);
    *r = (struct uetx_rendezvous){.sent = now(s),
                                  .length = uet_ses_request_length(p),
                                  .eager = uet_ses_ext_rendezvous_eager_length(ext)};
    put(place, FROM_START, 0, r);
    if (r->eager)
        put(place, FROM_REST, r->eager, r);
    wmem_map_insert(by_frame, GUINT_TO_POINTER(s->frame), r);
}

static bool has_key(const struct uet_packet *p)
{
    return uet_ses_req_opcode(uet_ses(p)) == UET_OP_READ &&
           (uet_is_ses_std(p) || p->ses == UET_H_SES_REQ_MEDIUM_RMA);
}

/* How well a READ of n bytes fits: its place may be that of several sends. 0: not at all. */
static unsigned fitness(const struct uetx_rendezvous *r, enum from from, uint32_t n)
{
    uint32_t rest = r->length > r->eager ? r->length - r->eager : 0;
    if (from == FROM_NEXT)
        return 1;
    if (r->read.frame)
        return n == r->asked ? 1 : 0; /* asked for again */
    return n == rest || (from == FROM_START && n == r->length) ? 3 : 2;
}

/* A READ of n bytes at this place; when it leaves some, another may go on behind it. */
static void ask(const struct uetx_state *s, const struct uetx_fetch *fetch,
                const struct place *place, uint32_t n)
{
    struct uetx_rendezvous *r = fetch->of;
    if (!r->read.frame) {
        r->read = now(s);
        r->asked = n;
    }
    uint64_t begin = fetch->from == FROM_START  ? 0
                     : fetch->from == FROM_REST ? r->eager
                                                : r->reached;
    bool skips = fetch->from == FROM_START && n + (uint64_t)r->eager == r->length;
    r->reached = skips ? r->length : begin + n;
    if (r->reached < r->length)
        put(*place, FROM_NEXT, n, r);
}

struct uetx_fetch uetx_rendezvous_read(const struct uetx_state *s, const struct uet_packet *p)
{
    struct uetx_fetch best = {NULL, FROM_START};
    if (!wmem_map_size(by_frame) || !has_key(p))
        return best;
    const uint8_t *ses = uet_ses(p);
    uint32_t n = uet_ses_request_length(p);
    struct place place = {.source = uet_dst_ip(p),
                          .reader = uet_src_ip(p),
                          .pid_on_fep = uet_ses_req_pid_on_fep(ses),
                          .resource_index = uet_ses_req_resource_index(ses),
                          .job_id = uet_ses_req_job_id(ses),
                          .key = uet_ses_req_match_bits_or_memory_key(ses),
                          .offset = uet_ses_req_buffer_offset(ses)};
    unsigned fit = 0;
    for (place.from = 0; place.from < FROMS; place.from++) {
        struct uetx_rendezvous *r = wmem_map_lookup(by_place, &place);
        unsigned fits = r ? fitness(r, (enum from)place.from, n) : 0;
        if (fits > fit || (fits && fits == fit && place.from == FROM_REST))
            best = (struct uetx_fetch){r, (uint8_t)place.from};
        fit = fits > fit ? fits : fit;
    }
    if (!best.of)
        return best;
    ask(s, &best, &place, n);
    return best;
}

void uetx_rendezvous_data(const struct uetx_state *s, const struct uetx_fetch *fetch,
                          uint32_t bytes)
{
    struct uetx_rendezvous *r = fetch->of;
    if (!r || r->complete.frame)
        return;
    r->data_came += bytes;
    if (r->data_came + r->eager >= r->length)
        r->complete = now(s);
}

/* ---- the tree ---- */

void uetx_rendezvous_show_read(const struct uetx_state *s, const struct uetx_fetch *fetch,
                               bool first, struct uetx_pdu *u, proto_tree *tree)
{
    const struct uetx_rendezvous *r = fetch->of;
    if (!r)
        return;
    proto_item *item = uetx_link_add(u, tree, hf_send_in, r->sent.frame);
    if (r->eager || fetch->from == FROM_NEXT)
        proto_item_append_text(item, " (%s)", from_text[fetch->from]);
    if (first)
        uetx_span_add(u, tree, hf_waited, r->sent, now(s));
}

void uetx_rendezvous_links(const struct uetx_state *s, struct uetx_pdu *u, proto_tree *tree)
{
    if (!uet_in_ses_ext_rendezvous(u->p.ext) || !s->message_in || !PINFO_FD_VISITED(u->pinfo))
        return; /* all of it lies ahead */
    const struct uetx_rendezvous *r = wmem_map_lookup(by_frame, GUINT_TO_POINTER(s->message_in));
    if (!r)
        return;
    uetx_link_add(u, tree, hf_read_in, r->read.frame);
    uetx_link_add(u, tree, hf_complete_in, r->complete.frame);
    if (s->frame == r->sent.frame)
        uetx_span_add(u, tree, hf_time, r->sent, r->complete);
}

void uetx_rendezvous_register(int proto)
{
    static hf_register_info hf[] = {
        {&hf_send_in,
         {"rendezvous send in", "uetx.rendezvous.send_in", FT_FRAMENUM, BASE_NONE,
          FRAMENUM_TYPE(FT_FRAMENUM_REQUEST), 0,
          "The rendezvous send whose read key and address this READ uses; 3.4.2.3", HFILL}},
        {&hf_waited,
         {"time since the rendezvous send", "uetx.rendezvous.waited", FT_RELATIVE_TIME, BASE_NONE,
          NULL, 0, "From the first packet of the send to the READ", HFILL}},
        {&hf_read_in,
         {"rest read in", "uetx.rendezvous.read_in", FT_FRAMENUM, BASE_NONE,
          FRAMENUM_TYPE(FT_FRAMENUM_RESPONSE), 0,
          "The first READ for what was not sent eagerly (later pass); 3.4.2.3", HFILL}},
        {&hf_complete_in,
         {"rest complete in", "uetx.rendezvous.complete_in", FT_FRAMENUM, BASE_NONE,
          FRAMENUM_TYPE(FT_FRAMENUM_RESPONSE), 0,
          "The last data of what was not sent eagerly (later pass); 3.4.2.3", HFILL}},
        {&hf_time,
         {"time to the rest", "uetx.rendezvous.time", FT_RELATIVE_TIME, BASE_NONE, NULL, 0,
          "From the first packet of the send to the last data of the READ (later pass)", HFILL}},
    };
    proto_register_field_array(proto, hf, array_length(hf));
    by_place = wmem_map_new_autoreset(wmem_epan_scope(), wmem_file_scope(), hash_place, same_place);
    by_frame =
        wmem_map_new_autoreset(wmem_epan_scope(), wmem_file_scope(), g_direct_hash, g_direct_equal);
}
