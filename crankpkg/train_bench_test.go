package crankpkg

import (
	"context"
	"testing"
)

// benchmarkTrain trains on a real set on one worker and reports the relative
// gap reached, the passes and the oracle calls. A lambda of 0 is 1/M.
func benchmarkTrain(b *testing.B, set string, method func(s Settings) Trainer, lambda, gap float64) {
	train, _, err := LoadSplit(set)
	if err != nil {
		b.Skip(err)
	}
	tr := method(Settings{Gap: gap, Workers: 1}).WithLambda(lambda)
	var trace *Trace
	b.ReportAllocs()
	for b.Loop() {
		if _, trace, err = tr.Train(context.Background(), train); err != nil {
			b.Fatal(err)
		}
	}
	b.ReportMetric(trace.Gap(), "gap")
	b.ReportMetric(float64(trace.Passes), "passes")
	b.ReportMetric(float64(trace.OracleCalls), "oracle-calls")
}

func full(s Settings) Trainer     { return Full{Settings: s} }
func empty(s Settings) Trainer    { return Empty{Settings: s} }
func oneStart(s Settings) Trainer { return CRANK{Settings: s, Restarts: 1} }

func BenchmarkTrainYeastFull(b *testing.B)         { benchmarkTrain(b, "yeast", full, 0, 0.01) }
func BenchmarkTrainYeastFullTight(b *testing.B)    { benchmarkTrain(b, "yeast", full, 0, 0.001) }
func BenchmarkTrainYeastFull001(b *testing.B)      { benchmarkTrain(b, "yeast", full, 0.001, 0.01) }
func BenchmarkTrainYeastFull001Tight(b *testing.B) { benchmarkTrain(b, "yeast", full, 0.001, 0.001) }
func BenchmarkTrainYeastFull0067(b *testing.B)     { benchmarkTrain(b, "yeast", full, 0.0067, 0.01) }
func BenchmarkTrainYeastFull0067Tight(b *testing.B) {
	benchmarkTrain(b, "yeast", full, 0.0067, 0.001)
}
func BenchmarkTrainYeastEmpty(b *testing.B)     { benchmarkTrain(b, "yeast", empty, 0, 0.01) }
func BenchmarkTrainYeastCRANK(b *testing.B)     { benchmarkTrain(b, "yeast", oneStart, 0.001, 0.01) }
func BenchmarkTrainSceneFull(b *testing.B)      { benchmarkTrain(b, "scene", full, 0, 0.01) }
func BenchmarkTrainSceneFullTight(b *testing.B) { benchmarkTrain(b, "scene", full, 0, 0.001) }
func BenchmarkTrainSceneEmpty(b *testing.B)     { benchmarkTrain(b, "scene", empty, 0, 0.01) }
func BenchmarkTrainSceneCRANK(b *testing.B)     { benchmarkTrain(b, "scene", oneStart, 0.003, 0.01) }
