/* SPDX-License-Identifier: Apache-2.0 */
/* Inside the network of judge/kpn.h: streams, processes, and where in its program each stands. */
#ifndef TPU_JUDGE_KPN_NETWORK_H
#define TPU_JUDGE_KPN_NETWORK_H

#include "isa/header.h"
#include "platform/hw/registers.h"

/* Streams with an index of their own; the array's follow, T or T*T of each kind. */
enum {
  KPN_C_DLD,
  KPN_C_SPM,
  KPN_C_VRU,
  KPN_C_ACC,
  KPN_C_DST,
  KPN_COMMANDS, /* those before carry values, those after tokens that are told by their number */
  KPN_DMA2SP = KPN_COMMANDS,
  KPN_DMA2VR,
  KPN_SP2VR,
  KPN_AC2SP,
  KPN_ARRAY
};
enum kpn_array { KPN_WCOL, KPN_ACOL, KPN_CW, KPN_WROW, KPN_WQ, KPN_A_FWD, KPN_P_FWD, KPN_KINDS };

/* Processes: the units, then wld[T][T], then pe[T][T]. */
enum { KPN_SEQUENCER, KPN_DMA_LD, KPN_SPM, KPN_VRU, KPN_ACCU, KPN_DMA_ST, KPN_CELLS };

#define KPN_NOBODY UINT32_MAX /* no process */

struct kpn_stream {
  uint32_t used, depth;    /* tokens */
  uint32_t getter, putter; /* the process asleep on a get or a put, or KPN_NOBODY */
};

/* An instruction word, or a header word: then rows is the count. */
struct kpn_token {
  uint8_t op;
  uint8_t to_vr;   /* dma_ld */
  uint8_t payload; /* mm: activation rows */
  uint32_t rows;
};

struct kpn_process {
  uint32_t stream; /* the next access */
  uint8_t is_put;
  uint8_t ended;
  uint8_t step;  /* within the word or the row, or the header word */
  uint16_t i, j; /* of a wld or pe */
  uint32_t word; /* wld: of this mm; its count words before the first mm are word 0 */
  uint32_t left; /* promised work not yet done; of a wld mms */
  uint32_t rows; /* of the current instruction, not yet done */
  uint32_t mms;  /* begun */
  uint64_t done;
  struct kpn_token now; /* the current instruction */
};

enum { KPN_SCRIPT = 7 };

struct kpn_network {
  const struct tpu_params *params;
  const struct tpu_counts *promised;
  uint32_t t;
  uint32_t first[KPN_KINDS]; /* index of the first stream of each kind of the array */
  uint32_t streams, processes;
  struct kpn_stream *stream;
  struct kpn_process *process;
  struct kpn_token *ring; /* of each command stream, QD tokens */
  uint32_t head[KPN_COMMANDS];
  uint8_t *mm_rows; /* activation rows of each mm whose header word spm has put */
  uint32_t mms;
  /* The sequencer: puts due before the next issue. */
  struct tpu_walk walk;
  struct {
    uint32_t stream;
    struct kpn_token token;
  } script[KPN_SCRIPT];
  uint32_t script_length;
  int at_issue; /* the script is that of an issue, not of the header */
  struct tpu_counts dispatched;
};

/* Sets process k up before its first access. */
void kpn_begin(struct kpn_network *n, uint32_t k);

/* The access of process k has happened: token is what a get from a command stream brought, else
 * NULL. Sets the next access, or ended. */
void kpn_step(struct kpn_network *n, uint32_t k, const struct kpn_token *token);

#endif
