package nbcheck

import (
	"context"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// command writes a shell script that stands for Jupyter. Its tests run one after the other: a process that another one is just starting
// may have the file open still, which cannot be run then.
func command(t *testing.T, text string) string {
	t.Helper()
	shell, err := exec.LookPath("sh")
	if err != nil {
		t.Skip(err)
	}
	path := filepath.Join(t.TempDir(), "jupyter")
	if err := os.WriteFile(path, []byte("#!"+shell+"\n"+text), 0o755); err != nil {
		t.Fatal(err)
	}
	return path
}

// TestExecute checks what Jupyter is asked for: the notebook under its name in the folder, executed with failing cells and all by GoNB,
// with an empty store of trainings of its own, which is gone afterwards.
func TestExecute(t *testing.T) {
	out := t.TempDir()
	asked := filepath.Join(out, "asked")
	jupyter := command(t, `printf '%s\n' "$@" "$CRANK_STORE" "$(ls -A "$CRANK_STORE" | wc -l | tr -d ' ')" >"`+asked+`"; touch "$CRANK_STORE/kept"`)
	if err := Execute(context.Background(), jupyter, "folder/05_x.ipynb", out); err != nil {
		t.Fatal(err)
	}
	text, err := os.ReadFile(asked)
	if err != nil {
		t.Fatal(err)
	}
	args := strings.Split(strings.TrimSpace(string(text)), "\n")
	for _, want := range []string{"nbconvert --to notebook --execute --allow-errors", "--ExecutePreprocessor.kernel_name=gonb", "--output-dir " + out, "--output 05_x.ipynb folder/05_x.ipynb"} {
		if !strings.Contains(strings.Join(args, " "), want) {
			t.Errorf("%q lacks %s", args, want)
		}
	}
	store, files := args[len(args)-2], args[len(args)-1]
	if _, err := os.Stat(store); files != "0" || store == os.Getenv("CRANK_STORE") || !os.IsNotExist(err) {
		t.Errorf("the store %s had %s files; after the execution: %v", store, files, err)
	}
}

// TestExecuteFails tells the notebook and what Jupyter has said, and ends Jupyter with the context.
func TestExecuteFails(t *testing.T) {
	out := t.TempDir()
	err := Execute(context.Background(), command(t, "echo no kernel; exit 3"), "folder/05_x.ipynb", out)
	if err == nil || !strings.Contains(err.Error(), "folder/05_x.ipynb") || !strings.Contains(err.Error(), "no kernel") || !strings.Contains(err.Error(), "status 3") {
		t.Errorf("error %v", err)
	}
	if err := Execute(context.Background(), filepath.Join(out, "none"), "05_x.ipynb", out); err == nil || !strings.Contains(err.Error(), "05_x.ipynb") {
		t.Errorf("no Jupyter: error %v", err)
	}
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	if err := Execute(ctx, command(t, "sleep 60"), "05_x.ipynb", out); err == nil {
		t.Error("an execution that was cut short is no error")
	}
}
