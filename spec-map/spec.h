/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * The specification as tables: the types of what specc compiles from the CSV files of this
 * folder. The tables themselves, the identifiers and the accessors are in the generated
 * uet_spec.h. Everything here is constant and may be read by any thread.
 */
#ifndef UET_SPEC_SPEC_H
#define UET_SPEC_SPEC_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum uet_field_kind {
    UET_KIND_UINT,
    UET_KIND_INT, /* two's complement */
    UET_KIND_PSN, /* serial number modulo 2^32 (3.5.12) */
    UET_KIND_FLAG,
    UET_KIND_RESERVED, /* sent as 0 (PDS-234, SES-002) */
    UET_KIND_ENUM,
    UET_KIND_BYTES, /* shown in hexadecimal */
    UET_KIND_MAC,
    UET_KIND_IPV4,
    UET_KIND_IPV6,
};

enum uet_layer { UET_LAYER_LINK, UET_LAYER_NET, UET_LAYER_PDS, UET_LAYER_SES, UET_LAYER_TSS };

/* How much is known: two sources, one, or a contested reading. */
enum uet_confidence {
    UET_CONFIDENCE_A = 'A',
    UET_CONFIDENCE_B = 'B',
    UET_CONFIDENCE_C = 'C',
    UET_CONFIDENCE_OWN = '-', /* no text of the standard: what uetkit expects of any FEP (ROB) */
};

struct uet_field {
    const char *name;    /* the specification's: "flags.retx" */
    uint16_t filter;     /* index into uet_filters, or UET_NO_FILTER */
    uint16_t bit_offset; /* from the first bit of the header on the wire */
    uint16_t width;      /* bits */
    uint8_t kind;        /* enum uet_field_kind */
    uint8_t enumeration; /* enum uet_enum_id when kind is UET_KIND_ENUM */
    char confidence;     /* enum uet_confidence */
    const char *values;  /* what may stand there, in words */
    const char *section;
    const char *note;
    const char *since, *until; /* versions, or "" */
    /* Contested: who reads it from another place, and where; "" when nobody is known to. */
    uint16_t other_bit_offset;
    const char *other_readers;
};

struct uet_header {
    const char *name;   /* "rud_rod_req_syn" */
    const char *family; /* headers of one family share their common fields: "rud_rod_req" */
    const char *title;  /* "RUD/ROD Request, syn" */
    const char *section;
    uint8_t layer; /* enum uet_layer */
    uint8_t bytes;
    uint8_t n_fields;
    const struct uet_field *const *fields; /* in wire order, without gap or overlap */
    const char *since, *until;             /* versions, or "" */
    const char *implementation; /* who alone sends it; "" when it is the specification's */
    const char *note;
    char confidence; /* enum uet_confidence */
};

#define UET_NO_FILTER 0xffff

/* A display filter name: fields of one meaning share one, in whatever header they stand. */
struct uet_filter {
    const char *abbrev; /* "uetx.pds.psn" */
    const char *name;   /* "psn" */
    const char *blurb;  /* meaning and section */
    uint8_t kind;       /* enum uet_field_kind */
    uint8_t enumeration;
    uint16_t width; /* the widest of its fields, in bits */
};

struct uet_enumerator {
    const char *name;
    uint32_t low, high; /* one value, or a range of reserved ones */
    const char *meaning;
    const char *since, *until;  /* versions, or "" */
    const char *implementation; /* who alone uses it, or "" */
};

struct uet_enumeration {
    const char *name;
    const struct uet_enumerator *values; /* by low, ascending */
    size_t n;
};

/*
 * Bits that no packet carries as they are: the input of the key derivation, the IV, the additional
 * data, what of a packet is protected how. A row has a place in its block, or (width 0) only says.
 */
struct uet_block_row {
    const char *field;
    uint16_t bit_offset, width; /* bits */
    const char *value;          /* in words */
    const char *section;
    char confidence;
    const char *note;
};

struct uet_block {
    const char *name; /* "KDF_CTX_4" */
    uint8_t header;   /* enum uet_header_id whose fields its rows are, or UET_H_NONE */
    const struct uet_block_row *rows;
    size_t n;
};

/* A constant, rule or name of the specification whose value is no code point on the wire. */
struct uet_term {
    const char *table; /* "TSS_COUNTER" */
    const char *name;
    const char *value; /* in words */
    const char *meaning;
    const char *section;
    const char *note;
    char confidence;
};

