/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * What a request must stand, in this order, each with its return code (Table 3-19): the message it
 * belongs to, the lookup of 3.4.1.3 -- JobID, PIDonFEP, RI, enabled, generation, opcode -- the
 * buffer with its right and range, and the form. Contested codes follow the table (SES-053, 054,
 * 055, 059, 061, 064, 065, 101).
 */
#include "refimpl/ses/checks.h"

/* ---- the message ---- */

static bool message_is_good(struct ses_judged *j)
{
    j->code = j->m->return_code; /* the first error of a message counts (SES-116) */
    return j->code == UET_RC_OK;
}

static bool version_is_known(struct ses_judged *j)
{
    return !j->r->version;
}

/* Or it may be one of which nothing has come so far. */
static bool message_is_known(struct ses_judged *j)
{
    return j->m || j->ahead;
}

/* A packet agrees with the message that it continues (SES-048, SES-010, SES-012). */
static bool same_message(struct ses_judged *j)
{
    return j->m->opcode == j->r->opcode && j->m->length == j->r->length &&
           j->m->buffer_offset == j->r->buffer_offset;
}

static bool begins_once(struct ses_judged *j)
{
    return !(j->m->som_seen && j->r->som);
}

static bool same_key(struct ses_judged *j)
{
    return j->m->key == j->r->key;
}

/* What any job may use was given to the first packet's, for its whole message. */
static bool same_job(struct ses_judged *j)
{
    return j->m->job_id == j->r->job_id;
}

static bool no_initiator_error(struct ses_judged *j)
{
    return !j->r->ie;
}

static bool one_packet(struct ses_judged *j)
{
    return j->r->som && j->r->eom;
}

/* ---- the service ---- */

static bool job_is_known(struct ses_judged *j)
{
    return j->service || uet_service_job_known(j->fep, j->r);
}

static bool pid_is_known(struct ses_judged *j)
{
    return j->service || uet_service_pid_known(j->fep, j->r);
}

static bool index_is_open(struct ses_judged *j)
{
    return j->service;
}

static bool enabled(struct ses_judged *j)
{
    return !j->service->disabled || j->service->has_generation;
}

static bool enabled_generation(struct ses_judged *j)
{
    return !j->service->disabled || !j->service->has_generation;
}

/* A message that has its receive goes on with the generation that it began with. */
static bool generation_is_current(struct ses_judged *j)
{
    return !j->service->has_generation || j->service->ri_generation == j->r->ri_generation ||
           (j->m && (j->m->receive || j->m->kept)) ||
           j->mode == UET_MODE_UUD; /* UUD has none (3.4.3.6.3) */
}

/* On RUDI, too: what RUDI carries comes after the buffer. */
static bool opcode_is_executed(struct ses_judged *j)
{
    return j->r->op->takes & SES_ON_PDC;
}

/* ---- the buffer ---- */

static bool key_is_known(struct ses_judged *j)
{
    j->region = uet_region_find(j->fep, j->r, &j->refused);
    return j->region;
}

static bool job_may(struct ses_judged *j)
{
    return !j->refused;
}

static bool right_is_given(struct ses_judged *j)
{
    return (uet_region_at(j->fep, j->region)->rights & j->r->op->rights) == j->r->op->rights;
}

/* The whole message is judged on any of its packets (SES-066). */
static bool inside_region(struct ses_judged *j)
{
    return !uet_ses_outside(j->r->buffer_offset, j->r->touches,
                            uet_region_at(j->fep, j->region)->length);
}

/*
 * One receive for the whole message: the one that it took at first is not looked for again. Or none
 * for any part of it, when its header is held.
 */
static bool receive_is_posted(struct ses_judged *j)
{
    if (j->m && (j->m->receive || j->m->held || j->m->kept)) {
        j->receive = j->m->receive;
        j->held = j->m->held;
        j->kept = j->m->kept;
        return true;
    }
    j->receive = j->r->op->defers ? uet_held_receive(j->fep, j->p, j->r) : 0;
    if (!j->receive)
        j->receive = uet_receive_find(j->fep, j->r, &j->refused);
    j->kept = !j->receive && j->r->op->keeps && uet_unexpected_room(j->fep, j->service, j->r);
    j->held = !j->receive && !j->kept && j->r->op->holds && uet_held_room(j->fep, j->p, j->r);
    return j->receive || j->held || j->kept;
}

/* On ROD, with generations, to have no receive left is no matter of this one message (SES-106). */
static bool not_exhausted(struct ses_judged *j)
{
    j->exhausted = j->mode == UET_MODE_ROD && j->service->has_generation && !receive_is_posted(j);
    return !j->exhausted;
}

bool uet_ses_send_fits(const struct uet_receive *receive, const struct ses_request *r)
{
    return !uet_ses_outside(r->buffer_offset, r->touches, receive->length);
}

