/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * The addressing steps of a request (3.4.1.3) and their return codes (Table 3-19), in this order:
 * JobID, PIDonFEP, RI, enabled, generation, opcode, key or buffer, JobID on it, right, range.
 * Contested codes follow the table (SES-053, 054, 055, 059, 061, 064, 065, 101).
 */
#include <errno.h>

#include "refimpl/ses/ses.h"

#define KEY_OPTIMIZED (1ull << 62) /* Table 2-13: the low 12 bits are the RI */
#define NO_CLASS      0xff

/* The RI space of each opcode (SES-056), and whether this FEP executes it. */
static const struct {
    uint8_t ri_class;
    bool supported;
} opcodes[UET_OP_MSG_ERROR + 1] = {
    [UET_OP_NO_OP] = {NO_CLASS, true},
    [UET_OP_WRITE] = {UET_RI_RMA, true},
    [UET_OP_READ] = {UET_RI_RMA, true},
    [UET_OP_ATOMIC] = {UET_RI_RMA, false},
    [UET_OP_FETCHING_ATOMIC] = {UET_RI_RMA, false},
    [UET_OP_SEND] = {UET_RI_SEND, true},
    [UET_OP_RENDEZVOUS_SEND] = {UET_RI_SEND, false},
    [UET_OP_DATAGRAM_SEND] = {NO_CLASS, false},     /* UUD only (SES-038) */
    [UET_OP_DEFERRABLE_SEND] = {UET_RI_SEND, true}, /* as a plain send (SES-144) */
    [UET_OP_TAGGED_SEND] = {UET_RI_TAGGED, false},
    [UET_OP_RENDEZVOUS_TSEND] = {UET_RI_TAGGED, false},
    [UET_OP_DEFERRABLE_TSEND] = {UET_RI_TAGGED, false},
    [UET_OP_DEFERRABLE_RTR] = {NO_CLASS, false},
    [UET_OP_TSEND_ATOMIC] = {UET_RI_TAGGED, false},
    [UET_OP_TSEND_FETCH_ATOMIC] = {UET_RI_TAGGED, false},
    [UET_OP_MSG_ERROR] = {NO_CLASS, false},
};

static uint8_t class_of(uint8_t opcode)
{
    return opcode <= UET_OP_MSG_ERROR ? opcodes[opcode].ri_class : NO_CLASS;
}

static bool supported(uint8_t opcode)
{
    return opcode <= UET_OP_MSG_ERROR && opcodes[opcode].supported;
}

void uet_ses_request_read(const struct uet_packet *p, struct ses_request *r)
{
    const uint8_t *s = uet_ses(p);
    *r = (struct ses_request){
        .opcode = uet_ses_req_opcode(s),
        .version = uet_ses_req_version(s),
        .ri_generation = uet_ses_req_ri_generation(s),
        .ie = uet_ses_req_ie(s),
        .rel = uet_ses_req_rel(s),
        .som = uet_ses_req_som(s),
        .eom = uet_ses_req_eom(s),
        .small = !uet_is_ses_std(p),
        .message_id = uet_ses_message_id(p),
        .pid_on_fep = uet_ses_req_pid_on_fep(s),
        .resource_index = uet_ses_req_resource_index(s),
        .job_id = uet_ses_req_job_id(s),
        .length = uet_ses_request_length(p),
        .message_offset = uet_ses_message_offset(p),
        .payload = p->payload_len,
    };
    if (p->ses == UET_H_SES_REQ_SMALL) { /* no key: the RI alone names the buffer */
        r->key = KEY_OPTIMIZED | r->resource_index;
    } else {
        r->hd = uet_ses_req_hd(s);
        r->initiator = uet_ses_initiator(p);
        r->key = uet_ses_match_bits(p);
    }
    uet_ses_header_data(p, &r->header_data);
    r->buffer_offset = uet_ses_buffer_offset(p); /* 0 where a token stands (SES-145) */
    if (uet_ses_has_offset(p))
        r->payload = uet_ses_req_std_payload_length(s);
}

/* ---- steps 2 to 6: the service ---- */

struct lookup {
    bool job, pid; /* seen on the way */
    const struct uet_service *service;
};

