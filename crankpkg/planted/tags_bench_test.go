package planted_test

import (
	"context"
	"fmt"
	"runtime/metrics"
	"testing"
	"time"

	"github.com/crank-ml/crank/crankpkg"
	"github.com/crank-ml/crank/crankpkg/planted"
	"github.com/crank-ml/crank/internal/cputime"
)

// BenchmarkManyTags trains, at lambda = 10/M to a gap of 5 %, on texts of 50 words out of 10,000 with
// six tags each, ten texts for each tag there is, so that the rarest has about five at all sizes. It
// tells CPU seconds, the most memory of the heap at a time, data included, in megabytes, and the gap.
func BenchmarkManyTags(b *testing.B) {
	for _, n := range []int{125, 250, 500, 1000} {
		frequency := 1 / float64(n)
		train, _ := planted.Tags{
			N: n, Words: 10000, Length: 50, Rarest: 0.5 * frequency, Commonest: 25 * frequency, Signal: 0.3,
		}.Generate(10*n, 0)
		s, lambda := crankpkg.Settings{Gap: 0.05, Workers: 1}, frequency
		for _, t := range []crankpkg.Trainer{
			crankpkg.Empty{Lambda: lambda, Settings: s}, crankpkg.CRANK{Lambda: lambda, Restarts: 1, Settings: s},
		} {
			b.Run(fmt.Sprintf("labels=%d/%s", n, t.Name()), func(b *testing.B) {
				done := make(chan struct{})
				peak := watchMemory(done)
				begin := cputime.Seconds()
				var gap float64
				for b.Loop() {
					_, trace, err := t.Train(context.Background(), train)
					if err != nil {
						b.Fatal(err)
					}
					gap = trace.Gap()
				}
				b.ReportMetric((cputime.Seconds()-begin)/float64(b.N), "cpu-s")
				close(done)
				b.ReportMetric(<-peak, "MB")
				b.ReportMetric(100*gap, "gap-%")
			})
		}
	}
}

// watchMemory returns a channel that tells, after done, the most memory that was in use of the
// heap at a time.
func watchMemory(done chan struct{}) chan float64 {
	peak := make(chan float64)
	go func() {
		used := []metrics.Sample{{Name: "/memory/classes/heap/objects:bytes"}}
		most := 0.0
		for tick := time.Tick(20 * time.Millisecond); ; {
			metrics.Read(used)
			most = max(most, float64(used[0].Value.Uint64())/1e6)
			select {
			case <-tick:
			case <-done:
				peak <- most
				return
			}
		}
	}()
	return peak
}
