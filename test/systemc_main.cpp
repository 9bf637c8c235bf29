/* SPDX-License-Identifier: Apache-2.0 */
// SystemC's library wants an sc_main at link time; GoogleTest owns main and never calls it.
#include <systemc>

int sc_main(int, char **) { return 1; }
