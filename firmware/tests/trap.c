/* SPDX-License-Identifier: Apache-2.0 */
/* Ends in a trap that nobody handles: the run-time reports it. */
int main(void) {
  __asm__ volatile(".word 0xffffffff");
  return 0;
}
