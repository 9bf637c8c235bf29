/* SPDX-License-Identifier: Apache-2.0 */
/* Ends with a code whose low 16 bits, all that the finisher holds, are 0: a failure all the same.
 */
int main(void) { return 0x10000; }
