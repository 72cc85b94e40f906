/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The vectors of spec-map/vectors.jsonl through tshark: bytes of one header each, and what stands
 * in them, both from the facts.
 *
 *   vectors VECTORS OUT.pcap         packets: each vector's bytes where its header belongs
 *   vectors VECTORS PDML             "tshark -T pdml" of them: is each value shown, at its place?
 *
 * The bytes around a vector are written here by hand. A vector whose own fields make another form
 * of it (hd = 1 in a form for hd = 0) is left out; how many is checked. Exit status 1 when a value
 * differs, 2 when a file cannot be read.
 */
#include <ctype.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define HEADER_MAX 64
#define PACKET_MAX 256
#define LINE_BYTES 65536
#define FIELDS_MAX 64
#define BEHIND     64 /* bytes of 0 behind the header: whatever may follow fits */
#define BELOW      42 /* Ethernet, IPv4, UDP */

typedef unsigned __int128 uint128;

/* What stands before a header, and after how many bytes of it (`at`, inside its last header). */
static const struct place {
    const char *header, *before;
    unsigned inside; /* the header replaces bytes that many before the end of `before` */
} places[] = {
    {"pds_prologue", "", 0},
    {"rud_rod_req", "", 0},
    {"rud_rod_req_syn", "", 0},
    {"rud_rod_cc_req", "", 0},
    {"rud_rod_cc_req_syn", "", 0},
    {"ack", "", 0},
    {"ack_probe", "", 0},
    {"ack_cc", "", 0},
    {"ack_ccx", "", 0},
    {"nack", "", 0},
    {"nack_ccx", "", 0},
    {"cp", "", 0},
    {"cp_syn", "", 0},
    {"rudi_req", "", 0},
    {"rudi_resp", "", 0},
    {"uud_req", "", 0},
    /* ACK_CC with cc_type 0, 1 and 14, mpr 1 */
    {"ack_cc_state_nscc", "400000000000000120011001000100000000000000000000", 0},
    {"ack_cc_state_credit", "400000000000000120011001100100000000000000000000", 0},
    {"ack_cc_state_vendor", "400000000000000120011001e00100000000000000000000", 0},
    /* Control Packets of each ctl_type */
    {"cp_payload_noop", "580000000000000110012001", 0},
    {"cp_payload_ack_request", "588000000000000110012001", 0},
    {"cp_payload_clear_command", "590000000000000110012001", 0},
    {"cp_payload_clear_request", "598000000000000110012001", 0},
    {"cp_payload_close_command", "5a0000000000000110012001", 0},
    {"cp_payload_close_request", "5a8000000000000110012001", 0},
    {"cp_payload_probe", "5b0000000000000110012001", 0},
    {"cp_payload_credit", "5b8000000000000110012001", 0},
    {"cp_payload_credit_request", "5c0000000000000110012001", 0},
    {"cp_payload_negotiation_on_off", "5c8000000000000110012001", 0},
    /* RUD_REQ with next_hdr 3, 1, 2 */
    {"ses_req_std_som1", "118000000000000110012001", 0},
    {"ses_req_std_som0", "118000000000000110012001", 0},
    {"ses_req_defer_send_som1", "118000000000000110012001", 0},
    {"ses_req_defer_send_som0", "118000000000000110012001", 0},
    {"ses_req_rtr", "118000000000000110012001", 0},
    {"ses_req_no_op", "118000000000000110012001", 0},
    {"ses_req_msg_error", "118000000000000110012001", 0},
    {"ses_req_small", "108000000000000110012001", 0},
    {"ses_req_medium_msg", "110000000000000110012001", 0},
    {"ses_req_medium_rma", "110000000000000110012001", 0},
    /* ... then a standard Request: RENDEZVOUS_SEND, ATOMIC, WRITE */
    {"ses_ext_rendezvous",
     "118000000000000110012001060300010000000100000001000000000000000000000001"
     "0000000000000000000000000000000000000000",
     0},
    {"ses_ext_atomic",
     "118000000000000110012001030300010000000100000001000000000000000000000001"
     "0000000000000000000000000000000000000000",
     0},
    {"ses_ext_cswap",
     "118000000000000110012001030300010000000100000001000000000000000000000001"
     "0000000000000000000000000000000000000000",
     0},
    {"memory_key",
     "118000000000000110012001010300010000000100000001000000000000000000000001"
     "0000000000000000000000000000000000000000",
     20},
    {"memory_key_optimized",
     "118000000000000110012001010300010000000100000001000000000000000000000001"
     "0000000000000000000000000000000000000000",
     20},
    /* ACK with next_hdr 4, 5, 6 */
    {"default_ses_response", "3a0000000000000120011001", 0},
    {"ses_rsp", "3a0000000000000120011001", 0},
    {"ses_rsp_default", "3a0000000000000120011001", 0},
    {"ses_rsp_no_response", "3a0000000000000120011001", 0},
    {"ses_rsp_data", "3a8000000000000120011001", 0},
    {"ses_rsp_data_small", "3b0000000000000120011001", 0},
};

