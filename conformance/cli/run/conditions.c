/* SPDX-License-Identifier: BSD-2-Clause */
#include "conformance/cli/run/conditions.h"

#include <errno.h>
#include <inttypes.h>
#include <limits.h>
#include <openssl/evp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/utsname.h>

#include "conformance/harness/run/points.h"
#include "conformance/harness/security.h"
#include "conformance/report/text.h"
#include "uet_commit.h"
#include "uet_spec.h"
#include "wire/crc.h"
#include "wire/packet.h"

/* group and name are copied with the value: names may come from a file. */
static void __attribute__((format(printf, 4, 5)))
add(struct uet_conditions *c, const char *group, const char *name, const char *format, ...)
{
    va_list args, again;

    if (c->n == c->room) {
        size_t room = c->room ? 2 * c->room : 64;
        struct uet_condition *more = realloc(c->list, room * sizeof(*more));
        c->no_memory |= !more;
        if (!more)
            return;
        c->list = more;
        c->room = room;
    }
    va_start(args, format);
    va_copy(again, args);
    int length = vsnprintf(NULL, 0, format, again);
    char *value = length < 0 ? NULL : malloc((size_t)length + 1);
    if (value)
        vsnprintf(value, (size_t)length + 1, format, args);
    va_end(again);
    va_end(args);
    struct uet_condition one = {strdup(group), strdup(name), value};
    c->no_memory |= !one.group || !one.name || !one.value;
    c->list[c->n++] = one;
}

void uet_conditions_free(struct uet_conditions *c)
{
    for (size_t i = 0; i < c->n; i++) {
        free((void *)c->list[i].group);
        free((void *)c->list[i].name);
        free((void *)c->list[i].value);
    }
    free(c->list);
    *c = (struct uet_conditions){0};
}

/* ---- the FEP ---- */

static void add_text(struct uet_conditions *c, const char *group, const char *name,
                     const char *text)
{
    if (text && *text)
        add(c, group, name, "%s", text);
}

/* "RUD ROD": a list of texts that `hello` tells, as words. */
static void add_words(struct uet_conditions *c, const char *name, json_t *list)
{
    char words[512] = "";
    size_t at = 0;

    for (size_t i = 0; i < json_array_size(list) && at < sizeof(words); i++) {
        const char *word = json_string_value(json_array_get(list, i));
        at += (size_t)snprintf(words + at, sizeof(words) - at, "%s%s", at ? " " : "",
                               word ? word : "?");
    }
    add_text(c, "FEP", name, words);
}

static bool told(const struct uet_target *t, const char *name)
{
    uint64_t value;

    return (uet_dut_param(&t->dut, name, &value) ||
            (t->ut && uet_ut_param(t->ut, name, &value) == 0)) &&
           value;
}

/* What the rules of the window rest on (rules/window.c). */
static void add_window(struct uet_conditions *c, const struct uet_target *t)
{
    bool ceiling = told(t, "MaxWnd") || (told(t, "sender_link_rate") && told(t, "config_base_rtt"));

    if (t->dut.claims[UET_PICS_RCCC] && !ceiling)
        add_text(c, "FEP", "not judged",
                 "bytes on credit (CMS-077, CMS-060, CMS-081): neither MaxWnd nor "
                 "sender_link_rate and config_base_rtt are told");
    if (!t->dut.claims[UET_PICS_NSCC])
        return;
    if (!ceiling)
        add_text(c, "FEP", "not judged",
                 "bytes in flight (CMS-037, CMS-038): neither MaxWnd nor sender_link_rate and "
                 "config_base_rtt are told");
    else if (!told(t, "RTO_Init_Time"))
        add_text(c, "FEP", "not judged",
                 "bytes in flight (CMS-037, CMS-038): RTO_Init_Time is not told");
}

