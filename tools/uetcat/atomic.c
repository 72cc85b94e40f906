/* SPDX-License-Identifier: BSD-2-Clause */
/* uetcat atomic: an atomic on one element of a FEP's memory, or of a receive. */
#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "refimpl/ses/element.h"
#include "tools/uetcat/command.h"
#include "tools/uetcat/element.h"
#include "tools/uetcat/once.h"
#include "tools/uetcat/result.h"
#include "ut/nearest.h"

enum { RETURNED, BEFORE, AFTER, ELEMENTS };

struct run {
    struct uetcat_args *args;
    struct uetcat_series *series;
    uint8_t amo, datatype;
    uint8_t operand[UETCAT_ELEMENT_MAX], compare[UETCAT_ELEMENT_MAX];
    uint8_t element[ELEMENTS][UETCAT_ELEMENT_MAX];
    char differs[160]; /* of --check */
};

/* ---- the operation ---- */

static uint8_t opcode_of(const struct uetcat_args *a)
{
    if (a->given[UETCAT_TAG])
        return a->plain ? UET_OP_TSEND_ATOMIC : UET_OP_TSEND_FETCH_ATOMIC;
    return a->plain ? UET_OP_ATOMIC : UET_OP_FETCHING_ATOMIC;
}

static struct uet_fep_config config_of(const struct run *r)
{
    struct uet_fep_config config = uetcat_client_config(&r->args->link, UETCAT_AT_ONCE_MAX);
    config.max_operations = UETCAT_AT_ONCE_MAX;
    return config;
}

static int run_series(struct run *r)
{
    struct uetcat_args *a = r->args;
    const struct uet_fep_config config = config_of(r);
    const struct uet_operation op = {.opcode = opcode_of(a),
                                     .mode = a->rod ? UET_MODE_ROD : UET_MODE_RUD,
                                     .amo = r->amo,
                                     .datatype = r->datatype,
                                     .buffer_offset = a->offset,
                                     .key = a->given[UETCAT_TAG] ? a->tag : a->key,
                                     .initiator = (uint32_t)a->initiator,
                                     .data = r->operand,
                                     .compare = a->compare ? r->compare : NULL,
                                     .into = r->element[RETURNED],
                                     .length = uet_element_bytes(r->datatype)};
    return uetcat_series(&a->link, &config, &op, r->series);
}

/* ---- --check ---- */

static int read_element(struct run *r, uint8_t *into)
{
    const struct uet_fep_config config = config_of(r);
    const struct uet_operation op = {.opcode = UET_OP_READ,
                                     .buffer_offset = r->args->offset,
                                     .key = r->args->key,
                                     .into = into,
                                     .length = uet_element_bytes(r->datatype)};
    return uetcat_once(&r->args->link, &config, &op);
}

/* In the byte order of that FEP's host, of which the returned value tells (SES-137). */
static bool other_order(const struct run *r)
{
    uint8_t turned[UETCAT_ELEMENT_MAX];
    const uint8_t n = uet_element_bytes(r->datatype);
    uet_element_turn(r->datatype, turned, r->element[BEFORE], n);
    return !r->args->plain && r->series->count == 1 &&
           memcmp(r->element[BEFORE], r->element[RETURNED], n) != 0 &&
           memcmp(turned, r->element[RETURNED], n) == 0;
}

