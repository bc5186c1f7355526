package plotting

import (
	"context"
	"os"
	"path/filepath"
	"testing"

	"github.com/crank-ml/crank/crankpkg"
	"github.com/crank-ml/crank/crankpkg/trainstore"
	"github.com/janpfeifer/gonb/gonbui/protocol"
)

// TestStoreKnowsNotebooks checks that trainings are kept where Show draws inline: the library, which does not
// import GoNB, knows its environment by name.
func TestStoreKnowsNotebooks(t *testing.T) {
	folder := t.TempDir()
	t.Setenv("XDG_CACHE_HOME", folder)
	t.Setenv("HOME", folder)
	t.Setenv(trainstore.Env, "")
	for _, inside := range []bool{false, true} {
		pipe := ""
		if inside {
			pipe = filepath.Join(folder, "pipe")
		}
		t.Setenv(protocol.GONB_PIPE_ENV, pipe)
		train, _, _ := crankpkg.PlantedTree{Seed: 1}.Generate(20, 1)
		if _, _, err := (crankpkg.Empty{}).Train(context.Background(), train); err != nil {
			t.Fatal(err)
		}
		entries, err := os.ReadDir(folder)
		if err != nil || (len(entries) > 0) != inside {
			t.Errorf("in a notebook %v: the cache folder has %v, error %v", inside, entries, err)
		}
	}
}
