//go:build amd64 && !purego

// The products of rows with panels for AVX-512 (foundation instructions only).
// portable.go defines what they compute.

#include "textflag.h"

// FEATURE adds the products of a feature, at x, with its weights, in w, to sum.
#define FEATURE(x, w, product, sum) \
	VMULPD.BCST x, w, product; \
	VADDPD      product, sum, sum

// func productAVX512(dst, x, w *float64, n int)
TEXT ·productAVX512(SB), NOSPLIT, $0-32
	MOVQ   dst+0(FP), DX
	MOVQ   x+8(FP), SI
	MOVQ   w+16(FP), DI
	MOVQ   n+24(FP), CX
	VPXORQ Z0, Z0, Z0
	VPXORQ Z1, Z1, Z1
	VPXORQ Z2, Z2, Z2
	VPXORQ Z3, Z3, Z3
	SUBQ   $4, CX
	JL     tail

loop:
	VMOVUPD (DI), Z4
	VMOVUPD 64(DI), Z5
	VMOVUPD 128(DI), Z6
	VMOVUPD 192(DI), Z7
	FEATURE((SI), Z4, Z4, Z0)
	FEATURE(8(SI), Z5, Z5, Z1)
	FEATURE(16(SI), Z6, Z6, Z2)
	FEATURE(24(SI), Z7, Z7, Z3)
	ADDQ    $32, SI
	ADDQ    $256, DI
	SUBQ    $4, CX
	JGE     loop

tail: // CX+4 features are left
	CMPQ    CX, $-3
	JL      sum
	VMOVUPD (DI), Z4
	FEATURE((SI), Z4, Z4, Z0)
	CMPQ    CX, $-2
	JL      sum
	VMOVUPD 64(DI), Z5
	FEATURE(8(SI), Z5, Z5, Z1)
	CMPQ    CX, $-1
	JL      sum
	VMOVUPD 128(DI), Z6
	FEATURE(16(SI), Z6, Z6, Z2)

sum:
	VADDPD  Z1, Z0, Z0
	VADDPD  Z3, Z2, Z2
	VADDPD  Z2, Z0, Z0
	VMOVUPD Z0, (DX)
	VZEROUPPER
	RET

// FEATURE4 does that for four rows: the weights are loaded once.
#define FEATURE4(at, weights, s0, s1, s2, s3) \
	VMOVUPD weights, Z16;         \
	FEATURE(at(R8), Z16, Z17, s0);  \
	FEATURE(at(R9), Z16, Z18, s1);  \
	FEATURE(at(R10), Z16, Z19, s2); \
	FEATURE(at(R11), Z16, Z20, s3)

// SUM4 adds the four partial sums of a row.
#define SUM4(s0, s1, s2, s3) \
	VADDPD  s1, s0, s0; \
	VADDPD  s3, s2, s2; \
	VADDPD  s2, s0, s0; \
	VMOVUPD s0, (DX);   \
	LEAQ    (DX)(BX*8), DX

// PAIR adds the products of a feature, at x, with its weights in two panels, w and v, to two sums.
#define PAIR(x, w, v, sum, other) \
	VBROADCASTSD x, Z8;           \
	VMULPD       w, Z8, Z9;       \
	VMULPD       v, Z8, Z10;      \
	VADDPD       Z9, sum, sum;    \
	VADDPD       Z10, other, other

// func product2AVX512(dst, x, w *float64, n int)
TEXT ·product2AVX512(SB), NOSPLIT, $0-32
	MOVQ   dst+0(FP), DX
	MOVQ   x+8(FP), SI
	MOVQ   w+16(FP), DI
	MOVQ   n+24(FP), CX
	MOVQ   CX, R8
	SHLQ   $6, R8
	ADDQ   DI, R8
	VPXORQ Z0, Z0, Z0
	VPXORQ Z1, Z1, Z1
	VPXORQ Z2, Z2, Z2
	VPXORQ Z3, Z3, Z3
	VPXORQ Z4, Z4, Z4
	VPXORQ Z5, Z5, Z5
	VPXORQ Z6, Z6, Z6
	VPXORQ Z7, Z7, Z7
	SUBQ   $4, CX
	JL     tail

