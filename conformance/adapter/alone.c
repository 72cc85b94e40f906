/* SPDX-License-Identifier: BSD-2-Clause */
/* What an upper tester shows by itself: the line, its resources, what it must refuse. */
#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "conformance/adapter/trial.h"
#include "ut/known.h"
#include "ut/value.h"

#define ITEMS(a) (sizeof(a) / sizeof((a)[0]))

/* ---- the line ---- */

static void hello(struct trial *t)
{
    const struct uet_ut_about *a = &t->about;

    if (a->payload_mtu != 1024 && a->payload_mtu != 2048 && a->payload_mtu != 4096 &&
        a->payload_mtu != 8192)
        WRONG(t, "payload_mtu is %u, not 1024, 2048, 4096 or 8192", a->payload_mtu);
    if (!trial_lists(t, "hello"))
        WRONG(t, "hello does not list itself among its verbs");
    snprintf(t->r.text, sizeof(t->r.text), "%s %s, spec %s", a->name, a->version, a->spec);
}

static void unknown_verb(struct trial *t)
{
    trial_refuses(t, json_pack("{s:s}", "verb", "jump"), "a verb that nobody knows");
}

static void unknown_argument(struct trial *t)
{
    trial_refuses(t, json_pack("{s:s, s:i}", "verb", "hello", "colour", 3),
                  "with an argument that nobody knows: a misspelt one would be lost");
}

static void null_is_absent(struct trial *t)
{
    json_t *reply = NULL;

    trial_ok(t, t->ut, "wait with \"max\":null",
             uet_ut_call(t->ut, json_pack("{s:s, s:n}", "verb", "wait", "max"), &reply));
    json_decref(reply);
}

static void wait_is_empty(struct trial *t)
{
    struct uet_ut_completion end;
    int n = uet_ut_wait(t->ut, &end, 1);

    if (trial_ok(t, t->ut, "wait", n) && n > 0 && trial_lists(t, "reset"))
        WRONG(t, "a completion of handle %llu came, though nothing was begun since reset",
              (unsigned long long)end.handle);
}

/* ---- memory ---- */

static bool region(struct trial *t, struct uet_ut_memory memory, uint64_t *handle, uint64_t *key)
{
    memory.job_id = TRIAL_JOB;
    memory.pid_on_fep = TRIAL_PID;
    if (!memory.key)
        memory.key = 0x1000u + memory.resource_index;
    return trial_opens(t, t->ut, memory.resource_index, UET_UT_RMA) &&
           trial_ok(t, t->ut, "reg_mem", uet_ut_reg_mem(t->ut, &memory, handle, key));
}

/* The bytes at offset are those; length up to 64. */
static bool holds(struct trial *t, uint64_t handle, uint64_t offset, const void *want, size_t n)
{
    uint8_t is[64];

    if (!trial_ok(t, t->ut, "get_mem", uet_ut_get_mem(t->ut, handle, offset, is, n)))
        return false;
    for (size_t i = 0; i < n; i++)
        if (is[i] != ((const uint8_t *)want)[i]) {
            WRONG(t, "get_mem: byte %llu is 0x%02x, and should be 0x%02x",
                  (unsigned long long)(offset + i), is[i], ((const uint8_t *)want)[i]);
            return false;
        }
    return true;
}

static void filled(struct trial *t)
{
    static const uint8_t want[] = {0xa5, 0xa5, 0xa5, 0xa5};
    uint64_t handle;

    if (region(t,
               (struct uet_ut_memory){.resource_index = trial_ri(t), .length = 100, .fill = 0xa5},
               &handle, NULL) &&
        holds(t, handle, 0, want, 4))
        holds(t, handle, 96, want, 4);
}

static void zeroed(struct trial *t)
{
    static const uint8_t want[8] = {0};
    uint64_t handle;

    if (region(t, (struct uet_ut_memory){.resource_index = trial_ri(t), .length = 64}, &handle,
               NULL))
        holds(t, handle, 0, want, sizeof(want));
}

static void given(struct trial *t)
{
    static const uint8_t data[] = {1, 2, 3, 4, 5, 6, 7, 8};
    uint64_t handle;

    if (region(t,
               (struct uet_ut_memory){
                   .resource_index = trial_ri(t), .length = sizeof(data), .data = data},
               &handle, NULL) &&
        holds(t, handle, 0, data, sizeof(data)))
        holds(t, handle, 5, data + 5, 3);
}

static void handles_differ(struct trial *t)
{
    struct uet_ut_memory memory = {.resource_index = trial_ri(t), .length = 8};
    uint64_t first, second;

    if (!region(t, memory, &first, NULL))
        return;
    memory.key = 0x2000;
    if (region(t, memory, &second, NULL) && (first == second || !first || !second))
        WRONG(t, "handles %llu and %llu: each must be 1 or more, and none used twice",
              (unsigned long long)first, (unsigned long long)second);
}

