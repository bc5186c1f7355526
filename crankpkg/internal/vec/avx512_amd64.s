//go:build amd64 && !purego

// The loops for AVX-512 (foundation instructions only). portable.go defines what
// they compute. The last numbers of a vector are read under a mask: the lanes past
// its end are +0, and adding that to a sum, which is never -0, changes nothing.

#include "textflag.h"

// TAILMASKS puts the low n bits, for n < 2 size, into K1 (the first size) and K2.
#define TAILMASKS(n, size) \
	MOVQ  $1, AX;  \
	SHLQ  n, AX;   \
	DECQ  AX;      \
	KMOVW AX, K1;  \
	SHRQ  $size, AX; \
	KMOVW AX, K2

// SUM16 leaves the sum of the 16 lanes of lo and hi in xlo, by halves.
#define SUM16(lo, ylo, xlo, hi, yhi, xhi) \
	VADDPD        hi, lo, lo;     \
	VEXTRACTF64X4 $1, lo, yhi;    \
	VADDPD        yhi, ylo, ylo;  \
	VEXTRACTF128  $1, ylo, xhi;   \
	VADDPD        xhi, xlo, xlo;  \
	VUNPCKHPD     xlo, xlo, xhi;  \
	VADDSD        xhi, xlo, xlo

// func dotAVX512(x, y *float64, n int) float64
TEXT ·dotAVX512(SB), NOSPLIT, $0-32
	MOVQ   x+0(FP), SI
	MOVQ   y+8(FP), DI
	MOVQ   n+16(FP), CX
	VPXORQ Z0, Z0, Z0
	VPXORQ Z1, Z1, Z1
	SUBQ   $16, CX
	JL     tail

loop:
	VMOVUPD (SI), Z2
	VMOVUPD 64(SI), Z3
	VMULPD  (DI), Z2, Z2
	VMULPD  64(DI), Z3, Z3
	VADDPD  Z2, Z0, Z0
	VADDPD  Z3, Z1, Z1
	ADDQ    $128, SI
	ADDQ    $128, DI
	SUBQ    $16, CX
	JGE     loop

tail:
	ADDQ      $16, CX
	JZ        sum
	TAILMASKS(CX, 8)
	VMOVUPD.Z (SI), K1, Z2
	VMOVUPD.Z 64(SI), K2, Z3
	VMULPD.Z  (DI), Z2, K1, Z2
	VMULPD.Z  64(DI), Z3, K2, Z3
	VADDPD    Z2, Z0, Z0
	VADDPD    Z3, Z1, Z1

sum:
	SUM16(Z0, Y0, X0, Z1, Y1, X1)
	VZEROUPPER
	MOVSD X0, ret+24(FP)
	RET

// Of four vectors, MULTIPLYn brings in one: x in Z8 and Z9, products in Z10 and Z11.
#define MULTIPLY(w, lo, hi) \
	VMULPD (w), Z8, Z10;    \
	VMULPD 64(w), Z9, Z11;  \
	VADDPD Z10, lo, lo;     \
	VADDPD Z11, hi, hi;     \
	ADDQ   $128, w

#define MULTIPLYTAIL(w, lo, hi) \
	VMULPD.Z (w), Z8, K1, Z10;   \
	VMULPD.Z 64(w), Z9, K2, Z11; \
	VADDPD   Z10, lo, lo;        \
	VADDPD   Z11, hi, hi

// func dots4AVX512(dst *[4]float64, x, w0, w1, w2, w3 *float64, n int)
TEXT ·dots4AVX512(SB), NOSPLIT, $0-56
	MOVQ   dst+0(FP), DX
	MOVQ   x+8(FP), SI
	MOVQ   w0+16(FP), R8
	MOVQ   w1+24(FP), R9
	MOVQ   w2+32(FP), R10
	MOVQ   w3+40(FP), R11
	MOVQ   n+48(FP), CX
	VPXORQ Z0, Z0, Z0
	VPXORQ Z1, Z1, Z1
	VPXORQ Z2, Z2, Z2
	VPXORQ Z3, Z3, Z3
	VPXORQ Z4, Z4, Z4
	VPXORQ Z5, Z5, Z5
	VPXORQ Z6, Z6, Z6
	VPXORQ Z7, Z7, Z7
	SUBQ   $16, CX
	JL     tail

loop:
	VMOVUPD (SI), Z8
	VMOVUPD 64(SI), Z9
	MULTIPLY(R8, Z0, Z1)
	MULTIPLY(R9, Z2, Z3)
	MULTIPLY(R10, Z4, Z5)
	MULTIPLY(R11, Z6, Z7)
	ADDQ    $128, SI
	SUBQ    $16, CX
	JGE     loop

tail:
	ADDQ      $16, CX
	JZ        sum
	TAILMASKS(CX, 8)
	VMOVUPD.Z (SI), K1, Z8
	VMOVUPD.Z 64(SI), K2, Z9
	MULTIPLYTAIL(R8, Z0, Z1)
	MULTIPLYTAIL(R9, Z2, Z3)
	MULTIPLYTAIL(R10, Z4, Z5)
	MULTIPLYTAIL(R11, Z6, Z7)

sum:
	SUM16(Z0, Y0, X0, Z1, Y1, X1)
	SUM16(Z2, Y2, X2, Z3, Y3, X3)
	SUM16(Z4, Y4, X4, Z5, Y5, X5)
	SUM16(Z6, Y6, X6, Z7, Y7, X7)
	VZEROUPPER
	MOVSD X0, (DX)
	MOVSD X2, 8(DX)
	MOVSD X4, 16(DX)
	MOVSD X6, 24(DX)
	RET

