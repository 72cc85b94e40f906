/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "dissector/sealed/tss.h"

#include "dissector/sealed/gcm.h"

#define UETX_PDS_MAX 40 /* ACK_CCX, the longest PDS header */

static int hf_status = UETX_NO_ID;
static int hf_key = UETX_NO_ID;
static int hf_source = UETX_NO_ID;
static int hf_aad = UETX_NO_ID;
static int hf_encrypted = UETX_NO_ID;
static expert_field ei_no_key = EI_INIT;
static expert_field ei_wrong_key = EI_INIT;
static expert_field ei_unverified = EI_INIT;
static expert_field ei_ssi_mode = EI_INIT;

bool uetx_tss_is(tvbuff_t *uet)
{
    if (tvb_captured_length(uet) < UET_TSS_HDR_12_BYTES)
        return false;
    uint8_t first = *tvb_get_ptr(uet, 0, 1);
    if (uet_pds_prologue_type(&first) != UET_PDS_TSS)
        return false;
    return !uet_tss_hdr_sp(&first) || tvb_captured_length(uet) >= UET_TSS_HDR_16_BYTES;
}

static void read_header(struct uetx_tss *t, const uint8_t *h)
{
    t->sp = uet_tss_hdr_sp(h);
    t->an = uet_tss_hdr_an(h);
    t->sdi = uet_tss_hdr_sdi(h);
    t->ssi = t->sp ? uet_tss_hdr_16_ssi(h) : 0;
    t->epoch = t->sp ? uet_tss_hdr_16_epoch(h) : uet_tss_hdr_12_epoch(h);
    t->counter = t->sp ? uet_tss_hdr_16_counter(h) : uet_tss_hdr_12_counter(h);
    t->header_bytes = t->sp ? UET_TSS_HDR_16_BYTES : UET_TSS_HDR_12_BYTES;
}

/* One way to open a packet. */
struct attempt {
    struct uetx_derivation derivation;
    const char *source;
    bool udp_in_aad;
};

/* The bytes of a packet, and what is done with them. */
struct work {
    const struct uetx_below *below;
    const uint8_t *uet;    /* TSS header first */
    unsigned from;         /* the first encrypted byte */
    unsigned end;          /* the ICV, or the end of a trimmed packet */
    bool checked;          /* there is an ICV */
    const char *unchecked; /* why there is none */
    const uint8_t *addresses;
    size_t address_bytes; /* of one */
    uint8_t *out;
};

static void put_big(uint8_t *to, uint64_t v, unsigned n)
{
    for (; n; n--, v >>= 8)
        to[n - 1] = (uint8_t)v;
}

/* Source id, epoch, counter, each masked: the initialization vector (3.7.8). */
static void make_iv(const struct uetx_tss *t, const struct work *w, const uint8_t *mask,
                    uint8_t iv[UETX_IV_BYTES])
{
    if (t->sp)
        put_big(iv, t->ssi, 4);
    else if (w->address_bytes == 4)
        memcpy(iv, w->addresses, 4);
    else
        put_big(iv, t->sdi, 4);
    put_big(iv + 4, t->epoch, 2);
    put_big(iv + 6, t->counter, 6);
    for (unsigned i = 0; i < UETX_IV_BYTES; i++)
        iv[i] ^= mask[i];
}

/* From the IP source address up to the first encrypted byte; perhaps without the UDP header. */
static size_t make_aad(const struct work *w, bool udp, struct uetx_run runs[2])
{
    size_t above = (size_t)(w->uet - w->addresses); /* UDP or entropy header included */
    if (udp || w->below->native) {
        runs[0] = (struct uetx_run){w->addresses, above + w->from};
        return 1;
    }
    runs[0] = (struct uetx_run){w->addresses, 2 * w->address_bytes};
    runs[1] = (struct uetx_run){w->uet, w->from};
    return 2;
}

/*
 * Without an ICV nothing tells that the bytes came out right, but their beginning tells when they
 * did not: a known PDS type and reserved bits that are 0 are asked for.
 */
static bool looks_like_pds(const struct uetx_tss *t, const struct work *w)
{
    uint8_t pds[UETX_PDS_MAX] = {0};
    unsigned n = w->end - t->header_bytes, open = w->from - t->header_bytes;
    for (unsigned i = 0; i < n && i < sizeof pds; i++)
        pds[i] = i < open ? w->uet[t->header_bytes + i] : w->out[i - open];
    enum uet_header_id id = uet_next_pds_prologue(pds, pds);
    return n >= UET_PDS_PROLOGUE_BYTES && id != UET_H_NONE && !uetx_reserved_in(id, pds, n);
}

