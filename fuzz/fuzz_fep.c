/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Two reference FEPs joined by a wire that an input commands: frames arrive, are lost, doubled,
 * reordered, altered or invented; the applications call; time passes. An input is two bytes of
 * configuration and then steps, each one byte of kind and what the kind takes (see steps[]).
 *
 * What must hold whatever happens: every frame given out parses and is the sender's own; a FEP
 * gives out finitely many frames for each thing that it is given; after its timers have run the
 * next one is later; nothing is completed twice; no more PDCs than configured. In a secure domain:
 * nothing leaves in clear, every frame opens with the domain's key, and no IV comes twice.
 *
 * A fuzzer cannot guess an ICV: fields are set in the opened frame, which is sealed again, and
 * invented PDS bytes are sealed for it.
 */
#include <errno.h>
#include <string.h>

#include "fuzz/fuzz.h"
#include "refimpl/fep.h"
#include "wire/build.h"
#include "wire/layers.h"
#include "wire/tss.h"

enum {
    WIRE = 32,        /* frames on the wire; more are lost */
    BURST = 2000,     /* frames that one call may make a FEP give out */
    REGION = 8192,    /* bytes of memory behind a service; the largest operation, too */
    OPERATIONS = 512, /* in one input */
    STEPS = 2000,
    SDI = 7, /* of the secure domain */
};

struct frame {
    uint8_t to;
    uint32_t len;
    uint8_t *bytes; /* exactly len of them */
};

struct side {
    struct uet_fep *fep;
    uint8_t *region; /* exactly REGION bytes, so that a write beyond shows */
    uint8_t *into;   /* the same, for reads: each gets the end of it */
    uint64_t received;
    struct uet_ip ip;
    uint64_t next[2]; /* epoch (16 bits) and counter (48): the least that is new, for each AN */
};

static struct fixture {
    const uint8_t *at, *end; /* the rest of the input */
    struct side side[2];
    struct frame wire[WIRE];
    size_t n_wire;
    uint64_t now;
    enum uet_protect protect;
    bool sealed, ssi;
    uint8_t an;              /* that was loaded last */
    struct uet_tss_sa sa[2]; /* an onlooker's, for each AN */
    uint64_t invented;       /* frames */
    uint16_t max_pdcs;
    uint32_t n_operations;
    bool open[OPERATIONS]; /* submitted and not completed */
    uint8_t buffer[UET_FRAME_MAX];
} w;

static uint8_t source[REGION]; /* what operations send */

/* ---- the input ---- */

static uint8_t u8(void)
{
    return w.at < w.end ? *w.at++ : 0;
}

static uint16_t u16(void)
{
    uint8_t high = u8();
    return (uint16_t)(high << 8 | u8());
}

static uint32_t u32(void)
{
    uint32_t high = u16();
    return high << 16 | u16();
}

static struct side *any_side(void)
{
    return &w.side[u8() & 1];
}

/* ---- the secure domain ---- */

/* The key of an AN is always the same one. */
static struct uet_tss_params key_of(uint8_t an)
{
    return (struct uet_tss_params){.sdi = SDI,
                                   .an = an,
                                   .mode = UET_TSS_MODE_CLUSTER,
                                   .ssi_mode = w.ssi,
                                   .cached_keys = 1,
                                   .key = {an, 1, 2, 3}};
}

static void install(struct uet_fep *fep, uint32_t ssi, uint8_t start)
{
    struct uet_fep_domain d;
    uet_fep_domain_default(&d);
    d.keys = key_of(0);
    d.ssi = ssi;
    d.start = start;
    d.auth_fail_threshold = 0;
    FUZZ_CHECK(uet_fep_domain_install(fep, &d) == 0);
}

/* In clear into out, which has room; its length, 0: it does not open. */
static size_t open_sealed(const uint8_t *frame, size_t len, uint8_t *out, struct uet_tss_header *h)
{
    struct uet_packet p;
    size_t n;
    if (uet_parse(&p, frame, len, NULL) != UET_PARSE_SEALED ||
        uet_tss_open(&w.sa[p.seal.an], frame, len, NULL, out, UET_FRAME_MAX, &n, h) != UET_TSS_OK)
        return 0;
    return n;
}

