package levels

import (
	"math"
	"math/rand/v2"
	"strings"
	"sync"
	"testing"

	"gonum.org/v1/gonum/floats"
)

// few is the number of runs that fit into a test.
func few(d Design) int {
	switch {
	case strings.HasPrefix(d.Name, "several seeds"), strings.HasPrefix(d.Name, "one test set"):
		return 20
	case strings.HasPrefix(d.Name, "five methods"):
		return 70
	}
	return 140
}

// TestLevels holds every test to its level, up to what so few runs can tell: three and a half
// standard errors, and a bit more for approximations. Those that do not fit their design have
// to show it. The table of the command crank has many more runs.
func TestLevels(t *testing.T) {
	t.Parallel()
	var lock sync.Mutex
	worst := map[string]float64{} // of the naive tests, in any of their designs
	t.Cleanup(func() {
		for name, null := range worst {
			if null < 0.09 {
				t.Errorf("%s is called naive, and rejects %.3f at most", name, null)
			}
		}
	})
	for _, d := range Designs() {
		t.Run(d.Name, func(t *testing.T) {
			t.Parallel()
			for _, count := range d.Counts {
				if count == 1000 {
					continue
				}
				for k, null := range d.rejections(count, few(d), 0) {
					test := d.Tests[k]
					if test.Naive {
						lock.Lock()
						worst[test.Name] = max(worst[test.Name], null)
						lock.Unlock()
					}
					slack := 3.5 * math.Sqrt(Level*(1-Level)/float64(few(d)))
					switch wanted := reach(test.Name, count); {
					case test.Exact && math.Abs(null-wanted) > slack:
						t.Errorf("%s, %d %s: rejects %.3f, and not %.3f", test.Name, count, d.Of, null, wanted)
					case !test.Naive && null > Level+slack+0.015 && d.Name != skewedDraws && !(d.Name == fiveByTwoName && count == 100):
						t.Errorf("%s, %d %s: rejects %.3f", test.Name, count, d.Of, null)
					}
				}
			}
		})
	}
}

// TestPower checks that tests find more with more data, and most of it at the end.
func TestPower(t *testing.T) {
	t.Parallel()
	d := draws(normalDraws, true, (*rand.Rand).NormFloat64)
	power := make([]float64, len(d.Tests))
	for _, count := range d.Counts {
		for k, found := range d.rejections(count, 150, d.Size) {
			if !d.Tests[k].Naive && found < power[k] {
				t.Errorf("%s: power %v with %d, %v with fewer", d.Tests[k].Name, found, count, power[k])
			}
			power[k] = found
		}
	}
	if power[0] < 0.95 || power[1] < 0.95 {
		t.Errorf("with 20 seeds one standard deviation is found in %v", power)
	}
}

// TestMoreSeedsAreNoMoreExamples holds the crossed test to what it is for: where the seeds
// matter little, a t test over more and more of them rejects a true null more and more often.
func TestMoreSeedsAreNoMoreExamples(t *testing.T) {
	t.Parallel()
	d := crossed("seeds that change little", 0.02)
	few, many := d.rejections(3, 40, 0), d.rejections(40, 40, 0)
	if d.Tests[2].Name != "paired t over seeds" || many[2]-few[2] < 0.3 {
		t.Errorf("%s rejects %v and %v", d.Tests[2].Name, few[2], many[2])
	}
	if many[0] > 0.15 {
		t.Errorf("%s rejects %v with 40 seeds", d.Tests[0].Name, many[0])
	}
}

// TestReach has the largest levels of sign flips: none with five seeds, 2 of 64 with six.
func TestReach(t *testing.T) {
	t.Parallel()
	for count, want := range map[int]float64{2: 0, 5: 0, 6: 2. / 64, 10: 50. / 1024, 20: Level} {
		if got := reach(signFlips, count); got != want {
			t.Errorf("%d: %v, want %v", count, got, want)
		}
	}
	if reach(pairedT, 2) != Level {
		t.Error("the t test reaches its level with any number")
	}
}

// TestMeasureIsReproducible also checks that another number of runs begins alike.
func TestMeasureIsReproducible(t *testing.T) {
	t.Parallel()
	d := Designs()[0]
	a, b := d.Measure(5, 100), d.Measure(5, 100)
	for k := range a {
		if a[k] != b[k] || a[k].Test != d.Tests[k].Name || a[k].Count != 5 || a[k].Runs != 100 {
			t.Errorf("%+v, then %+v", a[k], b[k])
		}
	}
}

// TestMeasureTellsNullFromEffect checks that a rate has the rejections without a difference, and those with the
// design's own.
func TestMeasureTellsNullFromEffect(t *testing.T) {
	t.Parallel()
	const runs = 20
	for _, d := range Designs()[:2] {
		count := d.Counts[0]
		null, power := d.rejections(count, runs, 0), d.rejections(count, runs, d.Size)
		for k, r := range d.Measure(count, runs) {
			if r.Null != null[k] || r.Power != power[k] || r.Runs != runs || r.Count != count {
				t.Errorf("%s: %+v, want %v and %v", d.Name, r, null[k], power[k])
			}
		}
	}
}

// TestEffectsAreFound has data with the effect of each design, in the largest number: tests that are not called naive find it far more
// often than they err.
func TestEffectsAreFound(t *testing.T) {
	t.Parallel()
	for _, d := range Designs() {
		t.Run(d.Name, func(t *testing.T) {
			t.Parallel()
			count := d.Counts[len(d.Counts)-1]
			if count > 400 {
				return
			}
			for k, power := range d.rejections(count, 20, d.Size) {
				if !d.Tests[k].Naive && power < 3*Level {
					t.Errorf("%s, %d %s: finds %.2f", d.Tests[k].Name, count, d.Of, power)
				}
			}
		})
	}
}

// TestNearestMean has the cut between two means, whose scores are as far above it as below, and the direction from one to the other; the
// learner that it makes is right on each example that is nearer to the mean of its class.
func TestNearestMean(t *testing.T) {
	t.Parallel()
	rng := rand.New(rand.NewPCG(1, 6))
	for range 20 {
		s := newSample(rng, 40, 1)
		train, test := []int{}, []int{}
		for m := range 40 {
			if m%4 > 0 {
				train = append(train, m)
			} else {
				test = append(test, m)
			}
		}
		var right [2]float64
		for learner, x := range s.x {
			var mean [2][]float64
			for class := range mean {
				mean[class] = make([]float64, features)
				count := 0.0
				for _, m := range train {
					if s.positive[m] == (class == 1) {
						count++
						floats.Add(mean[class], x[m])
					}
				}
				floats.Scale(1/max(1, count), mean[class])
			}
			w, cut := nearestMean(x, s.positive, train)
			low, high := floats.Dot(w[:], mean[0]), floats.Dot(w[:], mean[1])
			if !(math.Abs(cut-(low+high)/2) <= 1e-12) || !(high > low) {
				t.Errorf("the cut is %v between %v and %v", cut, low, high)
			}
			for _, m := range test {
				if s.positive[m] == (floats.Distance(x[m], mean[1], 2) < floats.Distance(x[m], mean[0], 2)) {
					right[learner]++
				}
			}
		}
		if want := (right[0] - right[1]) / float64(len(test)); !(math.Abs(s.difference(train, test)-want) <= 1e-12) {
			t.Errorf("the accuracies differ by %v, want %v", s.difference(train, test), want)
		}
	}
}
