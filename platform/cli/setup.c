/* SPDX-License-Identifier: Apache-2.0 */
#define _DEFAULT_SOURCE /* scandir, alphasort */
#include "platform/cli/setup.h"

#include "judge/suggest.h"
#include "platform/cli/output.h"

#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { SUFFIX = 5 /* of ".json" */ };

static int is_json(const struct dirent *entry) {
  const size_t n = strlen(entry->d_name);
  return entry->d_name[0] != '.' && n > SUFFIX && strcmp(entry->d_name + n - SUFFIX, ".json") == 0;
}

/* A word that names no configuration, with the names that do. */
static int no_such_config(const char *directory, const char *word, struct tpu_report *r) {
  struct dirent **entries = NULL;
  char allowed[320];
  char shown[200];
  const int n = scandir(directory, &entries, is_json, alphasort);
  const size_t count = n > 0 ? (size_t)n : 0;
  const char **names = malloc((count + 1) * sizeof *names);
  for (size_t i = 0; i < count; ++i) {
    entries[i]->d_name[strlen(entries[i]->d_name) - SUFFIX] = '\0';
    if (names != NULL) {
      names[i] = entries[i]->d_name;
    }
  }
  (void)tpu_report_fail(
      r, TPU_ERR_RANGE, "--config: no configuration '%s' in %s; %s; or a path", word,
      tpu_shorten(directory, 1, shown, sizeof shown),
      tpu_allowed(word, names, names != NULL ? count : 0, allowed, sizeof allowed));
  for (size_t i = 0; i < count; ++i) {
    free(entries[i]);
  }
  free(names);
  free(entries);
  return 0;
}

int tpu_setup_config_path(const struct tpu_args *args, char path[TPU_PATH_SIZE],
                          struct tpu_report *r) {
  const char *given = args->value[TPU_OPTION_CONFIG];
  const char *word = given != NULL ? given : "default";
  if (tpu_is_path(word, ".json")) {
    const int n = snprintf(path, TPU_PATH_SIZE, "%s", word);
    return n < TPU_PATH_SIZE || tpu_report_fail(r, TPU_ERR_RANGE, "--config: the path is too long");
  }
  char directory[TPU_PATH_SIZE];
  if (!tpu_locate_dir(NULL, "configs", directory, r) ||
      !tpu_join_path(path, directory, word, ".json", r)) {
    return 0;
  }
  return access(path, F_OK) == 0 || no_such_config(directory, word, r);
}

int tpu_setup_config(const struct tpu_args *args, struct tpu_platform_config *config,
                     char *config_path, struct tpu_report *r) {
  char path[TPU_PATH_SIZE];
  if (!tpu_setup_config_path(args, path, r)) {
    return 0;
  }
  if (config_path != NULL) {
    memcpy(config_path, path, sizeof path);
  }
  return tpu_config_load(path, args->set, args->sets, config, r);
}

int tpu_setup_timing(const struct tpu_platform_config *config, const char *config_path,
                     char path[TPU_PATH_SIZE], struct tpu_report *r) {
  const char *slash = strrchr(config_path, '/');
  const int stem = slash == NULL ? 0 : (int)(slash - config_path) + 1;
  int n = snprintf(path, TPU_PATH_SIZE, "%.*stiming/%s.json", stem, config_path, config->timing);
  if (n > 0 && n < TPU_PATH_SIZE && access(path, F_OK) == 0) {
    return 1;
  }
  char directory[TPU_PATH_SIZE];
  if (!tpu_locate_dir(NULL, "configs", directory, r)) {
    return 0;
  }
  n = snprintf(path, TPU_PATH_SIZE, "%s/timing/%s.json", directory, config->timing);
  if (n < 0 || n >= TPU_PATH_SIZE || access(path, F_OK) != 0) {
    return tpu_report_fail(r, TPU_ERR_RANGE,
                           "%s: $.timing: no profile '%s': looked for timing/%s.json beside it and "
                           "in %s",
                           config_path, config->timing, config->timing, directory);
  }
  return 1;
}