/* What it says of itself; where it says nothing, what fep.yaml says of it. */
static void add_fep(struct uet_conditions *c, const struct uet_target *t, json_t *hello)
{
    static const char *const told[] = {"name", "version", "spec"};
    const char *const otherwise[] = {t->dut.name, "", t->dut.spec};
    char address[UET_IP_TEXT];

    for (size_t i = 0; i < sizeof(told) / sizeof(*told); i++) {
        const char *text = json_string_value(json_object_get(hello, told[i]));
        add_text(c, "FEP", told[i], text ? text : otherwise[i]);
    }
    add_text(c, "FEP", "address", uet_ip_text(&t->dut.address, address));
    add_words(c, "modes", json_object_get(hello, "modes"));
    add_words(c, "verbs", json_object_get(hello, "verbs"));
    if (!t->ut)
        add_text(c, "FEP", "upper tester", "none");
    if (t->note[0])
        add_text(c, "FEP", "note", t->note);
    add_window(c, t);
}

/*
 * SHA-256 of a file in hexadecimal, its first bytes (room of them; a NUL follows) and how many it
 * has in all; false when it cannot be read.
 */
static bool read_hashed(const char *path, char hash[65], char *text, size_t room, size_t *bytes)
{
    unsigned char digest[EVP_MAX_MD_SIZE], block[4096];
    unsigned length = 0;
    EVP_MD_CTX *md = EVP_MD_CTX_new();
    FILE *in = fopen(path, "rb");
    bool good = in && md && EVP_DigestInit_ex(md, EVP_sha256(), NULL) == 1;

    *bytes = 0;
    for (size_t n; good && (n = fread(block, 1, sizeof(block), in)) > 0; *bytes += n) {
        if (*bytes < room)
            memcpy(text + *bytes, block, n < room - *bytes ? n : room - *bytes);
        good = EVP_DigestUpdate(md, block, n) == 1;
    }
    text[*bytes < room ? *bytes : room] = '\0';
    good = good && !ferror(in) && EVP_DigestFinal_ex(md, digest, &length) == 1;
    for (unsigned i = 0; good && i < length; i++)
        snprintf(hash + 2 * (size_t)i, 3, "%02x", digest[i]);
    if (in)
        fclose(in);
    EVP_MD_CTX_free(md);
    return good;
}

/* A file in UTF-16 is YAML, too: it has a NUL in its first letters. */
static void add_file_text(struct uet_conditions *c, const char *text, size_t bytes)
{
    bool whole = bytes <= UET_CONDITIONS_TEXT;

    if (strlen(text) < (whole ? bytes : UET_CONDITIONS_TEXT))
        add_text(c, "fep.yaml", "note", "the text is left out: the file is not UTF-8");
    else if (!whole)
        add(c, "fep.yaml", "note", "the text is cut: the first %d of %zu bytes",
            UET_CONDITIONS_TEXT, bytes);
    else if (strchr(text, '\r'))
        add_text(c, "fep.yaml", "note", "lines end in CR LF; the text below has LF alone");
    if (strlen(text) == (whole ? bytes : UET_CONDITIONS_TEXT))
        add_text(c, "fep.yaml", "text", text);
}

static void add_yaml(struct uet_conditions *c, const char *fep, const struct uet_target *t)
{
    char real[PATH_MAX], hash[65] = "";
    char *text = t->ref ? NULL : malloc(UET_CONDITIONS_TEXT + 1);
    size_t bytes;

    if (t->ref)
        return;
    add_text(c, "fep.yaml", "path", realpath(fep, real) ? real : fep);
    if (text && read_hashed(fep, hash, text, UET_CONDITIONS_TEXT, &bytes)) {
        add_text(c, "fep.yaml", "sha256", hash);
        add_file_text(c, text, bytes);
    }
    c->no_memory |= !text;
    free(text);
    char unused[UET_DUT_UNUSED];
    if (uet_dut_unused(&t->dut, unused, sizeof(unused)))
        add_text(c, "fep.yaml", "unused_parameters", unused);
}