/* What makes a vector one of its header: the field is within low and high, or is not. */
static const struct form {
    const char *header, *field;
    uint64_t low, high;
    bool outside;
} forms[] = {
    {"pds_prologue", "type", 1, 1, true}, /* TSS is another header */
    {"rud_rod_req", "flags.syn", 0, 0, false},
    {"rud_rod_req_syn", "flags.syn", 1, 1, false},
    {"rud_rod_cc_req", "flags.syn", 0, 0, false},
    {"rud_rod_cc_req_syn", "flags.syn", 1, 1, false},
    {"ack", "flags.p", 0, 0, false},
    {"ack_probe", "flags.p", 1, 1, false},
    {"ack_cc", "flags.p", 0, 0, false},
    {"ack_ccx", "flags.p", 0, 0, false},
    {"nack", "flags.nt", 0, 0, false},
    {"nack_ccx", "flags.nt", 0, 0, false},
    {"cp", "flags.syn", 0, 0, false},
    {"cp_syn", "flags.syn", 1, 1, false},
    {"cp_payload_negotiation_on_off", "neg_type", 1, 1, false},
    {"ses_req_std_som1", "som", 1, 1, false},
    {"ses_req_std_som1", "opcode", 8, 8, true},
    {"ses_req_std_som1", "opcode", 11, 12, true},
    {"ses_req_std_som1", "opcode", 15, 15, true},
    {"ses_req_std_som1", "opcode", 0, 0, true},
    {"ses_req_std_som0", "som", 0, 0, false},
    {"ses_req_std_som0", "opcode", 8, 8, true},
    {"ses_req_std_som0", "opcode", 11, 12, true},
    {"ses_req_std_som0", "opcode", 15, 15, true},
    {"ses_req_std_som0", "opcode", 0, 0, true},
    {"ses_req_defer_send_som1", "som", 1, 1, false},
    {"ses_req_defer_send_som1", "opcode", 8, 11, false},
    {"ses_req_defer_send_som1", "opcode", 9, 10, true},
    {"ses_req_defer_send_som0", "som", 0, 0, false},
    {"ses_req_defer_send_som0", "opcode", 8, 11, false},
    {"ses_req_defer_send_som0", "opcode", 9, 10, true},
    {"ses_req_rtr", "opcode", 12, 12, false},
    {"ses_req_no_op", "opcode", 0, 0, false},
    {"ses_req_msg_error", "opcode", 15, 15, false},
    {"ses_req_medium_msg", "hd", 1, 1, false},
    {"ses_req_medium_rma", "hd", 0, 0, false},
    {"ses_ext_atomic", "atomic_opcode", 13, 18, true},
    {"ses_ext_cswap", "atomic_opcode", 13, 18, false},
    {"memory_key", "optimized", 0, 0, false},
    {"memory_key_optimized", "optimized", 1, 1, false},
    {"ses_rsp", "opcode", 0, 0, true},
    {"ses_rsp", "opcode", 3, 3, true},
    {"ses_rsp_default", "opcode", 0, 0, false},
    {"ses_rsp_no_response", "opcode", 3, 3, false},
};

struct value {
    char name[48];
    uint128 v;
    bool negative;
    bool seen;
};

struct vector {
    char header[48];
    uint8_t bytes[HEADER_MAX];
    size_t len;
    struct value fields[FIELDS_MAX];
    size_t n;
};

static void stop(const char *path, unsigned line, const char *what)
{
    fprintf(stderr, "%s:%u: %s\n", path, line, what);
    exit(2);
}

static size_t from_hex(const char *hex, uint8_t *out, size_t max)
{
    size_t n = 0;
    unsigned byte;
    for (; isxdigit((unsigned char)hex[0]) && n < max && sscanf(hex, "%2x", &byte) == 1; hex += 2)
        out[n++] = (uint8_t)byte;
    return n;
}

/* Decimal, of up to 128 bits, or hexadecimal behind 0x; perhaps negative. */
static const char *read_number(const char *s, struct value *v)
{
    unsigned base = 10;
    v->v = 0;
    v->negative = *s == '-';
    s += v->negative;
    if (s[0] == '0' && s[1] == 'x') {
        base = 16;
        s += 2;
    }
    for (; isxdigit((unsigned char)*s); s++)
        v->v = v->v * base +
               (unsigned)(isdigit((unsigned char)*s) ? *s - '0' : (*s | 0x20) - 'a' + 10);
    return s;
}

