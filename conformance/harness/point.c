/* SPDX-License-Identifier: BSD-2-Clause */
/* The dimensions, as data, and the names of points. */
#include "conformance/harness/point.h"

#include <stdio.h>
#include <string.h>

#include "conformance/harness/test.h"
#include "uet_spec.h"

/*
 * What is done at a place stands beside what it alters: `grep UET_OVER_PSN`. A requirement that
 * fixes what a dimension varies takes the test out of it (.not_over).
 */
const struct uet_dimension uet_dimensions[UET_N_DIMENSIONS] = {
    [UET_OVER_PSN] =
        {.name = "psn",
         .what = "Start_PSN of the tester's PDCs (PSNs are numbers modulo 2^32, 3.5.8.2)",
         .places = {{"random", "a random one", NULL, 0, false},
                    {"wrap", "2^32 - 1: the second packet has PSN 0", NULL, 0xffffffff, false},
                    {"zero", "0: CACK_PSN and CLEAR_PSN begin at 2^32 - 1", NULL, 0, false},
                    {"wrap-later", "2^32 - 3: the fourth packet has PSN 0", NULL, 0xfffffffd,
                     false},
                    {"half", "2^31 - 1: the second packet has the highest bit", NULL, 0x7fffffff,
                     false}}},
    [UET_OVER_ENTROPY] = {.name = "entropy",
                          .what = "the entropy value of packets of a RUD PDC (PDS-235)",
                          .places = {{"one", "one for each PDC", NULL, 0, false},
                                     {"sprayed", "another one in each packet", NULL, 0, false}}},
    [UET_OVER_KIND] = {.name = "kind",
                       .what = "the Request of a test of packet delivery to which any one will do",
                       .places = {{"least", "the least that the FEP claims (NO_OP)", NULL, 0,
                                   false},
                                  {"write", "a WRITE", "write-ready", UET_KIND_WRITE, false},
                                  {"send", "a SEND", "send-ready", UET_KIND_SEND, false},
                                  {"medium", "a WRITE with the medium header",
                                   "write-ready medium-header", UET_KIND_MEDIUM, false},
                                  {"small", "a SEND with the small header",
                                   "send-ready small-header", UET_KIND_SMALL, false},
                                  {"read", "a READ", "read-ready", UET_KIND_READ, true},
                                  {"cp", "a Control Packet that takes a PSN: NOOP",
                                   "cp-noop noop-opens", UET_KIND_CP, true}}},
    [UET_OVER_MODE] = {.name = "mode",
                       .what = "the delivery mode of the tester's PDCs (3.5.7)",
                       .places = {{"rud", "RUD", NULL, 0, false}, {"rod", "ROD", "rod", 0, false}}},
    /* Not where the mode is the test's own, nor where SACK or congestion control is its subject: on
     * ROD what lies behind a gap goes again with it, whatever SACK says (3.5.21). */
    [UET_OVER_OWN] = {.name = "own",
                      .what = "the delivery mode of the PDCs that the FEP opens (3.5.7)",
                      .places = {{"own-rud", "RUD", NULL, 0, false},
                                 {"own-rod", "ROD", "rod", 0, false}},
                      .asked_with = "rod rudi uud tss ack-cc nscc rccc path-aware oblivious"},
    /* Not where what an ACK_CC tells of windows, of SACK or of congestion may be the subject. */
    [UET_OVER_ACKS] = {.name = "acks",
                       .what = "the type of the ACKs that the tester sends (3.5.12)",
                       .places = {{"acks-as-told", "what fep.yaml tells (ACK)", NULL, 0, false},
                                  {"other-acks", "the other one (ACK_CC)", "ack-cc", 0, false}},
                       .asked_with = "tss ack-cc nscc rccc path-aware oblivious"},
    [UET_OVER_COPY] = {.name = "copy",
                       .what = "which copy of a Request comes first (3.5.15)",
                       .places = {{"first", "the first one", NULL, 0, false},
                                  {"retx", "a retransmitted one: retx=1", NULL, 0, false}}},
    [UET_OVER_REFUSED] =
        {.name = "refused",
         .what = "which copy of a Request of the FEP's gets the NACK of a test (3.5.12.7)",
         .places = {{"only-copy", "the first one", NULL, 0, false},
                    {"come-again", "one that another NACK, UET_NO_PKT_BUFFER, has brought", NULL, 0,
                     false}}},
    /* Not where another message is to come behind: it comes elsewhere (PDS-200). */
    [UET_OVER_CLOSE] =
        {.name = "close",
         .what = "what the target wants of the PDC on which the FEP has something outstanding",
         .places = {{"stays-open", "nothing", NULL, 0, false},
                    {"draining", "its end: it has sent a Close Request (3.5.8.3)", NULL, 0,
                     false}}},
    [UET_OVER_ORDER] =
        {.name = "order",
         .what = "in which order Requests of a RUD PDC come that are sent in one go (3.5.7.1)",
         .places = {{"as-sent", "as they are sent", NULL, UET_ORDER_AS_SENT, false},
                    {"reversed", "the last one first, and so on", NULL, UET_ORDER_REVERSED, true},
                    {"last-first", "the last one, then the others", NULL, UET_ORDER_LAST_FIRST,
                     true}}},
    [UET_OVER_COMPANY] =
        {.name = "company",
         .what = "what is outstanding on another PDC of the same FEPs, which has the same PSNs",
         .places = {{"alone", "nothing: there is none", NULL, UET_COMPANY_NONE, false},
                    {"beside-message", "a message of which only the first packet came",
                     "write-ready", UET_COMPANY_MESSAGE, false},
                    {"beside-gap", "a packet that came, behind one that did not", "any-request",
                     UET_COMPANY_GAP, false},
                    {"beside-read", "a READ whose response is not cleared", "read-ready",
                     UET_COMPANY_READ, false}}},
    [UET_OVER_PAST] = {.name = "past",
                       .what = "what went over the open PDC on which the test begins",
                       .places = {{"new", "the Request that opened it", NULL, UET_PAST_NEW, false},
                                  {"used",
                                   "also a Request that came twice, and on RUD one that came late",
                                   "any-request", UET_PAST_USED, false},
                                  {"after-read", "also a READ, answered and cleared", "read-ready",
                                   UET_PAST_READ, false},
                                  {"aged", "also more Requests than MP_Range",
                                   "any-request", UET_PAST_AGED, false},
                                  {"reopened", "an earlier PDC of the same PDCID, which was closed",
                                   "any-request", UET_PAST_REOPENED, false}}},
    /* Not where time on the link is measured, nor what does not open is counted. */
    [UET_OVER_AMID] =
        {.name = "amid",
         .what = "what else comes to the FEP amid the packets of the test",
         .places =
             {{"undisturbed", "nothing", NULL, UET_AMID_NOTHING, false},
              {"copies",
               "each Request and ACK of a PDC once more, behind the next one, or late (3.5.15)",
               NULL, UET_AMID_COPIES, false},
              {"strangers",
               "packets like them, and random bytes, from an address that has no part in it", NULL,
               UET_AMID_STRANGERS, false},
              {"damaged", "packets like them that are damaged, cut, or for somebody else", NULL,
               UET_AMID_DAMAGED, false}},
         .asked_with = "tss nscc rccc path-aware oblivious"},
    [UET_OVER_SETUP] =
        {.name = "setup",
         .what = "how the FEP is set up (3.5.10): with --fep ref, or as `setups` of fep.yaml tells",
         .places =
             {{"as-given", "as fep.yaml says", NULL, 0, false},
              {"ipv6",
               "IPv6 and UDP (`ref`: no CRC trailer, Payload MTU 1024, no DSCP for resends)", NULL,
               UET_SETUP_IPV6, false},
              {"native", "native IPv4 (`ref`: a CRC trailer, Payload MTU 8192)", NULL,
               UET_SETUP_NATIVE, false},
              {"native-ipv6",
               "native IPv6 (`ref`: a CRC trailer, Payload MTU 2048, IP protocol 254, no DSCP for "
               "resends)",
               NULL, UET_SETUP_NATIVE | UET_SETUP_IPV6, false}}},
    [UET_OVER_KEYS] =
        {.name = "keys",
         .what = "the secure domain of a test of security: another one of the key file, by how a "
                 "packet gets its key and names its sender (3.7.8)",
         .places = {{"given", "that in which tests run", NULL, 0, false},
                    {"direct", "direct mode", "tss", UET_TSS_MODE_DIRECT, false},
                    {"cluster-ssi", "cluster mode with SSIs", "tss",
                     UET_TSS_MODE_CLUSTER | UET_KEYS_SSI, false},
                    {"rekey", "cluster mode with automatic rekey", "tss",
                     UET_TSS_MODE_CLUSTER | UET_KEYS_REKEY, false},
                    {"server", "server mode, the FEP being the server", "tss", UET_TSS_MODE_SERVER,
                     false},
                    {"server-ssi", "the same with SSIs", "tss", UET_TSS_MODE_SERVER | UET_KEYS_SSI,
                     false}}},
};