static void seal_again(struct frame *f, const uint8_t *clear, size_t len,
                       const struct uet_tss_header *h)
{
    const struct uet_tss_stamp stamp = {h->ssi, h->epoch, h->counter};
    size_t n;
    enum uet_tss_status s =
        uet_tss_seal(&w.sa[h->an], &stamp, clear, len, NULL, w.buffer, sizeof w.buffer, &n);
    if (s == UET_TSS_OK && n == f->len) /* else its layers are no more what they were */
        memcpy(f->bytes, w.buffer, n);
}

/* ---- the wire ---- */

static void put_on_wire(uint8_t to, const uint8_t *bytes, size_t len)
{
    if (w.n_wire == WIRE)
        return;
    uint8_t *copy = malloc(len ? len : 1);
    FUZZ_CHECK(copy);
    memcpy(copy, bytes, len);
    w.wire[w.n_wire++] = (struct frame){to, (uint32_t)len, copy};
}

static struct frame take_off_wire(size_t i)
{
    struct frame f = w.wire[i];
    memmove(&w.wire[i], &w.wire[i + 1], (w.n_wire - i - 1) * sizeof f);
    w.n_wire--;
    return f;
}

static size_t check_sealed(struct side *s, size_t len, uint8_t *clear)
{
    struct uet_tss_header h;
    size_t n = open_sealed(w.buffer, len, clear, &h);
    FUZZ_CHECK(n && h.sdi == SDI && h.sp == w.ssi && !h.reserved);
    uint64_t now = (uint64_t)h.epoch << 48 | h.counter;
    FUZZ_CHECK(now >= s->next[h.an]);
    s->next[h.an] = now + 1;
    return n;
}

static void check_frame(struct side *s, size_t len)
{
    static uint8_t clear[UET_FRAME_MAX];
    const struct uet_parse_options o = {.protect = (uint8_t)w.protect};
    const uint8_t *frame = w.buffer;
    struct uet_packet p;
    FUZZ_CHECK(len <= UET_FRAME_MAX);
    if (w.sealed) {
        len = check_sealed(s, len, clear);
        frame = clear;
    }
    FUZZ_CHECK(uet_parse(&p, frame, len, &o) == UET_PARSE_OK);
    struct uet_ip src = uet_src_ip(&p);
    FUZZ_CHECK(uet_ip_equal(&src, &s->ip));
    bool pdcless = uet_is_rudi(&p) || uet_is_uud(&p); /* a flipped bit makes such a request, too */
    FUZZ_CHECK(uet_is_nack(&p) || pdcless || uet_spdcid(&p) != 0);
    FUZZ_CHECK(p.ip_end == len);
    if (uet_is_ses_request(&p))
        FUZZ_CHECK(p.payload_len <= REGION);
}

/* After every call: what the FEP has to send goes on the wire, and the invariants hold. */
static void settle(struct side *s)
{
    size_t len, n = 0;
    while ((len = uet_fep_transmit(s->fep, w.buffer, sizeof w.buffer, w.now)) > 0) {
        FUZZ_CHECK(++n < BURST);
        check_frame(s, len);
        put_on_wire(s == &w.side[0], w.buffer, len);
    }
    FUZZ_CHECK(uet_fep_pdcs(s->fep, true) + uet_fep_pdcs(s->fep, false) <= w.max_pdcs);
}

static void receive(struct side *s, const uint8_t *bytes, size_t len)
{
    s->received++;
    uet_fep_receive(s->fep, bytes, len, w.now);
    settle(s);
}

static void deliver(struct frame f)
{
    receive(&w.side[f.to], f.bytes, f.len);
    free(f.bytes);
}

/* ---- time ---- */

static void advance_to(uint64_t now)
{
    w.now = now > w.now ? now : w.now;
    for (size_t i = 0; i < 2; i++) {
        uet_fep_advance(w.side[i].fep, w.now);
        settle(&w.side[i]);
        FUZZ_CHECK(uet_fep_deadline(w.side[i].fep) > w.now);
    }
}

