package crankpkg_test

import (
	"context"
	"errors"
	"strings"
	"testing"

	"github.com/crank-ml/crank/crankpkg"
	"github.com/crank-ml/crank/crankpkg/trainstore"
)

// embeds is a trainer of somebody else's that embeds a method, and learns something else.
type embeds struct{ crankpkg.CRANK }

func (e embeds) Name() string                          { return "embeds" }
func (e embeds) WithLambda(l float64) crankpkg.Trainer { return embeds{crankpkg.CRANK{Lambda: l}} }
func (e embeds) Train(ctx context.Context, ds *crankpkg.Dataset) (*crankpkg.Model, *crankpkg.Trace, error) {
	return crankpkg.Empty{Lambda: e.Lambda, Settings: e.Settings}.Train(trainstore.In(ctx, nil), ds)
}

// embedsAll leaves WithLambda to the method.
type embedsAll struct{ crankpkg.CRANK }

func (e embedsAll) Train(ctx context.Context, ds *crankpkg.Dataset) (*crankpkg.Model, *crankpkg.Trace, error) {
	return crankpkg.Empty{Lambda: e.Lambda}.Train(ctx, ds)
}

// TestEmbeddedMethods trains what embeds a method by its own Train everywhere, and never by the method's; without a
// version nothing of it is kept.
func TestEmbeddedMethods(t *testing.T) {
	t.Parallel()
	train, _, _ := crankpkg.PlantedTree{N: 5, Seed: 1}.Generate(40, 1)
	store, err := trainstore.Open(t.TempDir(), 0)
	if err != nil {
		t.Fatal(err)
	}
	ctx := trainstore.In(context.Background(), store)
	for _, tr := range []crankpkg.Trainer{embeds{}, &embeds{}, crankpkg.Named("x", embeds{})} {
		for range 2 {
			models, _, err := crankpkg.TrainPath(ctx, tr, train, []float64{0.1, 0.01})
			if err != nil || len(models) != 2 || len(models[1].Edges) != 0 {
				t.Errorf("%s: %d models, error %v", tr.Name(), len(models), err)
			}
		}
		named := crankpkg.Named("x", tr).(interface {
			StoreKey(*crankpkg.Dataset) (trainstore.Key, error)
		})
		if _, err := named.StoreKey(train); err == nil || crankpkg.WarmPath(tr) {
			t.Errorf("%s is taken for a method", tr.Name())
		}
		adjusted, _ := crankpkg.Adjust(tr, func(s *crankpkg.Settings) { s.Gap = 0.5 })
		if m, _, err := adjusted.Train(ctx, train); err != nil || len(m.Edges) > 0 {
			t.Errorf("%s, adjusted: error %v", tr.Name(), err)
		}
	}
	if hits, _ := store.Counts(); hits != 0 {
		t.Errorf("%d hits", hits)
	}
	for _, tr := range []crankpkg.Trainer{embedsAll{}, crankpkg.Named("x", embedsAll{})} {
		if _, _, err := crankpkg.TrainPath(ctx, tr, train, []float64{0.1}); !errors.Is(err, crankpkg.ErrSettings) || !strings.Contains(err.Error(), "WithLambda") {
			t.Errorf("error %v", err)
		}
	}
	if _, _, err := (crankpkg.SwapSearch{Start: embedsAll{}}).Train(ctx, train); !errors.Is(err, crankpkg.ErrSettings) {
		t.Errorf("error %v", err)
	}
}
