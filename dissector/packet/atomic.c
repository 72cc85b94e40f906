/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "dissector/packet/atomic.h"

#include <math.h>
#include <stdio.h>

#include "wire/print.h"

/* ---- the datatypes ---- */

enum kind { NONE, SIGNED, UNSIGNED, REAL, COMPLEX, OPAQUE };

/*
 * What the bits of a datatype mean, and how many of a floating point number are its exponent; sign
 * and fraction are the rest. How long it is, spec-map says. OPAQUE: its form on the wire is in no
 * public source.
 */
static const struct meaning {
    uint8_t kind, exponent;
} meanings[] = {
    [UET_TYPE_INT8] = {SIGNED, 0},
    [UET_TYPE_UINT8] = {UNSIGNED, 0},
    [UET_TYPE_INT16] = {SIGNED, 0},
    [UET_TYPE_UINT16] = {UNSIGNED, 0},
    [UET_TYPE_INT32] = {SIGNED, 0},
    [UET_TYPE_UINT32] = {UNSIGNED, 0},
    [UET_TYPE_INT64] = {SIGNED, 0},
    [UET_TYPE_UINT64] = {UNSIGNED, 0},
    [UET_TYPE_INT128] = {SIGNED, 0},
    [UET_TYPE_UINT128] = {UNSIGNED, 0},
    [UET_TYPE_FLOAT] = {REAL, 8},
    [UET_TYPE_DOUBLE] = {REAL, 11},
    [UET_TYPE_FLOAT_COMPLEX] = {COMPLEX, 8},
    [UET_TYPE_DOUBLE_COMPLEX] = {COMPLEX, 11},
    [UET_TYPE_LONG_DOUBLE] = {OPAQUE, 0},
    [UET_TYPE_LONG_DOUBLE_COMPLEX] = {OPAQUE, 0},
    [UET_TYPE_BF16] = {REAL, 8},
    [UET_TYPE_FP16] = {REAL, 5},
};
static uint8_t bytes_of[array_length(meanings)]; /* of an element; 0: not known */

enum { DIGITS_128 = 40, DIGITS_REAL = 32, TEXT = 80, FEWEST_DIGITS = 6, MOST_DIGITS = 17 };
/* An operand of the compare and swap extension (Figure 3-17). */
enum { OPERAND = (UET_SES_EXT_CSWAP_BYTES - UET_SES_EXT_ATOMIC_BYTES) / 2 };

/* "signed 8; 1 bytes" */
static void find_sizes(void)
{
    const struct uet_enumeration *e = &uet_enumerations[UET_ENUM_AMO_DATATYPE];
    for (size_t i = 0; i < e->n; i++) {
        const struct uet_enumerator *v = &e->values[i];
        const char *size = strchr(v->meaning, ';');
        if (size && v->high < array_length(bytes_of))
            bytes_of[v->low] = (uint8_t)strtoul(size + 1, NULL, 10);
    }
}

/* Bytes of an element that can be shown; 0: of this datatype none can. */
static unsigned element_bytes(uint8_t datatype)
{
    bool known = datatype < array_length(meanings) && meanings[datatype].kind != NONE;
    return known ? bytes_of[datatype] : 0;
}

/* ---- fields: what an element is to the operation, and the forms that its value has ---- */

enum role { ROLE_OPERAND, ROLE_COMPARE, ROLE_SWAP, ROLE_RESULT, ROLES };
enum form { FORM_TEXT, FORM_INT, FORM_UINT, FORM_FLOAT, FORM_IMAGINARY, FORMS };

static const struct {
    const char *name, *blurb;
} roles[ROLES] = {
    [ROLE_OPERAND] = {"operand", "Operand of an atomic"},
    [ROLE_COMPARE] = {"compare", "Value to compare with, of UET_AMO_MSWAP the mask"},
    [ROLE_SWAP] = {"swap", "Value to put in"},
    [ROLE_RESULT] = {"result", "Value before the fetching atomic"},
};

static const struct {
    const char *suffix;
    enum ftenum type;
    int base;
    const char *blurb;
} forms[FORMS] = {
    [FORM_TEXT] = {"", FT_STRING, BASE_NONE, "as text, of any datatype"},
    [FORM_INT] = {".int", FT_INT64, BASE_DEC, "signed datatypes"},
    [FORM_UINT] = {".uint", FT_UINT64, BASE_DEC, "unsigned datatypes"},
    [FORM_FLOAT] = {".float", FT_DOUBLE, BASE_NONE, "floating point; real part of a complex one"},
    [FORM_IMAGINARY] = {".imaginary", FT_DOUBLE, BASE_NONE, "imaginary part"},
};