/* The text behind "key": or NULL. */
static const char *behind(const char *line, const char *key)
{
    char quoted[64];
    snprintf(quoted, sizeof quoted, "\"%s\": ", key);
    const char *at = strstr(line, quoted);
    return at ? at + strlen(quoted) : NULL;
}

static bool read_vector(const char *line, struct vector *v)
{
    const char *header = behind(line, "header"), *bytes = behind(line, "bytes");
    const char *at = behind(line, "fields");
    memset(v, 0, sizeof *v);
    if (!header || !bytes || !at || sscanf(header, "\"%47[^\"]\"", v->header) != 1)
        return false;
    v->len = from_hex(bytes + 1, v->bytes, sizeof v->bytes);
    for (at++; *at && *at != '}' && v->n < FIELDS_MAX; v->n++) {
        struct value *f = &v->fields[v->n];
        at += strspn(at, ", ");
        if (sscanf(at, "\"%47[^\"]\"", f->name) != 1)
            return false;
        at = strstr(at, "\": ");
        if (!at)
            return false;
        at = read_number(at + 3, f);
    }
    return v->len != 0 && v->n != 0;
}

static const struct place *place_of(const struct vector *v)
{
    for (size_t i = 0; i < sizeof places / sizeof *places; i++)
        if (strcmp(places[i].header, v->header) == 0)
            return &places[i];
    return NULL;
}

static bool fits(const struct vector *v)
{
    for (size_t i = 0; i < sizeof forms / sizeof *forms; i++)
        for (size_t f = 0; f < v->n; f++) {
            if (strcmp(forms[i].header, v->header) != 0 ||
                strcmp(forms[i].field, v->fields[f].name) != 0)
                continue;
            bool within = v->fields[f].v >= forms[i].low && v->fields[f].v <= forms[i].high;
            if (within == forms[i].outside)
                return false;
        }
    return place_of(v) != NULL;
}

/* ---- the capture ---- */

static void put(FILE *out, const void *data, size_t n)
{
    if (fwrite(data, 1, n, out) != n) {
        perror("vectors");
        exit(2);
    }
}

/* Ethernet, IPv4, UDP; what stands before the header; the header; zeros. Returns its offset. */
static unsigned make_packet(const struct vector *v, uint8_t *p, size_t *len)
{
    static const char below[] = "02000000000202000000000108004502000000004000401100"
                                "00c0000201c0000202424212b900000000";
    const struct place *place = place_of(v);
    memset(p, 0, PACKET_MAX);
    size_t n = from_hex(below, p, BELOW);
    size_t at = n + from_hex(place->before, p + n, PACKET_MAX - n) - place->inside;
    memcpy(p + at, v->bytes, v->len);
    *len = at + v->len + BEHIND;
    p[17] = (uint8_t)(*len - 14);
    p[39] = (uint8_t)(*len - 34);
    uint32_t sum = 0;
    for (unsigned i = 14; i < 34; i += 2)
        sum += (uint32_t)(p[i] << 8 | p[i + 1]);
    sum = (sum & 0xffff) + (sum >> 16);
    p[24] = (uint8_t)(~sum >> 8);
    p[25] = (uint8_t)~sum;
    return (unsigned)at;
}

static void write_packet(FILE *out, const struct vector *v)
{
    uint8_t p[PACKET_MAX];
    size_t len;
    make_packet(v, p, &len);
    const uint32_t record[4] = {0, 0, (uint32_t)len, (uint32_t)len};
    put(out, record, sizeof record);
    put(out, p, len);
}

/* ---- what tshark shows ---- */

static void attribute(const char *line, const char *name, char *out, size_t size)
{
    char key[32];
    snprintf(key, sizeof key, " %s=\"", name);
    const char *at = strstr(line, key);
    size_t n = 0;
    if (at)
        for (at += strlen(key); *at && *at != '"' && n + 1 < size; at++)
            out[n++] = *at;
    out[n] = '\0';
}

/* "flags.retx" is shown as uetx.pds.retx: the last parts are the same. */
static bool same_name(const char *filter, const char *name)
{
    const char *dot = strrchr(name, '.'), *last = strrchr(filter, '.');
    if (strcmp(name, "ver") == 0) /* of default_ses_response; elsewhere version */
        return last && strcmp(last, ".version") == 0;
    if (strcmp(name, "next_hdr_or_ctl_type") == 0)
        return last && (strcmp(last, ".next_hdr") == 0 || strcmp(last, ".ctl_type") == 0 ||
                        strcmp(last, ".next_hdr_or_ctl_type") == 0);
    return last && strcmp(last + 1, dot ? dot + 1 : name) == 0;
}