/* What was read before, and as often changed as it was asked for, is what must be there now. */
static bool is_right(struct run *r)
{
    uint8_t want[UETCAT_ELEMENT_MAX], got[UETCAT_ELEMENT_MAX];
    const uint8_t n = uet_element_bytes(r->datatype);
    const bool turn = other_order(r);
    memcpy(want, r->element[BEFORE], n);
    memcpy(got, r->element[AFTER], n);
    if (turn) {
        uet_element_turn(r->datatype, want, r->element[BEFORE], n);
        uet_element_turn(r->datatype, got, r->element[AFTER], n);
    }
    if (!r->args->plain && r->series->count == 1 && memcmp(want, r->element[RETURNED], n) != 0)
        snprintf(r->differs, sizeof r->differs, "what came back is not what was read there before");
    for (uint32_t i = 0; i < r->series->count; i++)
        uet_element_apply(r->amo, r->datatype, want, r->operand, r->compare);
    if (memcmp(want, got, n) != 0)
        snprintf(r->differs, sizeof r->differs,
                 "what is read there now is not what %s makes of what was there before",
                 uet_enum_name(UET_ENUM_AMO_OPCODE, r->amo));
    if (r->differs[0])
        fprintf(stderr, "uetcat atomic: %s\n", r->differs);
    return !r->differs[0];
}

static int check(struct run *r)
{
    int status = read_element(r, r->element[AFTER]);
    if (status == UETCAT_NO)
        snprintf(r->differs, sizeof r->differs, "the element could not be read back");
    return status != UETCAT_YES ? status : is_right(r) ? UETCAT_YES : UETCAT_NO;
}

/* ---- what is shown ---- */

/* "12 0x0c": its number and its bits. */
static void add_old(const struct run *r, json_t *j)
{
    char text[200] = "";
    FILE *f = fmemopen(text, sizeof text - 1, "w");
    if (!f)
        return;
    uetcat_element_show(f, r->datatype, r->element[RETURNED]);
    fclose(f);
    size_t n = strcspn(text, " ");
    json_object_set_new(j, "old", json_stringn(text, n));
    if (text[n])
        json_object_set_new(j, "old_bits", json_stringn(text + n + 1, strcspn(text + n + 1, "\n")));
}

static void show_json(const struct run *r, bool checked)
{
    json_t *j = uetcat_result_json("atomic", r->series, uet_element_bytes(r->datatype));
    json_object_set_new(j, "amo", json_string(uet_enum_name(UET_ENUM_AMO_OPCODE, r->amo)));
    json_object_set_new(j, "datatype",
                        json_string(uet_enum_name(UET_ENUM_AMO_DATATYPE, r->datatype)));
    if (r->series->done && !r->args->plain)
        add_old(r, j);
    if (checked)
        json_object_set_new(j, "check", json_string(r->differs[0] ? r->differs : "same"));
    uetcat_json("atomic", j);
}

static void show(const struct run *r, bool checked)
{
    if (r->args->json)
        show_json(r, checked);
    else if (r->args->quiet)
        return;
    else if (r->series->count > 1)
        uetcat_result_text(stdout, r->series, uet_element_bytes(r->datatype));
    else if (r->series->done && r->args->plain)
        puts("done");
    else if (r->series->done)
        uetcat_element_show(stdout, r->datatype, r->element[RETURNED]);
}

static int run_atomic(struct run *r)
{
    struct uetcat_link *l = &r->args->link;
    const bool checks = r->args->check;
    if (!uetcat_link_open(l))
        return UETCAT_USAGE;
    int status = checks ? read_element(r, r->element[BEFORE]) : UETCAT_YES;
    if (status == UETCAT_YES)
        status = run_series(r);
    bool checked = checks && status == UETCAT_YES;
    if (checked)
        status = check(r);
    if (status != UETCAT_USAGE)
        show(r, checked);
    uetcat_link_close(l);
    return l->broken ? UETCAT_USAGE : status;
}

/* ---- names of Tables 3-21 and 3-22 ---- */

/* "cswap" of UET_AMO_CSWAP; NULL: no name of one value (reserved, vendor defined). */
static const char *brief(uint8_t enumeration, size_t i)
{
    const char *prefix = enumeration == UET_ENUM_AMO_OPCODE ? "UET_AMO_" : "UET_TYPE_";
    const struct uet_enumerator *e = &uet_enumerations[enumeration].values[i];
    return strncmp(e->name, prefix, strlen(prefix)) == 0 ? e->name + strlen(prefix) : NULL;
}