static void add_claims(struct uet_conditions *c, const struct uet_dut *dut)
{
    for (size_t i = 0; i < UET_PICS_COUNT; i++)
        add_text(c, "claims", uet_pics[i].name, dut->claims[i] ? "yes" : "no");
}

/* What its profile asks for and it does not claim: told, as no test can say so. */
static void add_profile(struct uet_conditions *c, const struct uet_dut *dut)
{
    char lacks[512];

    if (strcmp(dut->profile, "all") == 0)
        return;
    add_text(c, "profile", "name", dut->profile);
    if (uet_dut_lacks(dut, lacks, sizeof(lacks)))
        add(c, "profile", "lacks", "%s (mandatory, and not claimed)", lacks);
}

static void add_atomics(struct uet_conditions *c, const struct uet_atomics *claims)
{
    char name[UET_ATOMIC_TEXT];

    for (unsigned k = 0; k < 2u * UET_ATOMIC_OPS * 32; k++) {
        bool fetching = k / (UET_ATOMIC_OPS * 32);
        uint8_t amo = (uint8_t)(k / 32 % UET_ATOMIC_OPS), datatype = k % 32;

        if (uet_atomics_claimed(claims, fetching, amo, datatype))
            add_text(c, "atomics", uet_atomics_name(fetching, amo, datatype, name), "yes");
    }
}

static void add_known(struct uet_conditions *c, const struct uet_dut *dut)
{
    for (size_t i = 0; i < dut->n_known; i++) {
        const struct uet_dut_known *k = &dut->known[i];
        add(c, "known deviations", k->test[0] ? k->test : k->requirement, "%s (%s)", k->reason,
            k->date);
    }
}

/* ---- parameters: fep.yaml goes before `hello`, as in the tests (uet_tc_param) ---- */

/* "20 ms": in the largest unit that it fills without a rest. */
static void add_time(struct uet_conditions *c, const char *name, uint64_t ns)
{
    static const struct {
        const char *unit;
        uint64_t ns;
    } units[] = {{"s", 1000000000}, {"ms", 1000000}, {"us", 1000}, {"ns", 1}};
    size_t i = 0;

    while (units[i].ns > 1 && (ns == 0 || ns % units[i].ns != 0))
        i++;
    add(c, "parameters", name, "%" PRIu64 " %s", ns / units[i].ns, units[i].unit);
}

/* Of Table 3-28, or of what else fep.yaml may tell; "" for any other. */
static const char *unit_of(const char *name)
{
    const struct uet_param *p = uet_param_find(name);

    if (p)
        return p->unit;
    for (size_t i = 0; i < uet_dut_n_own_params; i++)
        if (strcmp(uet_dut_own_params[i].name, name) == 0)
            return uet_dut_own_params[i].unit;
    return "";
}

static void add_parameter(struct uet_conditions *c, const char *name, uint64_t value)
{
    static const char *const shown[] = {"bytes", "bytes/s", "Mbit/s", "percent", "RTTs"};
    const char *unit = unit_of(name), *after = "";

    for (size_t i = 0; i < sizeof(shown) / sizeof(*shown); i++)
        after = strcmp(unit, shown[i]) == 0 ? unit : after;
    if (strcmp(unit, "ns") == 0)
        add_time(c, name, value);
    else
        add(c, "parameters", name, "%" PRIu64 "%s%s", value, *after ? " " : "", after);
}

/*
 * In which reading of what public sources leave open, as far as its packets can tell: the UDP
 * header is there or not, and a key that belongs to an SSI or an IPv6 address is derived.
 */
static void add_reading(struct uet_conditions *c, const char *group, const char *name,
                        const struct uet_dut *dut)
{
    const struct uet_domain *d = dut->security ? uet_security_ordinary(dut->security) : NULL;

    if (!d)
        return;
    const bool either = dut->address.version == 6 && d->ssi_mode && d->mode != UET_TSS_MODE_DIRECT;
    const char *udp = dut->native         ? ""
                      : (d->reading & 1u) ? "the UDP header is not authenticated (TSS-012, U2)"
                                          : "the UDP header is authenticated (TSS-012, U1)";
    const char *key = !either             ? ""
                      : (d->reading & 2u) ? "the key is derived from the address (TSS-077)"
                                          : "the key belongs to the SSI (TSS-077)";
    if (*udp || *key)
        add(c, group, name, "%s%s%s", udp, *udp && *key ? ", " : "", key);
}

