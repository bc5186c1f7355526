package linear

import "slices"

// fewest is the share of weights below which only those that are not zero are kept. A weight by
// itself takes half as much room again as one among others, and several times as long.
const fewest = 1.0 / 8

// columns has the weights of n labels that are not zero, feature after feature.
type columns struct {
	start []int // feature k is stored at the positions start[k] <= p < start[k+1]
	label []int32
	value []float64
}

// newColumns returns the weights, n x d, label after label; nil where they are many.
func newColumns(weights []float64, n, d int) *columns {
	count := 0
	for _, w := range weights {
		if w != 0 {
			count++
		}
	}
	if float64(count) >= fewest*float64(n)*float64(d) {
		return nil
	}
	c := &columns{start: make([]int, d+1), label: make([]int32, count), value: make([]float64, count)}
	c.fill(weights, n, d)
	return c
}

// fill goes over the weights twice in the order of memory: it counts, then puts each in its place.
func (c *columns) fill(weights []float64, n, d int) {
	for i := range n {
		for k, w := range weights[i*d : (i+1)*d] {
			if w != 0 {
				c.start[k+1]++
			}
		}
	}
	for k := range d {
		c.start[k+1] += c.start[k]
	}
	next := slices.Clone(c.start)
	for i := range n {
		for k, w := range weights[i*d : (i+1)*d] {
			if w != 0 {
				c.label[next[k]], c.value[next[k]] = int32(i), w
				next[k]++
			}
		}
	}
}

// addScaledTo adds a times the weights of feature k to dst. The products that it leaves out are
// zeros, so the sums are those of all weights.
func (c *columns) addScaledTo(dst []float64, a float64, k int32) {
	lo, hi := c.start[k], c.start[k+1]
	label, value := c.label[lo:hi], c.value[lo:hi]
	for p, i := range label {
		dst[i] += float64(a * value[p]) // rounded, as the sums over all weights are
	}
}

// dense returns the weights as newColumns took them.
func (c *columns) dense(n int) []float64 {
	d := len(c.start) - 1
	weights := make([]float64, n*d)
	for k := range d {
		for p := c.start[k]; p < c.start[k+1]; p++ {
			weights[int(c.label[p])*d+k] = c.value[p]
		}
	}
	return weights
}