static void rights(struct trial *t)
{
    region(t, (struct uet_ut_memory){.resource_index = trial_ri(t), .length = 8, .no_write = true},
           NULL, NULL);
}

static void any_job(struct trial *t)
{
    region(t, (struct uet_ut_memory){.resource_index = trial_ri(t), .length = 8, .any_job = true},
           NULL, NULL);
}

static void beyond(struct trial *t)
{
    uint64_t handle;

    if (region(t, (struct uet_ut_memory){.resource_index = trial_ri(t), .length = 8}, &handle,
               NULL))
        trial_refuses(t,
                      json_pack("{s:s, s:I, s:i, s:i}", "verb", "get_mem", "handle",
                                (json_int_t)handle, "offset", 4, "length", 8),
                      "which is more than the region has");
}

static void unknown_handle(struct trial *t)
{
    json_t *request = json_pack("{s:s, s:I}", "verb", t->r.verb, "handle", (json_int_t)0x7fffffff);

    if (strcmp(t->r.verb, "get_mem") == 0)
        json_object_set_new(request, "length", json_integer(1));
    trial_refuses(t, request, "a handle that was never given");
}

/* ---- reset ---- */

static void forgets(struct trial *t)
{
    uint64_t before, after;
    struct uet_ut_memory memory = {.resource_index = trial_ri(t), .length = 8, .fill = 1};

    if (!region(t, memory, &before, NULL) || !trial_ok(t, t->ut, "reset", uet_ut_reset(t->ut)) ||
        !trial_refuses(t,
                       json_pack("{s:s, s:I, s:i}", "verb", "get_mem", "handle", (json_int_t)before,
                                 "length", 1),
                       "though the FEP was reset") ||
        !region(t, memory, &after, NULL))
        return;
    if (after == before)
        WRONG(t, "handle %llu came again after reset: use none twice", (unsigned long long)after);
}

/* ---- resource indices, receives ---- */

static void service_of(struct trial *t, uint8_t ri_class, bool generation, bool disabled)
{
    const struct uet_ut_service service = {.job_id = TRIAL_JOB,
                                           .pid_on_fep = TRIAL_PID,
                                           .resource_index = trial_ri(t),
                                           .ri_class = ri_class,
                                           .has_generation = generation,
                                           .generation = generation ? 7 : 0,
                                           .disabled = disabled};

    trial_ok(t, t->ut, "service", uet_ut_service(t->ut, &service));
}

static void rma(struct trial *t)
{
    service_of(t, UET_UT_RMA, false, false);
}

static void sends(struct trial *t)
{
    service_of(t, UET_UT_SEND, false, false);
}

static void tagged(struct trial *t)
{
    service_of(t, UET_UT_TAGGED, false, false);
}

static void generation(struct trial *t)
{
    service_of(t, UET_UT_SEND, true, false);
}

static void disabled(struct trial *t)
{
    service_of(t, UET_UT_SEND, false, true);
}

static void receive(struct trial *t, struct uet_ut_receive receive)
{
    static const uint8_t zeros[16] = {0};
    uint64_t handle;

    receive.job_id = TRIAL_JOB;
    receive.pid_on_fep = TRIAL_PID;
    receive.resource_index = trial_ri(t);
    receive.length = 64;
    if (trial_opens(t, t->ut, receive.resource_index,
                    receive.tagged ? UET_UT_TAGGED : UET_UT_SEND) &&
        trial_ok(t, t->ut, "post_recv", uet_ut_post_recv(t->ut, &receive, &handle)))
        holds(t, handle, 0, zeros, sizeof(zeros));
}

static void untagged(struct trial *t)
{
    receive(t, (struct uet_ut_receive){0});
}

static void truncating(struct trial *t)
{
    receive(t, (struct uet_ut_receive){.truncate = true});
}

static void exact(struct trial *t)
{
    receive(t, (struct uet_ut_receive){.tagged = true, .match_bits = UINT64_C(1) << 63 | 5});
}

static void from_one(struct trial *t)
{
    receive(t, (struct uet_ut_receive){
                   .tagged = true, .match_bits = 5, .from = true, .initiator = 0x80000001u});
}

static void ignoring(struct trial *t)
{
    receive(t, (struct uet_ut_receive){.tagged = true, .match_bits = 5, .ignore = 0xff});
}

static void keeps(struct trial *t)
{
    const struct uet_ut_service service = {.job_id = TRIAL_JOB,
                                           .pid_on_fep = TRIAL_PID,
                                           .resource_index = trial_ri(t),
                                           .ri_class = UET_UT_SEND,
                                           .keeps_unexpected = true};

    trial_ok(t, t->ut, "service", uet_ut_service(t->ut, &service));
}