static uint64_t next_deadline(void)
{
    uint64_t a = uet_fep_deadline(w.side[0].fep), b = uet_fep_deadline(w.side[1].fep);
    return a < b ? a : b;
}

/* ---- the steps ---- */

static void step_deliver_first(void)
{
    if (w.n_wire)
        deliver(take_off_wire(0));
}

static void step_deliver_any(void)
{
    uint8_t i = u8();
    if (w.n_wire)
        deliver(take_off_wire(i % w.n_wire));
}

static void step_lose(void)
{
    uint8_t i = u8();
    if (w.n_wire)
        free(take_off_wire(i % w.n_wire).bytes);
}

static void step_double(void)
{
    uint8_t i = u8();
    if (w.n_wire)
        put_on_wire(w.wire[i % w.n_wire].to, w.wire[i % w.n_wire].bytes, w.wire[i % w.n_wire].len);
}

/* Sends a frame to the other end: what one FEP said, said to itself. */
static void step_turn(void)
{
    uint8_t i = u8();
    if (w.n_wire)
        w.wire[i % w.n_wire].to ^= 1;
}

static void step_flip(void)
{
    uint8_t i = u8(), value = u8();
    uint16_t at = u16();
    if (!w.n_wire)
        return;
    struct frame *f = &w.wire[i % w.n_wire];
    f->bytes[at % f->len] ^= value;
}

static void set_field(uint8_t *bytes, size_t len)
{
    uint8_t which_layer = u8(), which_field = u8();
    uint64_t value = (uint64_t)(int64_t)(int32_t)u32(); /* small and negative ones matter most */
    const struct uet_parse_options o = {.protect = (uint8_t)w.protect, .lenient = true};
    struct uet_layer_at layers[UET_LAYERS_MAX];
    struct uet_packet p;
    uet_parse(&p, bytes, len, &o);
    size_t n = uet_layers(&p, layers);
    if (!n)
        return;
    const struct uet_layer_at *l = &layers[n - 1 - which_layer % n]; /* the last ones first */
    const struct uet_field *field =
        uet_headers[l->id].fields[which_field % uet_headers[l->id].n_fields];
    if (field->width <= 64)
        uet_field_set(field, bytes + l->offset, value);
    uet_refresh(bytes, len, w.protect);
}

/* Sets a field of a header, and mends checksum, CRC and ICV, so that the FEP looks at it. */
static void step_set_field(void)
{
    static uint8_t clear[UET_FRAME_MAX];
    struct uet_tss_header h;
    uint8_t i = u8();
    if (!w.n_wire)
        return;
    struct frame *f = &w.wire[i % w.n_wire];
    size_t n = w.sealed ? open_sealed(f->bytes, f->len, clear, &h) : 0;
    set_field(n ? clear : f->bytes, n ? n : f->len);
    if (n)
        seal_again(f, clear, n, &h);
}

static void step_invent_frame(void)
{
    struct side *s = any_side();
    size_t len = u16() % 2048, left = (size_t)(w.end - w.at);
    len = len < left ? len : left;
    uint8_t *exact = malloc(len ? len : 1);
    FUZZ_CHECK(exact);
    memcpy(exact, w.at, len);
    w.at += len;
    receive(s, exact, len);
    free(exact);
}

/* PDS bytes from the input in a frame that is otherwise right. */
static void step_invent_pds(void)
{
    uint8_t to = u8() & 1, ecn = u8() & 3;
    size_t len = u8() % 128, left = (size_t)(w.end - w.at);
    struct uet_route r = {.src = w.side[!to].ip, .dst = w.side[to].ip, .ecn = ecn};
    struct uet_build b;
    len = len < left ? len : left;
    uet_build_start(&b, w.buffer, sizeof w.buffer, &r);
    uet_build_payload(&b, w.at, len);
    w.at += len;
    int n = uet_build_finish(&b, w.protect, NULL);
    FUZZ_CHECK(n > 0);
    size_t out = (size_t)n;
    const struct uet_tss_stamp stamp = {.ssi = to ? 1 : 2,
                                        .counter = (UINT64_C(1) << 40) + w.invented++};
    if (w.sealed && len)
        FUZZ_CHECK(uet_tss_seal(&w.sa[w.an], &stamp, w.buffer, out, NULL, w.buffer, sizeof w.buffer,
                                &out) == UET_TSS_OK);
    put_on_wire(to, w.buffer, out);
}

