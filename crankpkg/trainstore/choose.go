package trainstore

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"github.com/crank-ml/crank/crankpkg/internal/errs"
)

// Env names the environment variable that says where trainings are kept: in a folder, or not
// at all where it is "off". Without it they are kept in notebooks alone.
const Env = "CRANK_STORE"

// Off is the value of Env for no store.
const Off = "off"

// notebookEnv is set in the programs of a GoNB kernel.
const notebookEnv = "GONB_PIPE"

// cacheSize bounds the folder in the user's cache.
const cacheSize = 1 << 30

// Versioned is a trainer of your own whose trainings are kept. The key is made of its type,
// this version and all of its fields, which hold no functions and channels. Change the version
// whenever it would learn something else from the same data. Trainers of package crankpkg
// need none; those of others without one are trained every time.
//
// The library asks the store for a Trainer of your own where it trains it: in TrainPath, in
// cross-validation, experiments and sweeps, and as Named. Its own Train is what is called
// where nothing is kept.
type Versioned interface {
	// StoreVersion returns the version, which is not empty.
	StoreVersion() string
}

type contextKey struct{}

// In returns a context under which trainings use s, or no store where s is nil, whatever the
// environment says.
func In(ctx context.Context, s *Store) context.Context {
	return context.WithValue(ctx, contextKey{}, s)
}

// Of returns the store that trainings under ctx use: that of In, else of the environment, else
// in a notebook Cache. Nil means none. The error, which wraps ErrSettings, says that the
// folder of the environment cannot be had.
func Of(ctx context.Context) (*Store, error) {
	if s, ok := ctx.Value(contextKey{}).(*Store); ok {
		return s, nil
	}
	switch folder := os.Getenv(Env); {
	case strings.EqualFold(folder, Off):
		return nil, nil
	case folder != "":
		s, err := Open(folder, 0)
		if err != nil {
			return nil, fmt.Errorf("%w: %s: %w", errs.ErrSettings, Env, err)
		}
		return s, nil
	case os.Getenv(notebookEnv) == "":
		return nil, nil
	}
	s, err := Cache()
	if err != nil {
		return nil, nil // nobody has asked for one
	}
	return s, nil
}

// Cache returns the store in the user's cache folder, of at most a gigabyte.
func Cache() (*Store, error) {
	cache, err := os.UserCacheDir()
	if err != nil {
		return nil, fmt.Errorf("crankpkg: store of trainings: %w", err)
	}
	return Open(filepath.Join(cache, "crank", "trainings"), cacheSize)
}
