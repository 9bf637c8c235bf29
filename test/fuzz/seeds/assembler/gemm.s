# two by two tiles
loop 2
  dma_ld mode=A:vr row=0 col=0+iv0*1 dest=0+iv0*64 rows=8
endloop
nop
mm vr=0 ar=0 acc=0 spad=0 rows=8 # a comment
loop 3
  loop 127
    mm vr=64 ar=8+iv1*8 acc=1 spad=0+iv0*64+iv1*4 rows=8
  endloop
endloop
vld vr=1 spad=2 rows=3
vadd dest=0 src1=8 src2=16 rows=4
vrelu dest=0 src=0 rows=4
mvout ar=0 row=0 col=0 rows=4