int tpu_setup_ideal(const struct tpu_args *args, const char *command,
                    struct tpu_platform_config *config, char timing[TPU_PATH_SIZE],
                    struct tpu_report *r) {
  char config_path[TPU_PATH_SIZE];
  char source[TPU_CONFIG_SOURCE_BYTES];
  char why[80];
  (void)snprintf(why, sizeof why, "%s runs the accelerator on an ideal memory", command);
  return tpu_setup_config(args, config, config_path, r) &&
         tpu_config_need_ideal(
             config, tpu_config_source(config_path, args->set, args->sets, source), why, r) &&
         tpu_setup_timing(config, config_path, timing, r);
}

int tpu_setup_spec(const struct tpu_args *args, const char *word, struct tpu_spec *spec,
                   struct tpu_report *r) {
  char directory[TPU_PATH_SIZE] = "";
  if (!tpu_is_path(word, ".json") &&
      !tpu_locate_dir(args->value[TPU_OPTION_CORPUS], "corpus", directory, r)) {
    return 0;
  }
  return tpu_corpus_find(directory, word, spec, r);
}

/* JSON begins with a bracket or a brace; a letter or a comment begins the text of an assembler. */
static int looks_like_assembly(const char *file) {
  char *text = NULL;
  size_t size = 0;
  struct tpu_report ignored = {.code = TPU_OK};
  if (!tpu_read_file(file, TPU_JSON_MAX_BYTES, &text, &size, &ignored)) {
    return 0;
  }
  const char first = text[strspn(text, " \t\r\n")];
  free(text);
  return (first >= 'a' && first <= 'z') || (first >= 'A' && first <= 'Z') || first == '#';
}

/* Whatever was wrong with a program file, assembly text is told what to do with it; returns 0. */
static int refuse_program(const char *file, struct tpu_report *r) {
  if (!looks_like_assembly(file)) {
    return 0;
  }
  const struct tpu_report why = *r;
  return tpu_report_fail(r, why.code,
                         "%s; if it is assembly text, make a program file of it first: tpuvp asm "
                         "FILE -o PROGRAM",
                         why.text);
}

int tpu_setup_program(const char *file, struct tpu_program *program, struct tpu_report *r) {
  return tpu_program_read(file, program, r) || refuse_program(file, r);
}

int tpu_setup_headed_program(const char *file, struct tpu_program *program,
                             struct tpu_program_header *header, struct tpu_report *r) {
  return tpu_program_read_headed(file, program, header, r) || refuse_program(file, r);
}

int tpu_setup_corpus(const struct tpu_args *args, struct tpu_corpus *corpus, struct tpu_report *r) {
  char directory[TPU_PATH_SIZE];
  return tpu_locate_dir(args->value[TPU_OPTION_CORPUS], "corpus", directory, r) &&
         tpu_corpus_read(directory, corpus, r);
}

int tpu_setup_variant(const struct tpu_args *args, enum tpu_map_variant *variant,
                      struct tpu_report *r) {
  const char *given = args->value[TPU_OPTION_VARIANT];
  const char *names[TPU_MAP_VARIANT_COUNT];
  char allowed[320];
  *variant = TPU_MAP_BASELINE;
  for (unsigned v = 0; v < TPU_MAP_VARIANT_COUNT; ++v) {
    names[v] = tpu_map_variant_name((enum tpu_map_variant)v);
    if (given != NULL && strcmp(given, names[v]) == 0) {
      *variant = (enum tpu_map_variant)v;
      given = NULL;
    }
  }
  return given == NULL ||
         tpu_report_fail(r, TPU_ERR_RANGE, "--variant: no mapping '%s'; %s", given,
                         tpu_allowed(given, names, TPU_MAP_VARIANT_COUNT, allowed, sizeof allowed));
}
