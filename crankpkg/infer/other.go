package infer

import "math"

// otherTree finds the best labeling of a forest that is not a given one, truth:
//
//	max over s != truth  sum_i c_i s_i + sum_ij w_ij s_i s_j,
//
// in O(n). Where truth is the best labeling this is the second best, and else
// the best. It is max-product with one more bit in the state: whether some label
// of the subtree differs from truth.
type otherTree struct {
	order treeOrder
	nodes []otherNode // by visit
}

type otherNode struct {
	free  [2]float64 // best worth of the subtree by the label's value
	other [2]float64 // the same, with a label of the subtree that differs
	// pick and pickOther are the best values of the label for each value of its
	// parent's.
	pick, pickOther [2]uint8
	// carrier is the child that differs when some label has to and the label
	// itself does not; price (not above 0) is what that costs.
	carrier int32
	price   float64
	differs bool // while the maximizer is read off: some label has to
}

// maximize writes the maximizer to y and returns its value. Ties go to 0.
func (o *otherTree) maximize(y Labeling, c []float64, truth []uint8) float64 {
	o.order.update()
	if len(o.nodes) != len(c) {
		o.nodes = make([]otherNode, len(c))
	}
	for k, v := range o.order.visits {
		o.nodes[k] = otherNode{free: [2]float64{0, c[v.Label]}, carrier: -1, price: math.Inf(-1)}
	}
	var value float64
	root, price := int32(-1), math.Inf(-1)
	for k := len(o.nodes) - 1; k >= 0; k-- {
		node, v := &o.nodes[k], o.order.visits[k]
		own := truth[v.Label]
		node.other = node.free
		node.other[own] += node.price
		if v.Parent >= 0 {
			o.send(int32(k), v, truth)
			continue
		}
		free, s := bestOf(node.free, 0)
		other, t := bestOf(node.other, 0)
		node.pick[0], node.pickOther[0] = s, t
		value += free
		if root < 0 || other-free >= price {
			root, price = int32(k), other-free
		}
	}
	o.nodes[root].differs = true
	o.read(y, truth)
	return value + price
}

// send adds the best worths of visit k's subtree to its parent's.
func (o *otherTree) send(k int32, v Visit, truth []uint8) {
	node, parent := &o.nodes[k], &o.nodes[v.Parent]
	for up, w := range [2]float64{0, o.order.weight(v)} {
		var free, other float64
		free, node.pick[up] = bestOf(node.free, w)
		other, node.pickOther[up] = bestOf(node.other, w)
		parent.free[up] += free
		if up == int(truth[o.order.visits[v.Parent].Label]) && other-free >= parent.price {
			parent.carrier, parent.price = k, other-free
		}
	}
}

// bestOf returns the better of the worths of 0 and 1, the latter with w added.
func bestOf(worth [2]float64, w float64) (best float64, value uint8) {
	if worth[1]+w > worth[0] {
		return worth[1] + w, 1
	}
	return worth[0], 0
}

// read follows the choices from the roots down.
func (o *otherTree) read(y Labeling, truth []uint8) {
	for k, v := range o.order.visits {
		node, up := &o.nodes[k], uint8(0)
		if v.Parent >= 0 {
			up = y[o.order.visits[v.Parent].Label] / 2
		}
		value := node.pick[up]
		if node.differs {
			value = node.pickOther[up]
			if value == truth[v.Label] {
				o.nodes[node.carrier].differs = true
			}
		}
		y[v.Label] = 2 * value
	}
}
