/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * From what a capture holds to a parsed packet: out of links and tunnels (wire/captured/decap.h),
 * opened by its key, and read as far as it was captured.
 */
#ifndef UET_WIRE_CAPTURED_READER_H
#define UET_WIRE_CAPTURED_READER_H

#include "wire/captured/decap.h"
#include "wire/captured/trailer.h"
#include "wire/keyring.h"

struct uet_reader;

/*
 * A reader; NULL when there is no memory. Of the options, `start` is not looked at: the link type
 * says it. any_order: CRC trailers count in either byte order, not in that of the options alone.
 * keys: may be NULL; not owned, and must outlive the reader.
 */
struct uet_reader *uet_reader_new(const struct uet_parse_options *options, bool any_order,
                                  struct uet_keyring *keys);

/*
 * Reads one captured packet: caplen bytes of len. p becomes the UET packet in it, or, where the
 * result is not UET_DECAP_UET, an empty one with the error UET_PARSE_NOT_UET. p points into data or
 * into the reader and is good until the next call. inner may be NULL.
 */
enum uet_decap_end uet_reader_take(struct uet_reader *reader, uint32_t linktype,
                                   const uint8_t *data, size_t caplen, size_t len,
                                   struct uet_packet *p, struct uet_inner *inner);

/*
 * Goes back to the start of the capture: what was found out about CRC trailers stays, the counts
 * begin again.
 */
void uet_reader_rewind(struct uet_reader *reader);

/* What was seen of CRC trailers; owned by the reader. */
const struct uet_trailers *uet_reader_trailers(const struct uet_reader *reader);

/* NULL is fine. */
void uet_reader_free(struct uet_reader *reader);

#endif
