//go:build amd64 && !purego

// The loops for AVX2. portable.go defines what they compute. The last numbers of a
// vector are read under a mask: the lanes past its end are +0, and adding that to a
// sum, which is never -0, changes nothing.

#include "textflag.h"

// Four registers of ones, then four of zeros: from 8 n bytes before the zeros on,
// they are masks for n numbers.
DATA masks<>+0(SB)/8, $-1
DATA masks<>+8(SB)/8, $-1
DATA masks<>+16(SB)/8, $-1
DATA masks<>+24(SB)/8, $-1
DATA masks<>+32(SB)/8, $-1
DATA masks<>+40(SB)/8, $-1
DATA masks<>+48(SB)/8, $-1
DATA masks<>+56(SB)/8, $-1
DATA masks<>+64(SB)/8, $-1
DATA masks<>+72(SB)/8, $-1
DATA masks<>+80(SB)/8, $-1
DATA masks<>+88(SB)/8, $-1
DATA masks<>+96(SB)/8, $-1
DATA masks<>+104(SB)/8, $-1
DATA masks<>+112(SB)/8, $-1
DATA masks<>+120(SB)/8, $-1
GLOBL masks<>(SB), RODATA|NOPTR, $256

// SUM16 leaves the sum of the 16 lanes of four registers in x0, by halves.
#define SUM16(y0, x0, y1, x1, y2, y3) \
	VADDPD       y2, y0, y0; \
	VADDPD       y3, y1, y1; \
	VADDPD       y1, y0, y0; \
	VEXTRACTF128 $1, y0, x1; \
	VADDPD       x1, x0, x0; \
	VUNPCKHPD    x0, x0, x1; \
	VADDSD       x1, x0, x0

// MULTIPLY adds the products of four numbers at x and y to sum, and MULTIPLYTAIL
// those under the mask at mask.
#define MULTIPLY(x, y, product, sum) \
	VMOVUPD x, product;          \
	VMULPD  y, product, product; \
	VADDPD  product, sum, sum

#define MULTIPLYTAIL(mask, x, y, sum) \
	VMOVUPD    mask, Y8;    \
	VMASKMOVPD x, Y8, Y9;   \
	VMASKMOVPD y, Y8, Y10;  \
	VMULPD     Y10, Y9, Y9; \
	VADDPD     Y9, sum, sum

// func dotAVX2(x, y *float64, n int) float64
TEXT ·dotAVX2(SB), NOSPLIT, $0-32
	MOVQ   x+0(FP), SI
	MOVQ   y+8(FP), DI
	MOVQ   n+16(FP), CX
	VXORPD Y0, Y0, Y0
	VXORPD Y1, Y1, Y1
	VXORPD Y2, Y2, Y2
	VXORPD Y3, Y3, Y3
	SUBQ   $16, CX
	JL     tail

loop:
	MULTIPLY((SI), (DI), Y4, Y0)
	MULTIPLY(32(SI), 32(DI), Y5, Y1)
	MULTIPLY(64(SI), 64(DI), Y6, Y2)
	MULTIPLY(96(SI), 96(DI), Y7, Y3)
	ADDQ $128, SI
	ADDQ $128, DI
	SUBQ $16, CX
	JGE  loop

tail: // CX+16 numbers are left
	CMPQ CX, $-16
	JE   sum
	SHLQ $3, CX
	LEAQ masks<>(SB), DX
	SUBQ CX, DX
	MULTIPLYTAIL(0(DX), (SI), (DI), Y0)
	CMPQ CX, $-96
	JLE  sum
	MULTIPLYTAIL(32(DX), 32(SI), 32(DI), Y1)
	CMPQ CX, $-64
	JLE  sum
	MULTIPLYTAIL(64(DX), 64(SI), 64(DI), Y2)
	CMPQ CX, $-32
	JLE  sum
	MULTIPLYTAIL(96(DX), 96(SI), 96(DI), Y3)

sum:
	SUM16(Y0, X0, Y1, X1, Y2, Y3)
	VZEROUPPER
	MOVSD X0, ret+24(FP)
	RET