const char *const uet_depth_names[] = {"smoke", "default", "deep", NULL};

size_t uet_n_places(const struct uet_dimension *dimension)
{
    size_t n = 0;

    while (n < UET_MAX_PLACES && dimension->places[n].name)
        n++;
    return n;
}

const struct uet_place *uet_point_place(const struct uet_point *point, enum uet_dimension_id d)
{
    return &uet_dimensions[d].places[point->place[d]];
}

bool uet_point_is_ordinary(const struct uet_point *point)
{
    static const struct uet_point ordinary;

    return memcmp(point, &ordinary, sizeof(ordinary)) == 0;
}

const char *uet_point_name(const struct uet_point *point, char *out)
{
    size_t at = 0;

    snprintf(out, UET_POINT_NAME, "%s", UET_POINT_ORDINARY);
    for (int d = 0; d < UET_N_DIMENSIONS && at < UET_POINT_NAME; d++)
        if (point->place[d])
            at += (size_t)snprintf(out + at, UET_POINT_NAME - at, "%s%s", at ? "," : "",
                                   uet_point_place(point, (enum uet_dimension_id)d)->name);
    return out;
}

/* Puts the point to the place of that name; false where there is none, or its dimension has one. */
static bool go_to(struct uet_point *point, const char *name, size_t n)
{
    for (int d = 0; d < UET_N_DIMENSIONS; d++)
        for (size_t p = 1; p < uet_n_places(&uet_dimensions[d]); p++) {
            const char *own = uet_dimensions[d].places[p].name;

            if (strlen(own) != n || memcmp(own, name, n) != 0)
                continue;
            if (point->place[d])
                return false;
            point->place[d] = (uint8_t)p;
            return true;
        }
    return false;
}

