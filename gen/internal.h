/* SPDX-License-Identifier: BSD-2-Clause */
/* A line as it was read; what the files of gen/ share. */
#ifndef UET_GEN_INTERNAL_H
#define UET_GEN_INTERNAL_H

#include "gen/lang.h"
#include "gen/names.h"
#include "gen/value.h"
#include "wire/tss.h"

enum {
    GEN_LAYERS = 16,
    GEN_ARGS = 160,   /* of a line */
    GEN_ITEMS = 1024, /* of a line */
    GEN_AXES = 24,
    GEN_VARIANTS = GEN_TO_MAX,
    GEN_HEADER_BYTES = 256,
};

enum gen_kind {
    GEN_HEADER,
    GEN_DATA, /* payload */
    GEN_PAD,  /* after the IP packet */
    GEN_CUT,
};

/* One value, or those from low to high in steps. */
struct gen_item {
    gen_value low, high, step;
    uint64_t n;
};

/* field=value */
struct gen_arg {
    const struct uet_field *field; /* of some variant; NULL for what is not a field (`what`) */
    uint8_t what;                  /* enum gen_what */
    bool wrong;                    /* "!" */
    uint16_t first_item, n_items;
    uint64_t n;                    /* values in all items */
    int axis;                      /* -1 when there is one value */
    uint32_t literal, literal_len; /* of GEN_LITERAL, GEN_KEY, GEN_IV_MASK: in literals */
    uint32_t at, len;              /* all of it in the line */
    uint32_t value_at, value_len;
};

/* Arguments that are not fields of a header. */
enum gen_what {
    GEN_FIELD,
    GEN_LENGTH, /* of data, pad, cut: the value alone */
    GEN_FILL,
    GEN_LITERAL, /* hex= or text=: bytes kept in literals */
    GEN_BYTES,   /* !bytes= */
    GEN_KEY,     /* of a TSS header, from here on: what seals the packet */
    GEN_IV_MASK,
    GEN_MODE,
    GEN_CLIENT,
    GEN_REKEY_MASK,
    GEN_REKEY_SHIFT,
    GEN_ENCRYPT_FROM,
    GEN_UDP_IN_AAD,
};

struct gen_layer {
    uint8_t kind; /* enum gen_kind */
    bool anyway;  /* "!" before the name */
    struct gen_name name;
    uint8_t variants[GEN_VARIANTS]; /* among which the parser would choose */
    size_t n_variants;
    uint16_t first_arg, n_args;
    uint32_t at, len; /* its name in the line */
};

struct gen_axis {
    uint16_t arg;
    uint64_t n;
    uint64_t period; /* packets after which its value changes */
};

/* A header in the packet under construction. */
struct gen_placed {
    enum uet_header_id id, inner; /* inner: what stands in its last field, or UET_H_NONE */
    int inner_offset;             /* from its first byte */
    bool inside;                  /* it stands inside the layer before it */
    uint16_t offset, bytes;       /* in the frame */
};

/* What of a packet does not change from one packet of a line to the next. */
struct gen_kept {
    bool chosen; /* the form of the layer: none of its fields is swept */
    struct gen_placed choice;
    uint8_t filled; /* enum uet_header_id whose defaults these are */
    uint8_t defaults[GEN_HEADER_BYTES];
};

struct gen_repeat;

struct uet_gen {
    char *line;
    struct gen_layer layers[GEN_LAYERS];
    size_t n_layers;
    struct gen_arg args[GEN_ARGS];
    size_t n_args;
    struct gen_item items[GEN_ITEMS];
    size_t n_items;
    struct gen_axis axes[GEN_AXES];
    size_t n_axes;
    uint64_t count;
    uint8_t literals[UET_FRAME_MAX];
    size_t n_literals;
    struct gen_kept kept[GEN_LAYERS];
    struct gen_repeat *repeat;      /* the packet made last; NULL when every packet is made anew */
    const struct uet_keyfile *keys; /* while the line is read; NULL: none given */
    struct uet_tss_sa *seal;        /* NULL without a key */
    size_t seal_layer;
    bool sealed_by_file; /* with a key of `keys` */
};

/* error->text, about len bytes of the line at `at`. Returns -EINVAL. */
__attribute__((format(printf, 4, 5))) int gen_refuse(struct uet_gen_error *error, size_t at,
                                                     size_t len, const char *format, ...);

/* The value of an argument in packet i; a literal has none. */
gen_value gen_arg_value(const struct uet_gen *gen, const struct gen_arg *arg, uint64_t i);

