/* SPDX-License-Identifier: BSD-2-Clause */
#include "interop/drive/drive.h"

#include <errno.h>
#include <getopt.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "interop/drive/files.h"
#include "interop/drive/traffic.h"
#include "tools/bad_option.h"

static const char usage[] =
    "usage: uetinterop drive --control WHERE [-- FEP [ARGUMENT...]]\n"
    "An endpoint for `uetinterop run`, made of any FEP with an upper tester. A manifest starts "
    "it;\n"
    "what it has to do stands in its environment (docs/interop.md).\n"
    "\n"
    "  --control WHERE   the upper tester: unix:PATH, tcp:HOST:PORT or exec:COMMAND\n"
    "                    (docs/upper-tester.md)\n"
    "  --help            this text\n"
    "  FEP ...           started first, and ended at the end; what it prints is in "
    "UET_LOGS/fep.log\n"
    "\n"
    "Exit status: 0 done, 1 failed, 2 wrong usage, 127 the FEP cannot do this case.\n"
    "\n"
    "Example, the line of a manifest:\n"
    "  start: uetinterop drive --control unix:$UET_SCRATCH/fep.sock -- acme-fep -i "
    "$UET_INTERFACE\n";

/* Both begin when both are ready. */
static int wait_for_go(const struct contract *c)
{
    while (access(c->go, F_OK) != 0)
        if (!driven_sleep(2))
            return ENDPOINT_FAILED;
    return ENDPOINT_DONE;
}

/* Its own part; who sends and receives begins when both are ready. */
static int do_own(struct traffic *t, bool both)
{
    int rc = both ? wait_for_go(t->contract) : 0;

    if (rc == 0)
        rc = traffic_act(t);
    if (rc == 0 && both)
        rc = traffic_wait_received(t);
    if (rc == 0)
        rc = traffic_close(t);
    return rc ? rc : file_touch(t->contract->done);
}

/* Ready; the keys that the FEP has chosen itself stand in the file, a line each. */
static int tell_ready(const struct contract *c)
{
    const struct items *items = c->operation == OP_READ ? &c->send : &c->receive;
    char path[4200];
    FILE *file;

    snprintf(path, sizeof(path), "%s.new", c->ready);
    file = fopen(path, "w");
    for (size_t i = 0; file && i < items->n; i++)
        if (items->all[i].chosen)
            fprintf(file, "%s 0x%" PRIx64 "\n", items->all[i].name, items->all[i].key);
    if (file && fclose(file) == 0 && rename(path, c->ready) == 0)
        return ENDPOINT_DONE;
    fprintf(stderr, "%s: %s\n", path, strerror(errno));
    return ENDPOINT_FAILED;
}

/* Who only acts ends by himself; who serves is needed until he is told. */
static int converse(struct traffic *t)
{
    const struct contract *c = t->contract;
    const bool acts = traffic_acts(c), both = c->send.n && c->receive.n;
    int rc = acts && !both ? 0 : tell_ready(c);

    if (rc == 0 && acts)
        rc = do_own(t, both);
    if (rc == 0 && (both || !acts))
        rc = traffic_serve(t);
    return rc;
}

static int act(struct contract *contract, struct driven *driven)
{
    struct traffic t = {.contract = contract, .driven = driven, .ut = driven->ut};
    int rc = traffic_fits(&t);

    if (rc == 0)
        rc = traffic_open(&t);
    if (rc == 0)
        rc = converse(&t);
    if (rc == 0)
        rc = traffic_write_out(&t);
    return rc;
}

static int drive(char **command, const char *control)
{
    struct contract contract;
    struct driven driven;
    char err[300];
    int rc;

    rc = contract_read(&contract, err, sizeof(err));
    if (rc) {
        fprintf(stderr, "uetinterop drive: %s\n", err);
        contract_free(&contract);
        return rc == -ENOTSUP ? ENDPOINT_UNSUPPORTED : 2;
    }
    driven_hold_signals();
    rc = driven_start(&driven, command, control, contract.logs);
    if (rc == 0)
        rc = act(&contract, &driven);
    driven_stop(&driven);
    contract_free(&contract);
    return rc;
}

int uet_interop_drive(int argc, char **argv)
{
    static const struct option options[] = {{"control", required_argument, NULL, 'c'},
                                            {"help", no_argument, NULL, 'h'},
                                            {NULL, 0, NULL, 0}};
    const char *control = NULL;
    int o;

    opterr = 0;
    while ((o = getopt_long(argc, argv, "+:", options, NULL)) != -1) {
        if (o == 'h')
            return fputs(usage, stdout) < 0 ? 2 : 0;
        if (o != 'c')
            return uet_bad_option("uetinterop drive", o, argv, options);
        control = optarg;
    }
    if (control)
        return drive(argv + optind, control);
    fprintf(stderr,
            "uetinterop drive: --control is missing: where is the upper tester? (--help)\n");
    return 2;
}