static int hf[ROLES][FORMS];
static int hf_elements = UETX_NO_ID;
static int ett_elements = UETX_NO_ID;

/* ---- numbers ---- */

static uint64_t low_bits(const uint8_t *b, unsigned n)
{
    uint64_t bits = 0;
    for (unsigned i = n > sizeof bits ? n - (unsigned)sizeof bits : 0; i < n; i++)
        bits = bits << 8 | b[i];
    return bits;
}

/* Of an integer of n <= 8 bytes. */
static int64_t extended(uint64_t bits, unsigned n)
{
    unsigned unused = n && n < sizeof bits ? 64 - 8 * n : 0;
    return (int64_t)(bits << unused) >> unused;
}

/* Divides the n bytes at b by 10; the remainder. */
static unsigned divide(uint8_t *b, unsigned n)
{
    unsigned rest = 0;
    for (unsigned i = 0; i < n; i++) {
        rest = rest << 8 | b[i];
        b[i] = (uint8_t)(rest / 10);
        rest %= 10;
    }
    return rest;
}

static void negate(uint8_t *b, unsigned n)
{
    unsigned carry = 1;
    for (unsigned i = n; i-- > 0; carry >>= 8) {
        carry += (uint8_t)~b[i];
        b[i] = (uint8_t)carry;
    }
}

static bool any_bit(const uint8_t *b, unsigned n)
{
    for (unsigned i = 0; i < n; i++)
        if (b[i])
            return true;
    return false;
}

/* An integer of n <= 16 bytes in decimal. */
static void write_integer(char text[TEXT], const uint8_t *from, unsigned n, bool is_signed)
{
    uint8_t b[OPERAND];
    char digits[DIGITS_128];
    unsigned at = 0;
    bool negative = is_signed && from[0] >> 7;
    memcpy(b, from, n);
    if (negative)
        negate(b, n);
    do
        digits[at++] = (char)('0' + divide(b, n));
    while (any_bit(b, n));
    if (negative)
        *text++ = '-';
    while (at > 0)
        *text++ = digits[--at];
    *text = '\0';
}

/* A number of IEEE 754, or like one: sign, exponent, fraction. */
static double real_of(uint64_t bits, unsigned n, unsigned exponent)
{
    if (8 * n <= exponent || n > sizeof bits)
        return 0; /* no datatype is so */
    unsigned fraction = 8 * n - 1 - exponent;
    uint64_t ones = (UINT64_C(1) << exponent) - 1;
    uint64_t e = bits >> fraction & ones, f = bits & ((UINT64_C(1) << fraction) - 1);
    int scale = (int)(e ? e : 1) - (int)(ones >> 1) - (int)fraction;
    double magnitude = ldexp((double)(e ? f | UINT64_C(1) << fraction : f), scale);
    if (e == ones)
        magnitude = f ? (double)NAN : (double)INFINITY;
    return bits >> (8 * n - 1) & 1 ? -magnitude : magnitude;
}

/* The fewest digits, from six on, that are of this number and of no other of its format. */
static void write_real(char text[DIGITS_REAL], uint64_t bits, unsigned n, unsigned exponent)
{
    double value = real_of(bits, n, exponent);
    if (!isfinite(value) || value == 0) {
        snprintf(text, DIGITS_REAL, "%s%s", signbit(value) && !isnan(value) ? "-" : "",
                 isnan(value) ? "nan"
                 : value == 0 ? "0"
                              : "inf");
        return;
    }
    double below = fabs(value - real_of(bits - 1, n, exponent));
    double above = fabs(real_of(bits + 1, n, exponent) - value);
    double near = (below < above ? below : above) / 2;
    for (unsigned digits = FEWEST_DIGITS; digits <= MOST_DIGITS; digits++) {
        char format[8];
        snprintf(format, sizeof format, "%%.%ug", digits);
        double back = g_ascii_strtod(g_ascii_formatd(text, DIGITS_REAL, format, value), NULL);
        if (back == value || fabs(back - value) < near)
            return;
    }
}

/* ---- an element ---- */

/* One of them in the packet. */
struct element {
    const struct meaning *meaning;
    const uint8_t *b;
    unsigned at, n;
    const int *hf; /* its role's, by form */
    char text[TEXT];
};

