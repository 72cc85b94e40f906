/* SPDX-License-Identifier: BSD-2-Clause */
#include "gen/value.h"

#include <ctype.h>
#include <stdio.h>
#include <string.h>
#include <strings.h>

#include "ut/nearest.h"
#include "wire/addr.h"

/* The longest text of a value: an enumerator, an IPv6 address, 128 bits in hexadecimal. */
#define TEXT_MAX 80

bool gen_value_fits(const struct uet_field *f, gen_value value)
{
    if (f->width >= 128)
        return true;
    if (f->kind != UET_KIND_INT)
        return value >> f->width == 0;
    gen_value sign = value >> (f->width - 1), ones = ~(gen_value)0 >> (f->width - 1);
    return sign == 0 || sign == ones;
}

static bool is_reserved_name(const char *name)
{
    return strncasecmp(name, "RESERVED", 8) == 0;
}

bool gen_value_allowed(const struct uet_field *f, gen_value value)
{
    if (f->kind == UET_KIND_RESERVED)
        return value == 0;
    if (f->kind != UET_KIND_ENUM)
        return true;
    const struct uet_enumerator *e = uet_enum_find(f->enumeration, (uint32_t)value);
    /* The lists of EtherTypes and protocols name what UET meets, not all there are. */
    bool open = f->enumeration == UET_ENUM_ETHERTYPE || f->enumeration == UET_ENUM_IP_PROTOCOL;
    return e ? !is_reserved_name(e->name) : open;
}

/* ---- numbers ---- */

static unsigned digit_of(char c)
{
    return isdigit((unsigned char)c)    ? (unsigned)c - '0'
           : isxdigit((unsigned char)c) ? (unsigned)tolower((unsigned char)c) - 'a' + 10
                                        : 99;
}

/* A whole number; false when the text is none, or needs more than 128 bits. */
static bool number(const char *text, size_t n, gen_value *value)
{
    bool negative = n && text[0] == '-';
    size_t i = negative;
    unsigned base = 10;
    if (n - i > 2 && text[i] == '0' && (text[i + 1] == 'x' || text[i + 1] == 'X')) {
        base = 16;
        i += 2;
    }
    if (i >= n)
        return false;
    gen_value v = 0, top = ~(gen_value)0;
    for (; i < n; i++) {
        unsigned d = digit_of(text[i]);
        if (d >= base || v > (top - d) / base)
            return false;
        v = v * base + d;
    }
    *value = negative ? -v : v;
    return true;
}

/* ---- addresses ---- */

static bool address(const char *text, uint8_t version, gen_value *value)
{
    struct uet_ip ip;
    if (uet_ip_parse(&ip, text) != 0 || ip.version != version)
        return false;
    *value = 0;
    for (size_t i = 0; i < uet_ip_len(&ip); i++)
        *value = *value << 8 | ip.bytes[i];
    return true;
}

static bool mac(const char *text, gen_value *value)
{
    *value = 0;
    for (int i = 0; i < 6; i++, text += 3) {
        if (digit_of(text[0]) > 15 || digit_of(text[1]) > 15 || text[2] != (i < 5 ? ':' : '\0'))
            return false;
        *value = *value << 8 | (digit_of(text[0]) << 4 | digit_of(text[1]));
    }
    return true;
}

/* ---- enumerators ---- */

/* What the specification puts before the names of a table, and people leave away. */
static const char *bare(const char *name)
{
    static const char *const prefixes[] = {"UET_HDR_", "UET_", "RC_", "CC_", "PDS_"};
    for (size_t i = 0; i < sizeof prefixes / sizeof *prefixes; i++)
        if (strncasecmp(name, prefixes[i], strlen(prefixes[i])) == 0)
            return name + strlen(prefixes[i]);
    return name;
}

/* "close" is REQ_CLOSE when nothing else ends so. */
static bool ends_with_word(const char *name, const char *word)
{
    size_t n = strlen(name), w = strlen(word);
    return n > w && name[n - w - 1] == '_' && strcasecmp(name + n - w, word) == 0;
}

static bool enumerator(uint8_t enumeration, const char *text, gen_value *value)
{
    const struct uet_enumeration *e = &uet_enumerations[enumeration];
    size_t ends = 0;
    for (size_t i = 0; i < e->n; i++)
        if (strcasecmp(e->values[i].name, text) == 0) {
            *value = e->values[i].low;
            return true;
        }
    for (size_t i = 0; i < e->n; i++)
        if (strcasecmp(bare(e->values[i].name), bare(text)) == 0) {
            *value = e->values[i].low;
            return true;
        }
    for (size_t i = 0; i < e->n; i++)
        if (!is_reserved_name(e->values[i].name) && ends_with_word(e->values[i].name, text)) {
            *value = e->values[i].low;
            ends++;
        }
    return ends == 1;
}

static void refuse_enumerator(const struct uet_field *f, const char *text, char *why, size_t n)
{
    const struct uet_enumeration *e = &uet_enumerations[f->enumeration];
    struct uet_nearest near;
    uet_nearest_begin(&near, bare(text));
    for (size_t i = 0; i < e->n; i++)
        if (!is_reserved_name(e->values[i].name))
            uet_nearest_offer(&near, bare(e->values[i].name));
    snprintf(why, n, "%s is no value of %s", text, f->name);
    uet_nearest_append(&near, why, n);
}

