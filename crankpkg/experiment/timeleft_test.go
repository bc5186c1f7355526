package experiment

import (
	"testing"
	"time"

	"github.com/crank-ml/crank/crankpkg"
)

// TestTimeLeft has cells of known times: what is left takes as long as other seeds
// of its kind took, or, of a kind not seen, as the sizes tell.
func TestTimeLeft(t *testing.T) {
	t.Parallel()
	data := func(examples int) *cellData {
		ds, _, _ := crankpkg.PlantedTree{N: 4}.Generate(examples, 0)
		return &cellData{train: ds}
	}
	cell := func(set string, method crankpkg.Trainer, examples int, took time.Duration) *plannedCell {
		p := &plannedCell{set: Set{Name: set}, trainer: method, data: data(examples)}
		if took > 0 {
			p.cell = &Cell{Set: set, Method: method.Name(), TrainTime: took}
		}
		return p
	}
	kept := cell("a", crankpkg.Empty{}, 10, 2*time.Second) // found in the store
	done := cell("a", crankpkg.Empty{}, 10, 4*time.Second) // done just now
	same := cell("a", crankpkg.Empty{}, 10, 0)             // as long as the two before: 3 s
	other := cell("b", crankpkg.Full{}, 40, 0)             // 6 s for 20 examples' size: 12 s for 40
	plan, todo := []*plannedCell{kept, done, same, other}, []*plannedCell{done, same, other}
	if left := timeLeft(plan, todo, []bool{true, false, false}); left != 15*time.Second {
		t.Errorf("%v are left, want 15s", left)
	}
	if left := timeLeft(plan, todo, []bool{true, true, true}); left != 0 {
		t.Errorf("%v are left of nothing", left)
	}
}