static void print_brief(const char *name)
{
    fputc(' ', stderr);
    for (; *name; name++)
        fputc(tolower((unsigned char)*name), stderr);
}

/* By its name, with or without what all of them begin with. */
static bool take_name(const char *option, const char *text, uint8_t enumeration, uint8_t *value)
{
    const struct uet_enumeration *all = &uet_enumerations[enumeration];
    char meant[3 * UET_NEAREST_NAME] = "";
    struct uet_nearest near;
    uet_nearest_begin(&near, text);
    for (size_t i = 0; i < all->n; i++) {
        const char *name = brief(enumeration, i);
        if (!name)
            continue;
        *value = (uint8_t)all->values[i].low;
        if (strcasecmp(text, name) == 0 || strcasecmp(text, all->values[i].name) == 0)
            return true;
        uet_nearest_offer(&near, name);
    }
    uet_nearest_append(&near, meant, sizeof meant);
    fprintf(stderr, "uetcat atomic: %s '%s': there is no such %s%s. Give one of", option, text,
            enumeration == UET_ENUM_AMO_OPCODE ? "operation" : "datatype", meant);
    for (size_t i = 0; i < all->n; i++)
        if (brief(enumeration, i))
            print_brief(brief(enumeration, i));
    fputc('\n', stderr);
    return false;
}

/* Which pairs there are is contested: those of the API, as the reference FEP has them. */
static bool pair_is_there(const struct run *r)
{
    const struct uet_enumeration *types = &uet_enumerations[UET_ENUM_AMO_DATATYPE];
    unsigned n = 0;
    if (uet_element_can(r->amo, r->datatype))
        return true;
    fprintf(stderr, "uetcat atomic: %s does not work on %s",
            uet_enum_name(UET_ENUM_AMO_OPCODE, r->amo),
            uet_enum_name(UET_ENUM_AMO_DATATYPE, r->datatype));
    for (size_t i = 0; i < types->n; i++) {
        if (brief(UET_ENUM_AMO_DATATYPE, i) &&
            uet_element_can(r->amo, (uint8_t)types->values[i].low)) {
            fputs(n++ ? "" : ", but on", stderr);
            print_brief(brief(UET_ENUM_AMO_DATATYPE, i));
        }
    }
    fputs(n ? "\n" : ": no public source says what it takes\n", stderr);
    return false;
}

/* ---- options ---- */

static bool compares_rightly(const struct run *r)
{
    const bool two = uet_amo_compares(r->amo);
    if (two == (r->args->compare != NULL))
        return true;
    fprintf(stderr, "uetcat atomic: %s %s\n", uet_enum_name(UET_ENUM_AMO_OPCODE, r->amo),
            !two                      ? "has one operand: leave -C out"
            : r->amo == UET_AMO_MSWAP ? "has a mask, too: give it with -C"
                                      : "compares: give what, with -C");
    return false;
}

static bool place_is_right(const struct uetcat_args *a)
{
    const char *wrong = NULL;
    if (!a->given[UETCAT_KEY] && !a->given[UETCAT_TAG])
        wrong = "give the memory key of the region with -k, or with -t the tag of a receive";
    else if (a->given[UETCAT_KEY] && a->given[UETCAT_TAG])
        wrong = "give -k, for a region, or -t, for a receive; not both";
    else if (a->check && a->given[UETCAT_TAG])
        wrong = "nobody can read a receive: --check goes with -k only";
    else if (a->given[UETCAT_TAG] && a->count > 1)
        wrong = "an atomic ends the receive that its tag finds: -c goes with -k only";
    if (wrong)
        fprintf(stderr, "uetcat atomic: %s\n", wrong);
    return !wrong;
}

