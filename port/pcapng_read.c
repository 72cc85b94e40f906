/* SPDX-License-Identifier: BSD-2-Clause */
/* The pcapng reader: both byte orders, every length checked, the first fault named by offset. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "port/capture_internal.h"
#include "port/pcapng_format.h"

enum {
    BLOCK_MAX = 16 << 20, /* bytes of a block that is read whole */
    AT_ONCE = 256 << 10,  /* bytes that are read at once */
    INTERFACES_MAX = 4096,
    BODY = 8, /* of a block, after type and length */
};

struct interface {
    uint32_t snaplen; /* 0: no limit */
    uint16_t linktype;
    uint8_t tsresol; /* 10^-n s; with the high bit 2^-n s */
    int64_t tsoffset_s;
};

struct reader {
    bool big;        /* byte order of the section */
    bool in_section; /* a section header was seen */
    bool ahead;      /* a plain file: reading on never waits for a writer */
    uint64_t offset; /* of the present block in the file */
    uint64_t base;   /* of buffer[at] in the file: further on where a block is passed over */
    uint8_t *buffer; /* the bytes [at, end) are read and not used yet */
    size_t room, at, end;
    uint8_t *block; /* the present block */
    uint32_t len;   /* its bytes */
    char *comment;  /* of the present packet */
    size_t comment_room;
    struct interface *interfaces;
    size_t n_interfaces;
};

static inline uint32_t get32(const struct reader *r, const uint8_t *p)
{
    uint32_t little = (uint32_t)p[3] << 24 | (uint32_t)p[2] << 16 | (uint32_t)p[1] << 8 | p[0];
    return r->big ? __builtin_bswap32(little) : little;
}

static uint16_t get16(const struct reader *r, const uint8_t *p)
{
    return (uint16_t)(r->big ? p[0] << 8 | p[1] : p[1] << 8 | p[0]);
}

/* Notes a fault at a byte of the present block. */
#define FAULT(capture, r, at, ...) capture_fail(capture, EBADMSG, (r)->offset + (at), __VA_ARGS__)

/* ---- blocks as such ---- */

static void *grown(struct uet_capture *capture, const struct reader *r, void *old, size_t want)
{
    void *new = realloc(old, want);
    if (!new)
        capture_fail(capture, ENOMEM, r->offset, "not enough memory for a block of %zu bytes",
                     want);
    return new;
}

/* Room for `want` bytes from the present block on, which moves to the front. */
static int make_room(struct uet_capture *capture, struct reader *r, size_t want)
{
    if (r->at)
        memmove(r->buffer, r->buffer + r->at, r->end - r->at);
    r->end -= r->at;
    r->at = 0;
    if (want <= r->room)
        return 0;
    uint8_t *buffer = grown(capture, r, r->buffer, want);
    if (!buffer)
        return -ENOMEM;
    r->buffer = buffer;
    r->room = want;
    return 0;
}

/* 1; 0 when the file ended before the first of them; or a negative errno. */
static int read_on(struct uet_capture *capture, struct reader *r, size_t want)
{
    int rc = make_room(capture, r, want);
    if (rc)
        return rc;
    r->end += fread(r->buffer + r->end, 1, (r->ahead ? r->room : want) - r->end, capture->file);
    r->block = r->buffer;
    if (r->end >= want)
        return 1;
    if (ferror(capture->file))
        return capture_fail(capture, EIO, r->base + r->end, "cannot read on");
    if (!r->end && r->base == r->offset)
        return 0;
    return capture_fail(capture, EBADMSG, r->base + r->end,
                        "the file ends inside the block that begins at %llu: it was cut short",
                        (unsigned long long)r->offset);
}

/* That the next `want` bytes are at r->block. As read_on. */
static inline int need(struct uet_capture *capture, struct reader *r, size_t want)
{
    r->block = r->buffer + r->at;
    return r->end - r->at >= want ? 1 : read_on(capture, r, want);
}

static void pass(struct reader *r, size_t n)
{
    r->at += n;
    r->base += n;
}