static bool try_open(const struct uetx_tss *t, const struct uetx_key *k, const struct attempt *a,
                     const struct work *w)
{
    uint8_t iv[UETX_IV_BYTES];
    struct uetx_run aad[2];
    const struct uetx_packet_key *key = uetx_packet_key(&a->derivation);
    if (!key)
        return false;
    make_iv(t, w, k->iv_mask_len ? (const uint8_t *)k->iv_mask : key->iv_mask, iv);
    size_t n = make_aad(w, a->udp_in_aad, aad);
    return uetx_gcm_open(key, iv, aad, n, w->uet + w->from, w->out, w->end - w->from,
                         w->checked ? w->uet + w->end : NULL) &&
           (w->checked || looks_like_pds(t, w));
}

/* Context for an IPv4 address or SSI: 10 bytes; for an IPv6 address: 26 (3.7.8.4). */
static void put_context(struct uetx_derivation *d, const struct uetx_tss *t,
                        const struct uetx_key *k, const uint8_t *source, size_t n)
{
    uint64_t rekey = (t->counter & k->rekey_mask) >> k->rekey_shift;
    uint8_t *c = d->context;
    memset(c, 0, sizeof d->context);
    if (n != 4)
        c += 4;
    put_big(c, t->epoch, 2);
    put_big(c + 2, rekey, 4);
    memcpy(c + 6, source, n);
    d->context_bytes = (size_t)(c - d->context) + 6 + n;
}

#define ATTEMPTS_MAX 6

/*
 * Every way that the key's mode allows, the likeliest first. Not settled by public sources: the
 * UDP header in the additional data, and whose address an IPv6 key with SSI is derived for. Which
 * side is the server is not in the packet.
 */
static size_t attempts(struct attempt a[ATTEMPTS_MAX], const struct uetx_tss *t,
                       const struct uetx_key *k, const struct work *w)
{
    uint8_t ssi[4];
    const struct {
        const char *name;
        const uint8_t *bytes;
        size_t n;
        bool fits;
    } sources[] = {
        {"SSI", ssi, 4, t->sp},
        {"IP source", w->addresses, w->address_bytes, !t->sp || w->address_bytes == 16},
        {"IP destination", w->addresses + w->address_bytes, w->address_bytes,
         k->mode == UETX_KEYING_SERVER && (!t->sp || w->address_bytes == 16)},
    };
    size_t n = 0;
    put_big(ssi, t->ssi, 4);
    for (int udp = !w->below->native; udp >= 0; udp--) {
        struct attempt base = {{.key = (const uint8_t *)k->key}, NULL, udp};
        if (k->mode == UETX_KEYING_DIRECT) {
            a[n++] = base;
            continue;
        }
        base.derivation.label = k->mode == UETX_KEYING_CLUSTER ? "U1" : "U2";
        for (size_t i = 0; i < array_length(sources); i++) {
            if (!sources[i].fits)
                continue;
            a[n] = base;
            a[n].source = sources[i].name;
            put_context(&a[n++].derivation, t, k, sources[i].bytes, sources[i].n);
        }
    }
    return n;
}

/* Where encryption begins with this key: at least behind the header, at most at the end. */
static unsigned first_encrypted(const struct uetx_tss *t, const struct uetx_key *k, unsigned end)
{
    unsigned from = k->encrypt_from > t->header_bytes ? k->encrypt_from : t->header_bytes;
    return from < end ? from : end;
}

static bool open_with(struct uetx_tss *t, const struct uetx_key *k, struct work *w)
{
    struct attempt a[ATTEMPTS_MAX];
    size_t n = attempts(a, t, k, w);
    w->from = first_encrypted(t, k, w->end);
    for (size_t i = 0; i < n; i++) {
        if (!try_open(t, k, &a[i], w))
            continue;
        t->key = k;
        t->source = a[i].source;
        if (w->checked && !w->below->native)
            t->aad = a[i].udp_in_aad ? "addresses, UDP and TSS header" : "addresses and TSS header";
        return true;
    }
    return false;
}

/* The clear bytes: those in front of the encrypted ones, and those. */
static tvbuff_t *clear_bytes(const struct uetx_tss *t, const struct work *w, tvbuff_t *uet,
                             packet_info *pinfo)
{
    unsigned n = w->end - t->header_bytes, open = w->from - t->header_bytes;
    if (w->from == w->end) /* nothing is encrypted */
        return tvb_new_subset_length(uet, (gint)t->header_bytes, (gint)t->protected);
    uint8_t *bytes = wmem_alloc(pinfo->pool, n);
    memcpy(bytes, w->uet + t->header_bytes, open);
    memcpy(bytes + open, w->out, n - open);
    tvbuff_t *clear = tvb_new_child_real_data(uet, bytes, n, (gint)t->protected);
    add_new_data_source(pinfo, clear, "Decrypted UET");
    return clear;
}

