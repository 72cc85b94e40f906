/* SPDX-License-Identifier: BSD-2-Clause */
/* The compiled specification: that it is whole, and that looking things up finds the right row. */
#include "uet_spec.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

/* Rows of each area as the published facts have them: ids are stable and never dropped. */
static const struct {
    const char *area;
    size_t n;
} areas[] = {{"PDS", 239}, {"SES", 179}, {"TSS", 77}, {"CMS", 113},
             {"NET", 35},  {"LL", 53},   {"ROB", 58}};

static void every_requirement_is_there(void **state)
{
    (void)state;
    assert_int_equal(uet_n_requirements, 754);
    for (size_t i = 0; i < sizeof areas / sizeof *areas; i++)
        for (unsigned n = 1; n <= areas[i].n + 1; n++) {
            char id[16];
            snprintf(id, sizeof id, "%s-%03u", areas[i].area, n);
            const struct uet_requirement *r = uet_requirement_find(id);
            if (n > areas[i].n) {
                assert_null(r);
                continue;
            }
            assert_non_null(r);
            assert_string_equal(r->area, areas[i].area);
        }
}

static void every_requirement_is_complete(void **state)
{
    (void)state;
    for (size_t i = 0; i < uet_n_requirements; i++) {
        const struct uet_requirement *r = &uet_requirements[i];
        assert_non_null(uet_section_find(r->section));
        assert_true(*r->text && *r->role && *r->profile && *r->sources);
        assert_true(strcmp(r->observable, "yes") == 0 || strcmp(r->observable, "partly") == 0 ||
                    strcmp(r->observable, "no") == 0);
        assert_true(!*r->reading == !*r->other_reading);
        if (r->confidence == UET_CONFIDENCE_C)
            assert_true(*r->reading);
    }
}

static void a_contested_one_names_both_readings(void **state)
{
    (void)state;
    const struct uet_requirement *r = uet_requirement_find("PDS-064");
    assert_int_equal(r->confidence, 'C');
    assert_string_equal(r->reading, "up to 1.0.2 pds.mpr = 0 lifts the MP_Range limit");
    assert_string_equal(r->other_reading,
                        "pds.mpr = 0 is not valid and is treated as 1, that is 128 PSNs");
    assert_string_equal(r->until, "1.0.2");
    assert_string_equal(uet_requirement_find("PDS-001")->reading, "");
}

static void versions_bound_what_changed_in_1_0_3(void **state)
{
    (void)state;
    static const char *const since[] = {"PDS-054", "PDS-055", "PDS-065", "PDS-146", "PDS-183",
                                        "PDS-222", "SES-035", "SES-036", "SES-037", "CMS-015",
                                        "NET-004", "NET-005", "LL-030"};
    for (size_t i = 0; i < sizeof since / sizeof *since; i++)
        assert_string_equal(uet_requirement_find(since[i])->since, "1.0.3");
    assert_string_equal(uet_requirement_find("PDS-223")->until, "1.0.2");
}

static void each_is_found_by_its_id_and_no_other(void **state)
{
    static const char *const none[] = {"",        "PDS",     "PDS-06", "PDS-0640",
                                       "PDS-999", "XDS-064", "LL-0300"};

    (void)state;
    for (size_t i = 0; i < uet_n_requirements; i++) {
        assert_true(strlen(uet_requirements[i].id) >= strlen("LL-001"));
        assert_ptr_equal(uet_requirement_find(uet_requirements[i].id), &uet_requirements[i]);
    }
    for (size_t i = 0; i < sizeof none / sizeof *none; i++)
        assert_null(uet_requirement_find(none[i]));
}

static const char *canonical(const char *id)
{
    return uet_requirement_canonical(uet_requirement_find(id))->id;
}

static void aliases_end_at_one_row(void **state)
{
    (void)state;
    assert_string_equal(canonical("PDS-038"), "PDS-038");
    assert_string_equal(canonical("NET-006"), "PDS-044");
    /* Two steps: TSS-046 is the same as TSS-045; PDS-012 as well. */
    assert_string_equal(canonical("TSS-046"), "TSS-045");
    assert_string_equal(canonical("PDS-012"), "TSS-045");
    assert_string_equal(canonical("CMS-002"), "PDS-104"); /* the first of two */
    for (size_t i = 0; i < uet_n_requirements; i++)
        assert_string_equal(uet_requirement_canonical(&uet_requirements[i])->same_as, "");
}

