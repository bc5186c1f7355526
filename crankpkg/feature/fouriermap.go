package feature

import (
	"math"
	"slices"
	"sync"
)

// fourierMap maps raw rows: the scaling is folded into the frequencies.
type fourierMap struct {
	features    FourierFeatures
	scaler      Scaler
	numFeatures int
	waves       []float64
	phases      []float64
	size        float64
}

func newFourierMap(f FourierFeatures, s Scaler, d int) *fourierMap {
	p := &fourierMap{features: f, scaler: s, numFeatures: d, size: math.Sqrt(2 / float64(f.Count))}
	p.scaler.Shift, p.scaler.Factor = slices.Clone(s.Shift), slices.Clone(s.Factor)
	waves := f.frequencies(d)
	for k := range f.Count / 2 {
		w := append(waves[k*d:(k+1)*d:(k+1)*d], 0)
		s.Fold(w)
		p.waves = append(p.waves, w[:d]...)
		p.phases = append(p.phases, w[d])
	}
	return p
}

func (p *fourierMap) count() int { return 2 * len(p.phases) }

func (p *fourierMap) rowsTo(z []float64, x *Matrix, first, last int) {
	for m := first; m < last; m++ {
		p.to(z[(m-first)*p.count():(m-first+1)*p.count()], x.Row(m))
	}
}

// to writes the features of the raw row x.
func (p *fourierMap) to(z []float64, x Row) {
	factor, half := p.scaler.RowFactor(x), len(p.phases)
	for k, phase := range p.phases {
		sin, cos := math.Sincos(factor*x.Dot(p.waves[k*p.numFeatures:(k+1)*p.numFeatures]) + phase)
		z[k], z[half+k] = p.size*cos, p.size*sin
	}
}

// is reports whether p is what newFourierMap makes of its arguments.
func (p *fourierMap) is(f FourierFeatures, s Scaler, d int) bool {
	return p.features == f && p.numFeatures == d && p.scaler.Kind == s.Kind &&
		slices.Equal(p.scaler.Shift, s.Shift) && slices.Equal(p.scaler.Factor, s.Factor)
}

// recent has the maps made last, so that a model need not draw its frequencies anew for
// each row that it is asked for. They stay as they are, and belong to all that ask for the
// same: a model that has been changed finds another. Large ones are not kept.
var recent struct {
	sync.Mutex
	maps []*fourierMap // the latest first
}

// There are at most so many recent maps, of up to so many numbers each: 64 MB in all.
const recentMaps, recentSize = 4, 1 << 21

// recentFourierMap is newFourierMap, if need be.
func recentFourierMap(f FourierFeatures, s Scaler, d int) *fourierMap {
	recent.Lock()
	for k, p := range recent.maps {
		if p.is(f, s, d) {
			copy(recent.maps[1:k+1], recent.maps[:k])
			recent.maps[0] = p
			recent.Unlock()
			return p
		}
	}
	recent.Unlock()
	p := newFourierMap(f, s, d)
	if len(p.waves) <= recentSize {
		recent.Lock()
		recent.maps = slices.Insert(recent.maps, 0, p)
		recent.maps = slices.Delete(recent.maps, min(len(recent.maps), recentMaps), len(recent.maps))
		recent.Unlock()
	}
	return p
}
