package plotting

import (
	"fmt"
	"math"

	"github.com/crank-ml/crank/crankpkg"
	"gonum.org/v1/plot/vg"
)

// PathFrames returns pictures of the label graph while beta grows: the graph at
// the last outer step of each beta, at most the given number of them, the first
// and the last included. The labels stand where the last graph, which is the
// tree, puts them, and a width means the same weight in all pictures. Put them
// side by side with FilmStrip or in motion with Animate.
func PathFrames(trace *crankpkg.Trace, names []string, most int) []Drawing {
	if trace == nil || len(trace.Steps) == 0 || len(names) == 0 || most < 1 {
		return []Drawing{theStyle().say("Path", "The trace holds no steps in β.")}
	}
	return frames(spread(lastOfEachBeta(trace.Steps), most), names, nil)
}

// PathToModel is PathFrames with one more picture at the end: the model's own graph, whose weights are solved more closely than those
// on the way.
func PathToModel(trace *crankpkg.Trace, m *crankpkg.Model, most int) []Drawing {
	if m == nil || trace == nil || len(trace.Steps) == 0 || most < 2 {
		return []Drawing{theStyle().say("Path", "The trace holds no steps in β.")}
	}
	return frames(spread(lastOfEachBeta(trace.Steps), most-1), m.LabelNames, m)
}

// frames draws the steps and, if it is there, the model.
func frames(steps []crankpkg.Step, names []string, m *crankpkg.Model) []Drawing {
	if m != nil {
		steps = append(steps, crankpkg.Step{Edges: m.Edges, Weights: m.Pair})
	}
	layout := placeFrames(names, steps)
	widest := 0.0
	for _, st := range steps {
		for _, w := range st.Weights {
			if plottable(w, false) {
				widest = math.Max(widest, math.Abs(w))
			}
		}
	}
	pictures := make([]Drawing, len(steps))
	for k, st := range steps {
		title := fmt.Sprintf("$β$ = %s: %s", shortNumber(st.Beta), circuits(st.CircuitRank))
		if m != nil && k == len(steps)-1 {
			title = "the model"
		}
		pictures[k] = LabelGraph{
			Title: title,
			Names: names, Edges: st.Edges, Weights: st.Weights, Layout: layout, Widest: widest,
		}.Figure()
	}
	return pictures
}

// placeFrames places labels for pictures of all steps: as the last graph wants it or, where one of the others is dense, on a circle
// in the order of the last one's spanning tree.
func placeFrames(names []string, steps []crankpkg.Step) *Layout {
	last := steps[len(steps)-1]
	g := LabelGraph{Names: names, Edges: last.Edges, Weights: last.Weights}
	for _, st := range steps {
		if len(st.Edges) > len(names)+len(names)/2 {
			g.check()
			cut, _ := cutNames(names, 14)
			l := circle(theStyle().boxes(cut, g.scales()), spanningTree(len(names), g.Edges, g.weights()))
			l.nameLength = 14
			return l
		}
	}
	return g.Place()
}

func circuits(rank int) string {
	if rank == 0 {
		return "a forest"
	}
	return fmt.Sprintf("circuit rank %d", rank)
}

// lastOfEachBeta returns the last step at each beta.
func lastOfEachBeta(steps []crankpkg.Step) []crankpkg.Step {
	var last []crankpkg.Step
	for i, st := range steps {
		if i+1 == len(steps) || steps[i+1].Beta != st.Beta {
			last = append(last, st)
		}
	}
	return last
}

// spread returns at most n of the steps, evenly spread, the last one always.
func spread(steps []crankpkg.Step, n int) []crankpkg.Step {
	if len(steps) <= n {
		return steps
	}
	if n == 1 {
		return steps[len(steps)-1:]
	}
	var chosen []crankpkg.Step
	for k := range n {
		chosen = append(chosen, steps[(k*(len(steps)-1)+(n-1)/2)/(n-1)])
	}
	return chosen
}

// FilmStrip puts pictures of the same thing side by side, row after row, made
// smaller so that a row fits a page. Zero columns means up to four, as many as
// leave the fewest places empty.
func FilmStrip(columns int, frames ...Drawing) *Figure {
	if columns <= 0 {
		columns = evenColumns(len(frames))
	}
	f := Grid(columns, frames...)
	note := f.lettersNote(f.size(""))
	width, height := f.size(note)
	const page = 10 * vg.Inch
	if width > page {
		above, below := f.frame(page, note)
		f.Width, f.Height = page, (height-above-below)*page/width+above+below
	}
	return f
}

// evenColumns returns the number of columns, up to four, that leaves the fewest
// places empty; the larger of two that leave as many, but two for four.
func evenColumns(n int) int {
	if n <= 3 {
		return max(1, n)
	}
	best := 2
	for _, columns := range []int{3, 4} {
		empty := func(c int) int { return (c - n%c) % c }
		if empty(columns) < empty(best) || empty(columns) == empty(best) && n > 4 {
			best = columns
		}
	}
	return best
}