bool uet_point_find(const char *name, struct uet_point *point, const char **wrong, size_t *n)
{
    *point = (struct uet_point){0};
    if (strcmp(name, UET_POINT_ORDINARY) == 0)
        return true;
    for (*wrong = name;; *wrong += *n + 1) {
        *n = strcspn(*wrong, ",");
        if (!go_to(point, *wrong, *n))
            return false;
        if (!(*wrong)[*n])
            return true;
    }
}

static bool is_among(const char *words, const char *name)
{
    const char *at = words, *word;
    size_t n;

    while ((n = uet_next_word(&at, &word)) > 0)
        if (strlen(name) == n && memcmp(word, name, n) == 0)
            return true;
    return false;
}

/* By the name of the place or of its whole dimension. */
static bool says(const char *words, const struct uet_dimension *dimension,
                 const struct uet_place *place)
{
    return is_among(words, dimension->name) || is_among(words, place->name);
}

static bool needs_one(const struct uet_test *test, const char *claims)
{
    const char *at = claims, *word;
    char claim[32];

    for (size_t n; (n = uet_next_word(&at, &word)) > 0;) {
        snprintf(claim, sizeof(claim), "%.*s", (int)n, word);
        if (is_among(test->needs, claim))
            return true;
    }
    return false;
}

bool uet_test_goes_to(const struct uet_test *test, const struct uet_point *point)
{
    for (int d = 0; d < UET_N_DIMENSIONS; d++) {
        const struct uet_dimension *dimension = &uet_dimensions[d];
        const struct uet_place *place = &dimension->places[point->place[d]];

        if (point->place[d] == 0)
            continue;
        if (test->sanity || is_among(test->not_over, "all") ||
            says(test->not_over, dimension, place))
            return false;
        bool if_asked = place->if_asked || needs_one(test, dimension->asked_with);
        if (if_asked && !says(test->over, dimension, place))
            return false;
    }
    return true;
}
