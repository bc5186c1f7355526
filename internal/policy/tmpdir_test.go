package policy

import (
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// TestTemporaryFolder asks for the folder of temporary files: the one that the environment names, whatever it is called, else one that
// takes files.
func TestTemporaryFolder(t *testing.T) {
	t.Parallel()
	ask := func(setting ...string) string {
		cmd := exec.Command("sh", filepath.Join(root, "scripts", "tmpdir.sh"))
		cmd.Env = slices.DeleteFunc(os.Environ(), func(set string) bool { return strings.HasPrefix(set, "TMPDIR=") })
		cmd.Env = append(cmd.Env, setting...)
		out, err := cmd.Output()
		if err != nil {
			t.Fatalf("%q: %v", setting, err)
		}
		return strings.TrimSuffix(string(out), "\n")
	}
	for _, folder := range []string{t.TempDir(), "/a folder of one's own"} {
		if got := ask("TMPDIR=" + folder); got != folder {
			t.Errorf("%q, but %q is set", got, folder)
		}
	}
	usual := ask()
	if empty := ask("TMPDIR="); empty != usual {
		t.Errorf("%q where the setting is empty, %q without", empty, usual)
	}
	file, err := os.CreateTemp(usual, "crank")
	if err != nil {
		t.Fatal(err)
	}
	file.Close()
	if err := os.Remove(file.Name()); err != nil {
		t.Error(err)
	}
}