// DIFFER adds the absolute differences of four numbers at x and y to sum, and
// DIFFERTAIL those under the mask at mask. Y15 has all bits but signs.
#define DIFFER(x, y, difference, sum) \
	VMOVUPD x, difference;             \
	VSUBPD  y, difference, difference; \
	VANDPD  Y15, difference, difference; \
	VADDPD  difference, sum, sum

#define DIFFERTAIL(mask, x, y, sum) \
	VMOVUPD    mask, Y8;    \
	VMASKMOVPD x, Y8, Y9;   \
	VMASKMOVPD y, Y8, Y10;  \
	VSUBPD     Y10, Y9, Y9; \
	VANDPD     Y15, Y9, Y9; \
	VADDPD     Y9, sum, sum

// func distanceAVX2(x, y *float64, n int) float64
TEXT ·distanceAVX2(SB), NOSPLIT, $0-32
	MOVQ     x+0(FP), SI
	MOVQ     y+8(FP), DI
	MOVQ     n+16(FP), CX
	VPCMPEQD Y15, Y15, Y15
	VPSRLQ   $1, Y15, Y15
	VXORPD   Y0, Y0, Y0
	VXORPD   Y1, Y1, Y1
	VXORPD   Y2, Y2, Y2
	VXORPD   Y3, Y3, Y3
	SUBQ     $16, CX
	JL       tail

loop:
	DIFFER((SI), (DI), Y4, Y0)
	DIFFER(32(SI), 32(DI), Y5, Y1)
	DIFFER(64(SI), 64(DI), Y6, Y2)
	DIFFER(96(SI), 96(DI), Y7, Y3)
	ADDQ $128, SI
	ADDQ $128, DI
	SUBQ $16, CX
	JGE  loop

tail: // CX+16 numbers are left
	CMPQ CX, $-16
	JE   sum
	SHLQ $3, CX
	LEAQ masks<>(SB), DX
	SUBQ CX, DX
	DIFFERTAIL(0(DX), (SI), (DI), Y0)
	CMPQ CX, $-96
	JLE  sum
	DIFFERTAIL(32(DX), 32(SI), 32(DI), Y1)
	CMPQ CX, $-64
	JLE  sum
	DIFFERTAIL(64(DX), 64(SI), 64(DI), Y2)
	CMPQ CX, $-32
	JLE  sum
	DIFFERTAIL(96(DX), 96(SI), 96(DI), Y3)

sum:
	SUM16(Y0, X0, Y1, X1, Y2, Y3)
	VZEROUPPER
	MOVSD X0, ret+24(FP)
	RET

// MULTIPLY2 adds the products of four numbers at SI+at with two vectors, and
// MULTIPLYTAIL2 those under a mask.
#define MULTIPLY2(at, s0, s1) \
	VMOVUPD at(SI), Y8;     \
	VMULPD  at(R8), Y8, Y9; \
	VMULPD  at(R9), Y8, Y10; \
	VADDPD  Y9, s0, s0;     \
	VADDPD  Y10, s1, s1

#define MULTIPLYTAIL2(at, s0, s1) \
	VMOVUPD    at(DX), Y8;       \
	VMASKMOVPD at(SI), Y8, Y9;   \
	VMASKMOVPD at(R8), Y8, Y10;  \
	VMASKMOVPD at(R9), Y8, Y11;  \
	VMULPD     Y9, Y10, Y10;     \
	VMULPD     Y9, Y11, Y11;     \
	VADDPD     Y10, s0, s0;      \
	VADDPD     Y11, s1, s1

// func dots2AVX2(dst *[2]float64, x, w0, w1 *float64, n int)
TEXT ·dots2AVX2(SB), NOSPLIT, $0-40
	MOVQ   dst+0(FP), DI
	MOVQ   x+8(FP), SI
	MOVQ   w0+16(FP), R8
	MOVQ   w1+24(FP), R9
	MOVQ   n+32(FP), CX
	VXORPD Y0, Y0, Y0
	VXORPD Y1, Y1, Y1
	VXORPD Y2, Y2, Y2
	VXORPD Y3, Y3, Y3
	VXORPD Y4, Y4, Y4
	VXORPD Y5, Y5, Y5
	VXORPD Y6, Y6, Y6
	VXORPD Y7, Y7, Y7
	SUBQ   $16, CX
	JL     tail