/* ---- defaults.c ---- */

/* What a field of a correct packet holds unless something else settles it. */
gen_value gen_default(enum uet_header_id id, const struct uet_field *f);

/* The same for all fields of a header, into its bytes. Those without a default stay as they are. */
void gen_defaults_put(enum uet_header_id id, uint8_t *bytes);

/* ---- variant.c ---- */

/*
 * Chooses, for packet i, the variant of a layer and what stands inside it. p->id, p->inner and
 * p->inner_offset are set. 0 or -EINVAL.
 */
int gen_choose(const struct uet_gen *gen, const struct gen_layer *layer, uint64_t i,
               struct gen_placed *p, struct uet_gen_error *error);

/* The field of that name in the header or in what stands inside it; *offset becomes where its
 * header begins. */
const struct uet_field *gen_placed_field(const struct gen_placed *p, const char *name,
                                         size_t *offset);

/* ---- encode.c ---- */

/* A packet in the making: headers grow beside the frame, and are put together at the end. */
struct gen_work {
    struct uet_gen *gen;
    uint64_t i; /* which packet */
    struct gen_placed placed[GEN_LAYERS];
    uint8_t headers[GEN_LAYERS][GEN_HEADER_BYTES];
    size_t payload_len; /* bytes of all data layers */
    bool icv;           /* room for it was left before ip_end */
    size_t ip_end;      /* where the IP packet ends in the frame */
    size_t len;         /* of the frame, padding included, before a cut */
    struct uet_gen_about about;
    struct uet_gen_error *error;
};

/* The argument of a layer for the field of that full name, or NULL. */
const struct gen_arg *gen_arg_of(const struct gen_work *w, size_t layer, const char *name);

/* The bytes of a layer's field and its place: the header, or what stands inside. */
struct gen_slot {
    const struct uet_field *field; /* NULL: there is none of that name */
    uint8_t *header;
};
struct gen_slot gen_slot_of(struct gen_work *w, size_t layer, const char *name);

/* uet_gen_packet, which also tells where its layers are (placed may be NULL). */
int gen_packet_placed(struct uet_gen *gen, uint64_t i, uint8_t *out, size_t cap,
                      struct uet_gen_about *about, struct gen_placed placed[GEN_LAYERS],
                      struct uet_gen_error *error);

/* ---- repeat.c ---- */

/*
 * Sweeps over fields on which nothing else depends (a PSN, a PDCID) need not make each packet
 * anew: the field is set in the packet before, and the sums put right.
 */
int gen_repeat_new(struct uet_gen *gen);

/* The packet made in full, to start from. */
void gen_repeat_keep(struct gen_work *w, const uint8_t *frame, int len);

/* Makes packet i from the one kept; 0 when that cannot be done, else as uet_gen_packet. */
int gen_repeat_make(struct uet_gen *gen, uint64_t i, uint8_t *out, size_t cap,
                    struct uet_gen_about *about, struct uet_gen_error *error);

/* ---- fill.c ---- */

/* Fills the headers: defaults, what leads the parser on, what was written without "!". */
int gen_fill(struct gen_work *w);

/* Lengths of IP and UDP, of SES; Ethernet addresses; then what was written with "!". */
int gen_settle(struct gen_work *w);

/* After the frame was put together: IPv4 checksum, seal, CRC. */
int gen_protect(struct gen_work *w, uint8_t *frame);

/* ---- seal.c ---- */

/* What of a TSS header is no field: GEN_KEY .., or GEN_FIELD for another name. */
enum gen_what gen_seal_what(const char *name, size_t n);

/* The field to read the value of such an argument with; NULL for keys and masks. */
const struct uet_field *gen_seal_field(enum gen_what what);

/* The value of client=; false when it is none. */
bool gen_seal_client(const char *text, size_t n, gen_value *value);

/* Makes gen->seal of the arguments of a layer, when it has a key. 0, -EINVAL, -ENOMEM. */
int gen_seal_setup(struct uet_gen *gen, size_t layer, struct uet_gen_error *error);

/*
 * Behind "tss" without a key stand bytes that were sealed elsewhere. Refuses another layer there,
 * or none, unless it is written with "!" or gen->keys has a key for it, which then seals. The
 * header by its own name stands for itself.
 */
int gen_seal_check(struct uet_gen *gen, struct uet_gen_error *error);

/* Seals the frame. */
int gen_seal_frame(struct gen_work *w, uint8_t *frame);

#endif
