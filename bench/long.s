# SPDX-License-Identifier: Apache-2.0
# A run of 15.9 million cycles on memory.latency_cycles=1000 memory.outstanding=1, which is what the
# header counts leave room for: how much memory does a long trace need?
dma_ld mode=A:vr row=0 col=0 dest=0 rows=4
dma_ld mode=B:spad row=0 col=0 dest=0 rows=4
loop 63
  loop 63
    mm vr=0 ar=0 acc=0 spad=0 rows=4
    mvout ar=0 row=0 col=0 rows=4
  endloop
endloop