static void write_text(struct element *e, packet_info *pinfo)
{
    char real[DIGITS_REAL], imaginary[DIGITS_REAL];
    unsigned half = e->n / 2;
    switch (e->meaning->kind) {
    case SIGNED:
    case UNSIGNED:
        write_integer(e->text, e->b, e->n, e->meaning->kind == SIGNED);
        return;
    case REAL:
        write_real(e->text, low_bits(e->b, e->n), e->n, e->meaning->exponent);
        return;
    case COMPLEX: /* real first (Table 3-22) */
        write_real(real, low_bits(e->b, half), half, e->meaning->exponent);
        write_real(imaginary, low_bits(e->b + half, half), half, e->meaning->exponent);
        snprintf(e->text, sizeof e->text, "%s %c %si", real, *imaginary == '-' ? '-' : '+',
                 imaginary + (*imaginary == '-'));
        return;
    default:
        snprintf(e->text, sizeof e->text, "0x%s", bytes_to_str(pinfo->pool, e->b, e->n));
    }
}

static void add_float(struct uetx_pdu *u, proto_tree *tree, const struct element *e, enum form form,
                      unsigned from, unsigned n)
{
    double value = real_of(low_bits(e->b + from, n), n, e->meaning->exponent);
    proto_item_set_hidden(
        proto_tree_add_double(tree, e->hf[form], u->tvb, (gint)(e->at + from), (gint)n, value));
}

/* Its value as a number, to filter by: what has more than 64 bits only when it fits in them. */
static void add_numbers(struct uetx_pdu *u, proto_tree *tree, const struct element *e)
{
    unsigned n = e->n > 8 ? 8 : e->n, above = e->n - n;
    uint64_t bits = low_bits(e->b, e->n);
    int64_t number = extended(bits, n);
    proto_item *item = NULL;
    switch (e->meaning->kind) {
    case SIGNED:
        if (!above || low_bits(e->b, above) == (number < 0 ? UINT64_MAX : 0))
            item = proto_tree_add_int64(tree, e->hf[FORM_INT], u->tvb, (gint)e->at, (gint)e->n,
                                        number);
        break;
    case UNSIGNED:
        if (!above || !low_bits(e->b, above))
            item = proto_tree_add_uint64(tree, e->hf[FORM_UINT], u->tvb, (gint)e->at, (gint)e->n,
                                         bits);
        break;
    case REAL:
        add_float(u, tree, e, FORM_FLOAT, 0, e->n);
        break;
    case COMPLEX:
        add_float(u, tree, e, FORM_FLOAT, 0, e->n / 2);
        add_float(u, tree, e, FORM_IMAGINARY, e->n / 2, e->n / 2);
        break;
    default:
        break;
    }
    proto_item_set_hidden(item);
}

/* Are its operands patterns of bits rather than numbers? */
static bool is_bitwise(uint8_t opcode)
{
    return opcode == UET_AMO_BOR || opcode == UET_AMO_BAND || opcode == UET_AMO_BXOR ||
           opcode == UET_AMO_MSWAP;
}

static proto_item *add_element(struct uetx_pdu *u, proto_tree *tree, const struct uetx_atomic *a,
                               enum role role, unsigned at)
{
    struct element e = {.meaning = &meanings[a->datatype],
                        .b = u->p.frame + at,
                        .at = at,
                        .n = element_bytes(a->datatype),
                        .hf = hf[role]};
    write_text(&e, u->pinfo);
    proto_item *item =
        proto_tree_add_string(tree, e.hf[FORM_TEXT], u->tvb, (gint)at, (gint)e.n, e.text);
    if (is_bitwise(a->opcode) && e.meaning->kind != OPAQUE)
        proto_item_append_text(item, " = 0x%s", bytes_to_str(u->pinfo->pool, e.b, e.n));
    add_numbers(u, tree, &e);
    return item;
}

static const char *type_of(const struct uetx_atomic *a)
{
    return uet_print_name(UET_ENUM_AMO_DATATYPE, a->datatype);
}

/* Elements that follow each other: one by itself, several under an item of their own. */
static void add_elements(struct uetx_pdu *u, proto_tree *tree, const struct uetx_atomic *a,
                         enum role role, unsigned at, unsigned n)
{
    unsigned size = element_bytes(a->datatype), count = size ? n / size : 0;
    proto_item *top = NULL, *item = NULL;
    if (!count)
        return;
    if (count > 1) {
        top = proto_tree_add_none_format(tree, hf_elements, u->tvb, (gint)at, (gint)(count * size),
                                         "%ss: %u", roles[role].name, count);
        tree = proto_item_add_subtree(top, ett_elements);
    }
    for (unsigned i = 0; i < count; i++)
        item = add_element(u, tree, a, role, at + i * size);
    proto_item_append_text(top ? top : item, " (%s)", type_of(a));
    if (n % size)
        proto_item_append_text(top ? top : item, ", and %u bytes of another", n % size);
}

