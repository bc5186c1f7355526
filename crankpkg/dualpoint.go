package crankpkg

import (
	"math"

	"github.com/crank-ml/crank/crankpkg/infer"
	"github.com/crank-ml/crank/crankpkg/labelgraph"
	"gonum.org/v1/gonum/floats"
)

// Dual returns the value of the dual function at mu, a lower bound on the
// minimum of h^t over the weights of all labels and of Edges,
//
//	D(mu) = (1/M) sum_m Delta(mu_m, y^m) - lambda/2 |w|^2,
//	u     = (1/M) sum_m [phi(x^m, y^m) - phi(x^m, mu_m)],
//	w_i   = u_i / lambda,   w_ij = soft(u_ij + beta v_ij, beta) / lambda,
//	soft(z, b) = sign(z) max(|z| - b, 0),
//
// and the weights w, which minimize h^t with mu_m in place of the maximizers.
// It panics when mu is not valid. Where the label loss has slacks, with costs c_i, the
// dual is another one: each a_i = sum_s weight_s |s_i - y_i| is at most c_i, or, with
// Squared, D has a_i - a_i^2 / (4 c_i) in place of a_i; and u is that of the weights as
// they are, (1/M) sum_m sum_s weight_s [phi(x^m, y^m) - phi(x^m, s)].
func (o *Objective) Dual(mu DualPoint) (float64, *Model) {
	ds := o.data
	n, d := ds.NumLabels(), ds.NumFeatures()
	validate := mu.Validate
	if !o.LabelLoss.IsPlain() {
		validate = mu.ValidateUnbounded
	}
	if err := validate(ds.Len(), n); err != nil {
		panic(err.Error())
	}
	labelLoss := resolved(o.LabelLoss, ds)
	m := &Model{
		Method: "dual point", Lambda: o.Lambda, FeatureNames: ds.FeatureNames, LabelNames: ds.LabelNames,
		Fourier: o.Fourier.Resolve(d),
	}
	m.Unary = make([]float64, n*(m.numInputs()+1))
	z, err := o.EdgeFeatures.Resolve(m.numInputs())
	if err != nil {
		panic(err.Error())
	}
	m.EdgeFeatures = z
	pair := make([]float64, labelgraph.NumPairs(n)*z.Size()) // u_ij by Edge.Index
	var loss float64
	rowMap := m.rowMap()
	for k, atoms := range mu {
		x := rowMap.Row(ds.Row(k))
		truth := ds.Labels(k)
		y := make(Labeling, n)
		for i, v := range truth {
			y[i] = infer.On * v
		}
		total, penalty := labelLoss.DualSlacks(atoms, truth)
		addFeatures(m, pair, x, &DualAtom{Y: y, Weight: total})
		loss -= penalty
		for _, a := range atoms {
			loss += a.Weight * o.LabelLoss.OfLabeling(a.Y, truth)
			a.Weight = -a.Weight
			addFeatures(m, pair, x, &a)
		}
	}
	scale := 1 / (float64(ds.Len()) * o.Lambda)
	floats.Scale(scale, m.Unary)
	edges := o.Edges
	if edges == nil {
		edges = labelgraph.AllPairs(n)
	}
	for _, e := range edges {
		w := make([]float64, z.Size())
		for q, v := range o.slope(e, len(w)) {
			u := pair[e.Index()*len(w)+q]/float64(ds.Len()) + o.Beta*v
			w[q] = math.Copysign(math.Max(math.Abs(u)-o.Beta, 0)/o.Lambda, u)
		}
		if floats.Norm(w, 1) > 0 {
			m.Edges = append(m.Edges, e)
			m.Pair = append(m.Pair, w[0])
			m.PairFeatures = append(m.PairFeatures, w[1:]...)
		}
	}
	squares := floats.Dot(m.Unary, m.Unary) + floats.Dot(m.Pair, m.Pair) + floats.Dot(m.PairFeatures, m.PairFeatures)
	return loss/float64(ds.Len()) - o.Lambda/2*squares, m
}

// addFeatures adds a.Weight phi(x, a) to the unary weights of m and to pair.
func addFeatures(m *Model, pair []float64, x Row, a *DualAtom) {
	z := m.EdgeFeatures.Of(x)
	addPair := func(e Edge, y float64) {
		floats.AddScaled(pair[e.Index()*len(z):(e.Index()+1)*len(z)], y, z)
	}
	var on []int
	for i, v := range a.Y {
		if v == infer.Off {
			continue
		}
		y := a.Weight * float64(v) / 2
		w := m.UnaryWeights(i)
		x.AddScaledTo(w, y)
		w[len(w)-1] += y
		for _, j := range on {
			if a.Y[j] == infer.On || v == infer.On {
				addPair(Edge{I: j, J: i}, y*float64(a.Y[j])/2)
			}
		}
		on = append(on, i)
	}
	for _, e := range a.HalfPairs {
		addPair(e, a.Weight/2)
	}
}