static struct lookup look_up(struct uet_fep *fep, const struct ses_request *r, uint8_t ri_class)
{
    struct lookup l = {false, false, NULL};
    bool with_job = r->rel ? !UET_VIOLATES(fep, SES_050) : UET_VIOLATES(fep, SES_051);
    for (uint32_t i = 0; i < fep->n_services; i++) {
        const struct uet_service *s = &fep->services[i];
        if (with_job && s->job_id != r->job_id)
            continue;
        l.job = true;
        if (s->pid_on_fep != r->pid_on_fep)
            continue;
        l.pid = true;
        bool class_fits = s->ri_class == ri_class || UET_VIOLATES(fep, SES_056);
        if (s->resource_index == r->resource_index && class_fits) {
            l.service = s;
            return l;
        }
    }
    if (!r->rel) /* absolute: the JobID takes no part (SES-051) */
        l.job = true;
    return l;
}

static uint8_t missing(struct uet_fep *fep, const struct lookup *l)
{
    if (UET_VIOLATES(fep, SES_055) && !l->pid)
        return UET_RC_BAD_PID;
    if (!l->job)
        return UET_VIOLATES(fep, SES_052) ? UET_RC_BAD_PID : UET_RC_BAD_JOB_ID;
    if (!l->pid)
        return UET_VIOLATES(fep, SES_053) ? UET_RC_BAD_INDEX : UET_RC_BAD_PID;
    return UET_VIOLATES(fep, SES_054) ? UET_RC_BAD_PID : UET_RC_BAD_INDEX;
}

static uint8_t service_state(struct uet_fep *fep, const struct uet_service *s,
                             const struct ses_request *r, struct ses_found *found)
{
    if (s->disabled && !UET_VIOLATES(fep, SES_100))
        return s->has_generation ? UET_RC_DISABLED_GEN : UET_RC_DISABLED;
    if (s->has_generation && s->ri_generation != r->ri_generation && !r->any_generation &&
        !(UET_VIOLATES(fep, SES_105_BEFORE) && r->ri_generation + 1 == s->ri_generation) &&
        !UET_VIOLATES(fep, SES_105)) {
        found->ri_generation = s->ri_generation;
        return UET_RC_BAD_GENERATION;
    }
    return UET_RC_OK;
}

/* ---- steps 8 to 11: the buffer ---- */

/* In relative mode the JobID is part of the name: what another job owns is not there at all. */
static bool visible(const struct ses_request *r, bool any_job, uint32_t job_id)
{
    return !r->rel || any_job || job_id == r->job_id;
}

static bool authorized(struct uet_fep *fep, const struct ses_request *r, bool any_job,
                       uint32_t job_id)
{
    return any_job || job_id == r->job_id || UET_VIOLATES(fep, SES_059);
}

/* offset + length > size, without overflow. */
static bool outside(uint64_t offset, uint64_t length, uint64_t size)
{
    return offset > size || length > size - offset;
}

static uint8_t check_region(struct uet_fep *fep, const struct uet_region *g,
                            const struct ses_request *r)
{
    uint64_t size = g->length + (UET_VIOLATES(fep, SES_065) ? 1 : 0);
    if (r->opcode == UET_OP_READ ? !(g->rights & UET_RIGHT_READ) && !UET_VIOLATES(fep, SES_083)
                                 : !(g->rights & UET_RIGHT_WRITE) && !UET_VIOLATES(fep, SES_064))
        return UET_RC_OP_VIOLATION;
    /* The whole message is judged on any of its packets (SES-066). */
    if (UET_VIOLATES(fep, SES_066))
        return outside(r->buffer_offset + r->message_offset, r->payload, size) ? UET_RC_BAD_ADDR
                                                                               : UET_RC_OK;
    return outside(r->buffer_offset, r->length, size) ? UET_RC_BAD_ADDR : UET_RC_OK;
}

static uint8_t find_region(struct uet_fep *fep, const struct ses_request *r,
                           struct ses_found *found)
{
    bool refused = false;
    for (uint32_t i = 0; i < fep->n_regions; i++) {
        const struct uet_region *g = &fep->regions[i];
        if (g->key != r->key || g->pid_on_fep != r->pid_on_fep ||
            g->resource_index != r->resource_index || !visible(r, g->any_job, g->job_id))
            continue;
        if (!authorized(fep, r, g->any_job, g->job_id)) {
            refused = true;
            continue;
        }
        found->region = i + 1;
        return check_region(fep, g, r);
    }
    return refused ? UET_RC_PERM_VIOLATION : UET_RC_BAD_MKEY;
}