loop:
	MULTIPLY2(0, Y0, Y4)
	MULTIPLY2(32, Y1, Y5)
	MULTIPLY2(64, Y2, Y6)
	MULTIPLY2(96, Y3, Y7)
	ADDQ $128, SI
	ADDQ $128, R8
	ADDQ $128, R9
	SUBQ $16, CX
	JGE  loop

tail:
	CMPQ CX, $-16
	JE   sum
	SHLQ $3, CX
	LEAQ masks<>(SB), DX
	SUBQ CX, DX
	MULTIPLYTAIL2(0, Y0, Y4)
	CMPQ CX, $-96
	JLE  sum
	MULTIPLYTAIL2(32, Y1, Y5)
	CMPQ CX, $-64
	JLE  sum
	MULTIPLYTAIL2(64, Y2, Y6)
	CMPQ CX, $-32
	JLE  sum
	MULTIPLYTAIL2(96, Y3, Y7)

sum:
	SUM16(Y0, X0, Y1, X1, Y2, Y3)
	SUM16(Y4, X4, Y5, X5, Y6, Y7)
	VZEROUPPER
	MOVSD X0, (DI)
	MOVSD X4, 8(DI)
	RET

// func addScaledAVX2(dst *float64, a float64, x *float64, n int)
TEXT ·addScaledAVX2(SB), NOSPLIT, $0-32
	MOVQ         dst+0(FP), DI
	VBROADCASTSD a+8(FP), Y0
	MOVQ         x+16(FP), SI
	MOVQ         n+24(FP), CX
	SUBQ         $8, CX
	JL           tail

loop:
	VMULPD  (SI), Y0, Y1
	VMULPD  32(SI), Y0, Y2
	VADDPD  (DI), Y1, Y1
	VADDPD  32(DI), Y2, Y2
	VMOVUPD Y1, (DI)
	VMOVUPD Y2, 32(DI)
	ADDQ    $64, SI
	ADDQ    $64, DI
	SUBQ    $8, CX
	JGE     loop

tail:
	ADDQ    $8, CX
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

one: // stores under a mask are slow
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

#define MULTIPLY32(x, y, product, sum) \
	VMOVUPS x, product;          \
	VMULPS  y, product, product; \
	VADDPS  product, sum, sum

#define MULTIPLYTAIL32(mask, x, y, sum) \
	VMOVUPS    mask, Y8;    \
	VMASKMOVPS x, Y8, Y9;   \
	VMASKMOVPS y, Y8, Y10;  \
	VMULPS     Y10, Y9, Y9; \
	VADDPS     Y9, sum, sum

// func dot32AVX2(x, y *float32, n int) float32
TEXT ·dot32AVX2(SB), NOSPLIT, $0-28
	MOVQ   x+0(FP), SI
	MOVQ   y+8(FP), DI
	MOVQ   n+16(FP), CX
	VXORPS Y0, Y0, Y0
	VXORPS Y1, Y1, Y1
	VXORPS Y2, Y2, Y2
	VXORPS Y3, Y3, Y3
	SUBQ   $32, CX
	JL     tail

loop:
	MULTIPLY32((SI), (DI), Y4, Y0)
	MULTIPLY32(32(SI), 32(DI), Y5, Y1)
	MULTIPLY32(64(SI), 64(DI), Y6, Y2)
	MULTIPLY32(96(SI), 96(DI), Y7, Y3)
	ADDQ $128, SI
	ADDQ $128, DI
	SUBQ $32, CX
	JGE  loop

tail: // CX+32 numbers are left
	CMPQ CX, $-32
	JE   sum
	SHLQ $2, CX
	LEAQ masks<>(SB), DX
	SUBQ CX, DX
	MULTIPLYTAIL32(0(DX), (SI), (DI), Y0)
	CMPQ CX, $-96
	JLE  sum
	MULTIPLYTAIL32(32(DX), 32(SI), 32(DI), Y1)
	CMPQ CX, $-64
	JLE  sum
	MULTIPLYTAIL32(64(DX), 64(SI), 64(DI), Y2)
	CMPQ CX, $-32
	JLE  sum
	MULTIPLYTAIL32(96(DX), 96(SI), 96(DI), Y3)

