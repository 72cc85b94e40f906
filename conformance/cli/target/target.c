/* SPDX-License-Identifier: BSD-2-Clause */
#include "conformance/cli/target/target.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "conformance/cli/args.h"
#include "conformance/cli/target/secure.h"
#include "conformance/harness/security.h"
#include "port/afpacket.h"
#include "wire/packet.h"

bool uet_target_is_ref(const char *fep)
{
    return strncmp(fep, "ref", 3) == 0 && (fep[3] == 0 || fep[3] == ':');
}

#define SMALL_POOL 16
#define PER_BODY   4 /* regions, services or receives that a body asks for, but for a few */

/* The keys of a reference FEP, if any; *beside: jobs without a domain go in clear. */
static int give_keys(struct uet_target *t, const struct uet_target_as *as, bool *beside, char *err,
                     size_t errlen)
{
    if (as->keys_of) {
        *beside = as->keys_of->protect != UET_PROTECT_TSS;
        return uet_secure_read(&t->keys, as->keys_of, err, errlen);
    }
    if (!as->secure)
        return 0;
    *beside = uet_secure_has_clear_jobs(as->secure);
    return uet_secure_of_seed(t, as->seed, as->secure, false, err, errlen);
}

static int open_ref(struct uet_target *t, const char *fep, const struct uet_target_as *as,
                    char *err, size_t errlen)
{
    unsigned in_place = as->in_place;
    uint64_t room = PER_BODY * (in_place < 4000u ? in_place + 16u : 4000u);
    const struct uet_fep_ref_setting small[] = {
        {"max-pdcs", SMALL_POOL},
        {"max-open-messages", SMALL_POOL},
        {"max-stored-responses", SMALL_POOL},
        {"max-operations", SMALL_POOL},
        {"max-read-parts", 4 * SMALL_POOL},
        {"max-regions", room},
        {"max-services", room},
        {"max-receives", 4 * room < 65535 ? 4 * room : 65535},
        {NULL, 0}};
    bool beside = false;
    if (give_keys(t, as, &beside, err, errlen) != 0)
        return -EINVAL;
    const struct uet_fep_ref_kind kind = {.seed = as->seed,
                                          .spec = as->spec == UET_TARGET_SPEC_UNTOLD ? 0 : as->spec,
                                          .profile = as->profile,
                                          .variant = fep[3] ? fep + 4 : NULL,
                                          .keys = t->keys,
                                          .keys_beside = beside,
                                          .settings = in_place > 1 ? small : NULL};
    int rc = uet_fep_ref_open_as(&t->ref, &kind, err, errlen);

    if (rc)
        return rc;
    t->dut = *uet_fep_ref_dut(t->ref);
    t->port = uet_fep_ref_port(t->ref);
    t->ut = uet_fep_ref_ut(t->ref);
    if (as->keys_of)
        t->dut.sdi = as->keys_of->sdi;
    return t->keys ? uet_secure_domains(t, err, errlen) : 0;
}

/* The longest TSS header of its domains: one with an SSI, where a domain has them (ssi-mode). */
static unsigned longest_tss(struct uet_security *security)
{
    const struct uet_domain *d;

    for (size_t i = 0; (d = uet_security_domain(security, i)); i++)
        if (d->ssi_mode)
            return UET_H_TSS_HDR_16;
    return UET_H_TSS_HDR_12;
}

/* What protects it takes of a packet: the CRC or, sealed, the TSS header and the ICV. */
static uint32_t protection(const struct uet_dut *dut)
{
    return dut->security ? uet_headers[longest_tss(dut->security)].bytes + UET_TSS_TRAILER_BYTES
                         : uet_headers[UET_H_CRC_TRAILER].bytes;
}

/* The largest IP packet of the suite and of a FEP: payload behind the longest headers. */
static uint32_t largest_packet(const struct uet_dut *dut)
{
    uint32_t ip = uet_headers[dut->address.version == 6 ? UET_H_IPV6 : UET_H_IPV4].bytes;
    uint32_t pds = uet_headers[UET_H_RUD_ROD_CC_REQ].bytes,
             ses = uet_headers[UET_H_SES_REQ_STD_SOM1].bytes;

    return ip + uet_headers[UET_H_UDP].bytes + pds + ses + dut->payload_mtu + protection(dut);
}

/* What would look like the FEP's failure later. */
static int check_port(const struct uet_target *t, char *err, size_t errlen)
{
    uint32_t need = largest_packet(&t->dut);
    const char *name = t->dut.interface;

    if (uet_port_check(t->port) == -ENOLINK) {
        snprintf(err, errlen,
                 "%s: port: interface %s has no carrier: plug the cable in, or bring the "
                 "other end up",
                 t->dut.path, name);
        return -ENOLINK;
    }
    if (t->port->mtu >= need)
        return 0;
    snprintf(err, errlen,
             "%s: port: the MTU of %s is %u, and packets of payload_mtu %u take %u: "
             "`ip link set %s mtu %u`",
             t->dut.path, name, t->port->mtu, t->dut.payload_mtu, need, name, need);
    return -EMSGSIZE;
}

