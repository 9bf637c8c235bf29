/* SPDX-License-Identifier: Apache-2.0 */
/* Console and finisher: how an image speaks and how it ends. Lines are composed with struct
 * tpu_text of isa/error.h. */
#ifndef TPU_FIRMWARE_CONSOLE_H
#define TPU_FIRMWARE_CONSOLE_H

void tpu_console_write(const char *text);

/* Exit codes of the images here; an image of your own may use any code of 0..65535. */
enum {
  TPU_EXIT_PASS = 0,
  TPU_EXIT_VERDICT = 1,   /* ran, and the result is not the expected one; or could not run */
  TPU_EXIT_SETUP = 2,     /* no accelerator, or a payload that cannot be used */
  TPU_EXIT_EXCEPTION = 3, /* a trap nobody handles */
};

/* Stops the run with this exit code. Does not return. */
_Noreturn void tpu_exit(int code);

#endif