/* ---- parameters ---- */

/* Sets one to its own value; what is set at the start alone is refused, which is right. */
static bool set_one(struct trial *t, const json_t *params, const char *name, size_t *refused)
{
    uint64_t is, after;

    if (uet_ut_get_number(params, name, UINT64_MAX, &is) != 0) {
        WRONG(t, "hello: params: %.60s is no number", name);
        return false;
    }
    int rc = uet_ut_set(t->ut, name, is);
    if (rc == -EPROTO) {
        ++*refused;
        return true;
    }
    if (!trial_ok(t, t->ut, "set", rc))
        return false;
    if (uet_ut_param(t->ut, name, &after) == 0 && after != is)
        WRONG(t, "%.60s was set to %llu, and hello tells %llu", name, (unsigned long long)is,
              (unsigned long long)after);
    return t->r.how == UET_ADAPTER_WORKS;
}

static void set_told(struct trial *t)
{
    json_t *reply = NULL, *value;
    const char *name;
    size_t refused = 0;

    if (!trial_ok(t, t->ut, "hello",
                  uet_ut_call(t->ut, json_pack("{s:s}", "verb", "hello"), &reply)))
        return;
    json_t *params = json_object_get(reply, "params");
    json_object_foreach(params, name, value)
    {
        if (!set_one(t, params, name, &refused))
            break;
    }
    size_t n = json_object_size(params);
    if (n > 0 && refused == n)
        trial_says(t, UET_ADAPTER_REFUSED, "none of the %zu that hello tells can be set", n);
    else if (t->r.how == UET_ADAPTER_WORKS)
        snprintf(t->r.text, sizeof(t->r.text), "%zu can be set, %zu cannot", n - refused, refused);
    json_decref(reply);
}

static void set_unknown(struct trial *t)
{
    trial_refuses(t,
                  json_pack("{s:s, s:s, s:i}", "verb", "set", "name", "No_Such_Time", "value", 1),
                  "a parameter that nobody has");
}

/* ---- operations ---- */

static void without_to(struct trial *t)
{
    trial_refuses(t,
                  json_pack("{s:s, s:i, s:i, s:i, s:i}", "verb", t->r.verb, "job_id",
                            (int)TRIAL_JOB, "pid_on_fep", (int)TRIAL_PID, "resource_index", 1,
                            "length", 8),
                  "without \"to\"");
}

static void no_header(struct trial *t)
{
    trial_refuses(t,
                  json_pack("{s:s, s:s, s:i, s:i, s:i, s:i, s:s}", "verb", t->r.verb, "to",
                            "192.0.2.77", "job_id", (int)TRIAL_JOB, "pid_on_fep", (int)TRIAL_PID,
                            "resource_index", 1, "length", 8, "header", "huge"),
                  "with a header form that nobody has");
}

static void no_mode(struct trial *t)
{
    trial_refuses(t,
                  json_pack("{s:s, s:s, s:i, s:i, s:i, s:i, s:s}", "verb", t->r.verb, "to",
                            "192.0.2.77", "job_id", (int)TRIAL_JOB, "pid_on_fep", (int)TRIAL_PID,
                            "resource_index", 1, "length", 8, "mode", "fast"),
                  "with a mode that nobody has");
}

static void counts(struct trial *t)
{
    json_t *counters = NULL;

    if (trial_ok(t, t->ut, "counters", uet_ut_counters(t->ut, &counters)))
        snprintf(t->r.text, sizeof(t->r.text), "%zu counters", json_object_size(counters));
    json_decref(counters);
}

/* ---- transport security: what is wrong is refused; nothing is installed, which would last ---- */

#define TRIAL_SDI 0xfffffd
#define TRIAL_KEY "000102030405060708090a0b0c0d0e0f101112131415161718191a1b1c1d1e1f"

static void no_key(struct trial *t)
{
    trial_refuses(t, json_pack("{s:s, s:i}", "verb", "install_domain", "sdi", TRIAL_SDI),
                  "without \"file\" and \"key\"");
}

static void short_key(struct trial *t)
{
    trial_refuses(t,
                  json_pack("{s:s, s:i, s:s}", "verb", "install_domain", "sdi", TRIAL_SDI, "key",
                            "0001020304050607"),
                  "with a key of 8 bytes");
}

static void no_file(struct trial *t)
{
    trial_refuses(t,
                  json_pack("{s:s, s:i, s:s}", "verb", "install_domain", "sdi", TRIAL_SDI, "file",
                            "/no/such/folder/keys"),
                  "with a file that is not there");
}