/* The byte order mark decides how even the block's length is read. */
static int read_byte_order(struct uet_capture *capture, struct reader *r)
{
    static const uint8_t big[4] = {0x1a, 0x2b, 0x3c, 0x4d}, little[4] = {0x4d, 0x3c, 0x2b, 0x1a};
    int rc = need(capture, r, BODY + 4);

    if (rc < 0)
        return rc;
    r->big = memcmp(r->block + BODY, big, 4) == 0;
    if (!r->big && memcmp(r->block + BODY, little, 4) != 0)
        return FAULT(capture, r, BODY, "the byte order mark is neither 1a2b3c4d nor 4d3c2b1a");
    return 0;
}

static int check_trailer(struct uet_capture *capture, const struct reader *r,
                         const uint8_t *trailer)
{
    uint32_t again = get32(r, trailer);

    if (again == r->len)
        return 0;
    return FAULT(capture, r, r->len - 4, "the block length at its end is %u, at its start %u",
                 again, r->len);
}

/* Passes over a block of a type that is of no use here, whatever its length. */
static int skip_block(struct uet_capture *capture, struct reader *r)
{
    uint32_t left = r->len;
    int rc;

    for (; left > AT_ONCE; left -= AT_ONCE / 2) {
        rc = need(capture, r, AT_ONCE / 2);
        if (rc < 0)
            return rc;
        pass(r, AT_ONCE / 2);
    }
    rc = need(capture, r, left);
    return rc < 0 ? rc : check_trailer(capture, r, r->block + left - 4);
}

static bool is_known(uint32_t type)
{
    return type == NG_SECTION || type == NG_INTERFACE || type == NG_PACKET ||
           type == NG_PACKET_SIMPLE || type == NG_PACKET_OLD;
}

/*
 * Reads the next block whole, or passes over it when its type is unknown. 1; 0 at the end of the
 * file; or a negative errno.
 */
static int read_block(struct uet_capture *capture, struct reader *r, uint32_t *type)
{
    int rc = need(capture, r, BODY);
    uint32_t least = NG_BLOCK_MIN;

    if (rc <= 0)
        return rc;
    *type = get32(r, r->block);
    if (*type == NG_SECTION) { /* reads the same in both byte orders */
        rc = read_byte_order(capture, r);
        if (rc)
            return rc;
        least = BODY + 4 + 4;
    }
    r->len = get32(r, r->block + 4);
    if (r->len % 4 || r->len < least)
        return FAULT(capture, r, 4, "block length %u: not a multiple of 4, or too short", r->len);
    if (!is_known(*type)) {
        rc = skip_block(capture, r);
        return rc ? rc : 1;
    }
    if (r->len > BLOCK_MAX)
        return FAULT(capture, r, 4, "block length %u is above the %d bytes that are read", r->len,
                     BLOCK_MAX);
    rc = need(capture, r, r->len);
    if (rc > 0)
        rc = check_trailer(capture, r, r->block + r->len - 4);
    return rc ? rc : 1;
}

/* ---- options ---- */

struct option {
    uint16_t code, len;
    uint32_t at; /* of the value in the block */
};

/* Steps to the option at *at. 1; 0 after the last; or a negative errno. */
static int next_option(struct uet_capture *capture, struct reader *r, uint32_t *at,
                       struct option *option)
{
    uint32_t left = r->len - 4 - *at;

    if (left == 0)
        return 0;
    if (left < 4)
        return FAULT(capture, r, *at, "%u bytes are too few for an option", left);
    option->code = get16(r, r->block + *at);
    option->len = get16(r, r->block + *at + 2);
    option->at = *at + 4;
    if (option->code == NG_OPT_END)
        return 0;
    if ((option->len + 3u) / 4 * 4 > left - 4)
        return FAULT(capture, r, *at + 2, "option %u of %u bytes runs over the end of its block",
                     option->code, option->len);
    *at = option->at + (option->len + 3u) / 4 * 4;
    return 1;
}

/* ---- sections and interfaces ---- */

static int read_section(struct uet_capture *capture, struct reader *r)
{
    uint32_t at = BODY + 16;
    struct option option = {0};
    uint16_t major;
    int rc;

    if (r->len < NG_BLOCK_MIN + 16)
        return FAULT(capture, r, 4, "block length %u is too short for a section header", r->len);
    major = get16(r, r->block + 12);
    if (major != 1)
        return FAULT(capture, r, 12, "version %u of pcapng is not known (1 is)", major);
    r->n_interfaces = 0;
    r->in_section = true;
    while ((rc = next_option(capture, r, &at, &option)) == 1)
        ; /* none is of use here, but their lengths must be right */
    return rc;
}

