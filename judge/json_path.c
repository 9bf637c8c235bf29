/* SPDX-License-Identifier: Apache-2.0 */
/* Paths are needed for messages only, so that a value carries none: the path is found again by a
 * search from the root. */
#include "judge/json_doc.h"

#include <cjson/cJSON.h>
#include <stdio.h>
#include <string.h>

enum { MAX_KEY = 48 };

struct step {
  const cJSON *node;
  size_t index;
};

/* Depth-first from root; trail receives the nodes below root down to target. Returns their number,
 * or 0 when target is the root. */
static size_t find(const cJSON *root, const cJSON *target, struct step *trail) {
  size_t depth = 0;
  const cJSON *at = root;
  while (at != target) {
    if (at->child != NULL && depth < TPU_JSON_MAX_DEPTH + 1) {
      at = at->child;
      trail[depth++] = (struct step){at, 0};
      continue;
    }
    while (depth > 0 && trail[depth - 1].node->next == NULL)
      depth--;
    if (depth == 0)
      return 0;
    at = trail[depth - 1].node->next;
    trail[depth - 1].node = at;
    trail[depth - 1].index++;
  }
  return depth;
}

static int is_plain(const char *key) {
  if (*key == '\0' || (*key >= '0' && *key <= '9'))
    return 0;
  for (; *key != '\0'; key++) {
    const int letter = (*key >= 'a' && *key <= 'z') || (*key >= 'A' && *key <= 'Z');
    if (!letter && !(*key >= '0' && *key <= '9') && *key != '_')
      return 0;
  }
  return 1;
}

const char *tpu_json_path(struct tpu_json v, char *out, size_t capacity) {
  struct step trail[TPU_JSON_MAX_DEPTH + 1];
  const size_t depth = find(v.doc->root, v.node, trail);
  size_t length = (size_t)snprintf(out, capacity, "$");
  for (size_t i = 0; i < depth; i++) {
    char step[MAX_KEY + 16];
    char key[MAX_KEY];
    if (trail[i].node->string == NULL)
      (void)snprintf(step, sizeof step, "[%zu]", trail[i].index);
    else if (is_plain(trail[i].node->string))
      (void)snprintf(step, sizeof step, ".%s",
                     tpu_shorten(trail[i].node->string, 0, key, sizeof key));
    else
      (void)snprintf(step, sizeof step, "[\"%s\"]",
                     tpu_shorten(trail[i].node->string, 0, key, sizeof key));
    const size_t more = strlen(step);
    if (length + more + 4 > capacity) {
      (void)snprintf(out + length, capacity - length, "...");
      break;
    }
    memcpy(out + length, step, more + 1);
    length += more;
  }
  return out;
}