static void step_time(void)
{
    uint8_t scale = u8() % 40;
    advance_to(w.now + ((uint64_t)u8() << scale));
}

static void step_timer(void)
{
    uint64_t next = next_deadline();
    if (next != UET_FEP_NEVER && next - w.now < UINT64_C(1) << 50)
        advance_to(next);
}

static void step_submit(void)
{
    struct side *s = any_side();
    uint8_t flags = u8();
    struct uet_operation op = {
        .to = w.side[s == &w.side[0] ? 1 : 0].ip,
        .opcode = u8() % (UET_OP_MSG_ERROR + 2),
        .mode = flags & 8 ? UET_MODE_ROD : UET_MODE_RUD,
        .header = u8() % 3,
        .relative = flags & 1,
        .delivery_complete = flags & 2,
        .has_header_data = flags & 4,
        .job_id = u8() % 4,
        .pid_on_fep = u8() % 4,
        .resource_index = u8() % 4,
        .ri_generation = flags >> 6,
        .buffer_offset = flags & 32 ? u16() : 0, /* 0, or a deferrable send is not valid */
        .key = u8() % 4,
        .traffic_class = flags >> 4 & 3,
        .data = source,
        .length = u16() % (REGION + 1),
        .token = w.n_operations,
    };
    if (w.n_operations == OPERATIONS)
        return;
    op.into = s->into + (REGION - op.length);
    if (op.opcode == UET_OP_RENDEZVOUS_SEND || op.opcode == UET_OP_RENDEZVOUS_TSEND) {
        op.data = s->region; /* of which the first handle is */
        op.eager = u16() % (op.length + 1);
    }
    int e = uet_fep_submit(s->fep, &op, w.now);
    FUZZ_CHECK(e == 0 || e == -ENOSPC || e == -EINVAL);
    if (e == 0)
        w.open[w.n_operations++] = true;
    settle(s);
}

static void step_completions(void)
{
    struct uet_completion c;
    for (size_t i = 0; i < 2; i++) {
        size_t n = 0;
        while (uet_fep_completion(w.side[i].fep, &c)) {
            FUZZ_CHECK(++n < 10000);
            if (c.kind != UET_COMPLETION_OPERATION)
                continue;
            FUZZ_CHECK(c.token < w.n_operations && w.open[c.token]);
            w.open[c.token] = false;
        }
        settle(&w.side[i]);
    }
}

static void step_receive_buffer(void)
{
    struct side *s = any_side();
    uint8_t flags = u8();
    const struct uet_receive r = {.job_id = u8() % 4,
                                  .any_job = flags & 1,
                                  .pid_on_fep = u8() % 4,
                                  .resource_index = u8() % 4,
                                  .base = s->region,
                                  .length = u16() % (REGION + 1),
                                  .truncate = flags & 2};
    uet_fep_post_receive(s->fep, &r);
    settle(s);
}

static void step_service(void)
{
    struct side *s = any_side();
    uint8_t flags = u8();
    const struct uet_service service = {.job_id = u8() % 4,
                                        .pid_on_fep = u8() % 4,
                                        .resource_index = u8() % 4,
                                        .ri_class = flags >> 4 & 1 ? UET_RI_RMA : UET_RI_SEND,
                                        .has_generation = flags & 1,
                                        .ri_generation = flags >> 6,
                                        .disabled = flags & 2,
                                        .keeps_unexpected = flags & 8};
    if (flags & 4)
        uet_fep_service_set(s->fep, &service);
    else
        uet_fep_service_add(s->fep, &service);
}

static void step_region(void)
{
    struct side *s = any_side();
    uint8_t flags = u8();
    const struct uet_region r = {.job_id = u8() % 4,
                                 .any_job = flags & 4,
                                 .pid_on_fep = u8() % 4,
                                 .resource_index = u8() % 4,
                                 .key = u8() % 4,
                                 .rights = flags & 3,
                                 .base = s->region,
                                 .length = u16() % (REGION + 1)};
    uet_fep_region_add(s->fep, &r);
}

