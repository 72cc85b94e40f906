/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * The space in which a test is run. A test states its conversation once; a dimension says what else
 * may vary while the requirement stays what it is: where PSNs begin, which Request carries the
 * point. A point has one place in each dimension. The ordinary point has place 0 in all of them:
 * the test as it is written.
 */
#ifndef UET_CONFORMANCE_POINT_H
#define UET_CONFORMANCE_POINT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "conformance/result.h"

struct uet_test;

enum uet_dimension_id {
    UET_OVER_PSN,
    UET_OVER_ENTROPY,
    UET_OVER_KIND,
    UET_OVER_MODE,
    UET_OVER_OWN,
    UET_OVER_ACKS,
    UET_OVER_COPY,
    UET_OVER_REFUSED,
    UET_OVER_CLOSE,
    UET_OVER_ORDER,
    UET_OVER_COMPANY,
    UET_OVER_PAST,
    UET_OVER_AMID,
    UET_OVER_SETUP,
    UET_OVER_KEYS,
    UET_N_DIMENSIONS,
};

enum {
    UET_MAX_PLACES = 12,
};

/* For who does it: `value` of the places of kind, order, company, past, amid, setup and keys. */
enum {
    UET_KIND_LEAST,
    UET_KIND_WRITE,
    UET_KIND_SEND,
    UET_KIND_MEDIUM,
    UET_KIND_SMALL,
    UET_KIND_READ,
    UET_KIND_CP
};
enum { UET_ORDER_AS_SENT, UET_ORDER_REVERSED, UET_ORDER_LAST_FIRST };
enum { UET_COMPANY_NONE, UET_COMPANY_MESSAGE, UET_COMPANY_GAP, UET_COMPANY_READ };
enum { UET_PAST_NEW, UET_PAST_USED, UET_PAST_READ, UET_PAST_AGED, UET_PAST_REOPENED };
enum { UET_AMID_NOTHING, UET_AMID_COPIES, UET_AMID_STRANGERS, UET_AMID_DAMAGED };
enum { UET_SETUP_IPV6 = 1, UET_SETUP_NATIVE = 2 };   /* bits */
enum { UET_KEYS_SSI = 0x10, UET_KEYS_REKEY = 0x20 }; /* bits, beside an enum uet_tss_mode */

/* One value of a dimension. */
struct uet_place {
    const char *name;  /* no two of them share one, whatever their dimension */
    const char *what;  /* is done there, for a person */
    const char *needs; /* as a test's: where the FEP lacks one of these it has no such place */
    uint32_t value;    /* for who does it */
    bool if_asked;     /* only tests go there that say so (.over); else all that do not say that
                          they do not (.not_over) */
};

struct uet_dimension {
    const char *name, *what;
    struct uet_place places[UET_MAX_PLACES]; /* [0]: the ordinary one; a NULL name ends them */
    const char *asked_with; /* a test that needs one of these claims goes there if_asked only */
};

extern const struct uet_dimension uet_dimensions[UET_N_DIMENSIONS];

struct uet_point {
    uint8_t place[UET_N_DIMENSIONS]; /* 0: the ordinary one */
};

#define UET_POINT_ORDINARY "ordinary"

/* How many places it has, the ordinary one among them; the point's place in one, never NULL; is it
 * the ordinary one in all? */
size_t uet_n_places(const struct uet_dimension *dimension);
const struct uet_place *uet_point_place(const struct uet_point *point, enum uet_dimension_id d);
bool uet_point_is_ordinary(const struct uet_point *point);

/* "wrap,write", or "ordinary"; into out (UET_POINT_NAME bytes), which it returns. */
const char *uet_point_name(const struct uet_point *point, char *out);

/*
 * The point of that name. False where a word is no place, or two are of one dimension: *wrong is
 * the word then (in `name`), *n its length.
 */
bool uet_point_find(const char *name, struct uet_point *point, const char **wrong, size_t *n);

/* Does the declaration let the test go to every place of that point? */
bool uet_test_goes_to(const struct uet_test *test, const struct uet_point *point);

/* How many points of a test. */
enum uet_depth {
    UET_DEPTH_SMOKE,   /* the ordinary one */
    UET_DEPTH_DEFAULT, /* so many that every two places of different dimensions meet in one */
    UET_DEPTH_DEEP,    /* every three places */
};

/* The places to choose from: [d] has bit p set when place p of dimension d is one. */
struct uet_space {
    uint16_t places[UET_N_DIMENSIONS];
};

enum {
    UET_MAX_POINTS = 64,
    UET_MAX_SETS = 20480, /* of three places that are to meet */
};

/*
 * Points beside the ordinary one and the n_met ones of `met` which together with these have every
 * place of the space, every two places (DEEP: every three) of different dimensions, as far as max
 * points go: those that cover most come first. The same space, seed and met: the same points.
 * Returns how many; max is at most UET_MAX_POINTS.
 */
size_t uet_cover(const struct uet_space *space, enum uet_depth depth, uint64_t seed,
                 const struct uet_point *met, size_t n_met, struct uet_point *points, size_t max);

/* "smoke", "default", "deep", NULL. */
extern const char *const uet_depth_names[];

#endif