static int read_interface(struct uet_capture *capture, struct reader *r)
{
    struct interface *all, new = {.tsresol = 6};
    uint32_t at = BODY + 8;
    struct option option = {0};
    int rc;

    if (r->len < NG_BLOCK_MIN + 8)
        return FAULT(capture, r, 4, "block length %u is too short for an interface", r->len);
    if (r->n_interfaces == INTERFACES_MAX)
        return FAULT(capture, r, 0, "more than %d interfaces", INTERFACES_MAX);
    new.linktype = get16(r, r->block + BODY);
    new.snaplen = get32(r, r->block + BODY + 4);
    while ((rc = next_option(capture, r, &at, &option)) == 1) {
        if (option.code == NG_OPT_TSRESOL && option.len == 1)
            new.tsresol = r->block[option.at];
        if (option.code == NG_OPT_TSOFFSET && option.len == 8) {
            uint32_t one = get32(r, r->block + option.at), two = get32(r, r->block + option.at + 4);

            new.tsoffset_s =
                (int64_t)(r->big ? (uint64_t)one << 32 | two : (uint64_t)two << 32 | one);
        }
    }
    if (rc)
        return rc;
    all = realloc(r->interfaces, (r->n_interfaces + 1) * sizeof(*all));
    if (!all)
        return capture_fail(capture, ENOMEM, r->offset, "not enough memory");
    r->interfaces = all;
    all[r->n_interfaces++] = new;
    return 0;
}

/* Wide enough for any stamp in any resolution. */
__extension__ typedef __int128 wide;

/* The stamp in nanoseconds; what no 64 bits can hold becomes the nearest that they can. */
static uint64_t to_ns(const struct interface *interface, uint64_t stamp)
{
    unsigned exponent = interface->tsresol & 0x7f;
    wide ns = stamp;

    if (interface->tsresol & 0x80) {
        /* 64 bits times 10^9 are below 2^94 */
        ns = exponent > 94 ? 0 : (ns * 1000000000) >> exponent;
    } else {
        for (; exponent < 9; exponent++)
            ns *= 10;
        for (; exponent > 9 && ns > 0; exponent--)
            ns /= 10;
    }
    ns += (wide)interface->tsoffset_s * 1000000000;
    return ns < 0 ? 0 : ns > (wide)UINT64_MAX ? UINT64_MAX : (uint64_t)ns;
}

/* ---- packets ---- */

/* As for the whole block: a comment is shorter than its option was in there. */
static int comment_room(struct uet_capture *capture, struct reader *r)
{
    if (r->comment_room >= r->len)
        return 0;
    char *comment = grown(capture, r, r->comment, r->len);
    if (!comment)
        return -ENOMEM;
    r->comment = comment;
    r->comment_room = r->len;
    return 0;
}

static int read_packet_options(struct uet_capture *capture, struct reader *r, uint32_t at,
                               struct uet_capture_packet *packet)
{
    struct option option = {0};
    size_t used = 0;
    int rc;

    while ((rc = next_option(capture, r, &at, &option)) == 1) {
        if (option.code == NG_OPT_FLAGS && option.len == 4) {
            uint32_t direction = get32(r, r->block + option.at) & 3;

            if (direction == UET_DIRECTION_IN || direction == UET_DIRECTION_OUT)
                packet->direction = (enum uet_direction)direction;
        }
        if (option.code == NG_OPT_COMMENT) {
            if (comment_room(capture, r))
                return -ENOMEM;
            if (packet->comment)
                r->comment[used++] = '\n';
            memcpy(r->comment + used, r->block + option.at, option.len);
            used += option.len;
            r->comment[used] = 0;
            packet->comment = r->comment;
        }
    }
    return rc;
}

static int take_bytes(struct uet_capture *capture, struct reader *r, uint32_t at, uint32_t len_at,
                      struct uet_capture_packet *packet)
{
    uint32_t room = r->len - 4 - at;