bool uet_ses_send_fits(const struct uet_receive *receive, const struct ses_request *r)
{
    return !outside(r->buffer_offset, r->length, receive->length);
}

static uint8_t find_receive(struct uet_fep *fep, const struct ses_request *r,
                            struct ses_found *found)
{
    bool refused = false;
    for (uint32_t id = fep->receives_head; id; id = receive_at(fep, id)->next) {
        const struct uet_receive *v = &receive_at(fep, id)->call;
        if (v->pid_on_fep != r->pid_on_fep || v->resource_index != r->resource_index ||
            !visible(r, v->any_job, v->job_id))
            continue;
        if (!authorized(fep, r, v->any_job, v->job_id)) {
            refused = true;
            continue;
        }
        found->receive = id;
        if (!UET_VIOLATES(fep, SES_090))
            break;
    }
    if (!found->receive)
        return refused ? UET_RC_PERM_VIOLATION : UET_RC_NO_MATCH;
    const struct uet_receive *v = &receive_at(fep, found->receive)->call;
    bool fits = uet_ses_send_fits(v, r) || v->truncate || UET_VIOLATES(fep, SES_101);
    return fits ? UET_RC_OK : UET_RC_TOO_LONG;
}

void uet_ses_address(struct uet_fep *fep, const struct ses_request *r, bool has_receive,
                     struct ses_found *found)
{
    uint8_t ri_class = class_of(r->opcode);
    *found = (struct ses_found){.return_code = UET_RC_OK};
    if (r->opcode == UET_OP_NO_OP) { /* touches no buffer: its address means nothing (SES-028) */
        if (UET_VIOLATES(fep, SES_028) || fep->config.choices.no_no_op)
            found->return_code = UET_RC_UNSUPPORTED_OP;
        return;
    }
    struct lookup l = look_up(fep, r, ri_class);
    if (!l.job || !l.pid || (!l.service && ri_class != NO_CLASS)) {
        found->return_code = missing(fep, &l);
        return;
    }
    if (ri_class != NO_CLASS)
        found->return_code = service_state(fep, l.service, r, found);
    if (found->return_code != UET_RC_OK)
        return;
    if (!supported(r->opcode))
        found->return_code = UET_VIOLATES(fep, SES_024) ? UET_RC_OK : UET_RC_UNSUPPORTED_OP;
    else if (ri_class == UET_RI_RMA)
        found->return_code = find_region(fep, r, found);
    else if (!has_receive)
        found->return_code = find_receive(fep, r, found);
}

/* ---- opening and registering ---- */

static struct uet_service *find_service(struct uet_fep *fep, const struct uet_service *like)
{
    for (uint32_t i = 0; i < fep->n_services; i++) {
        struct uet_service *s = &fep->services[i];
        if (s->job_id == like->job_id && s->pid_on_fep == like->pid_on_fep &&
            s->resource_index == like->resource_index && s->ri_class == like->ri_class)
            return s;
    }
    return NULL;
}

int uet_fep_service_add(struct uet_fep *fep, const struct uet_service *service)
{
    if (find_service(fep, service))
        return -EEXIST;
    if (fep->n_services == fep->config.max_services)
        return -ENOSPC;
    fep->services[fep->n_services++] = *service;
    return 0;
}

int uet_fep_service_set(struct uet_fep *fep, const struct uet_service *service)
{
    struct uet_service *s = find_service(fep, service);
    if (!s)
        return -ENOENT;
    *s = *service;
    return 0;
}

int uet_fep_region_add(struct uet_fep *fep, const struct uet_region *region)
{
    if (region->length && !region->base)
        return -EINVAL;
    for (uint32_t i = 0; i < fep->n_regions; i++) {
        const struct uet_region *g = &fep->regions[i];
        if (g->key == region->key && g->pid_on_fep == region->pid_on_fep &&
            g->resource_index == region->resource_index && g->any_job == region->any_job &&
            (g->any_job || g->job_id == region->job_id))
            return -EEXIST;
    }
    if (fep->n_regions == fep->config.max_regions)
        return -ENOSPC;
    fep->regions[fep->n_regions] = *region;
    return (int)fep->n_regions++;
}