static void step_close(void)
{
    struct side *s = any_side();
    uint8_t how = u8();
    const struct uet_ip *other = &w.side[s == &w.side[0] ? 1 : 0].ip;
    if (how & 1)
        uet_fep_close_request(s->fep, other, w.now);
    else
        uet_fep_close(s->fep, how & 2 ? NULL : other, w.now);
    settle(s);
}

static void step_parameter(void)
{
    struct side *s = any_side();
    uint8_t i = u8(), scale = u8() % 40;
    struct uet_fep_param_info info;
    size_t n = 0;
    while (uet_fep_param_info(n, &info))
        n++;
    FUZZ_CHECK(n);
    uet_fep_param_info(i % n, &info);
    uint64_t value = (uint64_t)u8() << scale;
    int set = uet_fep_param_set(uet_fep_params(s->fep), info.name, value);
    int got = uet_fep_param_get(uet_fep_params(s->fep), info.name, &value);
    if (info.at_start)
        FUZZ_CHECK(set == -EPERM && got == -EPERM);
    else
        FUZZ_CHECK((set == 0 || set == -ERANGE) && got == 0);
}

/* A FEP starts anew while the other one goes on. Its operations are forgotten. */
static void step_reset(void)
{
    struct side *s = any_side();
    step_completions();
    uet_fep_reset(s->fep, w.now);
    settle(s);
    FUZZ_CHECK(uet_fep_pdcs(s->fep, true) + uet_fep_pdcs(s->fep, false) == 0);
}

/* A side sends with the other AN, whose key both have loaded (TSS-034). */
static void step_rotate(void)
{
    struct side *s = any_side();
    struct uet_fep_domain_state state;
    if (!w.sealed)
        return;
    FUZZ_CHECK(uet_fep_domain_get(s->fep, 0, &state));
    w.an = !state.an;
    for (size_t i = 0; i < 2; i++) {
        const struct uet_tss_params key = key_of(w.an);
        FUZZ_CHECK(uet_fep_domain_get(w.side[i].fep, 0, &state));
        if (state.an == w.an)
            continue;
        w.side[i].next[w.an] = 0; /* as a new key, its counter begins anew */
        FUZZ_CHECK(uet_fep_domain_load(w.side[i].fep, &key) == 0);
    }
    FUZZ_CHECK(uet_fep_domain_rotate(s->fep, SDI, w.an) == 0);
}

/* A counter near a 16-bit or the last edge, or another epoch. */
static void step_counter(void)
{
    struct side *s = any_side();
    uint8_t epoch = u8(), what = u8();
    struct uet_fep_domain_state state;
    if (!w.sealed)
        return;
    FUZZ_CHECK(uet_fep_domain_get(s->fep, 0, &state));
    uint64_t counter = what & 128 ? UET_TSS_COUNTER_MAX - (what & 127u)
                                  : state.next_counter + ((uint64_t)what << 12);
    int e = uet_fep_domain_advance(s->fep, SDI, (uint16_t)(state.epoch + epoch), counter);
    FUZZ_CHECK(e == 0 || e == -EINVAL);
    settle(s);
}

/* A while of undisturbed traffic. */
static void step_run(void)
{
    for (unsigned n = u8(); n > 0; n--) {
        if (w.n_wire)
            deliver(take_off_wire(0));
        else
            step_timer();
    }
}

static void (*const steps[])(void) = {
    step_deliver_first, step_deliver_any,  step_lose,       step_double, step_turn,
    step_flip,          step_set_field,    step_time,       step_timer,  step_submit,
    step_completions,   step_close,        step_run,        step_region, step_service,
    step_parameter,     step_invent_frame, step_invent_pds, step_reset,  step_receive_buffer,
    step_rotate,        step_counter,
};

/* ---- the fixture ---- */

