/* SPDX-License-Identifier: Apache-2.0 */
// SystemC's library asks for an sc_main at link time; the program owns main and never calls it.
extern "C" int sc_main(int argc, char *argv[]);
int sc_main(int, char *[]) { return 2; }