// func addScaledAVX512(dst *float64, a float64, x *float64, n int)
TEXT ·addScaledAVX512(SB), NOSPLIT, $0-32
	MOVQ         dst+0(FP), DI
	VBROADCASTSD a+8(FP), Z0
	MOVQ         x+16(FP), SI
	MOVQ         n+24(FP), CX
	SUBQ         $16, CX
	JL           tail

loop:
	VMULPD  (SI), Z0, Z1
	VMULPD  64(SI), Z0, Z2
	VADDPD  (DI), Z1, Z1
	VADDPD  64(DI), Z2, Z2
	VMOVUPD Z1, (DI)
	VMOVUPD Z2, 64(DI)
	ADDQ    $128, SI
	ADDQ    $128, DI
	SUBQ    $16, CX
	JGE     loop

tail: // without masks: the next addition often reads what this one stores, and
	// numbers stored under a mask come back late
	ADDQ    $16, CX
	CMPQ    CX, $8
	JL      half
	VMULPD  (SI), Z0, Z1
	VADDPD  (DI), Z1, Z1
	VMOVUPD Z1, (DI)
	ADDQ    $64, SI
	ADDQ    $64, DI
	SUBQ    $8, CX

half:
	CMPQ    CX, $4
	JL      rest
	VMULPD  (SI), Y0, Y1
	VADDPD  (DI), Y1, Y1
	VMOVUPD Y1, (DI)
	ADDQ    $32, SI
	ADDQ    $32, DI
	SUBQ    $4, CX

rest:
	TESTQ CX, CX
	JZ    end

one:
	VMULSD (SI), X0, X1
	VADDSD (DI), X1, X1
	VMOVSD X1, (DI)
	ADDQ   $8, SI
	ADDQ   $8, DI
	DECQ   CX
	JNZ    one

end:
	VZEROUPPER
	RET

// func dot32AVX512(x, y *float32, n int) float32
TEXT ·dot32AVX512(SB), NOSPLIT, $0-28
	MOVQ   x+0(FP), SI
	MOVQ   y+8(FP), DI
	MOVQ   n+16(FP), CX
	VPXORQ Z0, Z0, Z0
	VPXORQ Z1, Z1, Z1
	SUBQ   $32, CX
	JL     tail

loop:
	VMOVUPS (SI), Z2
	VMOVUPS 64(SI), Z3
	VMULPS  (DI), Z2, Z2
	VMULPS  64(DI), Z3, Z3
	VADDPS  Z2, Z0, Z0
	VADDPS  Z3, Z1, Z1
	ADDQ    $128, SI
	ADDQ    $128, DI
	SUBQ    $32, CX
	JGE     loop

tail:
	ADDQ      $32, CX
	JZ        sum
	TAILMASKS(CX, 16)
	VMOVUPS.Z (SI), K1, Z2
	VMOVUPS.Z 64(SI), K2, Z3
	VMULPS.Z  (DI), Z2, K1, Z2
	VMULPS.Z  64(DI), Z3, K2, Z3
	VADDPS    Z2, Z0, Z0
	VADDPS    Z3, Z1, Z1

sum:
	VADDPS        Z1, Z0, Z0
	VEXTRACTF64X4 $1, Z0, Y1
	VADDPS        Y1, Y0, Y0
	VEXTRACTF128  $1, Y0, X1
	VADDPS        X1, X0, X0
	VUNPCKHPD     X0, X0, X1
	VADDPS        X1, X0, X0
	VMOVSHDUP     X0, X1
	VADDSS        X1, X0, X0
	VZEROUPPER
	MOVSS         X0, ret+24(FP)
	RET

// func addScaled32AVX512(dst *float32, a float32, x *float32, n int)
TEXT ·addScaled32AVX512(SB), NOSPLIT, $0-32
	MOVQ         dst+0(FP), DI
	VBROADCASTSS a+8(FP), Z0
	MOVQ         x+16(FP), SI
	MOVQ         n+24(FP), CX
	SUBQ         $32, CX
	JL           tail

loop:
	VMULPS  (SI), Z0, Z1
	VMULPS  64(SI), Z0, Z2
	VADDPS  (DI), Z1, Z1
	VADDPS  64(DI), Z2, Z2
	VMOVUPS Z1, (DI)
	VMOVUPS Z2, 64(DI)
	ADDQ    $128, SI
	ADDQ    $128, DI
	SUBQ    $32, CX
	JGE     loop

tail: // without masks: the next addition often reads what this one stores, and
	// numbers stored under a mask come back late
	ADDQ    $32, CX
	CMPQ    CX, $16
	JL      half
	VMULPS  (SI), Z0, Z1
	VADDPS  (DI), Z1, Z1
	VMOVUPS Z1, (DI)
	ADDQ    $64, SI
	ADDQ    $64, DI
	SUBQ    $16, CX

half:
	CMPQ    CX, $8
	JL      rest
	VMULPS  (SI), Y0, Y1
	VADDPS  (DI), Y1, Y1
	VMOVUPS Y1, (DI)
	ADDQ    $32, SI
	ADDQ    $32, DI
	SUBQ    $8, CX

rest:
	TESTQ CX, CX
	JZ    end

one:
	VMULSS (SI), X0, X1
	VADDSS (DI), X1, X1
	VMOVSS X1, (DI)
	ADDQ   $4, SI
	ADDQ   $4, DI
	DECQ   CX
	JNZ    one

end:
	VZEROUPPER
	RET

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
