/* SPDX-License-Identifier: BSD-2-Clause */
/* Two reference FEPs, a middle between them, and the time. */
#include "gen/scene.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "port/fabric/fabric.h"
#include "refimpl/host/host.h"
#include "ut/verbs.h"
#include "wire/build.h"
#include "wire/keyfile.h"
#include "wire/layers.h"

enum { INITIATOR, TARGET, ENDS, MIDDLE = ENDS };

enum {
    JOB = 1,
    RI = 1,
    KEY = 0x1001,
    MEMORY = 1 << 16,
    RECEIVES = 4,
};

/* The small header has no memory key: the resource index stands for an optimized one (2.2). */
#define SMALL_KEY (UINT64_C(1) << 62 | RI)
#define RUDI_KEY  (UINT64_C(1) << 63 | KEY) /* idempotent_safe (Table 2-13) */

#define START_NS  1000000000u   /* what the clock shows at the start */
#define HALF_NS   500u          /* from an end to the middle, and on */
#define LINE_BITS 100000000000u /* a second */
#define SECOND_NS 1000000000u
struct end_point {
    struct scene *scene;
    struct uet_host *host;
    struct uet_mem_device device;
    struct uet_ut *ut;
    struct uet_ip ip;
    bool kicked;
};

struct scene {
    const struct gen_scene *script;
    struct end_point ends[ENDS];
    struct uet_fabric *fabric; /* the ends, and the middle: a switch between them */
    uint32_t seen[GEN_RULES];
    bool renumbered; /* delta is known */
    bool before;     /* nothing is captured yet */
    uint32_t delta;
    uint8_t traffic_class, protect, mode;
    struct uet_keyfile *keys; /* of what is sealed, or NULL */
    size_t key;               /* the one that is sealed with */
    int (*take)(void *ctx, const struct uet_gen_scene_frame *frame);
    void *ctx;
    struct uet_gen_scene_end *end;
    int failed; /* the first thing that went wrong */
    char *err;
    size_t errlen;
};

static void fail(struct scene *s, int rc, const char *what)
{
    if (s->failed)
        return;
    s->failed = rc;
    snprintf(s->err, s->errlen, "%s: %s", s->script->about.name, what);
}

/* ---- the middle ---- */

/* Adds to every PSN of the packet, whatever header it stands in. */
static void shift_psns(uint8_t *frame, const struct uet_packet *p, uint32_t delta)
{
    struct uet_layer_at layers[UET_LAYERS_MAX];
    size_t n = uet_layers(p, layers);
    for (size_t l = 0; l < n; l++)
        for (size_t i = 0; i < uet_headers[layers[l].id].n_fields; i++) {
            const struct uet_field *f = uet_headers[layers[l].id].fields[i];
            uint8_t *h = frame + layers[l].offset;
            if (f->kind == UET_KIND_PSN &&
                !(strcmp(f->name, "psn") == 0 && uet_is_cp(p) && uet_field_get(f, h) == 0))
                uet_field_set(f, h, uet_field_get(f, h) + delta);
        }
}

/*
 * The target sees the initiator's PSNs moved, and the initiator the target's moved back: both find
 * everything in order, and the capture, taken on the target's side, shows the moved ones.
 */
static void renumber(struct scene *s, uint8_t *frame, uint32_t len, bool to_initiator)
{
    const struct uet_parse_options o = {.protect = s->protect};
    struct uet_packet p;
    if (!s->script->renumber || uet_parse(&p, frame, len, &o) != UET_PARSE_OK)
        return;
    if (!s->renumbered && p.pds == UET_H_RUD_ROD_REQ_SYN) {
        s->renumbered = true;
        s->delta = s->script->start_psn - uet_start_psn(&p);
    }
    shift_psns(frame, &p, to_initiator ? 0u - s->delta : s->delta);
    uet_refresh(frame, len, (enum uet_protect)s->protect);
}

