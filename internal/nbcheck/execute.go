package nbcheck

import (
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"time"
)

// CellTimeout is the longest that one cell may take. nbconvert has no limit of its own.
const CellTimeout = 10 * time.Minute

// Execute runs all cells of the notebook at path with nbconvert of the given jupyter command and writes the executed notebook
// under the same name into the folder out. Failing cells are no error here: Check finds them.
func Execute(ctx context.Context, jupyter, path, out string) error {
	cmd := exec.CommandContext(ctx, jupyter, "nbconvert", "--to", "notebook", "--execute", "--allow-errors",
		"--ExecutePreprocessor.kernel_name=gonb",
		fmt.Sprintf("--ExecutePreprocessor.timeout=%d", int(CellTimeout.Seconds())),
		// On a busy machine the kernel starts late, and outputs come late after the cell's end.
		"--ExecutePreprocessor.startup_timeout=300", "--ExecutePreprocessor.iopub_timeout=60",
		"--output-dir", out, "--output", filepath.Base(path), path)
	// Everything is trained here and now, but only once: the cells share a new store of trainings.
	store, err := os.MkdirTemp("", "crank-trainings")
	if err != nil {
		return fmt.Errorf("execute %s: %w", path, err)
	}
	defer os.RemoveAll(store)
	cmd.Env = append(os.Environ(), "CRANK_STORE="+store)
	cmd.Cancel = func() error { return cmd.Process.Signal(syscall.SIGTERM) } // nbconvert then ends its kernel
	cmd.WaitDelay = 10 * time.Second
	if b, err := cmd.CombinedOutput(); err != nil {
		return fmt.Errorf("execute %s: %w\n%s", path, err, strings.TrimSpace(string(b)))
	}
	return nil
}
