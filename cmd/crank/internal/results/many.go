package results

import (
	"context"
	"fmt"
	"slices"

	"github.com/crank-ml/crank/crankpkg"
	"github.com/crank-ml/crank/crankpkg/metrics"
)

// manyRow is one measure of one label graph on a set with many labels.
type manyRow struct {
	Set, Graph string
	Peer       bool // Graph names a peer without pairs, by the same protocol: bench/peers
	Examples   int  // trained on: all, or some of them
	Measure    metrics.Measure
	Lambda     float64
	Edges      int
	Rule       string
	HeldOut    float64 // the measure on a fifth of the training examples, of rules fitted to others of them
	Test       float64
	Gap        float64 // relative, of the last convex problem
	// Over is, of a graph with pairs, what Test has more than Empty's, with Holm's correction for all graphs, sets and measures.
	Over *lead `json:",omitempty"`
	// CPU are the seconds for the choices by all measures and for this model.
	CPU float64
}

// manyCell is what is kept of a graph on a set: the rows, and the measure of each on the test examples one by one.
type manyCell struct {
	Rows []manyRow
	Each [][]float64
}

// manySet says what is tried on a set.
type manySet struct {
	name    string
	rows    int // training examples; zero means all
	lambdas []float64
	graphs  []string
}

// manySets have 159, 374 and 983 labels. On all of Delicious pairs would take many minutes, and on Corel5k
// they do at the smallest lambda, which is no good there. MST trains a pair for each two labels,
// which on the two larger sets would take an hour.
var manySets = []manySet{
	{"bibtex", 0, manyLabelsLambdas, []string{"Empty", "CRANK", "Chow-Liu", "MST"}},
	{"corel5k", 0, manyLabelsLambdas[:2], []string{"Empty", "CRANK", "Chow-Liu"}},
	{"delicious", 2000, manyLabelsLambdas[:1], []string{"Empty", "CRANK", "Chow-Liu"}},
}

// manyPeersFile has peers on Bibtex and Delicious: one linear SVC with the squared hinge for each label, which is what Empty is, by other
// code, and libraries for such sets.
const manyPeersFile = "many_labels_peers.json"

// linearSVC is the peer that stands beside label graphs, with a common cut alone.
const linearSVC = "binary relevance, linear SVC"

// manyPeers returns the rows of the linear SVC on sets that have all of their training examples here, as there.
func manyPeers(peers *peersFile) (rows []manyRow) {
	for _, p := range peers.Rows {
		if p.Peer != linearSVC || p.CutAlone == nil || slices.ContainsFunc(manySets, func(s manySet) bool { return s.name == p.Set && s.rows > 0 }) {
			continue
		}
		cut := p.CutAlone
		rows = append(rows, manyRow{
			Set: p.Set, Graph: p.Peer, Peer: true, Measure: p.Measure, Rule: fmt.Sprintf("cut %.3g", cut.Rule.Cut), HeldOut: cut.HeldOut, Test: cut.Test, CPU: p.CPUSeconds,
		})
	}
	return rows
}

// lambdasOf are those to choose from; for MST one.
func (s manySet) lambdasOf(graph string) []float64 {
	if graph == "MST" {
		return []float64{0.0003}
	}
	return s.lambdas
}

// manyGap is the relative gap of the models that are tested.
const manyGap = 0.02

// manyGraph returns the method, with the squared hinge on rows of length one as in general_large.json.
func manyGraph(name string) crankpkg.Trainer {
	s := crankpkg.Settings{Gap: manyGap, Scaling: crankpkg.UnitRows, Loss: crankpkg.Loss{Squared: true}}
	return map[string]crankpkg.Trainer{
		"Empty": crankpkg.Empty{Settings: s}, "Chow-Liu": crankpkg.ChowLiu{Settings: s},
		"CRANK": treeFirst{crankpkg.CRANK{Restarts: 1, Settings: s}}, "MST": treeFirst{crankpkg.MST{Settings: s}},
	}[name]
}

// treeFirst finds a tree by the plain hinge, and then trains its weights with the loss of the settings: with the squared hinge,
// searches among all pairs of hundreds of labels take many times as long.
type treeFirst struct{ finder crankpkg.Trainer }

func (t treeFirst) Name() string { return t.finder.Name() }

func (t treeFirst) WithLambda(lambda float64) crankpkg.Trainer {
	return treeFirst{t.finder.WithLambda(lambda)}
}

func (t treeFirst) Adjust(change func(*crankpkg.Settings)) crankpkg.Trainer {
	return treeFirst{adjust(t.finder, change)}
}

func (t treeFirst) Train(ctx context.Context, ds *crankpkg.Dataset) (*crankpkg.Model, *crankpkg.Trace, error) {
	var s crankpkg.Settings
	plain := adjust(t.finder, func(own *crankpkg.Settings) { s, own.Loss = *own, crankpkg.Loss{} })
	m, _, err := plain.Train(ctx, ds)
	if notConverged(err) != nil {
		return nil, nil, err
	}
	return crankpkg.FixedGraph{Edges: m.Edges, Lambda: m.Lambda, Settings: s}.Train(ctx, ds)
}