static void sections_belong_to_what_they_say(void **state)
{
    (void)state;
    static const char *const rows[][2] = {
        {"PDS-038", "3.5.8.2"},  {"PDS-041", "3.5.12.7"}, {"PDS-216", "3.5.15"},
        {"SES-064", "3.4.6.3"},  {"SES-077", "3.4.2.5"},  {"TSS-006", "3.7"},
        {"TSS-046", "3.5.4"},    {"CMS-044", "3.6.13.5"}, {"NET-006", "4.1"},
        {"LL-010", "5.1.3.1.1"},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
        assert_string_equal(uet_requirement_find(rows[i][0])->section, rows[i][1]);
}

static void a_table_has_a_number_in_each_version(void **state)
{
    (void)state;
    const struct uet_table_number *t = uet_table_number_find("3-58");
    assert_string_equal(t->section, "3.5.12.7");
    assert_string_equal(t->v1_0_1, "3-59");
    assert_string_equal(t->v1_0_2, "3-58");
    assert_string_equal(t->v1_0_3, "3-58");
    /* 3-69 is the Negotiation payload in 1.0.3, the DSCP table before: the newer one is meant. */
    assert_string_equal(uet_table_number_find("3-69")->section, "3.5.16.7.1");
    assert_string_equal(uet_table_number_find("3-90")->section, "3.7.11");
    assert_null(uet_table_number_find("9-99"));
    assert_null(uet_table_number_find(""));
}

static void levels_have_their_words(void **state)
{
    (void)state;
    assert_string_equal(uet_level_name(UET_MUST_NOT), "MUST NOT");
    assert_string_equal(uet_level_name(UET_MAY), "MAY");
    assert_string_equal(uet_level_name((enum uet_level)99), "?");
    assert_int_equal(uet_requirement_find("PDS-017")->level, UET_MUST_NOT);
}

/* The bytes that a block's rows cover; 0 for one that only says. */
static unsigned block_bytes(const char *name)
{
    unsigned end = 0;
    const struct uet_block *b = uet_block_find(name);
    assert_non_null(b);
    for (size_t i = 0; i < b->n; i++)
        if (b->rows[i].bit_offset + b->rows[i].width > (int)end)
            end = (unsigned)(b->rows[i].bit_offset + b->rows[i].width);
    assert_int_equal(end % 8, 0);
    return end / 8;
}

/* Sizes that follow from the text of 3.7: IV 96 bits, KDF output 352, contexts 10 and 26 bytes. */
static void blocks_have_their_sizes(void **state)
{
    (void)state;
    static const struct {
        const char *name;
        unsigned bytes;
    } want[] = {
        {"COVER_ETH", 14},
        {"COVER_IPV4", 20},
        {"COVER_IPV6", 40},
        {"COVER_ENTROPY", 4},
        {"COVER_UDP", 8},
        {"COVER_TSS", 0},
        {"AAD_IPV4_NATIVE", 24},
        {"AAD_IPV4_UDP", 0},
        {"AAD_IPV6_NATIVE", 48},
        {"IV", 12},
        {"KDF_CTX_4", 10},
        {"KDF_CTX_6", 26},
        {"KDF_BLOCK", 16},
        {"KDF_OUT", 44},
        {"LEN", 0},
    };
    for (size_t i = 0; i < sizeof want / sizeof *want; i++)
        assert_int_equal(block_bytes(want[i].name), want[i].bytes);
    assert_null(uet_block_find("KDF"));
}

/* What of an IP header is authenticated: source and destination address, nothing else. */
static void addresses_alone_are_authenticated(void **state)
{
    (void)state;
    static const char *const blocks[] = {"COVER_IPV4", "COVER_IPV6"};
    for (size_t i = 0; i < 2; i++) {
        const struct uet_block *b = uet_block_find(blocks[i]);
        for (size_t j = 0; j < b->n; j++) {
            bool address =
                strcmp(b->rows[j].field, "src") == 0 || strcmp(b->rows[j].field, "dst") == 0;
            assert_string_equal(b->rows[j].value,
                                address ? "clear; AAD" : "clear; not authenticated");
        }
    }
    assert_int_equal(uet_block_row_find(uet_block_find("COVER_IPV4"), "src")->bit_offset, 96);
    assert_int_equal(uet_block_row_find(uet_block_find("COVER_IPV6"), "src")->bit_offset, 64);
}

/*
 * What a switch that trims rewrites is in the IP header alone (4.1): DSCP, length, checksum. The
 * least that it keeps is a UDP or entropy header and the longest PDS header of a Request.
 */
static void trimming_is_told(void **state)
{
    (void)state;
    static const struct {
        const char *block, *field;
        unsigned offset, width;
    } rows[] = {
        {"TRIM_IPV4", "dscp", 8, 6},
        {"TRIM_IPV4", "total_length", 16, 16},
        {"TRIM_IPV4", "header_checksum", 80, 16},
        {"TRIM_IPV6", "dscp", 4, 6},
        {"TRIM_IPV6", "payload_length", 32, 16},
        {"UET_IPV4", "df", 49, 1},
        {"UET_IPV6", "flow_label", 12, 20},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        const struct uet_block_row *r =
            uet_block_row_find(uet_block_find(rows[i].block), rows[i].field);
        assert_non_null(r);
        assert_int_equal(r->bit_offset, rows[i].offset);
        assert_int_equal(r->width, rows[i].width);
    }
    const struct uet_block *udp = uet_block_find("TRIM_UDP");
    assert_string_equal(uet_block_row_find(udp, "length")->value, "original value");
    assert_string_equal(uet_block_row_find(udp, "checksum")->value, "original value");
    assert_string_equal(uet_term_find("MIN_TRIM_SIZE", "UET/UDP/IP")->value, "24");
    assert_string_equal(uet_term_find("MIN_TRIM_SIZE", "UET/IP")->value, "20");
    assert_int_equal(UET_UDP_BYTES + UET_RUD_ROD_CC_REQ_BYTES, 24);
    assert_int_equal(UET_ENTROPY_BYTES + UET_RUD_ROD_CC_REQ_BYTES, 20);
}

static void rows_and_terms_are_found(void **state)
{
    (void)state;
    const struct uet_block_row *l = uet_block_row_find(uet_block_find("KDF_BLOCK"), "L");
    assert_int_equal(l->bit_offset, 112);
    assert_int_equal(l->width, 16);
    assert_string_equal(l->value, "0x0160 = 352");
    assert_null(uet_block_row_find(uet_block_find("KDF_BLOCK"), "M"));
    assert_null(uet_block_row_find(NULL, "L"));
    assert_string_equal(uet_term_find("uet_crc", "POLY")->value, "0x1EDC6F41");
    assert_string_equal(uet_term_find("TSS_KDF", "label server")->value, "\"U2\" (0x5532)");
    assert_null(uet_term_find("TSS_KDF", "POLY"));
}

/* Forms of single implementations are marked, and so is what only some versions have. */
static void origins_are_marked(void **state)
{
    (void)state;
    static const char *const theirs[] = {"legacy_pre_1_0", "ack_epsn_refprov",
                                         "cp_payload_negotiation_pre103", "refprov_ses_ext_sync"};
    unsigned n = 0;
    for (size_t i = 1; i < uet_n_headers; i++)
        n += uet_headers[i].implementation[0] != '\0';
    assert_int_equal(n, sizeof theirs / sizeof *theirs);
    for (size_t i = 0; i < sizeof theirs / sizeof *theirs; i++)
        assert_true(*uet_header_find(theirs[i])->implementation &&
                    *uet_header_find(theirs[i])->note);
    assert_string_equal(uet_header_find("cp_payload_negotiation_on_off")->since, "1.0.3");
    assert_string_equal(uet_header_find("cp_payload_negotiation_pre103")->until, "1.0.2");
    assert_string_equal(uet_header_find("rud_rod_req")->since, "");
}

/* Every row of the data's headers says where it comes from and how sure it is. */
static void every_field_is_complete(void **state)
{
    (void)state;
    for (size_t i = 1; i < uet_n_headers; i++) {
        const struct uet_header *h = &uet_headers[i];
        assert_true(*h->section && strchr("ABC", h->confidence));
        for (size_t j = 0; j < h->n_fields; j++)
            assert_true(*h->fields[j]->section && strchr("ABC", h->fields[j]->confidence));
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_requirement_is_there),
        cmocka_unit_test(every_requirement_is_complete),
        cmocka_unit_test(a_contested_one_names_both_readings),
        cmocka_unit_test(each_is_found_by_its_id_and_no_other),
        cmocka_unit_test(versions_bound_what_changed_in_1_0_3),
        cmocka_unit_test(aliases_end_at_one_row),
        cmocka_unit_test(sections_belong_to_what_they_say),
        cmocka_unit_test(a_table_has_a_number_in_each_version),
        cmocka_unit_test(levels_have_their_words),
        cmocka_unit_test(blocks_have_their_sizes),
        cmocka_unit_test(addresses_alone_are_authenticated),
        cmocka_unit_test(trimming_is_told),
        cmocka_unit_test(rows_and_terms_are_found),
        cmocka_unit_test(origins_are_marked),
        cmocka_unit_test(every_field_is_complete),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