/* By what its packets are sealed. */
static void add_sealing(struct uet_conditions *c, const struct uet_domain *d)
{
    add(c, "parameters", "sealing", "%s%s, SDI 0x%06x, %s",
        uet_enum_name(UET_ENUM_TSS_MODE, d->mode), d->ssi_mode ? " with SSI" : "",
        (unsigned)d->told->sdi,
        d->told->start == UET_KEY_RANDOM_1RTT ? "RANDOM_1RTT_START" : "EXPECTED_0RTT_START");
}

static void add_parameters(struct uet_conditions *c, const struct uet_dut *dut, json_t *hello)
{
    const char *name;
    json_t *value;
    uint64_t own;

    for (size_t i = 0; i < dut->n_params; i++)
        add_parameter(c, dut->params[i].name, dut->params[i].value);
    json_object_foreach(json_object_get(hello, "params"), name, value)
    {
        if (!uet_dut_param(dut, name, &own) && json_is_integer(value))
            add_parameter(c, name, (uint64_t)json_integer_value(value));
    }
    add(c, "parameters", "payload_mtu", "%u bytes", dut->payload_mtu);
    add_text(c, "parameters", "protect", uet_dut_protections[dut->protect]);
    if (dut->security)
        add_sealing(c, uet_security_ordinary(dut->security));
    add_reading(c, "parameters", "sealing_reading", dut);
    if (dut->protect == UET_PROTECT_CRC)
        add_text(c, "parameters", "crc_order",
                 uet_crc_order_name((enum uet_crc_order)uet_dut_order(dut)));
    add_text(c, "parameters", "encapsulation", dut->native ? "native" : "udp");
    add_time(c, "response_time", dut->response_time_ns);
    add_time(c, "quiet_time", uet_dut_quiet(dut));
}

/* ---- the tester ---- */

/* "uetconform run --fep ref", quoted for a shell; the caller frees. NULL: no memory. */
static char *command_line_text(int argc, char **argv)
{
    char *text = NULL;
    size_t size;
    FILE *out = open_memstream(&text, &size);

    if (!out)
        return NULL;
    fputs("uetconform", out);
    for (int i = 0; i < argc; i++) {
        size_t room = strlen(argv[i]) * 4 + 8; /* a quote becomes four characters */
        char *word = malloc(room);
        if (word)
            fprintf(out, " %s", uet_shell_word(word, room, argv[i]));
        free(word);
    }
    if (fclose(out) != 0) {
        free(text);
        return NULL;
    }
    return text;
}

/*
 * Places of a dimension to which no test goes, as this tester cannot play who does it there; in
 * another set-up, where that is so for other reasons.
 */
static void add_left_out(struct uet_conditions *c, const struct uet_session *session,
                         const struct uet_setups *setups)
{
    const struct uet_dimension *amid = &uet_dimensions[UET_OVER_AMID];
    char why[160], there[160], name[64];

    for (size_t p = 1; session->depth != UET_DEPTH_SMOKE && p < uet_n_places(amid); p++) {
        why[0] = '\0';
        if (uet_amid_left_out(session, p, why, sizeof(why)))
            add_text(c, "points left out", amid->places[p].name, why);
        for (size_t s = 1; s < UET_MAX_PLACES; s++) {
            const struct uet_session *other = setups->session[s];

            if (!other || !uet_amid_left_out(other, p, there, sizeof(there)) ||
                strcmp(there, why) == 0)
                continue;
            snprintf(name, sizeof(name), "%s at %s", amid->places[p].name, other->set_up);
            add_text(c, "points left out", name, there);
        }
    }
}