static void open_side(struct side *s, uint8_t last_byte, uint8_t config, void *memory, size_t size,
                      const struct uet_fep_config *c)
{
    struct uet_fep_config own = *c;
    own.address = s->ip = (struct uet_ip){4, {192, 0, 2, last_byte}};
    own.seed = last_byte;
    s->received = 0;
    s->fep = uet_fep_init(memory, size, &own, w.now);
    FUZZ_CHECK(s->fep);
    if (w.sealed)
        install(s->fep, last_byte, config & 32 ? UET_RANDOM_1RTT_START : UET_EXPECTED_0RTT_START);
    s->region = malloc(REGION);
    FUZZ_CHECK(s->region);
    memset(s->region, 0, REGION);
    s->into = malloc(REGION);
    FUZZ_CHECK(s->into);
    /* Most inputs should get past addressing: one resource of each class that is there at once. */
    const struct uet_service rma = {.ri_class = UET_RI_RMA},
                             send = {.ri_class = UET_RI_SEND, .keeps_unexpected = config & 128};
    const struct uet_region region = {.any_job = true,
                                      .rights = UET_RIGHT_READ | UET_RIGHT_WRITE,
                                      .base = s->region,
                                      .length = REGION};
    const struct uet_receive receive = {
        .any_job = true, .base = s->region, .length = REGION, .truncate = config & 8};
    uet_fep_service_add(s->fep, &rma);
    uet_fep_service_add(s->fep, &send);
    uet_fep_region_add(s->fep, &region);
    uet_fep_post_receive(s->fep, &receive);
}

static void configure(struct uet_fep_config *c, uint8_t a, uint8_t b)
{
    uet_fep_config_default(c);
    w.sealed = (a & 6) == 6;
    w.ssi = a & 1;
    c->protect = w.sealed ? UET_PROTECT_TSS : a & 1 ? UET_PROTECT_CRC : UET_PROTECT_NONE;
    c->max_domains = w.sealed;
    c->spec = (uint8_t)((a >> 1 & 3) % 3);
    c->address = (struct uet_ip){4, {192, 0, 2, 1}};
    c->payload_mtu = 1024;
    c->max_pdcs = (uint16_t)(1 + (b & 3));
    c->max_stored_responses = (uint16_t)(1 + (b >> 2 & 7));
    c->max_receives = c->max_services = c->max_regions = 4;
    c->max_operations = c->max_messages = (uint16_t)(1 + (b >> 5));
    c->max_read_parts = (uint16_t)(1 + (b >> 2 & 7));
    c->max_held = b >> 6;
    c->max_unexpected = b >> 5;
    c->unexpected_bytes = 4096;
    c->params.ACK_CC = a & 16;
    c->params.Max_ACK_Data_Size = a & 64 ? 2048 : 16;
    c->params.Enb_ACK_Per_Pkt = a & 32;
}

static void fixture_close(void *memory[2])
{
    while (w.n_wire)
        free(take_off_wire(0).bytes);
    for (size_t i = 0; i < 2; i++) {
        uet_fep_erase(w.side[i].fep);
        uet_tss_erase(&w.sa[i]);
        free(w.side[i].region);
        free(w.side[i].into);
        free(memory[i]);
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct uet_fep_config c;
    void *memory[2];
    memset(&w, 0, sizeof w);
    w.at = data;
    w.end = data + size;
    w.now = 1000000000;
    uint8_t a = u8(), b = u8();
    configure(&c, a, b);
    w.protect = w.sealed ? UET_PROTECT_NONE : (enum uet_protect)c.protect;
    for (uint8_t an = 0; an < 2 && w.sealed; an++) {
        const struct uet_tss_params key = key_of(an);
        FUZZ_CHECK(uet_tss_setup(&w.sa[an], &key) == 0);
    }
    w.max_pdcs = c.max_pdcs;
    size_t need = uet_fep_size(&c);
    FUZZ_CHECK(need);
    for (uint8_t i = 0; i < 2; i++) {
        memory[i] = malloc(need);
        FUZZ_CHECK(memory[i]);
        open_side(&w.side[i], (uint8_t)(i + 1), a, memory[i], need, &c);
    }
    for (unsigned n = 0; n < STEPS && w.at < w.end; n++)
        steps[u8() % (sizeof steps / sizeof *steps)]();
    step_completions();
    fixture_close(memory);
    return 0;
}
