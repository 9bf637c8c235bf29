/* SPDX-License-Identifier: Apache-2.0 */
#include "platform/cli/options.h"

#include "judge/number.h"
#include "judge/suggest.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

static const struct tpu_option_info options[TPU_OPTION_COUNT] = {
#define TPU_OPTION_ROW(id, name, letter, value, text) {name, letter, value, text},
    TPU_OPTIONS(TPU_OPTION_ROW)
#undef TPU_OPTION_ROW
};

const struct tpu_option_info *tpu_option_lookup(enum tpu_option option) { return &options[option]; }

int tpu_args_have(const struct tpu_args *args, enum tpu_option option) {
  return args->value[option] != NULL;
}

/* The option a word names, of those in takes; length = the name's, up to '=' or the end. */
static int find(const char *word, uint64_t takes, size_t *length) {
  for (int i = 0; i < TPU_OPTION_COUNT; ++i) {
    if ((takes >> i & 1) == 0) {
      continue;
    }
    if (word[1] == '-') {
      *length = strcspn(word + 2, "=") + 2;
      if (strlen(options[i].name) == *length - 2 &&
          strncmp(word + 2, options[i].name, *length - 2) == 0) {
        return i;
      }
    } else if (options[i].letter != 0 && word[1] == options[i].letter && word[2] == '\0') {
      *length = 2;
      return i;
    }
  }
  return -1;
}

static int unknown(const char *word, const char *command, uint64_t takes, struct tpu_report *r) {
  const char *names[TPU_OPTION_COUNT];
  char allowed[320];
  char bare[32];
  size_t count = 0;
  for (int i = 0; i < TPU_OPTION_COUNT; ++i) {
    if (takes >> i & 1) {
      names[count++] = options[i].name;
    }
  }
  const char *name = word + strspn(word, "-");
  (void)snprintf(bare, sizeof bare, "%.*s", (int)strcspn(name, "="), name);
  return tpu_report_fail(r, TPU_ERR_SYNTAX, "unknown option '%s' of '%s'; %s", word, command,
                         tpu_allowed(bare, names, count, allowed, sizeof allowed));
}

/* A file, a directory or a name that is empty would fail later, in a message that cannot show it.
 */
static int names_nothing(int option, const char *value) {
  const char *metavar = options[option].value;
  return metavar != NULL && value[0] == '\0' &&
         (strcmp(metavar, "FILE") == 0 || strcmp(metavar, "DIR") == 0 ||
          strcmp(metavar, "NAME") == 0 || strcmp(metavar, "GLOB") == 0);
}

static int store(struct tpu_args *args, int option, const char *value, struct tpu_report *r) {
  if (names_nothing(option, value)) {
    return tpu_report_fail(r, TPU_ERR_SYNTAX, "option '--%s' is empty: a %s is due",
                           options[option].name, options[option].value);
  }
  if (option == TPU_OPTION_SET) {
    if (args->sets == TPU_MAX_SETS) {
      return tpu_report_fail(r, TPU_ERR_CAPACITY, "option '--set' given more than %u times",
                             (unsigned)TPU_MAX_SETS);
    }
    args->set[args->sets++] = value;
  } else if (args->value[option] != NULL) {
    return tpu_report_fail(r, TPU_ERR_SYNTAX, "option '--%s' given twice: give it once",
                           options[option].name);
  }
  args->value[option] = value;
  return 1;
}

/* How many words an operand's name has: as many as the command takes. */
static unsigned words_of(const char *operand) {
  unsigned words = 1;
  for (const char *space = strchr(operand, ' '); space != NULL; space = strchr(space + 1, ' ')) {
    ++words;
  }
  return words;
}

