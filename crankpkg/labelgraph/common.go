package labelgraph

// Common returns how many edges two sets of edges share: the true edges that a learned tree has, say. Each set lists an edge once.
func Common(a, b []Edge) int {
	in := make(map[Edge]bool, len(a))
	for _, e := range a {
		in[e] = true
	}
	n := 0
	for _, e := range b {
		if in[e] {
			n++
		}
	}
	return n
}