static size_t n_testers(const struct uet_dut *dut)
{
    size_t n = 0;

    while (n < UET_DUT_TESTERS && dut->tester[n].version != 0)
        n++;
    return n;
}

static int open_port(struct uet_target *t, char *err, size_t errlen)
{
    char why[400];
    const struct uet_afpacket_config config = {.ifname = t->dut.interface,
                                               .addresses = t->dut.tester,
                                               .n_addresses = n_testers(&t->dut),
                                               .defend = true};
    int rc = uet_afpacket_open(&t->port, &config, why, sizeof(why));
    if (rc)
        snprintf(err, errlen, "%s: port: %s", t->dut.path, why);
    return rc ? rc : check_port(t, err, errlen);
}

static int open_control(struct uet_target *t, char *err, size_t errlen)
{
    char why[400];

    if (!t->dut.control[0])
        return 0;
    int rc = uet_ut_connect(&t->ut, t->dut.control, 5000, why, sizeof(why));
    if (rc)
        snprintf(err, errlen, "%s: %s", t->dut.path, why);
    return rc;
}

/* ---- what the FEP says of itself ---- */

/* Its place in uet_dut_specs, or UET_TARGET_SPEC_UNTOLD. */
static uint8_t spec_place(const char *spec)
{
    for (uint8_t i = 0; uet_dut_specs[i]; i++)
        if (strcmp(uet_dut_specs[i], spec) == 0)
            return i;
    return UET_TARGET_SPEC_UNTOLD;
}

/* For the report: --spec chose otherwise than the FEP (NULL: nobody asks it) or the file. */
static void note_spec(struct uet_target *t, const char *says, const char *file)
{
    const char *judged = t->dut.spec;
    bool fep = says && strcmp(says, judged) != 0, other = *file && strcmp(file, judged) != 0;

    if (fep && other && strcmp(says, file) != 0)
        snprintf(t->note, sizeof(t->note), "the FEP says spec %s, %.60s %s, judged is %s (--spec)",
                 says, t->dut.path, file, judged);
    else if (fep)
        snprintf(t->note, sizeof(t->note), "the FEP says spec %s and is judged as %s (--spec)",
                 says, judged);
    else if (other)
        snprintf(t->note, sizeof(t->note), "%.60s says spec %s, judged is %s (--spec)", t->dut.path,
                 file, judged);
}

/* What the FEP says goes before what the file forgot to say, not before what it says. */
static int agree_on_spec(struct uet_target *t, const char *says, bool given, char *err,
                         size_t errlen)
{
    struct uet_dut *dut = &t->dut;

    if (given || strcmp(says, dut->spec) == 0)
        return 0;
    if (!dut->spec[0] && spec_place(says) != UET_TARGET_SPEC_UNTOLD) {
        snprintf(dut->spec, sizeof(dut->spec), "%s", says);
        return 0;
    }
    if (dut->spec[0])
        snprintf(err, errlen,
                 "%s: the FEP says spec %s, the file %s: let the file say the same, or choose with "
                 "--spec",
                 dut->path, says, dut->spec);
    else
        snprintf(err, errlen,
                 "%s: the FEP says spec %s, which is not known here: choose one with --spec",
                 dut->path, says);
    return -EINVAL;
}

int uet_target_agree(struct uet_target *t, const struct uet_ut_about *about, uint8_t spec,
                     char *err, size_t errlen)
{
    bool given = spec != UET_TARGET_SPEC_UNTOLD;

    if (given) {
        char file[sizeof(t->dut.spec)];

        snprintf(file, sizeof(file), "%s", t->dut.spec);
        snprintf(t->dut.spec, sizeof(t->dut.spec), "%s", uet_dut_specs[spec]);
        note_spec(t, about ? about->spec : NULL, file);
    }
    if (about && (about->payload_mtu != t->dut.payload_mtu || about->protect != t->dut.protect)) {
        snprintf(err, errlen,
                 "%s: the FEP says payload_mtu %u and protect %s, the file %u and %s: let the file "
                 "say the same",
                 t->dut.path, about->payload_mtu, uet_dut_protections[about->protect],
                 t->dut.payload_mtu, uet_dut_protections[t->dut.protect]);
        return -EINVAL;
    }
    int rc = about ? agree_on_spec(t, about->spec, given, err, errlen) : 0;
    if (!t->dut.spec[0])
        snprintf(t->dut.spec, sizeof(t->dut.spec), "%s", uet_dut_specs[0]);
    return rc;
}

static int ask(struct uet_target *t, uint8_t spec, char *err, size_t errlen)
{
    struct uet_ut_about about;

    snprintf(t->fep_name, sizeof(t->fep_name), "%s", t->dut.name);
    if (!t->ut)
        return uet_target_agree(t, NULL, spec, err, errlen);
    int rc = uet_ut_hello(t->ut, &about);
    if (rc) {
        snprintf(err, errlen, "%s: control %s: %s%s", t->dut.path, t->dut.control,
                 rc == -EPROTO ? "the upper tester does not do " : "",
                 t->ut->error[0] ? t->ut->error : strerror(-rc));
        return rc;
    }
    if (!t->fep_name[0])
        snprintf(t->fep_name, sizeof(t->fep_name), "%.39s %.39s", about.name, about.version);
    return uet_target_agree(t, &about, spec, err, errlen);
}

