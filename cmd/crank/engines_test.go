package main

import (
	"fmt"
	"os"
	"os/exec"
	"strings"
	"testing"
)

// TestSlurmArray runs the tasks of an array job as Slurm does, one of them twice: the store then
// has the sweep.
func TestSlurmArray(t *testing.T) {
	t.Parallel()
	if _, err := exec.LookPath("sh"); err != nil {
		t.Skip(err)
	}
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	file, store := sweepFolder(t, smallSpec)
	task := func(first, number, count int) (string, error) {
		c := exec.Command("sh", "../../engines/slurm/sweep.sbatch", file)
		c.Env = append(os.Environ(), "CRANK="+self, "CRANK_STORE="+store, "SLURM_CPUS_PER_TASK=1", fmt.Sprint("SLURM_ARRAY_TASK_MIN=", first),
			"SLURM_ARRAY_TASK_MAX=3", fmt.Sprint("SLURM_ARRAY_TASK_ID=", number), fmt.Sprint("SLURM_ARRAY_TASK_COUNT=", count))
		out, err := c.CombinedOutput()
		return string(out), err
	}
	for _, number := range []int{3, 1, 2, 1} {
		if out, err := task(1, number, 3); err != nil {
			t.Fatalf("task %d: %v: %s", number, err, out)
		}
	}
	_, alone := sweepFolder(t, "")
	whole := good(t, "", "sweep", "run", "-store", alone, "-format", "csv", file)
	if shown := good(t, "", "sweep", "show", "-store", store, "-format", "csv", file); withoutSeconds(shown) != withoutSeconds(whole) {
		t.Errorf("the array gives\n%s, one machine\n%s", shown, whole)
	}
	// Parts of another number would leave cells out.
	for _, c := range [][2]int{{2, 2}, {1, 2}} {
		if out, err := task(c[0], 3, c[1]); err == nil || !strings.Contains(out, "the array has to be 1-N") {
			t.Errorf("%v: %v: %s", c, err, out)
		}
	}
}