static void try_keys(struct uetx_tss *t, struct work *w)
{
    for (const struct uetx_key *k = NULL; (k = uetx_keys_next(t->sdi, t->an, k)); t->tried++)
        if (open_with(t, k, w)) {
            t->status = w->checked ? PROTO_CHECKSUM_E_GOOD : PROTO_CHECKSUM_E_UNVERIFIED;
            t->why = w->checked ? NULL : w->unchecked;
            return;
        }
    t->status = t->tried && w->checked ? PROTO_CHECKSUM_E_BAD : PROTO_CHECKSUM_E_UNVERIFIED;
    t->why =
        t->tried ? "no key for this SDI and AN opens it" : "no key is known for this SDI and AN";
}

/* What is there to work on; false, and t->why, when it is too little. */
static bool prepare(struct work *w, struct uetx_tss *t, tvbuff_t *uet, packet_info *pinfo,
                    bool trimmed)
{
    const struct uetx_below *b = w->below;
    unsigned length = tvb_reported_length(uet), captured = tvb_captured_length(uet);
    t->short_of_icv = !trimmed && length < t->header_bytes + UET_TSS_TRAILER_BYTES;
    if (t->short_of_icv)
        t->why = "the packet is too short for an ICV";
    else if (b->ip < 0)
        t->why = "its IP header is not in the frame";
    if (t->why)
        return false;
    w->checked = !trimmed && captured == length;
    w->unchecked = trimmed ? "the ICV was trimmed away" : "the ICV was not captured";
    t->protected = (trimmed ? length : length - UET_TSS_TRAILER_BYTES) - t->header_bytes;
    w->end = t->header_bytes + t->protected;
    if (w->end > captured)
        w->end = captured;
    t->icv_offset = w->checked ? w->end : 0;
    w->address_bytes = b->version == 4 ? 4 : 16;
    int from = b->ip + (b->version == 4 ? 12 : 8);
    int to = tvb_raw_offset(uet) + (int)captured;
    w->addresses = tvb_get_ptr(b->frame, from, to - from);
    w->uet = w->addresses + (tvb_raw_offset(uet) - from);
    w->out = wmem_alloc(pinfo->pool, captured);
    return true;
}

static void follow_keys(void)
{
    static unsigned version;
    uetx_keys_refresh();
    if (version != uetx_keys_version())
        uetx_packet_keys_forget();
    version = uetx_keys_version();
}

void uetx_tss_open(struct uetx_tss *t, const struct uetx_below *below, tvbuff_t *uet,
                   packet_info *pinfo, bool trimmed)
{
    struct work w = {.below = below};
    *t = (struct uetx_tss){.status = PROTO_CHECKSUM_E_UNVERIFIED};
    read_header(t, tvb_get_ptr(uet, 0, -1));
    if (!prepare(&w, t, uet, pinfo, trimmed))
        return;
    follow_keys();
    try_keys(t, &w);
    if (t->key)
        t->clear = clear_bytes(t, &w, uet, pinfo);
}

void uetx_tss_seal(const struct uetx_tss *t, const struct uetx_pdu *raw,
                   struct uet_packet_seal *seal)
{
    static const uint8_t modes[] = {[UETX_KEYING_DIRECT] = UET_TSS_MODE_DIRECT,
                                    [UETX_KEYING_CLUSTER] = UET_TSS_MODE_CLUSTER,
                                    [UETX_KEYING_SERVER] = UET_TSS_MODE_SERVER};
    *seal = (struct uet_packet_seal){.mode = modes[t->key->mode], .key = uetx_keys_number(t->key)};
    if (t->icv_offset && t->icv_offset + sizeof seal->mark <= raw->captured)
        memcpy(&seal->mark, raw->p.frame + t->icv_offset, sizeof seal->mark);
}

static proto_item *add_text(struct uetx_pdu *u, proto_tree *tree, int hf, const char *text)
{
    proto_item *item = text ? proto_tree_add_string(tree, hf, u->tvb, 0, 0, text) : NULL;
    proto_item_set_generated(item);
    return item;
}

