/* SPDX-License-Identifier: Apache-2.0 */
#include "judge/suggest.h"

#include <ctype.h>
#include <stdio.h>
#include <string.h>

enum { MAX_WORD = 64 };

static size_t smaller(size_t a, size_t b) { return a < b ? a : b; }

/* Levenshtein distance without regard to case; words longer than MAX_WORD are far from everything.
 */
static size_t distance(const char *a, const char *b) {
  const size_t la = strlen(a);
  const size_t lb = strlen(b);
  size_t row[MAX_WORD + 1];
  if (la > MAX_WORD || lb > MAX_WORD)
    return SIZE_MAX;
  for (size_t j = 0; j <= lb; j++)
    row[j] = j;
  for (size_t i = 1; i <= la; i++) {
    size_t diagonal = row[0];
    row[0] = i;
    for (size_t j = 1; j <= lb; j++) {
      const int same = tolower((unsigned char)a[i - 1]) == tolower((unsigned char)b[j - 1]);
      const size_t change = diagonal + (same ? 0U : 1U);
      diagonal = row[j];
      row[j] = smaller(change, 1 + smaller(row[j], row[j - 1]));
    }
  }
  return row[lb];
}

/* Whether word, of two parts joined by '_' or more, is name with parts left out. */
static int leaves_out_parts(const char *word, const char *name) {
  const char *const last = strrchr(word, '_');
  if (last == NULL || last[1] == '\0')
    return 0;
  while (*name != '\0') {
    const size_t part = strcspn(name, "_");
    const size_t wanted = strcspn(word, "_");
    if (part == wanted && memcmp(name, word, part) == 0)
      word += part + (word[part] == '_');
    name += part + (name[part] == '_');
  }
  return *word == '\0';
}

/* Position of the nearest name, count when none is near enough. */
static size_t nearest(const char *word, const char *const *names, size_t count) {
  size_t best = count;
  size_t best_distance = 1 + strlen(word) / 3; /* a third of the letters may be off */
  for (size_t i = 0; i < count; i++) {
    const size_t letters = distance(word, names[i]);
    const size_t d = leaves_out_parts(word, names[i]) ? smaller(letters, 1) : letters;
    if (d < best_distance || (d == best_distance && best == count && d < strlen(word))) {
      best = i;
      best_distance = d;
    }
  }
  return best;
}

const char *tpu_nearest(const char *word, const char *const *names, size_t count) {
  const size_t i = nearest(word, names, count);
  return i < count ? names[i] : NULL;
}

const char *tpu_allowed(const char *word, const char *const *names, size_t count, char *out,
                        size_t capacity) {
  const size_t near = nearest(word, names, count);
  const size_t reserve = 24 + (near < count ? strlen(names[near]) : 0);
  size_t at = (size_t)snprintf(out, capacity, "allowed:%s", count == 0 ? " none" : "");
  for (size_t i = 0; i < count; i++) {
    if (at + strlen(names[i]) + 2 + reserve >= capacity) {
      at += (size_t)snprintf(out + at, capacity - at, ", ...");
      break;
    }
    at += (size_t)snprintf(out + at, capacity - at, "%s %s", i == 0 ? "" : ",", names[i]);
  }
  if (near < count)
    (void)snprintf(out + at, capacity - at, "; did you mean %s?", names[near]);
  return out;
}