/* A configuration parameter of the PDS (Table 3-28, 3.5.5). */
struct uet_param {
    const char *name;
    const char *unit; /* "bool", "ns", "bytes", "128 PSNs", "count", ... */
    uint64_t low, high, standard;
    bool ranged;    /* low and high are public */
    bool defaulted; /* the default is public and undisputed: standard */
    bool optional;
    const char *since; /* version, or "" */
    const char *section;
    const char *note;
    char confidence; /* enum uet_confidence */
};

/* What a NACK code means to the source (Table 3-58). */
enum uet_nack_class { UET_CLASS_NONE, UET_CLASS_NORMAL, UET_CLASS_PDC_ERR, UET_CLASS_PDC_FATAL };
enum uet_nack_action {
    UET_ACTION_NONE,
    UET_ACTION_RETX,      /* resend on the same PDC */
    UET_ACTION_RETRY,     /* same packets on a new PDC */
    UET_ACTION_FAIL,      /* tell SES */
    UET_ACTION_GO_BACK_N, /* resend everything from payload = Expected_PSN */
    UET_ACTION_RENUMBER,  /* resend everything from payload = Start_PSN */
};
enum uet_nack_spdcid { UET_SPDCID_OWN, UET_SPDCID_ZERO, UET_SPDCID_ZERO_IF_NO_PDC, UET_SPDCID_ANY };
struct uet_nack_info {
    uint8_t nack_class; /* UET_CLASS_NONE for a reserved code */
    uint8_t action;
    uint8_t spdcid;
};

enum uet_level { UET_MUST, UET_MUST_NOT, UET_SHOULD, UET_SHOULD_NOT, UET_MAY };

struct uet_requirement {
    const char *id;            /* "PDS-038" */
    const char *same_as;       /* ids of the rows that say the same, '|' between them, or "" */
    const char *area;          /* "PDS" */
    uint8_t level;             /* enum uet_level */
    const char *role;          /* initiator, target, both, link, switch */
    const char *profile;       /* all, optional, or profile names */
    const char *section;       /* the owning section of 1.0.3 */
    const char *since, *until; /* versions for which it holds, or "" */
    const char *spec;          /* all sections and tables it rests on */
    const char *text;
    const char *observable; /* yes, partly, no */
    const char *stimulus;
    const char *expected;
    char confidence;
    const char *sources;
    const char *reading;       /* contested: the reading taken, or "" */
    const char *other_reading; /* contested: the other one, or "" */
    const char *elsewhere;     /* the test that covers what no test on the wire can see, or "" */
    const char *deferred;      /* why no test on the wire is there yet, or "" */
    const char *freedom;       /* a permission that no FEP can break: who takes it, or "" */
};

/*
 * What a request must stand (3.4.1.3, 3.5.8.2), one of enum uet_check_id; uet_request_checks has
 * them in the order in which they are judged.
 */
struct uet_request_check {
    const char *name;
    const char *requirement;
    bool pds;          /* the code is one of a NACK; else a return code of SES */
    uint8_t code;      /* what a request gets that does not stand it */
    uint8_t others[3]; /* codes that some implementation gives instead; 0 ends them */
    char order;        /* confidence that all before it in the table is judged before it */
    const char *what;  /* what is wrong then, in words */
};

struct uet_section {
    const char *section;
    const char *title;
    const char *version;
    const char *layer;
    const char *tables_figures;
};

/* The number that a table of the specification has in each version; "" where it is not known. */
struct uet_table_number {
    const char *section;
    const char *topic;
    const char *v1_0_1, *v1_0_2, *v1_0_3; /* "3-58" */
    char confidence;
};

/* The profiles of 3.3.1; ALL stands for none of them: whatever is there. */
enum uet_profile {
    UET_PROFILE_AI_BASE,
    UET_PROFILE_AI_FULL,
    UET_PROFILE_HPC,
    UET_PROFILE_ALL,
    UET_PROFILES
};

/* A row for each enum uet_profile_feature. */
struct uet_profile_row {
    const char *name; /* "write-immediate" */
    const char *feature;
    const char *area;
    char duty[UET_PROFILES]; /* 'M' mandatory, 'O' optional, 'N' not used */
    const char *section;
    char confidence;
    const char *note;
};