/* What the rules make of a frame; returns the last that did something, or NULL. */
static const struct gen_scene_rule *apply_rules(struct scene *s, uint8_t *frame, uint32_t *len,
                                                struct uet_fate *fate)
{
    const struct uet_parse_options how = {.protect = s->protect};
    const struct gen_scene_rule *last = NULL;
    for (size_t i = 0; i < GEN_RULES && s->script->rules[i].say; i++) {
        const struct gen_scene_rule *r = &s->script->rules[i];
        int rc = uet_impair(&r->impair, &how, &s->seen[i], frame, len, fate);
        if (rc < 0)
            fail(s, -EPROTO, "a rule means a packet that has no such field, or nothing to cut");
        if (rc <= 0)
            continue;
        last = r;
        s->end->held += r->impair.action == UET_IMPAIR_DELAY;
        s->end->altered +=
            r->impair.action < UET_IMPAIR_DROP || r->impair.action == UET_IMPAIR_TRIM;
    }
    return last;
}

/* A FEP sends: what befalls the frame befalls it on the way to the middle, but for its loss. */
static int emit(void *ctx, const uint8_t *frame, uint32_t len)
{
    struct end_point *e = ctx;
    struct scene *s = e->scene;
    uint16_t from = e == &s->ends[INITIATOR] ? INITIATOR : TARGET;
    struct uet_fate fate = {.copies = 1};
    uint8_t copy[UET_FRAME_MAX];
    if (len > sizeof copy)
        return -EMSGSIZE;
    memcpy(copy, frame, len);
    const struct gen_scene_rule *rule = apply_rules(s, copy, &len, &fate);
    if (from == INITIATOR)
        renumber(s, copy, len, false);
    s->end->doubled += fate.copies > 1;
    fate.copies += fate.copies == 0;
    return uet_fabric_send(s->fabric, from, copy, len, &fate, rule);
}

/* A frame has come to the middle: it is captured, and lost if a rule says so. */
static bool pass(void *ctx, uint16_t to, const uint8_t *bytes, uint32_t len, const void *note,
                 uint64_t now_ns)
{
    struct scene *s = ctx;
    const struct gen_scene_rule *rule = note;
    bool lost = rule && rule->impair.action == UET_IMPAIR_DROP;
    const struct uet_gen_scene_frame frame = {.bytes = bytes,
                                              .len = len,
                                              .time_ns = now_ns,
                                              .from_initiator = to == TARGET,
                                              .lost = lost,
                                              .comment = rule ? rule->say : NULL};
    int rc = s->before ? 0 : s->take(s->ctx, &frame);
    s->end->frames += !s->before;
    s->end->lost += lost;
    if (rc && !s->failed)
        s->failed = rc;
    return !lost;
}

static void deliver(void *ctx, uint16_t host, const uint8_t *frame, uint32_t len, uint64_t now_ns)
{
    struct scene *s = ctx;
    struct uet_mem_device *device = &s->ends[host].device;
    uint8_t copy[UET_FRAME_MAX];
    memcpy(copy, frame, len);
    if (host == INITIATOR)
        renumber(s, copy, len, true);
    device->frame(device->ctx, copy, len, now_ns);
}

/* ---- time ---- */

static uint64_t advance(void *ctx, uint16_t host, uint64_t now_ns)
{
    struct uet_mem_device *device = &((struct scene *)ctx)->ends[host].device;
    return device->advance(device->ctx, now_ns);
}

static uint64_t now(void *ctx)
{
    return uet_fabric_now(((struct end_point *)ctx)->scene->fabric);
}

static void kick(void *ctx)
{
    ((struct end_point *)ctx)->kicked = true;
}

/* Lets time pass until nothing is due any more, or so long. */
static void run(struct scene *s, uint64_t for_ns, bool stop_when_quiet)
{
    uint64_t limit = uet_fabric_now(s->fabric) + for_ns, next = 0;
    for (uint16_t i = 0; i < ENDS; i++) {
        if (s->ends[i].kicked)
            uet_fabric_wake(s->fabric, i, uet_fabric_now(s->fabric));
        s->ends[i].kicked = false;
    }
    for (uint64_t steps = 0; !s->failed && steps < 1000000; steps++) {
        next = uet_fabric_deadline(s->fabric);
        s->end->quiet = next == UET_FABRIC_NEVER;
        if (next > limit)
            break;
        uet_fabric_advance(s->fabric, next);
    }
    if (next > limit && (!stop_when_quiet || !s->end->quiet))
        uet_fabric_advance(s->fabric, limit);
}