/* A message that has its receive already was judged when it took it. */
static bool receive_is_long_enough(struct ses_judged *j)
{
    if (j->held || j->kept)
        return true;
    const struct uet_receive *v = &receive_at(j->fep, j->receive)->call;
    bool cut = v->truncate && !j->r->op->whole;
    return (j->m && j->m->receive) || cut || uet_ses_send_fits(v, j->r);
}

/* ---- RUDI ---- */

/* Completion data would be told once for each copy, and without message state not at the end. */
static bool may_be_done_twice(struct ses_judged *j)
{
    return j->r->op->takes & SES_ON(UET_MODE_RUDI) && !(j->r->hd && j->r->op->header_data);
}

static bool region_is_safe(struct ses_judged *j)
{
    return j->region && uet_region_at(j->fep, j->region)->key & KEY_IDEMPOTENT_SAFE;
}

/* ---- the form ---- */

/* Small and medium headers carry messages of one packet (SES-015). */
static bool short_is_single(struct ses_judged *j)
{
    return !j->r->small || (j->r->som && j->r->eom);
}

static bool carries_what_it_must(struct ses_judged *j)
{
    j->code = j->r->op->check(j->fep, j->p, j->r);
    return j->code == UET_RC_OK;
}

/* A first packet is the whole message or a Payload MTU of it (SES-045). */
static bool first_is_full(struct ses_judged *j)
{
    const struct ses_request *r = j->r;
    uint32_t mtu = j->fep->config.payload_mtu;
    if (!r->som)
        return true;
    return r->eom ? r->payload == r->carried : r->payload == mtu && r->carried > mtu;
}

/* SES-047; the last packet ends where the message does. */
static bool inside_message(struct ses_judged *j)
{
    uint64_t end = (uint64_t)j->r->message_offset + j->r->payload;
    bool is_last = j->r->eom && !uet_ses_stops_deferred(j->m, j->r);
    return is_last ? end == j->r->carried : end <= j->r->carried;
}

/*
 * With this packet as many bytes have come as the message has: then each part has come once. Of a
 * conforming initiator nothing else can be (SES-041), so the sum of the offsets is proof enough.
 */
static bool each_part_came(struct ses_judged *j)
{
    const struct ses_request *r = j->r;
    const uint64_t mtu = j->fep->config.payload_mtu, parts = (r->carried + mtu - 1) / mtu;
    bool last = (uint64_t)j->m->received + r->payload >= r->carried;
    return !last || j->m->held ||
           j->m->offsets + r->message_offset == mtu * (parts * (parts - 1) / 2);
}

/* ---- the order ---- */

#define NAMES(what) (1u << (what))
#define RMA         NAMES(UET_RI_RMA)
#define SEND        (NAMES(UET_RI_SEND) | NAMES(UET_RI_TAGGED))
#define SERVICE     (RMA | SEND)
#define ADDRESS     (SERVICE | NAMES(SES_NAMES_NO_RI))
#define ANY         (ADDRESS | NAMES(SES_NAMES_NOTHING))
#define MESSAGE     NAMES(SES_NAMES_MESSAGE)
#define ALL         (ANY | MESSAGE)
#define ON(modes)   ((modes) << 8)
#define GOES_ON     (1u << 13) /* in a message that has begun; 1u << 12: in any other */
#define ON_PDC      (ON(SES_ON_PDC) | GOES_ON >> 1 | GOES_ON)
#define ON_ROD      (ON(SES_ON(UET_MODE_ROD)) | GOES_ON >> 1 | GOES_ON)
#define ON_RUDI     (ON(SES_ON(UET_MODE_RUDI)) | GOES_ON >> 1)
#define ON_UUD      (ON(SES_ON(UET_MODE_UUD)) | GOES_ON >> 1)
#define ON_ALL      (ON_PDC | ON_RUDI | ON_UUD)
#define CONTINUED   (ON(SES_ON_PDC) | GOES_ON)