extern const struct uet_filter uet_filters[];
extern const size_t uet_n_filters;
extern const struct uet_enumeration uet_enumerations[];
extern const size_t uet_n_enumerations;
extern const struct uet_header uet_headers[];
extern const size_t uet_n_headers;
extern const uint8_t uet_header_bytes[]; /* uet_headers[].bytes side by side, for the parser */
extern const struct uet_nack_info uet_nack_table[256];
extern const struct uet_request_check uet_request_checks[];
extern const struct uet_requirement uet_requirements[];
extern const size_t uet_n_requirements;
extern const struct uet_section uet_sections[];
extern const size_t uet_n_sections;
extern const struct uet_profile_row uet_profiles[];
extern const size_t uet_n_profiles;
extern const char
    *const uet_profile_names[]; /* in the order of enum uet_profile; NULL at the end */
extern const struct uet_table_number uet_table_numbers[];
extern const size_t uet_n_table_numbers;
extern const struct uet_block uet_blocks[];
extern const size_t uet_n_blocks;
extern const struct uet_term uet_terms[];
extern const size_t uet_n_terms;
extern const struct uet_param uet_params[];
extern const size_t uet_n_params;

/* The level in the words of RFC 2119: "MUST NOT". */
const char *uet_level_name(enum uet_level level);

/* The enumerator that holds value, or NULL. */
const struct uet_enumerator *uet_enum_find(uint8_t enumeration, uint32_t value);

/* Its name, or "unknown". */
const char *uet_enum_name(uint8_t enumeration, uint32_t value);

/*
 * The name of one value, also inside a range: "RESERVED_15_31" makes 20 "RESERVED_20",
 * "VENDOR_DEFINED_0_15" counts from 0. Writes at most UET_ENUM_VALUE_NAME bytes; returns out.
 */
#define UET_ENUM_VALUE_NAME 48
const char *uet_enum_value_name(uint8_t enumeration, uint32_t value,
                                char out[static UET_ENUM_VALUE_NAME]);

/* A requirement, header, section by its name; NULL when there is none. */
const struct uet_requirement *uet_requirement_find(const char *id);
const struct uet_header *uet_header_find(const char *name);
const struct uet_section *uet_section_find(const char *section);

/* Is it of the area ROB: robustness, which uetkit expects and no text of the standard asks? */
static inline bool uet_requirement_is_own(const struct uet_requirement *r)
{
    return r->confidence == UET_CONFIDENCE_OWN;
}

/* "section ", or for one of ROB that it is not the standard's text: goes before its section. */
static inline const char *uet_requirement_standing(const struct uet_requirement *r)
{
    return uet_requirement_is_own(r) ? "not the standard's text; near section " : "section ";
}

/* Does the requirement hold in that version ("1.0.2")? */
bool uet_requirement_in(const struct uet_requirement *r, const char *version);

/* A block by its name, its row by the field; NULL when there is none. */
const struct uet_block *uet_block_find(const char *name);
const struct uet_block_row *uet_block_row_find(const struct uet_block *b, const char *field);

/* A term by its table and name; NULL when there is none. */
const struct uet_term *uet_term_find(const char *table, const char *name);

/* A parameter of Table 3-28; NULL when there is none of that name. */
const struct uet_param *uet_param_find(const char *name);

/*
 * The table that a citation names ("3-58"): by its number in 1.0.3, else in 1.0.2, else in
 * 1.0.1. NULL when the number is not known.
 */
const struct uet_table_number *uet_table_number_find(const char *number);

/*
 * The canonical id of a requirement: the first of the rows it is the same as, or itself.
 * Requirements that say the same count once.
 */
const struct uet_requirement *uet_requirement_canonical(const struct uet_requirement *r);

/* A field of a header by its name ("psn"; "retx" finds "flags.retx"); NULL when there is none. */
const struct uet_field *uet_field_find(const struct uet_header *h, const char *name);

/*
 * Reads a field of at most 64 bits at h (the first byte of its header); INT fields come
 * sign-extended. The caller has checked that the header is whole.
 */
uint64_t uet_field_get(const struct uet_field *f, const uint8_t *h);

/* Writes the low bits of value into a field of at most 64 bits; the bits around it stay. */
void uet_field_set(const struct uet_field *f, uint8_t *h, uint64_t value);

#endif
