/* SPDX-License-Identifier: Apache-2.0 */
/* What the options choose: configuration, timing profile, corpus, spec. */
#ifndef TPU_PLATFORM_CLI_SETUP_H
#define TPU_PLATFORM_CLI_SETUP_H

#include "isa/mapper.h"
#include "judge/config.h"
#include "judge/corpus.h"
#include "judge/program_file.h"
#include "platform/cli/locate.h"
#include "platform/cli/options.h"

#ifdef __cplusplus
extern "C" {
#endif

/* The file of --config: a path, or a name in configs/; default: default. */
int tpu_setup_config_path(const struct tpu_args *args, char path[TPU_PATH_SIZE],
                          struct tpu_report *r);

/* The file of --config and --set, resolved. config_path, of TPU_PATH_SIZE bytes, receives the file;
 * may be NULL. */
int tpu_setup_config(const struct tpu_args *args, struct tpu_platform_config *config,
                     char *config_path, struct tpu_report *r);

/* The file of the timing profile that the configuration names: timing/NAME.json beside the
 * configuration file, else in configs/. */
int tpu_setup_timing(const struct tpu_platform_config *config, const char *config_path,
                     char path[TPU_PATH_SIZE], struct tpu_report *r);

/* Configuration and timing profile of a command that runs the accelerator by itself, on an ideal
 * memory: another one is refused, naming the command. */
int tpu_setup_ideal(const struct tpu_args *args, const char *command,
                    struct tpu_platform_config *config, char timing[TPU_PATH_SIZE],
                    struct tpu_report *r);

/* Reads the spec of a word: a path, or a name or numbered stem in the corpus. */
int tpu_setup_spec(const struct tpu_args *args, const char *word, struct tpu_spec *spec,
                   struct tpu_report *r);

/* Reads the program file of --program; of assembly text says what to do with it. */
int tpu_setup_program(const char *file, struct tpu_program *program, struct tpu_report *r);

/* The same of a file that may have its header in front. */
int tpu_setup_headed_program(const char *file, struct tpu_program *program,
                             struct tpu_program_header *header, struct tpu_report *r);

/* The mapping that --variant names, as `rank` has them; the baseline without. */
int tpu_setup_variant(const struct tpu_args *args, enum tpu_map_variant *variant,
                      struct tpu_report *r);

/* Every spec of --corpus, else of the corpus that comes with the program. */
int tpu_setup_corpus(const struct tpu_args *args, struct tpu_corpus *corpus, struct tpu_report *r);

#ifdef __cplusplus
}
#endif
#endif
