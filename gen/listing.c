/* SPDX-License-Identifier: BSD-2-Clause */
/* What can be written: the names of layers and the fields of each. */
#include <string.h>

#include "gen/internal.h"

struct layer_teller {
    void (*tell)(void *ctx, const char *name, const char *title);
    void *ctx;
};

static void tell_layer(void *ctx, const char *name, const struct gen_name *what)
{
    struct layer_teller *t = ctx;
    t->tell(t->ctx, name, uet_headers[what->id].title);
}

void uet_gen_each_layer(void (*tell)(void *ctx, const char *name, const char *title), void *ctx)
{
    struct layer_teller t = {tell, ctx};
    gen_names_each(tell_layer, &t);
    tell(ctx, "data", "payload: data(64), data(64,fill=0xab), data(hex=0011), data(text='..')");
    tell(ctx, "pad", "bytes after the end of the IP packet");
    tell(ctx, "cut", "bytes cut from the end of the frame: cut(5)");
}

static void tell_fields(enum uet_header_id id, void (*tell)(void *ctx, const struct uet_field *f),
                        void *ctx)
{
    for (size_t i = 0; i < uet_headers[id].n_fields; i++)
        tell(ctx, uet_headers[id].fields[i]);
}

int uet_gen_each_field(const char *layer, void (*tell)(void *ctx, const struct uet_field *f),
                       void *ctx, struct uet_gen_error *error)
{
    struct uet_gen *gen;
    struct gen_placed p;
    int rc = uet_gen_new(&gen, layer, 1, error);
    if (rc)
        return rc;
    rc = gen->layers[0].kind == GEN_HEADER ? gen_choose(gen, &gen->layers[0], 0, &p, error) : 0;
    if (rc == 0 && gen->layers[0].kind == GEN_HEADER) {
        tell_fields(p.id, tell, ctx);
        if (p.inner != UET_H_NONE)
            tell_fields(p.inner, tell, ctx);
    }
    uet_gen_free(gen);
    return rc;
}
