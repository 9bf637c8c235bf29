/* SPDX-License-Identifier: Apache-2.0 */
#include "platform/cli/commands.h"
#include "platform/cli/output.h"

#include <stdio.h>

static void option_line(const struct tpu_option_info *o) {
  char left[40];
  (void)snprintf(left, sizeof left, "%s%c%s--%s%s%s", o->letter ? "-" : "",
                 o->letter ? o->letter : ' ', o->letter ? ", " : "   ", o->name,
                 o->value ? " " : "", o->value ? o->value : "");
  printf("  %-26s %s\n", left, o->text);
}

static void text(const struct tpu_command *command) {
  size_t count = 0;
  const struct tpu_command *all = tpu_commands(&count);
  if (command != NULL) {
    printf("usage: tpuvp %s %s\n\n%s\n\noptions:\n", command->name, command->synopsis,
           command->purpose);
  } else {
    printf("usage: tpuvp COMMAND [OPTIONS]\n\n"
           "A virtual platform of the TinyTPU int8 GEMM accelerator, and a judge of its programs."
           "\n\ncommands:\n");
    for (size_t i = 0; i < count; ++i) {
      printf("  %s %s\n      %s\n", all[i].name, all[i].synopsis, all[i].purpose);
    }
    printf("\nevery command takes:\n");
  }
  for (int i = 0; i < TPU_OPTION_COUNT; ++i) {
    const uint64_t takes = TPU_TAKES_ALWAYS | (command != NULL ? command->takes : 0);
    if (takes >> i & 1) {
      option_line(tpu_option_lookup((enum tpu_option)i));
    }
  }
  printf("\nexit codes: 0 all well; 1 a verdict; 2 bad usage or unreadable input\n");
}

static void command_json(struct tpu_json_writer *w, const struct tpu_command *command) {
  tpu_json_begin_object(w, NULL);
  tpu_json_put_string(w, "command", command->name);
  tpu_json_put_string(w, "synopsis", command->synopsis);
  tpu_json_put_string(w, "purpose", command->purpose);
  tpu_json_begin_array(w, "options");
  for (int i = 0; i < TPU_OPTION_COUNT; ++i) {
    const struct tpu_option_info *o = tpu_option_lookup((enum tpu_option)i);
    if ((command->takes | TPU_TAKES_ALWAYS) >> i & 1) {
      tpu_json_begin_object(w, NULL);
      tpu_json_put_string(w, "name", o->name);
      tpu_json_put_text_or_null(w, "value", o->value);
      tpu_json_put_string(w, "text", o->text);
      tpu_json_end(w);
    }
  }
  tpu_json_end(w);
  tpu_json_end(w);
}

int tpu_help_print(const struct tpu_command *command, int json, struct tpu_report *r) {
  if (!json) {
    text(command);
    return 1;
  }
  struct tpu_json_writer *w = tpu_document_new(r);
  if (w == NULL) {
    return 0;
  }
  if (command != NULL) {
    command_json(w, command);
  } else {
    size_t count = 0;
    const struct tpu_command *all = tpu_commands(&count);
    tpu_json_begin_object(w, NULL);
    tpu_json_begin_array(w, "commands");
    for (size_t i = 0; i < count; ++i) {
      command_json(w, &all[i]);
    }
    tpu_json_end(w);
    tpu_json_end(w);
  }
  return tpu_print_json(w, r);
}

int tpu_version_print(int json, struct tpu_report *r) {
  if (!json) {
    printf("tpuvp %s\n", TPU_VERSION);
    return 1;
  }
  struct tpu_json_writer *w = tpu_document_new(r);
  if (w == NULL) {
    return 0;
  }
  tpu_json_begin_object(w, NULL);
  tpu_json_put_string(w, "name", "tpuvp");
  tpu_json_put_string(w, "version", TPU_VERSION);
  tpu_json_end(w);
  return tpu_print_json(w, r);
}