int uet_target_open(struct uet_target *t, const char *fep, uint64_t seed, char *err, size_t errlen)
{
    const struct uet_target_as as = {.seed = seed, .spec = UET_TARGET_SPEC_UNTOLD};

    return uet_target_open_as(t, fep, &as, err, errlen);
}

int uet_target_open_as(struct uet_target *t, const char *fep, const struct uet_target_as *as,
                       char *err, size_t errlen)
{
    *t = (struct uet_target){.secure = as->secure};
    if (as->told)
        t->dut = *as->told;
    int rc = uet_target_is_ref(fep) ? open_ref(t, fep, as, err, errlen)
             : as->told             ? 0
                                    : uet_dut_read(&t->dut, fep, err, errlen);

    if (!rc && !t->ref)
        rc = uet_secure_open(t, err, errlen);
    if (!rc && !t->ref)
        rc = open_port(t, err, errlen);
    if (!rc && !t->ref)
        rc = open_control(t, err, errlen);
    if (!rc)
        rc = ask(t, as->spec, err, errlen);
    if (rc)
        uet_target_close(t);
    return rc;
}

int uet_target_open_told(struct uet_target *t, const char *fep, const struct uet_target_as *as,
                         bool cable_only, uint32_t *caps, char *err, size_t errlen)
{
    int rc;

    *t = (struct uet_target){0};
    if (uet_target_is_ref(fep)) {
        rc = uet_target_open_as(t, fep, as, err, errlen);
        *caps = rc ? 0 : t->port->caps;
        return rc;
    }
    rc = uet_dut_read(&t->dut, fep, err, errlen);
    *caps = uet_afpacket_caps(n_testers(&t->dut));
    if (!rc)
        rc = uet_secure_open(t, err, errlen);
    if (!rc && !cable_only)
        rc = open_control(t, err, errlen);
    if (!rc)
        rc = ask(t, as->spec, err, errlen);
    if (rc)
        uet_target_close(t);
    return rc;
}

uint8_t uet_target_spec(const struct uet_target *target)
{
    uint8_t place = spec_place(target->dut.spec);

    return place == UET_TARGET_SPEC_UNTOLD ? 0 : place;
}

static bool same_port(const struct uet_dut *a, const struct uet_dut *b)
{
    for (size_t i = 0; i < UET_DUT_TESTERS; i++)
        if (a->tester[i].version != b->tester[i].version ||
            (a->tester[i].version && !uet_ip_equal(&a->tester[i], &b->tester[i])))
            return false;
    return strcmp(a->interface, b->interface) == 0;
}

int uet_target_open_setup(struct uet_target *t, const struct uet_target *base, size_t place,
                          char *err, size_t errlen)
{
    *t = (struct uet_target){0};
    int rc = uet_dut_read_setup(&t->dut, base->dut.path, place, err, errlen);

    if (rc)
        return rc;
    snprintf(t->dut.spec, sizeof(t->dut.spec), "%s", base->dut.spec); /* what is judged by */
    t->lent_port = same_port(&t->dut, &base->dut);
    t->lent_ut = strcmp(t->dut.control, base->dut.control) == 0;
    if (t->lent_port)
        t->port = base->port;
    if (t->lent_ut)
        t->ut = base->ut;
    t->dut.security = base->dut.security; /* one counter for all that goes by these keys */
    t->lent_keys = true;
    rc = t->lent_port ? check_port(t, err, errlen) : open_port(t, err, errlen);
    if (!rc && !t->lent_ut)
        rc = open_control(t, err, errlen);
    if (!rc)
        rc = ask(t, spec_place(t->dut.spec), err, errlen);
    if (rc)
        uet_target_close(t);
    return rc;
}

int uet_target_open_alike(struct uet_target *t, const struct uet_target *base, size_t which,
                          char *err, size_t errlen)
{
    *t = (struct uet_target){0};
    int rc = uet_dut_read_alike(&t->dut, base->dut.path, which, err, errlen);

    if (rc)
        return rc;
    memcpy(t->dut.spec, base->dut.spec, sizeof(t->dut.spec)); /* what is judged by */
    memcpy(t->dut.profile, base->dut.profile, sizeof(t->dut.profile));
    rc = open_port(t, err, errlen);
    if (!rc)
        rc = open_control(t, err, errlen);
    if (!rc)
        rc = ask(t, spec_place(t->dut.spec), err, errlen);
    if (rc)
        uet_target_close(t);
    return rc;
}

void uet_target_close(struct uet_target *t)
{
    if (!t->ref && !t->lent_ut)
        uet_ut_close(t->ut);
    if (!t->ref && !t->lent_port)
        uet_port_close(t->port);
    uet_fep_ref_close(t->ref);
    if (!t->lent_keys)
        uet_secure_close(t);
    *t = (struct uet_target){0};
}