static const struct ses_check checks[SES_CHECKS] = {
    [SES_CHECK_MESSAGE_GOOD] = {message_is_good, SES_RC_FOUND, ALL | CONTINUED},
    [SES_CHECK_VERSION] = {version_is_known, UET_RC_UNCOR, ALL | ON_ALL}, /* no code of its own */
    [SES_CHECK_MESSAGE_KNOWN] = {message_is_known, UET_RC_OP_VIOLATION, MESSAGE | ON_PDC},
    [SES_CHECK_SAME_MESSAGE] = {same_message, UET_RC_OP_VIOLATION, ANY | CONTINUED},
    [SES_CHECK_BEGINS_ONCE] = {begins_once, UET_RC_OP_VIOLATION, ANY | CONTINUED},
    [SES_CHECK_SAME_KEY] = {same_key, UET_RC_PERM_VIOLATION, ANY | CONTINUED},
    [SES_CHECK_INITIATOR_ERROR] = {no_initiator_error, UET_RC_INITIATOR_ERROR, ANY | ON_ALL},
    [SES_CHECK_ONE_PACKET] = {one_packet, UET_RC_OP_VIOLATION, ANY | ON_UUD}, /* SES-036 */

    [SES_CHECK_JOB] = {job_is_known, UET_RC_BAD_JOB_ID, ADDRESS | ON_ALL},
    [SES_CHECK_PID] = {pid_is_known, UET_RC_BAD_PID, ADDRESS | ON_ALL},
    [SES_CHECK_INDEX] = {index_is_open, UET_RC_BAD_INDEX, SERVICE | ON_ALL},
    [SES_CHECK_ENABLED] = {enabled, UET_RC_DISABLED, SERVICE | ON_ALL},
    [SES_CHECK_ENABLED_GEN] = {enabled_generation, UET_RC_DISABLED_GEN, SERVICE | ON_ALL},
    [SES_CHECK_GENERATION] = {generation_is_current, UET_RC_BAD_GENERATION, SERVICE | ON_ALL},
    [SES_CHECK_OPCODE] = {opcode_is_executed, UET_RC_UNSUPPORTED_OP, ALL | ON_ALL},

    [SES_CHECK_KEY] = {key_is_known, UET_RC_BAD_MKEY, RMA | ON_ALL},
    [SES_CHECK_REGION_JOB] = {job_may, UET_RC_PERM_VIOLATION, RMA | ON_ALL},
    [SES_CHECK_RIGHT] = {right_is_given, UET_RC_OP_VIOLATION, RMA | ON_ALL},
    [SES_CHECK_RANGE] = {inside_region, UET_RC_BAD_ADDR, RMA | ON_ALL},
    [SES_CHECK_EXHAUSTED] = {not_exhausted, UET_RC_DISABLED_GEN, SEND | ON_ROD},
    [SES_CHECK_RECEIVE] = {receive_is_posted, UET_RC_NO_MATCH, SEND | ON_ALL},
    [SES_CHECK_RECEIVE_JOB] = {job_may, UET_RC_PERM_VIOLATION, SEND | ON_ALL},
    [SES_CHECK_RECEIVE_LENGTH] = {receive_is_long_enough, UET_RC_TOO_LONG, SEND | ON_ALL},
    [SES_CHECK_SAME_JOB] = {same_job, UET_RC_PERM_VIOLATION, SERVICE | CONTINUED}, /* ROB-023 */

    [SES_CHECK_RUDI_OPCODE] = {may_be_done_twice, UET_RC_UNSUPPORTED_OP, ALL | ON_RUDI},
    [SES_CHECK_RUDI_KEY] = {region_is_safe, UET_RC_OP_VIOLATION, ANY | ON_RUDI},

    [SES_CHECK_SHORT_HEADER] = {short_is_single, UET_RC_OP_VIOLATION, ADDRESS | ON_ALL},
    [SES_CHECK_CARRIES] = {carries_what_it_must, SES_RC_FOUND, ALL | ON_ALL},
    [SES_CHECK_FIRST_LENGTH] = {first_is_full, UET_RC_OP_VIOLATION, ADDRESS | ON_ALL},
    [SES_CHECK_BOUNDS] = {inside_message, UET_RC_OP_VIOLATION, ADDRESS | ON_ALL},
    [SES_CHECK_EACH_PART] = {each_part_came, UET_RC_OP_VIOLATION, SERVICE | CONTINUED},
};

void uet_ses_checks_make(struct ses_law *law)
{
    memcpy(law->checks, checks, sizeof checks);
}

static void put_in_order(const struct ses_law *law, uint32_t want, uint8_t *order)
{
    for (uint8_t i = 0; i < SES_CHECKS; i++) {
        if ((law->checks[i].when & want) == want)
            *order++ = i;
    }
    *order = SES_CHECKS;
}

void uet_ses_law_order(struct ses_law *law)
{
    for (uint32_t names = 0; names <= SES_NAMES_MESSAGE; names++) {
        for (uint32_t mode = 0; mode <= UET_MODE_UUD; mode++) {
            for (uint32_t on = 0; on < 2; on++)
                put_in_order(law, NAMES(names) | ON(SES_ON(mode)) | GOES_ON >> (1 - on),
                             law->order[names][mode][on]);
        }
    }
}

uint8_t uet_ses_judge(struct ses_judged *j)
{
    const struct ses_law *law = &j->fep->law.ses;
    const uint8_t *order = law->order[j->r->op->names][j->mode][j->m != NULL];
    j->service = uet_service_find(j->fep, j->r);
    for (; *order != SES_CHECKS; order++) {
        const struct ses_check *c = &law->checks[*order];
        if (!c->holds(j))
            return c->code == SES_RC_FOUND ? j->code : c->code;
    }
    return UET_RC_OK;
}