// manyGraphs makes many_labels.json: do pairs lift sets with hundreds of labels above what Empty has with the same search for a
// rule? Lambda and rule are chosen as in general_large.json, but without cuts for each label, which with pairs would
// take hours.
func (mk *maker) manyGraphs(ctx context.Context) error {
	peers, err := readPeersFileNamed(mk.Out, manyPeersFile)
	if err != nil {
		return err
	}
	var rows []manyRow
	for _, set := range pick(mk, manySets, []manySet{{"bibtex", 20, manyLabelsLambdas[:1], []string{"Empty", "CRANK"}}}) {
		train, test, err := mk.Sets.Split(set.name)
		if err != nil {
			return err
		}
		if set.rows > 0 && set.rows < train.Len() {
			train, _ = train.Split(float64(set.rows)/float64(train.Len()), 1)
		}
		var empty manyCell
		for _, graph := range set.graphs {
			cell, err := kept(ctx, mk, []string{set.name, graph}, []any{train, test, set.lambdasOf(graph), fmt.Sprint(manyGraph(graph)), manyGap}, func() (manyCell, error) {
				return mk.manyCell(ctx, set, graph, train, test)
			})
			if err != nil {
				return err
			}
			if graph == "Empty" {
				empty = cell
			}
			for k, r := range cell.Rows {
				if graph != "Empty" {
					d := metrics.Bootstrap{Seed: 1}.Compare(cell.Each[k], empty.Each[k])
					r.Over = &lead{Than: "Empty", Difference: d.Mean, Low: d.Low, High: d.High, P: d.P, Holm: d.P}
				}
				rows = append(rows, r)
			}
		}
	}
	rows = append(rows, manyPeers(peers)...)
	holmMany(rows)
	for _, r := range rows {
		fmt.Fprintf(mk.Log, "%s, %s, %s: %.2f (%.2f held out), lambda %g, %d edges, %s, %.1f CPU seconds", r.Set, r.Graph, r.Measure.Label(), r.Test, r.HeldOut, r.Lambda, r.Edges, r.Rule, r.CPU)
		if r.Over != nil {
			fmt.Fprintf(mk.Log, "; %+.2f (%.2f to %.2f), Holm's p %.3f", r.Over.Difference, r.Over.Low, r.Over.High, r.Over.Holm)
		}
		fmt.Fprintln(mk.Log)
	}
	for _, line := range manyTold(rows) {
		fmt.Fprintln(mk.Log, line)
	}
	return writeReport(mk, "many_labels.json", rows)
}

// manyTold returns what the README says of the rows: lines of its table, and the numbers of differences that are significant.
func manyTold(rows []manyRow) (lines []string) {
	count, better, worse := 0, 0, 0
	for k := 0; k+2 < len(rows); k += 3 {
		line := fmt.Sprintf("| %s, %s |", rows[k].Set, rows[k].Graph)
		most := 0.0
		for _, r := range rows[k : k+3] {
			line, most = line+fmt.Sprintf(" %.1f |", r.Test), max(most, r.CPU)
			switch {
			case r.Over == nil:
				continue
			case r.Over.Holm < 0.05 && r.Over.Difference > 0:
				better++
			case r.Over.Holm < 0.05:
				worse++
			}
			count++
		}
		lines = append(lines, line+fmt.Sprintf(" %.0f |", most))
	}
	return append(lines, fmt.Sprintf("Of %d differences from Empty, %d are significantly above zero and %d below", count, better, worse))
}

// holmMany corrects the p-values of all comparisons with Empty.
func holmMany(rows []manyRow) {
	var leads []*lead
	for _, r := range rows {
		if r.Over != nil {
			leads = append(leads, r.Over)
		}
	}
	holmLeads(leads)
}

// manyCell chooses lambda and rule for each measure, trains and tests. Measures that choose the same lambda share the model.
func (mk *maker) manyCell(ctx context.Context, set manySet, graph string, train, test *crankpkg.Dataset) (cell manyCell, err error) {
	t := manyGraph(graph)
	best, lambdas, choosing, err := mk.heldOutRules(ctx, t, set.lambdasOf(graph), false, train)
	if err != nil {
		return cell, err
	}
	models, seconds := map[float64]*crankpkg.Model{}, map[float64]float64{}
	gaps := map[float64]float64{}
	for k, m := range metrics.PaperMeasures() {
		c, lambda := best[k].Best(), lambdas[k]
		if models[lambda] == nil {
			var trace *crankpkg.Trace
			if models[lambda], trace, seconds[lambda], err = mk.train(ctx, t.WithLambda(lambda), train); err != nil {
				return cell, err
			}
			gaps[lambda] = trace.Gap()
		}
		model := models[lambda]
		crankpkg.LabelPowerset{Only: c.Seen, Prior: c.Prior}.Restrict(model, train)
		model.Rule = c.Rule
		y := model.PredictAll(test.X)
		cell.Rows = append(cell.Rows, manyRow{
			Set: set.name, Graph: graph, Examples: train.Len(), Measure: m, Lambda: lambda, Rule: ruleText(c), HeldOut: c.Nested, Edges: len(model.Edges),
			Gap: gaps[lambda], Test: metrics.Evaluate(test.Y, y, test.NumLabels()).Of(m), CPU: choosing + seconds[lambda],
		})
		cell.Each = append(cell.Each, metrics.Evaluator{}.Examples(test.Y, y, test.NumLabels()).Of(m))
	}
	return cell, nil
}