/* ---- text to value ---- */

static bool parse_text(const struct uet_field *f, const char *text, gen_value *value)
{
    switch (f->kind) {
    case UET_KIND_MAC:
        return mac(text, value);
    case UET_KIND_IPV4:
        return address(text, 4, value);
    case UET_KIND_IPV6:
        return address(text, 6, value);
    case UET_KIND_ENUM:
        return enumerator(f->enumeration, text, value);
    case UET_KIND_FLAG:
        *value = strcasecmp(text, "true") == 0;
        return *value || strcasecmp(text, "false") == 0;
    default:
        return false;
    }
}

static const char *wanted(const struct uet_field *f)
{
    switch (f->kind) {
    case UET_KIND_MAC:
        return "a MAC address such as 02:00:c0:00:02:01";
    case UET_KIND_IPV4:
        return "an IPv4 address such as 192.0.2.1";
    case UET_KIND_IPV6:
        return "an IPv6 address such as 2001:db8::1";
    case UET_KIND_FLAG:
        return "0 or 1";
    default:
        return "a number, decimal or 0x hexadecimal";
    }
}

bool gen_value_parse(const struct uet_field *f, const char *text, size_t n, gen_value *value,
                     char *why, size_t whylen)
{
    char copy[TEXT_MAX];
    if (n == 0 || n >= sizeof copy) {
        snprintf(why, whylen, "%s needs %s", f->name, wanted(f));
        return false;
    }
    memcpy(copy, text, n);
    copy[n] = '\0';
    if (!number(text, n, value) && !parse_text(f, copy, value)) {
        if (f->kind == UET_KIND_ENUM)
            refuse_enumerator(f, copy, why, whylen);
        else
            snprintf(why, whylen, "%s is no value of %s: give %s", copy, f->name, wanted(f));
        return false;
    }
    if (gen_value_fits(f, *value))
        return true;
    if (f->kind == UET_KIND_INT)
        snprintf(why, whylen, "%s does not fit %s: it holds %d to %d", copy, f->name,
                 -(1 << (f->width - 1)), (1 << (f->width - 1)) - 1);
    else
        snprintf(why, whylen, "%s does not fit %s: it has %u bit%s", copy, f->name, f->width,
                 f->width == 1 ? "" : "s");
    return false;
}

/* ---- value to text ---- */

static int address_text(gen_value value, uint8_t version, char *out, size_t cap)
{
    struct uet_ip ip = {.version = version};
    char text[UET_IP_TEXT];
    for (size_t n = uet_ip_len(&ip), i = n; i-- > 0; value >>= 8)
        ip.bytes[i] = (uint8_t)value;
    return snprintf(out, cap, "%s", uet_ip_text(&ip, text));
}

static int enum_text(const struct uet_field *f, gen_value value, char *out, size_t cap)
{
    const struct uet_enumerator *e = uet_enum_find(f->enumeration, (uint32_t)value);
    gen_value back;
    if (!e || e->low != e->high || is_reserved_name(e->name) || e->name[strcspn(e->name, "-() ")])
        return snprintf(out, cap, "%llu", (unsigned long long)value);
    const char *name = bare(e->name);
    if (!enumerator(f->enumeration, name, &back) || back != value)
        name = e->name; /* another enumerator has the short name, too */
    int n = snprintf(out, cap, "%s", name);
    for (size_t i = 0; i < cap && out[i]; i++)
        out[i] = (char)tolower((unsigned char)out[i]);
    return n;
}

int gen_value_text(const struct uet_field *f, gen_value value, char *out, size_t cap)
{
    unsigned long long low = (unsigned long long)value, high = (unsigned long long)(value >> 64);
    switch (f->kind) {
    case UET_KIND_MAC:
        return snprintf(out, cap, "%02llx:%02llx:%02llx:%02llx:%02llx:%02llx", low >> 40 & 255,
                        low >> 32 & 255, low >> 24 & 255, low >> 16 & 255, low >> 8 & 255,
                        low & 255);
    case UET_KIND_IPV4:
        return address_text(value, 4, out, cap);
    case UET_KIND_IPV6:
        return address_text(value, 6, out, cap);
    case UET_KIND_ENUM:
        return enum_text(f, value, out, cap);
    case UET_KIND_INT:
        return snprintf(out, cap, "%lld", (long long)low);
    default:
        if (high)
            return snprintf(out, cap, "0x%llx%016llx", high, low);
        return snprintf(out, cap, low < 65536 ? "%llu" : "0x%llx", low);
    }
}

/* ---- in the bytes of a header ---- */

gen_value gen_value_get(const struct uet_field *f, const uint8_t *h)
{
    if (f->width <= 64) {
        uint64_t v = uet_field_get(f, h);
        return f->kind == UET_KIND_INT ? (gen_value)(__int128)(int64_t)v : v;
    }
    gen_value v = 0; /* fields this wide begin and end with a byte */
    for (size_t i = 0; i < f->width / 8u; i++)
        v = v << 8 | h[f->bit_offset / 8u + i];
    return v;
}

void gen_value_set(const struct uet_field *f, uint8_t *h, gen_value value)
{
    if (f->width <= 64) {
        uet_field_set(f, h, (uint64_t)value);
        return;
    }
    for (size_t i = f->width / 8u; i-- > 0; value >>= 8)
        h[f->bit_offset / 8u + i] = (uint8_t)value;
}