static bool prepare(struct run *r)
{
    static const char *const nothing[] = {"0", "0,0"};
    struct uetcat_args *a = r->args;
    r->amo = UET_AMO_SUM;
    r->datatype = UET_TYPE_UINT64;
    if ((a->amo && !take_name("-a", a->amo, UET_ENUM_AMO_OPCODE, &r->amo)) ||
        (a->datatype && !take_name("-d", a->datatype, UET_ENUM_AMO_DATATYPE, &r->datatype)) ||
        !uetcat_link_address(&a->link, a->n_words, a->words) || !place_is_right(a))
        return false;
    const char *value = a->value ? a->value : nothing[uetcat_element_is_pair(r->datatype)];
    return pair_is_there(r) && compares_rightly(r) &&
           uetcat_element_read("atomic", "-x", r->datatype, value, r->operand) &&
           (!a->compare ||
            uetcat_element_read("atomic", "-C", r->datatype, a->compare, r->compare));
}

static int run(int argc, char **argv)
{
    struct run r = {.args = uetcat_args_new(&uetcat_atomic)};
    int status = UETCAT_USAGE;
    if (r.args && uetcat_options(&uetcat_atomic, r.args, argc, argv, NULL, NULL) && prepare(&r) &&
        (r.series = uetcat_series_new(r.args)))
        status = run_atomic(&r);
    free(r.series);
    free(r.args);
    return status;
}

static const struct uetcat_use uses[] = {
    UETCAT_USES_LINK,
    {UETCAT_KEY, "memory key of the region. This or a tag is needed"},
    {UETCAT_TAG, "match bits of the receive, instead: UET_TSEND_FETCH_ATOMIC"},
    {UETCAT_INITIATOR, NULL},
    {UETCAT_OFFSET, "where in it the element is (default 0)"},
    {UETCAT_AMO, NULL},
    {UETCAT_DATATYPE, NULL},
    {UETCAT_VALUE, NULL},
    {UETCAT_COMPARE, NULL},
    {UETCAT_PLAIN, NULL},
    {UETCAT_CHECK, "read the element before and after: the old value and the new one must be\n"
                   "right, as long as nobody else changes them"},
    {UETCAT_COUNT, "how often (default 1); more than once, rate and latency are shown\n"
                   "instead of the old value"},
    {UETCAT_AT_ONCE, NULL},
    {UETCAT_INTERVAL, NULL},
    {UETCAT_RATE, NULL},
    {UETCAT_ROD, NULL},
    {UETCAT_WAIT, NULL},
    UETCAT_USES_SERVICE,
    UETCAT_USES_WIRE,
    {UETCAT_JSON, NULL},
    {UETCAT_QUIET, NULL},
    {UETCAT_VERBOSE, NULL},
    {0}};

static const struct uet_idle_option idle[] = {
    UETCAT_IDLE_CRC, UETCAT_IDLE_SERIES, {"quiet", "json", NULL}, {NULL, NULL, NULL}};

const struct uetcat_command uetcat_atomic = {
    .name = "atomic",
    .purpose = "an atomic on an element of a FEP's memory",
    .synopsis = "[OPTION...] ADDR",
    .text =
        "Opens a PDC to the FEP at ADDR, does an atomic on one element of a memory region, or of\n"
        "the receive that a tag finds, shows its old value, as a number and the bits of it, and\n"
        "closes the PDC.\n",
    .uses = uses,
    .idle = idle,
    .status =
        "Exit status: 0 it was done,\n"
        "1 it was not, or --check found another value, 2 the arguments or the interface are\n"
        "wrong. A request without an answer is sent again as the same packet, which a FEP does\n"
        "once; after status 1 it may have been done.\n",
    .examples = "-S 192.0.2.77 --job 1 --ri 1 -k 0x1001 -O 8 -x 1 192.0.2.2\n"
                "-S 192.0.2.77 --job 1 --ri 1 -k 0x1001 192.0.2.2\n"
                "-S 192.0.2.77 -k 1 -a cswap -d int32 -C -5 -x 7 192.0.2.2\n"
                "-S 192.0.2.77 -k 1 -a prod -d double -x -2.5 --check 192.0.2.2\n",
    .run = run,
};
