/* SPDX-License-Identifier: BSD-2-Clause */
/* The scenarios. A new one is a new row; tests/test_scenarios.c says what each must show. */
#include "gen/scene.h"

#include <string.h>

#include "wire/class.h"

#define US 1000u
#define MS 1000000u

/* Rules: from the first-th packet of its class on, so many; 0: all. */
#define RULE(kind, first, n, action, place, field, operand)                                        \
    {                                                                                              \
        UET_CLASS_##kind, UET_IMPAIR_##action, UET_IN_##place, field, operand, (first)-1, n        \
    }
#define LOSE(kind, first, n)    RULE(kind, first, n, DROP, PDS, NULL, 0)
#define TRIM(kind, first, dscp) RULE(kind, first, 1, TRIM, PDS, NULL, dscp)

#define COPY_NS 10u /* the second copy of a doubled packet is behind the first */

/* Steps. */
#define NO_OP                                                                                      \
    {                                                                                              \
        .op = OP_NO_OP                                                                             \
    }
#define WRITE(n)                                                                                   \
    {                                                                                              \
        .op = OP_WRITE, .value = (n)                                                               \
    }
#define WRITE_BAD_KEY(n)                                                                           \
    {                                                                                              \
        .op = OP_WRITE_BAD_KEY, .value = (n)                                                       \
    }
#define READ(n)                                                                                    \
    {                                                                                              \
        .op = OP_READ, .value = (n)                                                                \
    }
#define FETCHING_SUM(n)                                                                            \
    {                                                                                              \
        .op = OP_FETCHING_SUM, .value = (n)                                                        \
    }
#define BEFORE(n)                                                                                  \
    {                                                                                              \
        .op = OP_BEFORE, .value = (n)                                                              \
    }
#define SEND(n)                                                                                    \
    {                                                                                              \
        .op = OP_SEND, .value = (n)                                                                \
    }
#define NEW_PDC                                                                                    \
    {                                                                                              \
        .op = OP_NEW_PDC                                                                           \
    }
#define ROD                                                                                        \
    {                                                                                              \
        .op = OP_ROD                                                                               \
    }
#define RUDI                                                                                       \
    {                                                                                              \
        .op = OP_RUDI                                                                              \
    }
#define UUD                                                                                        \
    {                                                                                              \
        .op = OP_UUD                                                                               \
    }
#define CONTROL(type)                                                                              \
    {                                                                                              \
        .op = OP_CONTROL, .value = (type)                                                          \
    }
#define CLOSE                                                                                      \
    {                                                                                              \
        .op = OP_CLOSE                                                                             \
    }
#define RUN                                                                                        \
    {                                                                                              \
        .op = OP_RUN                                                                               \
    }
#define RUN_FOR(ns)                                                                                \
    {                                                                                              \
        .op = OP_RUN, .value = (ns)                                                                \
    }
#define WAIT(ns)                                                                                   \
    {                                                                                              \
        .op = OP_WAIT, .value = (ns)                                                               \
    }

#define REKEY                                                                                      \
    {                                                                                              \
        .op = OP_REKEY                                                                             \
    }

/* Three keys, one after the other: AN 0, AN 1, and AN 0 again. They protect nothing. */
#define SD(an, key) "UET_SD sdi=0x000001 an=" #an " mode=cluster key=" key "\n"
#define KEY_1       "000102030405060708090a0b0c0d0e0f101112131415161718191a1b1c1d1e1f"
#define KEY_2       "202122232425262728292a2b2c2d2e2f303132333435363738393a3b3c3d3e3f"
#define KEY_3       "404142434445464748494a4b4c4d4e4f505152535455565758595a5b5c5d5e5f"