sum:
	VADDPS       Y2, Y0, Y0
	VADDPS       Y3, Y1, Y1
	VADDPS       Y1, Y0, Y0
	VEXTRACTF128 $1, Y0, X1
	VADDPS       X1, X0, X0
	VUNPCKHPD    X0, X0, X1
	VADDPS       X1, X0, X0
	VMOVSHDUP    X0, X1
	VADDSS       X1, X0, X0
	VZEROUPPER
	MOVSS        X0, ret+24(FP)
	RET

// func addScaled32AVX2(dst *float32, a float32, x *float32, n int)
TEXT ·addScaled32AVX2(SB), NOSPLIT, $0-32
	MOVQ         dst+0(FP), DI
	VBROADCASTSS a+8(FP), Y0
	MOVQ         x+16(FP), SI
	MOVQ         n+24(FP), CX
	SUBQ         $8, CX
	JL           tail

loop:
	VMULPS  (SI), Y0, Y1
	VADDPS  (DI), Y1, Y1
	VMOVUPS Y1, (DI)
	ADDQ    $32, SI
	ADDQ    $32, DI
	SUBQ    $8, CX
	JGE     loop

tail:
	ADDQ    $8, CX
	CMPQ    CX, $4
	JL      rest
	VMULPS  (SI), X0, X1
	VADDPS  (DI), X1, X1
	VMOVUPS X1, (DI)
	ADDQ    $16, SI
	ADDQ    $16, DI
	SUBQ    $4, CX

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

// FEATURE adds the products of the feature at x with its eight weights.
#define FEATURE(x, w0, w1, s0, s1) \
	VBROADCASTSD x, Y8;      \
	VMULPD       w0, Y8, Y9; \
	VMULPD       w1, Y8, Y10; \
	VADDPD       Y9, s0, s0; \
	VADDPD       Y10, s1, s1

// func productAVX2(dst, x, w *float64, n int)
TEXT ·productAVX2(SB), NOSPLIT, $0-32
	MOVQ   dst+0(FP), DX
	MOVQ   x+8(FP), SI
	MOVQ   w+16(FP), DI
	MOVQ   n+24(FP), CX
	VXORPD Y0, Y0, Y0
	VXORPD Y1, Y1, Y1
	VXORPD Y2, Y2, Y2
	VXORPD Y3, Y3, Y3
	VXORPD Y4, Y4, Y4
	VXORPD Y5, Y5, Y5
	VXORPD Y6, Y6, Y6
	VXORPD Y7, Y7, Y7
	SUBQ   $4, CX
	JL     tail

loop:
	FEATURE((SI), (DI), 32(DI), Y0, Y1)
	FEATURE(8(SI), 64(DI), 96(DI), Y2, Y3)
	FEATURE(16(SI), 128(DI), 160(DI), Y4, Y5)
	FEATURE(24(SI), 192(DI), 224(DI), Y6, Y7)
	ADDQ $32, SI
	ADDQ $256, DI
	SUBQ $4, CX
	JGE  loop

tail: // CX+4 features are left
	CMPQ CX, $-3
	JL   sum
	FEATURE((SI), (DI), 32(DI), Y0, Y1)
	CMPQ CX, $-2
	JL   sum
	FEATURE(8(SI), 64(DI), 96(DI), Y2, Y3)
	CMPQ CX, $-1
	JL   sum
	FEATURE(16(SI), 128(DI), 160(DI), Y4, Y5)

sum:
	VADDPD  Y2, Y0, Y0
	VADDPD  Y3, Y1, Y1
	VADDPD  Y6, Y4, Y4
	VADDPD  Y7, Y5, Y5
	VADDPD  Y4, Y0, Y0
	VADDPD  Y5, Y1, Y1
	VMOVUPD Y0, (DX)
	VMOVUPD Y1, 32(DX)
	VZEROUPPER
	RET
