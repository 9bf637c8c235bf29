# SPDX-License-Identifier: Apache-2.0
# One 4 x 4 tile: C = A * B, for a machine with T = 4.
dma_ld mode=A:vr row=0 col=0 dest=0 rows=4
dma_ld mode=B:spad row=0 col=0 dest=0 rows=4
mm vr=0 ar=0 acc=0 spad=0 rows=4
mvout ar=0 row=0 col=0 rows=4