const struct gen_scene gen_scenes[] = {
    {.about = {"establishment",
               "A SYN opens a PDC; its ACK brings the target's PDCID; a close ends it",
               "3.5.8.2, 3.5.16.4"},
     .steps = {NO_OP, RUN, NO_OP, RUN, CLOSE, RUN}},

    {.about = {"write", "One RMA write of 64 bytes", "3.4.2.1"},
     .steps = {WRITE(64), RUN, CLOSE, RUN}},

    {.about = {"write-small", "The same with the small header", "3.4.2.2"},
     .steps = {{.op = OP_WRITE, .form = FORM_SMALL, .value = 64}, RUN, CLOSE, RUN}},

    {.about = {"write-medium", "The same with the medium header", "3.4.2.2"},
     .steps = {{.op = OP_WRITE, .form = FORM_MEDIUM, .value = 64}, RUN, CLOSE, RUN}},

    {.about = {"write-long", "A write of 40000 bytes: ten packets of one message", "3.4.1.7.3"},
     .steps = {WRITE(40000), RUN, CLOSE, RUN}},

    {.about = {"send", "Three untagged sends into posted buffers", "3.4.1.5"},
     .steps = {SEND(100), SEND(5000), SEND(0), RUN, CLOSE, RUN}},

    {.about = {"read",
               "Two reads: the data of the short one rides in the ACK, that of the long one comes "
               "as Requests of the target",
               "3.4.4.2, 3.5.12.1"},
     .steps = {READ(8), RUN, READ(10000), RUN, CLOSE, RUN}},

    {.about = {"fetching-atomic", "Three fetching sums of a UINT64: the old value rides in the ACK",
               "3.4.2.4, 3.4.4"},
     .steps = {FETCHING_SUM(1), RUN, FETCHING_SUM(41), RUN, FETCHING_SUM(0), RUN, CLOSE, RUN}},

    {.about = {"fetching-atomic-lost-ack",
               "The ACK with the old value is lost: the copy of the request brings the same value, "
               "and adds nothing",
               "3.4.3.3, 3.5.12.5"},
     .steps = {FETCHING_SUM(1), RUN, FETCHING_SUM(41), RUN, FETCHING_SUM(0), RUN, CLOSE, RUN},
     .rules = {{LOSE(ACK, 2, 1), "lost here"}}},

    {.about = {"read-lost-data", "A Request with read data is lost: the target sends it again",
               "3.5.12.1"},
     .steps = {READ(10000), RUN, CLOSE, RUN},
     .rules = {{LOSE(RETURN_DATA, 2, 1), "lost here"}}},

    {.about = {"lost-request", "The third packet is lost: it comes again after the timeout, retx=1",
               "3.5.12.3"},
     .steps = {WRITE(20000), RUN, CLOSE, RUN},
     .rules = {{LOSE(REQUEST, 3, 1), "lost here"}}},

    {.about = {"lost-syn", "The packet that opens the PDC is lost", "3.5.8.2"},
     .steps = {WRITE(64), RUN, CLOSE, RUN},
     .rules = {{LOSE(SYN, 1, 1), "lost here"}}},

    {.about = {"lost-ack", "An ACK is lost: the request comes again and is answered as a duplicate",
               "3.5.12.2"},
     .steps = {WRITE(64), RUN, WRITE(64), RUN, CLOSE, RUN},
     .rules = {{LOSE(ACK, 2, 1), "lost here"}}},

    {.about = {"lost-for-good",
               "Every packet to the target is lost: retries are used up, the PDC fails",
               "3.5.12.3"},
     .steps = {WRITE(64), RUN_FOR(2000 * MS)},
     .rules = {{LOSE(REQUEST, 1, 0), "lost here"}}},

    {.about = {"out-of-order", "The second packet is overtaken by others and accepted all the same",
               "3.5.11.14"},
     .steps = {WRITE(24000), RUN, CLOSE, RUN},
     .rules = {{RULE(REQUEST, 2, 1, DELAY, PDS, NULL, 20 * US), "held back 20 us"}}},

    {.about = {"duplicates", "Every request arrives twice: the copies change nothing", "3.5.12.2"},
     .steps = {WRITE(12000), RUN, CLOSE, RUN},
     .rules = {{RULE(REQUEST, 1, 0, DUPLICATE, PDS, NULL, COPY_NS), "doubled by the network"}}},

    {.about = {"congestion", "Requests arrive marked CE: the ACKs say so with flags.m", "3.5.11.8"},
     .steps = {WRITE(12000), RUN, CLOSE, RUN},
     .rules = {{RULE(REQUEST, 2, 2, SET, IP, "ecn", UET_ECN_CE), "marked CE here"}}},

    {.about = {"error-response", "A write to an unknown memory key: a stored error, then a clear",
               "3.4.5, 3.5.12.6"},
     .steps = {WRITE(64), RUN, WRITE_BAD_KEY(64), RUN, WRITE(64), RUN, CLOSE, RUN}},

    {.about = {"close-by-initiator", "The initiator closes: Close Command, ACK", "3.5.16.4"},
     .steps = {NO_OP, RUN, CLOSE, RUN}},

    {.about = {"close-by-target",
               "The target asks for a close: Close Request, then the Close Command", "3.5.16.4"},
     .steps = {NO_OP, RUN, {.op = OP_CLOSE_REQUEST}, RUN}},

    {.about = {"close-lost", "The Close Command is lost and comes again", "3.5.16.4"},
     .steps = {NO_OP, RUN, CLOSE, RUN},
     .rules = {{LOSE(CLOSE_COMMAND, 1, 1), "lost here"}}},

    {.about = {"noop-opens", "A NOOP Control Packet opens the PDC before there is anything to send",
               "3.5.16.1"},
     .steps = {CONTROL(UET_CTL_NOOP), RUN, CLOSE, RUN}},

    {.about = {"probe", "A Probe is answered by an ACK with p=1 and the same tag", "3.5.16.8"},
     .steps = {CONTROL(UET_CTL_NOOP), RUN, CONTROL(UET_CTL_PROBE), RUN, CLOSE, RUN}},

    {.about = {"psn-wrap", "PSNs pass from 0xffffffff to 0 in the middle of a message", "3.5.12"},
     .steps = {WRITE(40000), RUN, CLOSE, RUN},
     .renumber = true,
     .start_psn = 0xfffffffb},

    {.about = {"paper-write",
               "The PDC example of the UE paper, its write: PSNs 4 to 8 carry one message",
               "3.5.8.2"},
     .steps = {WRITE(20480), RUN, CLOSE, RUN},
     .renumber = true,
     .start_psn = 4},

    {.about =
         {"paper-read",
          "Figure 3-81: one read of three packets, PSNs 333 to 335, and a write, 336; the data "
          "comes with the PSNs 48 to 50 of the return direction",
          "3.5.20.2.8"},
     .steps = {BEFORE(333 - 48), READ(12288), RUN, WRITE(64), RUN, CLOSE, RUN},
     .renumber = true,
     .start_psn = 48},

    {.about = {"ack-per-packet", "Every packet gets an ACK of its own, without CC state",
               "3.5.12.1"},
     .steps = {{.op = OP_SET_TARGET, .name = "Enb_ACK_Per_Pkt", .value = 1},
               {.op = OP_SET_TARGET, .name = "ACK_CC", .value = 0},
               WRITE(20000),
               RUN,
               CLOSE,
               RUN}},

    {.about = {"rod", "A write and a send by ROD: a PDC of its own", "3.5.7.2, 3.5.21"},
     .steps = {ROD, WRITE(12000), SEND(64), RUN, CLOSE, RUN}},

    {.about = {"rudi", "Two idempotent writes without a PDC: request and response share a pkt_id",
               "3.5.7, 3.5.10.9"},
     .steps = {RUDI, WRITE(64), RUN, WRITE(4096), RUN}},

    {.about = {"rudi-lost-response",
               "A RUDI response is lost: the write is done again, which changes nothing", "3.5.7"},
     .steps = {RUDI, WRITE(64), RUN},
     .rules = {{LOSE(RUDI_RESPONSE, 1, 1), "lost here"}}},

    {.about = {"rudi-read", "A read without a PDC: the data comes in the RUDI Response",
               "3.5.7, 3.4.4.2"},
     .steps = {RUDI, READ(5000), RUN}},

    {.about = {"uud", "Two datagrams into posted buffers: nothing answers them",
               "3.5.7, 3.5.10.12"},
     .steps = {UUD, SEND(64), SEND(0), RUN}},

    /* ---- sealed by TSS (3.7) ---- */

    {.about = {"tss",
               "Two writes that are sealed; in the middle of each both ends turn to a new key, the "
               "second time in the AN that had the first one",
               "3.7, 3.7.8"},
     .steps = {{.op = OP_SET_INITIATOR, .name = "CC_Window", .value = 12288},
               NO_OP,
               RUN,
               WRITE(40000),
               WAIT(2 * US),
               REKEY,
               RUN,
               WRITE(40000),
               WAIT(2 * US),
               REKEY,
               RUN,
               CLOSE,
               RUN},
     .keys = SD(0, KEY_1) SD(1, KEY_2) SD(0, KEY_3)},

    {.about =
         {"tss-random-start",
          "The target says at random where a sealed PDC begins: UET_NEW_START_PSN, and the SYN "
          "comes again from there",
          "3.7, 3.5.8.2"},
     .steps = {WRITE(64), RUN, CLOSE, RUN},
     .keys = "UET_DOMAIN sdi=0x000001 start=random-1rtt\n" SD(0, KEY_1)},

    /* ---- switches that trim (4.1); DSCP 16 is DSCP_TRIMMED here, 18 DSCP_TRIMMED_LASTHOP ---- */

    {.about = {"trimmed",
               "A packet is trimmed on the way: its NACK brings it again before the timeout",
               "4.1, 3.5.12.7"},
     .steps = {WRITE(20000), RUN, CLOSE, RUN},
     .rules = {{TRIM(REQUEST, 3, UET_GEN_DSCP_TRIMMED), "trimmed here"}}},

    {.about = {"trimmed-last-hop", "The same by the switch next to the target", "4.1, 3.5.12.7"},
     .steps = {WRITE(20000), RUN, CLOSE, RUN},
     .rules = {{TRIM(REQUEST, 3, UET_GEN_DSCP_LASTHOP), "trimmed here"}}},

    {.about = {"trimmed-syn", "The packet that opens the PDC is trimmed", "4.1, 3.5.12.7"},
     .steps = {WRITE(64), RUN, CLOSE, RUN},
     .rules = {{TRIM(SYN, 1, UET_GEN_DSCP_TRIMMED), "trimmed here"}}},

    {.about = {"rudi-trimmed", "A RUDI request is trimmed: the NACK names its pkt_id",
               "4.1, 3.5.10.10"},
     .steps = {RUDI, WRITE(4096), RUN},
     .rules = {{TRIM(RUDI_REQUEST, 1, UET_GEN_DSCP_TRIMMED), "trimmed here"}}},

    /* ---- each NACK that the reference FEP sends (Table 3-58) ---- */

    {.about = {"nack-no-pdc-avail",
               "The target has one PDC: it refuses a second one, and asks to close the first",
               "3.5.12.7"},
     .steps = {WRITE(64), RUN, NEW_PDC, WRITE(64), WAIT(3 * MS), CLOSE, RUN},
     .target_pdcs = 1},

    {.about = {"nack-no-gtd-del-avail", "More stored errors than the target has room for",
               "3.5.12.7"},
     .steps = {WRITE(64), RUN, WRITE_BAD_KEY(64), WRITE_BAD_KEY(64), WRITE_BAD_KEY(64), RUN, CLOSE,
               RUN},
     .target_responses = 1},

    {.about = {"nack-no-ses-msg-avail", "Two long messages at once, and room to track one",
               "3.5.12.7"},
     .steps = {NO_OP, RUN, WRITE(12000), NEW_PDC, WRITE(12000), RUN, CLOSE, RUN},
     .target_messages = 1},

    {.about = {"nack-rod-ooo", "A lost packet on a ROD PDC: go-back-N", "3.5.12.7, 3.5.21"},
     .steps = {ROD, WRITE(20000), RUN, CLOSE, RUN},
     .rules = {{LOSE(REQUEST, 2, 1), "lost"}}},

    {.about = {"nack-psn-oor-window", "A PSN far ahead of the window", "3.5.12.7"},
     .steps = {NO_OP, RUN, WRITE(64), RUN, CLOSE, RUN},
     .rules = {{RULE(REQUEST, 2, 1, ADD, PDS, "psn", 100000), "altered: psn+100000"}}},

    {.about = {"nack-inv-dpdcid",
               "A request for a PDC that does not exist: the source opens another one", "3.5.12.7"},
     .steps = {NO_OP, RUN, WRITE(64), RUN, CLOSE, RUN},
     .rules = {{RULE(REQUEST, 2, 1, ADD, PDS, "dpdcid", 77), "altered: dpdcid+77"}}},

    {.about = {"nack-pdc-hdr-mismatch", "A request whose SPDCID is not the PDC's", "3.5.12.7"},
     .steps = {NO_OP, RUN, WRITE(64), RUN, CLOSE, RUN},
     .rules = {{RULE(REQUEST, 2, 1, ADD, PDS, "spdcid", 1), "altered: spdcid+1"}}},

    {.about = {"nack-pdc-mode-mismatch", "A ROD request on a RUD PDC", "3.5.12.7"},
     .steps = {NO_OP, RUN, WRITE(64), RUN, CLOSE, RUN},
     .rules = {{RULE(REQUEST, 2, 1, SET, PDS, "type", UET_PDS_ROD_REQ), "altered: type=ROD_REQ"}}},

    {.about = {"nack-invalid-syn", "A SYN whose Start_PSN is not that of its PDC", "3.5.12.7"},
     .steps = {WRITE(12000), RUN, CLOSE, RUN},
     .rules = {{RULE(SYN, 2, 1, ADD, PDS, "psn_offset", 3), "altered: psn_offset+3"}}},

    {.about = {"nack-pkt-not-rcvd", "An ACK Request for a PSN that never came",
               "3.5.12.7, 3.5.16.2"},
     .steps = {CONTROL(UET_CTL_NOOP), RUN, CONTROL(UET_CTL_NOOP), RUN, CLOSE, RUN},
     .rules = {{RULE(CP, 2, 1, SET, PDS, "ctl_type", UET_CTL_ACK_REQUEST),
                "altered: ctl_type=ACK_REQUEST"}}},

    {.about = {"nack-ack-with-data",
               "The ACK with the data of a read is lost, and SACK says that the read has arrived: "
               "the ACK Request for it is refused, and the read is sent again",
               "3.5.12.7, 3.5.16.2"},
     .steps = {NO_OP, RUN, READ(8), WRITE(64), RUN, CLOSE, RUN},
     .rules = {{LOSE(ACK, 2, 1), "lost here"}}},

    {.about = {"nack-unexp-event", "A Control Packet of a reserved type", "3.5.12.7, 3.5.16"},
     .steps = {CONTROL(UET_CTL_NOOP), RUN, CONTROL(UET_CTL_NOOP), RUN, CLOSE, RUN},
     .rules = {{RULE(CP, 2, 1, SET, PDS, "ctl_type", 12), "altered: ctl_type=12"}}},
};