static int store_operand(struct tpu_args *args, const char *command, const char *operand,
                         const char *word, struct tpu_report *r) {
  if (operand == NULL) {
    return tpu_report_fail(r, TPU_ERR_SYNTAX, "unexpected word '%s': '%s' takes options only", word,
                           command);
  }
  const unsigned words = words_of(operand);
  const char *one = words == 1 ? "one " : "";
  if (args->operands == words) {
    return tpu_report_fail(r, TPU_ERR_SYNTAX, "unexpected word '%s': '%s' takes %s%s", word,
                           command, one, operand);
  }
  if (word[0] == '\0') {
    return tpu_report_fail(r, TPU_ERR_SYNTAX, "an empty word: '%s' takes %s%s", command, one,
                           operand);
  }
  args->operand[args->operands++] = word;
  return 1;
}

/* Of two outputs to one file only one would be left. Devices take both. */
static int outputs_differ(const struct tpu_args *args, struct tpu_report *r) {
  static const enum tpu_option outputs[] = {TPU_OPTION_OUT, TPU_OPTION_JUNIT,    TPU_OPTION_CSV,
                                            TPU_OPTION_VCD, TPU_OPTION_PERFETTO, TPU_OPTION_OUTPUT};
  enum { COUNT = sizeof outputs / sizeof outputs[0] };
  for (int i = 0; i < COUNT; ++i) {
    for (int k = i + 1; k < COUNT; ++k) {
      const char *one = args->value[outputs[i]];
      const char *other = args->value[outputs[k]];
      if (one != NULL && other != NULL && strcmp(one, other) == 0 &&
          strncmp(one, "/dev/", 5) != 0) {
        return tpu_report_fail(r, TPU_ERR_SYNTAX,
                               "options '--%s' and '--%s' name the same file '%s': give two",
                               options[outputs[i]].name, options[outputs[k]].name, one);
      }
    }
  }
  return 1;
}

int tpu_args_parse(struct tpu_args *args, const char *command, uint64_t takes, const char *operand,
                   int argc, char *const argv[], struct tpu_report *r) {
  int only_operands = 0;
  memset(args, 0, sizeof *args);
  for (int i = 0; i < argc; ++i) {
    const char *word = argv[i];
    if (!only_operands && strcmp(word, "--") == 0) {
      only_operands = 1;
    } else if (only_operands || word[0] != '-' || word[1] == '\0') {
      if (!store_operand(args, command, operand, word, r)) {
        return 0;
      }
    } else {
      size_t length = 0;
      const int option = find(word, takes, &length);
      if (option < 0) {
        return unknown(word, command, takes, r);
      }
      const char *name = options[option].name;
      const char *metavar = options[option].value;
      const char *value = "";
      if (metavar == NULL) {
        if (word[length] == '=') {
          return tpu_report_fail(r, TPU_ERR_SYNTAX, "option '--%s' takes no value: '%s'", name,
                                 word);
        }
      } else if (word[length] == '=') {
        value = word + length + 1;
      } else if (i + 1 < argc) {
        value = argv[++i];
      } else {
        return tpu_report_fail(r, TPU_ERR_SYNTAX, "option '--%s' needs a value: --%s %s", name,
                               name, metavar);
      }
      if (!store(args, option, value, r)) {
        return 0;
      }
    }
  }
  return outputs_differ(args, r);
}

int tpu_args_number(const struct tpu_args *args, enum tpu_option option, uint64_t lo, uint64_t hi,
                    uint64_t def, uint64_t *value, struct tpu_report *r) {
  const char *text = args->value[option];
  *value = def;
  if (text == NULL) {
    return 1;
  }
  if ((tpu_number_decimal(text, strlen(text), NULL, value) != TPU_NUMBER_OK &&
       !tpu_number_hex(text, value)) ||
      *value < lo || *value > hi) {
    return tpu_report_fail(r, TPU_ERR_RANGE,
                           "option '--%s' is '%s': an integer %" PRIu64 "..%" PRIu64 " is due",
                           options[option].name, text, lo, hi);
  }
  return 1;
}

int tpu_args_seed(const struct tpu_args *args, uint32_t *seed, struct tpu_report *r) {
  uint64_t value = 0;
  const int good = tpu_args_number(args, TPU_OPTION_SEED, 0, UINT32_MAX, 1, &value, r);
  *seed = (uint32_t)value;
  return good;
}