/* ---- the ends ---- */

static int set_up_fabric(struct scene *s)
{
    const struct uet_ip addresses[ENDS] = {s->ends[INITIATOR].ip, s->ends[TARGET].ip};
    const struct uet_fabric_line line = {
        .latency_ns = HALF_NS, .bits_per_s = LINE_BITS, .drop_bytes = {UINT32_MAX}};
    const struct uet_fabric_cable cables[] = {{INITIATOR, MIDDLE, line}, {TARGET, MIDDLE, line}};
    const struct uet_fabric_config config = {.addresses = addresses,
                                             .n_hosts = ENDS,
                                             .n_switches = 1,
                                             .cables = cables,
                                             .n_cables = ENDS,
                                             .dscp_trimmable = UET_FABRIC_NO_DSCP,
                                             .dscp_trimmable_rtx = UET_FABRIC_NO_DSCP,
                                             .dscp_trimmed = UET_FABRIC_NO_DSCP,
                                             .dscp_trimmed_lasthop = UET_FABRIC_NO_DSCP,
                                             .dscp_control = UET_FABRIC_NO_DSCP,
                                             .trim_keep = UET_FABRIC_TRIM_KEEP,
                                             .ctx = s,
                                             .deliver = deliver,
                                             .advance = advance,
                                             .pass = pass};
    return uet_fabric_new(&s->fabric, &config, START_NS);
}

/* The end seals with the first key; it is wiped with the FEP. */
static int set_up_domain(const struct scene *s, struct uet_fep *fep)
{
    struct uet_fep_domain domain;
    const struct uet_key_domain *d = &s->keys->domains[0];
    uet_fep_domain_default(&domain);
    domain.keys = s->keys->keys[0].params;
    domain.start =
        d->start == UET_KEY_RANDOM_1RTT ? UET_RANDOM_1RTT_START : UET_EXPECTED_0RTT_START;
    int rc = uet_fep_domain_install(fep, &domain);
    uet_tss_wipe(&domain, sizeof domain);
    return rc;
}

/* Both ends have the next key before one of them seals with it. */
static int rekey(struct scene *s)
{
    const struct uet_tss_params *next = &s->keys->keys[++s->key].params;
    int rc = 0;
    for (int i = 0; i < ENDS && rc == 0; i++)
        rc = uet_fep_domain_load(uet_host_fep(s->ends[i].host), next);
    for (int i = 0; i < ENDS && rc == 0; i++)
        rc = uet_fep_domain_rotate(uet_host_fep(s->ends[i].host), next->sdi, next->an);
    return rc;
}

static int set_up_end(struct scene *s, int which, const struct uet_gen_scene_options *o)
{
    static const char *const addresses[2][ENDS] = {{"192.0.2.11", "192.0.2.1"},
                                                   {"2001:db8::b", "2001:db8::1"}};
    struct end_point *e = &s->ends[which];
    struct uet_host_config config;
    uet_host_config_default(&config);
    uet_ip_parse(&e->ip, addresses[o->ipv6][which]);
    config.fep.address = e->ip;
    config.fep.seed = o->seed * 2 + (uint64_t)which + 1;
    config.fep.protect = s->protect;
    config.fep.max_domains = s->keys != NULL;
    config.fep.dscp_trimmed = UINT64_C(1) << UET_GEN_DSCP_TRIMMED;
    config.fep.dscp_trimmed_lasthop = UINT64_C(1) << UET_GEN_DSCP_LASTHOP;
    if (which == TARGET && s->script->target_pdcs)
        config.fep.max_pdcs = s->script->target_pdcs;
    if (which == TARGET && s->script->target_responses)
        config.fep.max_stored_responses = s->script->target_responses;
    if (which == TARGET && s->script->target_messages)
        config.fep.max_messages = s->script->target_messages;
    int rc = uet_host_new(&e->host, &config);
    if (rc)
        return rc;
    const struct uet_host_io io = {.ctx = e, .now = now, .emit = emit, .kick = kick};
    e->scene = s;
    uet_host_set_io(e->host, &io);
    e->device = uet_host_device(e->host);
    e->ut = uet_host_ut(e->host);
    if (!e->ut)
        return -ENOMEM;
    return s->keys ? set_up_domain(s, uet_host_fep(e->host)) : 0;
}