static void add_tester(struct uet_conditions *c, const struct uet_target *t, const char *depth,
                       int argc, char **argv)
{
    char *command_line = command_line_text(argc, argv);
    struct utsname host;
    char address[UET_IP_TEXT];

    add_text(c, "tester", "uetkit", UETKIT_VERSION);
    add_text(c, "tester", "commit", UETKIT_COMMIT);
    if (uname(&host) == 0) {
        add_text(c, "tester", "host", host.nodename);
        add(c, "tester", "kernel", "%s %s %s", host.sysname, host.release, host.machine);
    }
    add_text(c, "tester", "interface", t->ref ? "memory, virtual time" : t->dut.interface);
    for (size_t i = 0; i < UET_DUT_TESTERS; i++)
        if (t->dut.tester[i].version != 0)
            add_text(c, "tester", i ? "second address" : "address",
                     uet_ip_text(&t->dut.tester[i], address));
    add_text(c, "tester", "depth", depth);
    add_text(c, "tester", "command line", command_line);
    c->no_memory |= !command_line;
    free(command_line);
}

static void add_setup(struct uet_conditions *c, const char *name, const struct uet_dut *dut)
{
    char address[UET_IP_TEXT], reading[64];

    add(c, "set-ups", name, "%s payload_mtu %u protect %s", uet_ip_text(&dut->address, address),
        dut->payload_mtu, uet_dut_protections[dut->protect]);
    snprintf(reading, sizeof(reading), "%s sealing_reading", name);
    add_reading(c, "set-ups", reading, dut);
}

/* Where else tests run than in the set-up that the head of the report tells. */
static void add_setups(struct uet_conditions *c, const struct uet_setups *setups)
{
    for (size_t p = 1; p < UET_MAX_PLACES; p++)
        if (setups->session[p])
            add_setup(c, uet_dimensions[UET_OVER_SETUP].places[p].name, &setups->target[p].dut);
    if (setups->sealed_session)
        add_setup(c, setups->sealed_session->set_up, &setups->sealed.dut);
    for (size_t p = 1; p < UET_MAX_PLACES; p++)
        if (setups->sealed_session_at[p])
            add_setup(c, setups->sealed_session_at[p]->set_up, &setups->sealed_at[p].dut);
    if (setups->beside_session)
        add_setup(c, setups->beside_session->set_up, &setups->beside.dut);
}

/* Which FEPs are at hand to share the tests out (--jobs); uet_run_jobs may use fewer. */
static void add_alike(struct uet_conditions *c, const struct uet_alike *alike)
{
    char name[32], address[UET_IP_TEXT];

    for (size_t i = 0; i < alike->n; i++) {
        const struct uet_dut *dut = &alike->target[i].dut;

        snprintf(name, sizeof(name), "FEP %zu", i + 2);
        add(c, "alike", name, "%s at %s%s%s", uet_ip_text(&dut->address, address), dut->interface,
            dut->control[0] ? ", upper tester " : "", dut->control);
    }
}

int uet_conditions_gather(struct uet_conditions *c, const char *fep, const struct uet_target *t,
                          const struct uet_setups *setups, const struct uet_session *session,
                          int argc, char **argv)
{
    json_t *hello = NULL;

    *c = (struct uet_conditions){0};
    if (t->ut && uet_ut_call(t->ut, json_pack("{s:s}", "verb", "hello"), &hello) != 0) {
        json_decref(hello);
        hello = NULL;
    }
    add_fep(c, t, hello);
    add_yaml(c, fep, t);
    add_profile(c, &t->dut);
    add_claims(c, &t->dut);
    add_atomics(c, &t->dut.atomics);
    add_known(c, &t->dut);
    add_parameters(c, &t->dut, hello);
    add_setups(c, setups);
    add_alike(c, &setups->alike);
    add_left_out(c, session, setups);
    add_tester(c, t, uet_depth_names[session->depth], argc, argv);
    json_decref(hello);
    return c->no_memory ? -ENOMEM : 0;
}