const size_t gen_n_scenes = sizeof gen_scenes / sizeof *gen_scenes;

static const struct uet_gen_missing missing[] = {
    {"tagged", "the reference FEP has no rendezvous or deferrable sends, and no scenario has tags"},
    {"nack-closing", "the reference FEP sends nothing new after its Close Command"},
    {"nack-no-bitmap", "the reference FEP never lacks what NO_CCC_AVAIL, NO_BITMAP, NO_PKT_BUFFER, "
                       "NO_RESOURCE, CLOSING_IN_ERR, GTD_RESP_UNAVAIL, "
                       "RCVD_SES_PROCG and RCVR_INFER_LOSS report"},
    {NULL, NULL},
};

const struct uet_gen_missing *uet_gen_missing_scenario(size_t i)
{
    return i + 1 < sizeof missing / sizeof *missing ? &missing[i] : NULL;
}

const char *uet_gen_scenario_keys(const struct uet_gen_scenario *scenario)
{
    return ((const struct gen_scene *)scenario)->keys;
}

size_t uet_gen_n_scenarios(void)
{
    return gen_n_scenes;
}

const struct uet_gen_scenario *uet_gen_scenario(size_t i)
{
    return i < gen_n_scenes ? &gen_scenes[i].about : NULL;
}

const struct uet_gen_scenario *uet_gen_scenario_find(const char *name)
{
    for (size_t i = 0; i < gen_n_scenes; i++)
        if (strcmp(gen_scenes[i].about.name, name) == 0)
            return &gen_scenes[i].about;
    return NULL;
}
