package crankpkg

// Model is a learned predictor (section 5 of the paper)
//
//	score(x, y) = sum_i (w_i . x) y_i + sum_ij w_ij y_i y_j,   y in {0,1}^n,
//
// where a constant 1 is appended to x for the bias. All fields are exported so
// that gob and GoNB's cache carry a model whole; Save and Load keep it in a
// file.
type Model struct {
	Method       string  // the Trainer's name
	Lambda       float64 // the l2 regularization it was trained with
	FeatureNames []string
	LabelNames   []string
	// Scaler maps raw rows to the rows that the weights were learned on.
	// Predict takes raw rows.
	Scaler Scaler
	// Unary holds w_i at [i*(d+1), (i+1)*(d+1)), the bias last.
	Unary []float64
	// Edges lists the pairs with a weight that is not zero, in the order of
	// Edge.Index, and Pair their weights w_ij.
	Edges []Edge
	Pair  []float64
}

// NumLabels returns n.
func (m *Model) NumLabels() int { return len(m.LabelNames) }

// NumFeatures returns d, without the constant for the bias.
func (m *Model) NumFeatures() int { return len(m.FeatureNames) }

// UnaryWeights returns w_i, d+1 values with the bias last. It shares memory
// with m.
func (m *Model) UnaryWeights(i int) []float64 {
	d := m.NumFeatures() + 1
	return m.Unary[i*d : (i+1)*d : (i+1)*d]
}

// Bias returns the bias of label i.
func (m *Model) Bias(i int) float64 { return m.Unary[(i+1)*(m.NumFeatures()+1)-1] }

// Graph returns the label graph with its weights.
func (m *Model) Graph() *PairGraph { return NewPairGraph(m.NumLabels(), m.Edges, m.Pair) }