static void no_key_mode(struct trial *t)
{
    trial_refuses(t,
                  json_pack("{s:s, s:i, s:s, s:s}", "verb", "install_domain", "sdi", TRIAL_SDI,
                            "key", TRIAL_KEY, "mode", "secret"),
                  "with a key mode that nobody has");
}

static void wide_sdi(struct trial *t)
{
    trial_refuses(
        t,
        json_pack("{s:s, s:i, s:s}", "verb", "install_domain", "sdi", 0x1000000, "key", TRIAL_KEY),
        "with an SDI of more than 24 bits");
}

static void rotate_nothing(struct trial *t)
{
    trial_refuses(t, json_pack("{s:s, s:i, s:i}", "verb", "rotate", "sdi", TRIAL_SDI, "an", 1),
                  "in a domain that is not there");
}

static void advance_nothing(struct trial *t)
{
    trial_refuses(t,
                  json_pack("{s:s, s:i, s:s}", "verb", "advance_counter", "sdi", TRIAL_SDI,
                            "counter", "0x10"),
                  "in a domain that is not there");
}

static void enable_nothing(struct trial *t)
{
    trial_refuses(
        t,
        json_pack("{s:s, s:i, s:b}", "verb", "enable_domain", "sdi", TRIAL_SDI, "enabled", false),
        "of a domain that is not there");
}

static void remove_nothing(struct trial *t)
{
    trial_refuses(t, json_pack("{s:s, s:i}", "verb", "remove_domain", "sdi", TRIAL_SDI),
                  "a domain that is not there");
}

const struct check uet_adapter_alone[] = {
    {"hello", "who is there", hello, NULL},
    {"(line)", "a verb that nobody knows is refused", unknown_verb, NULL},
    {"(line)", "an argument that nobody knows is refused", unknown_argument, NULL},
    {"(line)", "null counts as absent", null_is_absent, NULL},
    {"reset", "what there was is forgotten, handles are not used again", forgets, NULL},
    {"set", "parameters that hello tells", set_told, NULL},
    {"set", "an unknown parameter is refused", set_unknown, NULL},
    {"service", "class rma", rma, "class=rma"},
    {"service", "class send", sends, "class=send"},
    {"service", "class tagged", tagged, "class=tagged"},
    {"service", "with a generation", generation, "generation"},
    {"service", "disabled", disabled, "disabled"},
    {"service", "that keeps sends without receive", keeps, "keeps_unexpected"},
    {"reg_mem", "zero at first", zeroed, NULL},
    {"reg_mem", "filled with a byte", filled, NULL},
    {"reg_mem", "with data", given, NULL},
    {"reg_mem", "each has a handle of its own", handles_differ, NULL},
    {"reg_mem", "without the right to write", rights, "rights"},
    {"reg_mem", "for any job (absolute addressing)", any_job, "any_job"},
    {"get_mem", "beyond the end is refused", beyond, NULL},
    {"get_mem", "an unknown handle is refused", unknown_handle, NULL},
    {"post_recv", "untagged, zero at first", untagged, NULL},
    {"post_recv", "that cuts what is too long", truncating, "truncate"},
    {"post_recv", "with match bits", exact, "match_bits"},
    {"post_recv", "with match bits, from one initiator", from_one, "initiator"},
    {"post_recv", "with bits to ignore", ignoring, "ignore"},
    {"withdraw", "an unknown handle is refused", unknown_handle, NULL},
    {"cancel", "an unknown handle is refused", unknown_handle, NULL},
    {"wait", "is empty when nothing was begun", wait_is_empty, NULL},
    {"send", "without \"to\" is refused", without_to, NULL},
    {"send", "an unknown header form is refused", no_header, NULL},
    {"send", "an unknown mode is refused", no_mode, NULL},
    {"write", "without \"to\" is refused", without_to, NULL},
    {"read", "without \"to\" is refused", without_to, NULL},
    {"counters", "names and numbers", counts, NULL},
    {"install_domain", "without a key is refused", no_key, NULL},
    {"install_domain", "a key that is too short is refused", short_key, NULL},
    {"install_domain", "a file that is not there is refused", no_file, NULL},
    {"install_domain", "an unknown key mode is refused", no_key_mode, NULL},
    {"install_domain", "an SDI of more than 24 bits is refused", wide_sdi, NULL},
    {"rotate", "an unknown domain is refused", rotate_nothing, NULL},
    {"advance_counter", "an unknown domain is refused", advance_nothing, NULL},
    {"enable_domain", "an unknown domain is refused", enable_nothing, NULL},
    {"remove_domain", "an unknown domain is refused", remove_nothing, NULL},
};
const size_t uet_adapter_n_alone = ITEMS(uet_adapter_alone);
