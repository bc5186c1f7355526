package main

import (
	"context"
	"errors"
	"slices"
	"testing"
)

// byLine makes every third line invalid, and of the others every second survive.
func byLine(_ context.Context, m mutation) (result, error) {
	switch {
	case m.line%3 == 0:
		return result{m, invalid, ""}, nil
	case m.line%2 == 0:
		return result{m, survived, ""}, nil
	}
	return result{m, killed, "p0"}, nil
}

func TestTryInOrderReplacesWhatDoesNotCompile(t *testing.T) {
	t.Parallel()
	all := made([]int{20}) // of which 13 compile
	for _, test := range []struct{ n, want int }{{0, 13}, {1, 1}, {7, 7}, {13, 13}, {15, 13}, {30, 13}} {
		for _, parallel := range []int{1, 4} {
			told := 0
			got, err := tryInOrder(t.Context(), all, test.n, parallel, byLine, func(r result, _ int) {
				if r.outcome != invalid {
					told++
				}
			})
			if err != nil || len(got) != test.want || told != test.want {
				t.Fatalf("n %d: %d results, %d told, error %v, want %d", test.n, len(got), told, err, test.want)
			}
			if !slices.IsSortedFunc(got, func(a, b result) int { return a.line - b.line }) {
				t.Errorf("n %d with %d workers: not in order", test.n, parallel)
			}
			for i, r := range got {
				if i > 0 && r.line-got[i-1].line > 2 {
					t.Errorf("n %d: none of lines %d to %d", test.n, got[i-1].line+1, r.line-1)
				}
				if want, _ := byLine(t.Context(), r.mutation); r != want {
					t.Errorf("n %d: got %v, want %v", test.n, r, want)
				}
			}
		}
	}
}

// At an error the results that are there still come back.
func TestTryInOrderStops(t *testing.T) {
	t.Parallel()
	broken := errors.New("broken")
	tries := 0
	got, err := tryInOrder(t.Context(), made([]int{20}), 0, 1, func(ctx context.Context, m mutation) (result, error) {
		tries++
		if m.line == 5 {
			return result{}, broken
		}
		return byLine(ctx, m)
	}, func(result, int) {})
	if !errors.Is(err, broken) || len(got) != 3 {
		t.Errorf("%d results, error %v, want lines 1, 2, 4 and %v", len(got), err, broken)
	}
	if tries > 7 {
		t.Errorf("%d tries after an error in the sixth", tries)
	}
}

func TestTryInOrderIsInterrupted(t *testing.T) {
	t.Parallel()
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	got, err := tryInOrder(ctx, made([]int{20}), 0, 2, byLine, func(result, int) {})
	if !errors.Is(err, context.Canceled) || len(got) != 0 {
		t.Errorf("%d results, error %v", len(got), err)
	}
}