/* The value of an element: bytes as "00:01", numbers otherwise. */
static struct value shown(const char *line)
{
    struct value v = {.v = 0};
    char text[128], digits[128] = "0x";
    attribute(line, "show", text, sizeof text);
    if (strchr(text, ':')) {
        size_t n = 2;
        for (const char *c = text; *c; c++)
            if (*c != ':')
                digits[n++] = *c;
        digits[n] = '\0';
        read_number(digits, &v);
    } else {
        read_number(text, &v);
    }
    return v;
}

/* The facts say "0" of these, too. */
static bool is_reserved(const struct vector *v, const char *name)
{
    return strstr(name, "rsvd") || strstr(name, "reserved") || strcmp(name, "cc_flags") == 0 ||
           (strcmp(name, "flags") == 0 && strcmp(v->header, "uud_req") == 0);
}

/* Reserved bits have one filter; which they are stands behind them, in brackets. */
static bool is_field(const char *line, const char *filter, const char *name)
{
    char label[128], brackets[96];
    if (strcmp(filter, "uetx.reserved") != 0)
        return same_name(filter, name);
    attribute(line, "showname", label, sizeof label);
    snprintf(brackets, sizeof brackets, "(%s)", name);
    return strstr(label, brackets) != NULL;
}

static unsigned compare(struct vector *v, unsigned at, const char *line)
{
    char name[96], pos[16], size[16], hide[8];
    attribute(line, "name", name, sizeof name);
    attribute(line, "pos", pos, sizeof pos);
    attribute(line, "size", size, sizeof size);
    attribute(line, "hide", hide, sizeof hide);
    unsigned begin = (unsigned)strtoul(pos, NULL, 10), n = (unsigned)strtoul(size, NULL, 10);
    if (strncmp(name, "uetx.", 5) != 0 || n == 0 || *hide || begin < at || begin >= at + v->len)
        return 0;
    for (size_t i = 0; i < v->n; i++) {
        struct value *f = &v->fields[i], s = shown(line);
        if (f->seen || !is_field(line, name, f->name))
            continue;
        f->seen = true;
        if (f->v == s.v && f->negative == s.negative)
            return 0;
        char text[128];
        attribute(line, "show", text, sizeof text);
        printf("%s: %s is shown as %s: the facts say %s%llu\n", v->header, name, text,
               f->negative ? "-" : "", (unsigned long long)f->v);
        return 1;
    }
    return 0;
}

/* Reserved bits are shown when they are not 0; all else always is. */
static unsigned missing(const struct vector *v)
{
    unsigned n = 0;
    for (size_t i = 0; i < v->n; i++) {
        const struct value *f = &v->fields[i];
        bool flags = strcmp(v->header, "pds_prologue") == 0 && strcmp(f->name, "flags") == 0;
        if (f->seen || is_reserved(v, f->name) || flags)
            continue;
        printf("%s: %s is not shown\n", v->header, f->name);
        n++;
    }
    return n;
}

static unsigned check_packet(FILE *pdml, struct vector *v)
{
    static char line[LINE_BYTES];
    uint8_t p[PACKET_MAX];
    size_t len;
    unsigned at = make_packet(v, p, &len), wrong = 0;
    while (fgets(line, sizeof line, pdml) && !strstr(line, "</packet>"))
        wrong += compare(v, at, line);
    if (feof(pdml)) {
        printf("%s: there is no packet of it\n", v->header);
        return 1;
    }
    return wrong + missing(v);
}

int main(int argc, char **argv)
{
    static char line[LINE_BYTES];
    static struct vector v;
    unsigned at = 0, used = 0, left_out = 0, wrong = 0;
    if (argc != 3)
        stop(argv[0], 0, "needs the vectors, and a capture to write or a PDML file to check");
    const char *end = strrchr(argv[2], '.');
    bool write = end && strcmp(end, ".pcap") == 0;
    FILE *in = fopen(argv[1], "r"), *file = fopen(argv[2], write ? "wb" : "r");
    if (!in || !file)
        stop(in ? argv[2] : argv[1], 0, "cannot be opened");
    const uint32_t header[6] = {0xa1b2c3d4, 0x00040002, 0, 0, 65535, 1};
    if (write)
        put(file, header, sizeof header);
    while (fgets(line, sizeof line, in)) {
        at++;
        if (!read_vector(line, &v))
            stop(argv[1], at, "not a vector");
        if (!fits(&v)) {
            left_out++;
            continue;
        }
        used++;
        if (write)
            write_packet(file, &v);
        else
            wrong += check_packet(file, &v);
    }
    fclose(in);
    if (fclose(file) != 0)
        stop(argv[2], 0, "cannot be written");
    printf("%u vectors, %u left out, %u wrong\n", used, left_out, wrong);
    return wrong != 0;
}
