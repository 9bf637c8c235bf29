/* SPDX-License-Identifier: Apache-2.0 */
/* Words of the text form that assembler and disassembler share; names of operations and operand
 * fields come from tpu_op_lookup. */
#ifndef TPU_ISA_ASM_SYNTAX_H
#define TPU_ISA_ASM_SYNTAX_H

#include "isa/encoding.h"

#define TPU_ASM_ROWS "rows" /* the key of nr on a data instruction */

extern const char *const tpu_dma_mode_name[TPU_DMA_MODES];

#endif