void uetx_tss_show_header(const struct uetx_tss *t, struct uetx_pdu *u, proto_tree *tree)
{
    proto_tree *sub = uetx_walk_header(u, tree, t->sp ? UET_H_TSS_HDR_16 : UET_H_TSS_HDR_12, 0);
    if (t->key)
        add_text(u, sub, hf_key,
                 t->key->name && *t->key->name ? t->key->name : "a key without a name");
    add_text(u, sub, hf_source, t->source);
    add_text(u, sub, hf_aad, t->aad);
    if (t->key && t->key->ssi != UETX_SSI_ANY && t->sp != (t->key->ssi == UETX_SSI_YES))
        expert_add_info_format(u->pinfo, proto_tree_get_parent(sub), &ei_ssi_mode,
                               "sp is %d, but ssi-mode of this domain is %s", t->sp,
                               t->key->ssi == UETX_SSI_YES ? "TRUE" : "FALSE");
}

static expert_field *remark_on(const struct uetx_tss *t)
{
    if (t->tried && !t->key)
        return &ei_wrong_key;
    return t->key ? &ei_unverified : &ei_no_key;
}

void uetx_tss_show_icv(const struct uetx_tss *t, struct uetx_pdu *u, proto_tree *tree)
{
    unsigned end = t->icv_offset ? t->icv_offset : u->captured;
    if (!t->clear && end > t->header_bytes)
        proto_tree_add_item(tree, hf_encrypted, u->tvb, (gint)t->header_bytes,
                            (gint)(end - t->header_bytes), ENC_NA);
    if (t->icv_offset) /* one field: the trailer needs no subtree of its own */
        proto_tree_add_item(tree, uetx_field_at(UET_H_TSS_TRAILER, 0), u->tvb, (gint)t->icv_offset,
                            UET_TSS_TRAILER_BYTES, ENC_NA);
    proto_item *item = proto_tree_add_uint(tree, hf_status, u->tvb, 0, 0, t->status);
    proto_item_set_generated(item);
    if (t->short_of_icv)
        uetx_expert_tss_short(u, item);
    else if (t->why)
        expert_add_info_format(u->pinfo, item, remark_on(t), "TSS, SDI 0x%06x AN %u: %s", t->sdi,
                               t->an, t->why);
}

void uetx_tss_columns(const struct uetx_tss *t, const struct uetx_pdu *u)
{
    column_info *cinfo = u->pinfo->cinfo;
    col_append_fstr(cinfo, COL_INFO, "TSS sdi=0x%06x an=%u ", t->sdi, t->an);
    if (t->sp)
        col_append_fstr(cinfo, COL_INFO, "ssi=0x%08x ", t->ssi);
    if (!t->clear)
        col_append_fstr(cinfo, COL_INFO, "epoch=%u counter=%" PRIu64 " ! %s", t->epoch, t->counter,
                        t->why);
    else if (t->why)
        col_append_str(cinfo, COL_INFO, "[icv unverified] ");
}

void uetx_tss_register(int proto)
{
    static hf_register_info hf[] = {
        {&hf_status,
         {"ICV status", "uetx.tss.icv.status", FT_UINT8, BASE_NONE, VALS(proto_checksum_vals), 0,
          "Whether the packet is what a holder of the key sent; 3.7", HFILL}},
        {&hf_key,
         {"opened with", "uetx.tss.key_name", FT_STRING, BASE_NONE, NULL, 0,
          "Name of the row of keys", HFILL}},
        {&hf_source,
         {"key derived for", "uetx.tss.key_source", FT_STRING, BASE_NONE, NULL, 0,
          "What the key derivation's context holds; 3.7.8.4", HFILL}},
        {&hf_aad,
         {"additional data", "uetx.tss.aad", FT_STRING, BASE_NONE, NULL, 0,
          "What the ICV covers beside the encrypted bytes, as tried; 3.7", HFILL}},
        {&hf_encrypted,
         {"encrypted", "uetx.tss.encrypted", FT_BYTES, BASE_NONE, NULL, 0,
          "Bytes for which no key is known", HFILL}},
    };
    static ei_register_info ei[] = {
        {&ei_no_key, {"uetx.tss.no_key", PI_DECRYPTION, PI_NOTE, "Not decrypted", EXPFILL}},
        {&ei_wrong_key,
         {"uetx.tss.wrong_key", PI_DECRYPTION, PI_WARN,
          "The key, its settings or the packet is wrong", EXPFILL}},
        {&ei_unverified,
         {"uetx.tss.unverified", PI_DECRYPTION, PI_NOTE, "Decrypted, but not verified", EXPFILL}},
        {&ei_ssi_mode,
         {"uetx.tss.ssi_mode", PI_SECURITY, PI_WARN, "sp does not fit ssi-mode", EXPFILL}},
    };
    proto_register_field_array(proto, hf, array_length(hf));
    expert_register_field_array(expert_register_protocol(proto), ei, array_length(ei));
}