    if (packet->caplen > room)
        return FAULT(capture, r, len_at, "captured length %u, but the block has room for %u bytes",
                     packet->caplen, room);
    if (packet->interface >= r->n_interfaces)
        return FAULT(capture, r, BODY, "interface %u is not described before it is used",
                     packet->interface);
    /* Some writers get the original length wrong; it does no harm. */
    if (packet->len < packet->caplen)
        packet->len = packet->caplen;
    packet->data = r->block + at;
    packet->linktype = r->interfaces[packet->interface].linktype;
    packet->offset = r->offset;
    return 0;
}

/* The enhanced and the obsolete packet block differ in how they number the interface. */
static int read_packet(struct uet_capture *capture, struct reader *r, bool old,
                       struct uet_capture_packet *packet)
{
    const uint8_t *body = r->block + BODY;
    uint64_t stamp;
    int rc;

    if (r->len < NG_BLOCK_MIN + 20)
        return FAULT(capture, r, 4, "block length %u is too short for a packet", r->len);
    packet->interface = old ? get16(r, body) : get32(r, body);
    stamp = (uint64_t)get32(r, body + 4) << 32 | get32(r, body + 8);
    packet->caplen = get32(r, body + 12);
    packet->len = get32(r, body + 16);
    rc = take_bytes(capture, r, BODY + 20, BODY + 12, packet);
    if (rc)
        return rc;
    packet->time_ns = to_ns(&r->interfaces[packet->interface], stamp);
    /* caplen fits in the block, whose length is a multiple of 4: so does its padding. */
    return read_packet_options(capture, r, BODY + 20 + (packet->caplen + 3) / 4 * 4, packet);
}

static int read_simple(struct uet_capture *capture, struct reader *r,
                       struct uet_capture_packet *packet)
{
    uint32_t room, snaplen = r->n_interfaces ? r->interfaces[0].snaplen : 0;

    if (r->len < NG_BLOCK_MIN + 4)
        return FAULT(capture, r, 4, "block length %u is too short for a packet", r->len);
    room = r->len - NG_BLOCK_MIN - 4;
    packet->len = packet->caplen = get32(r, r->block + BODY);
    if (snaplen && packet->caplen > snaplen)
        packet->caplen = snaplen;
    /* Without a limit the block's own length tells how much there is. */
    if (!snaplen && packet->caplen > room)
        packet->caplen = room;
    return take_bytes(capture, r, BODY + 4, BODY, packet);
}

static int read_one(struct uet_capture *capture, struct reader *r, uint32_t type,
                    struct uet_capture_packet *packet)
{
    if (type == NG_SECTION)
        return read_section(capture, r);
    if (!r->in_section)
        return FAULT(capture, r, 0, "the file does not begin with a section header");
    switch (type) {
    case NG_INTERFACE:
        return read_interface(capture, r);
    case NG_PACKET:
    case NG_PACKET_OLD:
        return read_packet(capture, r, type == NG_PACKET_OLD, packet);
    case NG_PACKET_SIMPLE:
        return read_simple(capture, r, packet);
    default:
        return 0;
    }
}

static int ng_next(struct uet_capture *capture, struct uet_capture_packet *packet)
{
    struct reader *r = capture->state;
    uint32_t type = 0;
    int rc;

    while ((rc = read_block(capture, r, &type)) == 1) {
        rc = read_one(capture, r, type, packet);
        if (rc)
            return rc;
        pass(r, r->offset + r->len - r->base);
        r->offset = r->base;
        if (packet->data)
            return 1;
    }
    return rc;
}

static void ng_close(struct uet_capture *capture)
{
    struct reader *r = capture->state;

    free(r->buffer);
    free(r->comment);
    free(r->interfaces);
    free(r);
}

static const struct capture_format ng_format = {.next = ng_next, .close = ng_close};

int capture_begin_pcapng(struct uet_capture *capture)
{
    struct reader *r = calloc(1, sizeof(*r));
    struct stat status;

    if (!r)
        return capture_fail(capture, ENOMEM, 0, "not enough memory");
    r->ahead = fstat(fileno(capture->file), &status) == 0 && S_ISREG(status.st_mode);
    capture->state = r;
    capture->format = &ng_format;
    return make_room(capture, r, AT_ONCE);
}