loop:
	PAIR((SI), (DI), (R8), Z0, Z4)
	PAIR(8(SI), 64(DI), 64(R8), Z1, Z5)
	PAIR(16(SI), 128(DI), 128(R8), Z2, Z6)
	PAIR(24(SI), 192(DI), 192(R8), Z3, Z7)
	ADDQ $32, SI
	ADDQ $256, DI
	ADDQ $256, R8
	SUBQ $4, CX
	JGE  loop

tail: // CX+4 features are left
	CMPQ CX, $-3
	JL   sum
	PAIR((SI), (DI), (R8), Z0, Z4)
	CMPQ CX, $-2
	JL   sum
	PAIR(8(SI), 64(DI), 64(R8), Z1, Z5)
	CMPQ CX, $-1
	JL   sum
	PAIR(16(SI), 128(DI), 128(R8), Z2, Z6)

sum:
	VADDPD  Z1, Z0, Z0
	VADDPD  Z3, Z2, Z2
	VADDPD  Z2, Z0, Z0
	VMOVUPD Z0, (DX)
	VADDPD  Z5, Z4, Z4
	VADDPD  Z7, Z6, Z6
	VADDPD  Z6, Z4, Z4
	VMOVUPD Z4, 64(DX)
	VZEROUPPER
	RET

// func product4AVX512(dst, x, w *float64, n, width int)
TEXT ·product4AVX512(SB), NOSPLIT, $0-40
	MOVQ   dst+0(FP), DX
	MOVQ   x+8(FP), R8
	MOVQ   w+16(FP), DI
	MOVQ   n+24(FP), CX
	MOVQ   width+32(FP), BX
	LEAQ   (R8)(CX*8), R9
	LEAQ   (R9)(CX*8), R10
	LEAQ   (R10)(CX*8), R11
	VPXORQ Z0, Z0, Z0
	VPXORQ Z1, Z1, Z1
	VPXORQ Z2, Z2, Z2
	VPXORQ Z3, Z3, Z3
	VPXORQ Z4, Z4, Z4
	VPXORQ Z5, Z5, Z5
	VPXORQ Z6, Z6, Z6
	VPXORQ Z7, Z7, Z7
	VPXORQ Z8, Z8, Z8
	VPXORQ Z9, Z9, Z9
	VPXORQ Z10, Z10, Z10
	VPXORQ Z11, Z11, Z11
	VPXORQ Z12, Z12, Z12
	VPXORQ Z13, Z13, Z13
	VPXORQ Z14, Z14, Z14
	VPXORQ Z15, Z15, Z15
	SUBQ   $4, CX
	JL     tail

loop:
	FEATURE4(0, (DI), Z0, Z4, Z8, Z12)
	FEATURE4(8, 64(DI), Z1, Z5, Z9, Z13)
	FEATURE4(16, 128(DI), Z2, Z6, Z10, Z14)
	FEATURE4(24, 192(DI), Z3, Z7, Z11, Z15)
	ADDQ $32, R8
	ADDQ $32, R9
	ADDQ $32, R10
	ADDQ $32, R11
	ADDQ $256, DI
	SUBQ $4, CX
	JGE  loop

tail:
	CMPQ CX, $-3
	JL   sum
	FEATURE4(0, (DI), Z0, Z4, Z8, Z12)
	CMPQ CX, $-2
	JL   sum
	FEATURE4(8, 64(DI), Z1, Z5, Z9, Z13)
	CMPQ CX, $-1
	JL   sum
	FEATURE4(16, 128(DI), Z2, Z6, Z10, Z14)

sum:
	SUM4(Z0, Z1, Z2, Z3)
	SUM4(Z4, Z5, Z6, Z7)
	SUM4(Z8, Z9, Z10, Z11)
	SUM4(Z12, Z13, Z14, Z15)
	VZEROUPPER
	RET