/* What the target offers: memory, and buffers for sends. */
static int offer(struct uet_ut *ut)
{
    const struct uet_ut_service rma = {.job_id = JOB, .resource_index = RI},
                                send = {
                                    .job_id = JOB, .resource_index = RI, .ri_class = UET_UT_SEND};
    struct uet_ut_memory memory = {
        .job_id = JOB, .resource_index = RI, .key = KEY, .length = MEMORY};
    const struct uet_ut_receive receive = {.job_id = JOB, .resource_index = RI, .length = 8192};
    int rc = uet_ut_service(ut, &rma);
    if (rc == 0)
        rc = uet_ut_service(ut, &send);
    if (rc == 0)
        rc = uet_ut_reg_mem(ut, &memory, NULL, NULL);
    memory.key = SMALL_KEY;
    if (rc == 0)
        rc = uet_ut_reg_mem(ut, &memory, NULL, NULL);
    memory.key = RUDI_KEY;
    if (rc == 0)
        rc = uet_ut_reg_mem(ut, &memory, NULL, NULL);
    for (int i = 0; i < RECEIVES && rc == 0; i++)
        rc = uet_ut_post_recv(ut, &receive, NULL);
    return rc;
}

/* ---- steps ---- */

static int fetching_sum(struct scene *s, struct uet_ut_operation op, uint64_t operand)
{
    op.amo = UET_AMO_SUM;
    op.datatype = UET_TYPE_UINT64;
    op.data = &operand; /* the FEP has the byte order of this host */
    op.length = sizeof operand;
    s->end->operations++;
    return uet_ut_fetching_atomic(s->ends[INITIATOR].ut, &op, NULL);
}

static int operate(struct scene *s, const struct gen_scene_step *step)
{
    static const uint8_t forms[] = {UET_UT_HEADER_STD, UET_UT_HEADER_SMALL, UET_UT_HEADER_MEDIUM};
    const struct uet_ut_operation op = {
        .to = s->ends[TARGET].ip,
        .job_id = JOB,
        .resource_index = RI,
        .relative = true,
        .header = forms[step->form],
        .traffic_class = s->traffic_class,
        .mode = s->mode,
        .key = step->op == OP_WRITE_BAD_KEY  ? KEY + 1
               : step->form == FORM_SMALL    ? SMALL_KEY
               : s->mode == UET_UT_MODE_RUDI ? RUDI_KEY
                                             : KEY,
        .length = (uint32_t)step->value,
    };
    if (step->op == OP_FETCHING_SUM)
        return fetching_sum(s, op, step->value);
    struct uet_ut *ut = s->ends[INITIATOR].ut;
    s->end->operations++;
    return step->op == OP_SEND    ? uet_ut_send(ut, &op, NULL)
           : step->op == OP_NO_OP ? uet_ut_no_op(ut, &op, NULL)
           : step->op == OP_READ  ? uet_ut_read(ut, &op, NULL)
                                  : uet_ut_write(ut, &op, NULL);
}

static int control(struct scene *s, uint8_t ctl_type)
{
    struct end_point *e = &s->ends[INITIATOR];
    e->kicked = true;
    return uet_fep_control(uet_host_fep(e->host), &s->ends[TARGET].ip, ctl_type, now(e));
}

/* One by one, so that nothing of them is under way when the capture begins. */
static int before(struct scene *s, uint64_t n)
{
    const struct gen_scene_step no_op = {.op = OP_NO_OP};
    int rc = 0;
    s->before = true;
    for (uint64_t i = 0; i < n && rc == 0; i++) {
        rc = operate(s, &no_op);
        run(s, SECOND_NS, true);
    }
    s->before = false;
    return rc;
}

