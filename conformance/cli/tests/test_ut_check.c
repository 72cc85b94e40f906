/* SPDX-License-Identifier: BSD-2-Clause */
/* An upper tester that tells lies: each is found by the check of its kind, and no other. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "conformance/adapter/adapter.h"
#include "conformance/fep_ref.h"

/* What an adapter may do to a request before, and to a reply after, the reference FEP has it. */
struct lie {
    const char *name;
    const char *verb, *check;               /* that finds it */
    bool (*answers)(const json_t *request); /* says ok by itself, and does nothing */
    void (*alters)(const char *verb, json_t *reply);
    bool is_no_mistake;
};

static struct uet_fep_ref *ref;
static const struct lie *lie;
static bool lists_no_read;

static const char *text_of(const json_t *o, const char *key)
{
    const char *text = json_string_value(json_object_get(o, key));

    return text ? text : "";
}

static bool is(const json_t *request, const char *verb)
{
    return strcmp(text_of(request, "verb"), verb) == 0;
}

static bool any_verb(const json_t *request)
{
    return is(request, "jump");
}

static bool any_argument(const json_t *request)
{
    return json_object_get(request, "colour") != NULL;
}

static bool any_parameter(const json_t *request)
{
    return strcmp(text_of(request, "name"), "No_Such_Time") == 0;
}

static bool idle_reset(const json_t *request)
{
    return is(request, "reset");
}

static bool no_address(const json_t *request)
{
    return is(request, "write") && !json_object_get(request, "to");
}

static bool any_mode(const json_t *request)
{
    return strcmp(text_of(request, "mode"), "fast") == 0;
}

static void one_handle(const char *verb, json_t *reply)
{
    if (strcmp(verb, "reg_mem") == 0 && json_object_get(reply, "handle"))
        json_object_set_new(reply, "handle", json_integer(1));
}

static void no_handle(const char *verb, json_t *reply)
{
    if (strcmp(verb, "post_recv") == 0)
        json_object_del(reply, "handle");
}

static void other_bytes(const char *verb, json_t *reply)
{
    if (strcmp(verb, "get_mem") == 0 && strncmp(text_of(reply, "data"), "a5", 2) == 0)
        json_object_set_new(reply, "data", json_string("a4a5a5a5"));
}

static void odd_mtu(const char *verb, json_t *reply)
{
    if (strcmp(verb, "hello") == 0)
        json_object_set_new(reply, "payload_mtu", json_integer(1500));
}

static void no_words(const char *verb, json_t *reply)
{
    if (strcmp(verb, "get_mem") == 0 && json_is_false(json_object_get(reply, "ok")))
        json_object_set_new(reply, "error", json_string(""));
}

static void odd_ends(const char *verb, json_t *reply)
{
    if (strcmp(verb, "wait") == 0)
        json_object_set_new(
            reply, "completions",
            json_pack("[{s:i, s:s, s:s}]", "handle", 9, "kind", "send", "status", "ok"));
}

static void refuses_tags(const char *verb, json_t *reply)
{
    if (strcmp(verb, "service") == 0)
        json_object_update_new(reply, json_pack("{s:b, s:s}", "ok", false, "error", "one class"));
}

static const struct lie lies[] = {
    {"a verb that nobody knows", "(line)", "a verb that nobody knows is refused", any_verb, NULL,
     false},
    {"an argument", "(line)", "an argument that nobody knows is refused", any_argument, NULL,
     false},
    {"a parameter", "set", "an unknown parameter is refused", any_parameter, NULL, false},
    {"a reset that does nothing", "reset",
     "what there was is forgotten, handles are not used again", idle_reset, NULL, false},
    {"no address", "write", "without \"to\" is refused", no_address, NULL, false},
    {"a mode", "send", "an unknown mode is refused", any_mode, NULL, false},
    {"one handle for all", "reg_mem", "each has a handle of its own", NULL, one_handle, false},
    {"no handle", "post_recv", "untagged, zero at first", NULL, no_handle, false},
    {"another byte", "reg_mem", "filled with a byte", NULL, other_bytes, false},
    {"an MTU", "hello", "who is there", NULL, odd_mtu, false},
    {"no words", "get_mem", "an unknown handle is refused", NULL, no_words, false},
    {"what nobody asked for", "wait", "is empty when nothing was begun", NULL, odd_ends, false},
    {"it refuses", "service", "class tagged", NULL, refuses_tags, true},
};