/* ---- where they stand ---- */

struct uetx_atomic uetx_atomic_of(const struct uet_packet *p)
{
    struct uetx_atomic a = {.known = uet_in_ses_ext_atomic(p->ext)};
    if (a.known) {
        a.opcode = uet_ses_ext_atomic_opcode(uet_ses_ext(p));
        a.datatype = uet_ses_ext_atomic_datatype(uet_ses_ext(p));
    }
    return a;
}

/* Two operands, of which the low-order bytes count (Figure 3-17). */
static void add_pair(struct uetx_pdu *u, proto_tree *tree, const struct uetx_atomic *a, unsigned at)
{
    unsigned n = element_bytes(a->datatype);
    if (!n || n > OPERAND)
        return;
    bool masks = a->opcode == UET_AMO_MSWAP;
    at += OPERAND - n;
    proto_item *compare = add_element(u, tree, a, ROLE_COMPARE, at);
    proto_item_append_text(compare, " (%s%s)", type_of(a), masks ? ", the mask" : "");
    proto_item *swap = add_element(u, tree, a, ROLE_SWAP, at + OPERAND);
    proto_item_append_text(swap, " (%s)", type_of(a));
}

void uetx_atomic_extension_show(struct uetx_pdu *u, proto_tree *tree)
{
    const struct uetx_atomic a = uetx_atomic_of(&u->p);
    if (tree && a.known && u->p.ext == UET_H_SES_EXT_CSWAP)
        add_pair(u, tree, &a, u->p.ext_offset + (unsigned)UET_SES_EXT_ATOMIC_BYTES);
}

/* How many of n bytes at `at` were captured. */
static unsigned there(const struct uetx_pdu *u, unsigned at, unsigned n)
{
    if (at >= u->captured)
        return 0;
    return n < u->captured - at ? n : u->captured - at;
}

void uetx_atomic_operands_show(struct uetx_pdu *u, proto_tree *tree, unsigned at, unsigned n)
{
    const struct uetx_atomic a = uetx_atomic_of(&u->p);
    if (!tree || !a.known || u->p.ext == UET_H_SES_EXT_CSWAP || a.opcode == UET_AMO_INVAL)
        return; /* both operands stand in the extension; no operand is known of INVAL */
    unsigned captured = there(u, at, n);
    if (a.opcode == UET_AMO_MSWAP && captured == 2 * OPERAND)
        add_pair(u, tree, &a, at); /* its long extension, read as the short one (SES-167) */
    else
        add_elements(u, tree, &a, ROLE_OPERAND, at, captured);
}

void uetx_atomic_results_show(struct uetx_pdu *u, proto_tree *tree, const struct uetx_atomic *asked,
                              unsigned at, unsigned n)
{
    if (tree && asked->known)
        add_elements(u, tree, asked, ROLE_RESULT, at, there(u, at, n));
}

/* ---- registration ---- */

static void describe(hf_register_info *info, enum role role, enum form form)
{
    static const header_field_info none = {NULL, NULL, FT_NONE, 0, NULL, 0, NULL, HFILL};
    hf[role][form] = UETX_NO_ID;
    info->p_id = &hf[role][form];
    info->hfinfo = none;
    info->hfinfo.name = roles[role].name;
    info->hfinfo.abbrev = g_strdup_printf("uetx.atomic.%s%s", roles[role].name, forms[form].suffix);
    info->hfinfo.type = forms[form].type;
    info->hfinfo.display = forms[form].base;
    info->hfinfo.blurb =
        g_strdup_printf("%s; %s; 3.4.2.4, Table 3-22", roles[role].blurb, forms[form].blurb);
}

void uetx_atomic_register(int proto)
{
    static hf_register_info values[ROLES * FORMS]; /* epan keeps it */
    static hf_register_info groups[] = {
        {&hf_elements,
         {"elements", "uetx.atomic.elements", FT_NONE, BASE_NONE, NULL, 0,
          "Several operands or results; 3.4.2.4", HFILL}},
    };
    static int *ett[] = {&ett_elements};
    find_sizes();
    for (unsigned i = 0; i < ROLES * FORMS; i++)
        describe(&values[i], (enum role)(i / FORMS), (enum form)(i % FORMS));
    proto_register_field_array(proto, values, ROLES * FORMS);
    proto_register_field_array(proto, groups, array_length(groups));
    proto_register_subtree_array(ett, array_length(ett));
}