static int do_step(struct scene *s, const struct gen_scene_step *step)
{
    switch (step->op) {
    case OP_NEW_PDC:
        s->traffic_class++;
        return 0;
    case OP_ROD:
        s->mode = UET_UT_MODE_ROD;
        return 0;
    case OP_RUDI:
        s->mode = UET_UT_MODE_RUDI;
        return 0;
    case OP_UUD:
        s->mode = UET_UT_MODE_UUD;
        return 0;
    case OP_CLOSE:
        return uet_ut_close_pdcs(s->ends[INITIATOR].ut, NULL);
    case OP_CLOSE_REQUEST:
        return uet_ut_close_request(s->ends[TARGET].ut, NULL);
    case OP_BEFORE:
        return before(s, step->value);
    case OP_CONTROL:
        return control(s, (uint8_t)step->value);
    case OP_SET_INITIATOR:
        return uet_ut_set(s->ends[INITIATOR].ut, step->name, step->value);
    case OP_SET_TARGET:
        return uet_ut_set(s->ends[TARGET].ut, step->name, step->value);
    case OP_REKEY:
        return rekey(s);
    case OP_RUN:
        run(s, step->value ? step->value : SECOND_NS, true);
        return 0;
    case OP_WAIT:
        run(s, step->value, false);
        return 0;
    default:
        return operate(s, step);
    }
}

/* Counts how the operations ended. */
static void count_completions(struct scene *s)
{
    struct uet_ut_completion c[16];
    int n;
    while ((n = uet_ut_wait(s->ends[INITIATOR].ut, c, 16)) > 0)
        for (int i = 0; i < n; i++) {
            bool ok = c[i].status == UET_UT_OK;
            s->end->completed += ok;
            s->end->failed += !ok;
        }
    for (int i = 0; i < ENDS; i++)
        for (int initiator = 0; initiator < 2; initiator++)
            s->end->pdcs += uet_fep_pdcs(uet_host_fep(s->ends[i].host), initiator);
}

static void play(struct scene *s)
{
    for (size_t i = 0; i < GEN_STEPS && s->script->steps[i].op != OP_END && !s->failed; i++) {
        int rc = do_step(s, &s->script->steps[i]);
        if (rc == -ENOMEM)
            fail(s, rc, "out of memory");
        else if (rc)
            fail(s, -EPROTO, s->ends[INITIATOR].ut->error);
    }
    count_completions(s);
}

/* The middle has no keys: what it is to change, it must be able to read. */
static const char *keys_of(const struct gen_scene *script, const char *wanted)
{
    bool read = script->renumber || script->rules[0].say;
    return script->keys ? script->keys : read ? NULL : wanted;
}

static int read_keys(struct scene *s, const char *wanted)
{
    const char *text = keys_of(s->script, wanted);
    if (!text)
        return 0;
    s->keys = uet_keyfile_parse(text, strlen(text), s->script->about.name, s->err, s->errlen);
    return s->keys ? 0 : -EINVAL;
}

int uet_gen_scenario_run(const struct uet_gen_scenario *scenario,
                         const struct uet_gen_scene_options *options,
                         int (*take)(void *ctx, const struct uet_gen_scene_frame *frame), void *ctx,
                         struct uet_gen_scene_end *end, char *err, size_t errlen)
{
    struct scene *s = calloc(1, sizeof *s);
    if (!s)
        return -ENOMEM;
    *end = (struct uet_gen_scene_end){0};
    *s = (struct scene){.script = (const struct gen_scene *)scenario,
                        .protect = options->crc ? UET_PROTECT_CRC : UET_PROTECT_NONE,
                        .take = take,
                        .ctx = ctx,
                        .end = end,
                        .err = err,
                        .errlen = errlen};
    int rc = read_keys(s, options->keys);
    if (rc == 0)
        rc = set_up_end(s, INITIATOR, options);
    if (rc == 0)
        rc = set_up_end(s, TARGET, options);
    if (rc == 0)
        rc = set_up_fabric(s);
    if (rc == 0)
        rc = offer(s->ends[TARGET].ut);
    if (rc)
        fail(s, rc == -ENOMEM ? rc : -EPROTO, "the reference FEPs could not be set up");
    else
        play(s);
    rc = s->failed;
    uet_fabric_free(s->fabric);
    for (int i = 0; i < ENDS; i++) {
        uet_ut_close(s->ends[i].ut);
        if (s->keys && s->ends[i].host)
            uet_fep_erase(uet_host_fep(s->ends[i].host));
        uet_host_free(s->ends[i].host);
    }
    uet_keyfile_free(s->keys);
    free(s);
    return rc;
}