/* The reference FEP's upper tester, with the lie between. */
static json_t *handle(void *ctx, json_t *request)
{
    char verb[64];
    json_t *reply = NULL;

    (void)ctx;
    snprintf(verb, sizeof(verb), "%s", text_of(request, "verb"));
    if (lie && lie->answers && lie->answers(request))
        return json_pack("{s:O, s:b, s:i}", "id", json_object_get(request, "id"), "ok", true,
                         "handle", 77);
    if (lists_no_read && strcmp(verb, "read") == 0)
        return json_pack("{s:O, s:b, s:s}", "id", json_object_get(request, "id"), "ok", false,
                         "error", "no read");
    json_t *copy = json_copy(request), *id = json_incref(json_object_get(request, "id"));
    json_object_del(copy, "id");
    uet_ut_call(uet_fep_ref_ut(ref), copy, &reply);
    if (reply)
        json_object_set(reply, "id", id);
    json_decref(id);
    if (reply && lie && lie->alters)
        lie->alters(verb, reply);
    if (reply && lists_no_read && strcmp(verb, "hello") == 0)
        json_object_set_new(reply, "verbs",
                            json_pack("[s,s,s,s]", "hello", "reset", "reg_mem", "get_mem"));
    return reply;
}

struct seen {
    unsigned how[UET_ADAPTER_HOWS];
    bool found; /* by the check that is to find it */
    uint8_t found_how;
};

static void on_done(void *ctx, const struct uet_adapter_result *r)
{
    struct seen *seen = ctx;

    seen->how[r->how]++;
    if (lie && strcmp(r->verb, lie->verb) == 0 && strcmp(r->what, lie->check) == 0) {
        seen->found = r->how != UET_ADAPTER_WORKS;
        seen->found_how = r->how;
    }
    if (!lie && r->how == UET_ADAPTER_WRONG)
        print_message("%s, %s: %s\n", r->verb, r->what, r->text);
}

static struct seen check(void)
{
    struct seen seen = {0};
    struct uet_adapter adapter = {
        .ut = uet_ut_local(handle, NULL), .wait_ms = 1, .done = on_done, .ctx = &seen};

    assert_non_null(adapter.ut);
    assert_int_equal(uet_adapter_check(&adapter), 0);
    uet_ut_close(adapter.ut);
    return seen;
}

static void honest(void **state)
{
    (void)state;
    lie = NULL;
    struct seen seen = check();
    assert_int_equal(seen.how[UET_ADAPTER_WRONG], 0);
    assert_int_equal(seen.how[UET_ADAPTER_REFUSED], 0);
    assert_int_equal(seen.how[UET_ADAPTER_ABSENT], 0);
    assert_true(seen.how[UET_ADAPTER_WORKS] > 25);
    assert_true(seen.how[UET_ADAPTER_NOT_TRIED] > 25); /* there is no second FEP */
}

static void liars(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof(lies) / sizeof(*lies); i++) {
        lie = &lies[i];
        struct seen seen = check();

        if (!seen.found)
            print_message("not found: %s\n", lie->name);
        assert_true(seen.found);
        assert_int_equal(seen.found_how,
                         lie->is_no_mistake ? UET_ADAPTER_REFUSED : UET_ADAPTER_WRONG);
        assert_int_equal(seen.how[UET_ADAPTER_WRONG] > 0, !lie->is_no_mistake);
    }
    lie = NULL;
}

/* A verb that is not listed is not there; it is no mistake as long as it is refused, too. */
static void few_verbs(void **state)
{
    (void)state;
    lists_no_read = true;
    struct seen seen = check();
    lists_no_read = false;
    assert_true(seen.how[UET_ADAPTER_ABSENT] > 0);
    assert_true(seen.how[UET_ADAPTER_WRONG] > 0); /* `wait`, say, is not listed and does answer */
}

static int begin(void **state)
{
    char err[200];

    (void)state;
    return uet_fep_ref_open(&ref, 1, err, sizeof(err));
}

static int end(void **state)
{
    (void)state;
    uet_fep_ref_close(ref);
    return 0;
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(honest),
        cmocka_unit_test(liars),
        cmocka_unit_test(few_verbs),
    };

    return cmocka_run_group_tests(tests, begin, end);
}
