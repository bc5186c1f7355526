package trainstore

import (
	"context"
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"reflect"
	"strconv"
	"strings"
	"testing"
	"time"
)

// childEnv has the folder of a store for a process that this test has started.
const childEnv = "CRANK_TEST_STORE"

// TestMain is, in a process that a test has started, one that asks for values.
func TestMain(m *testing.M) {
	if folder := os.Getenv(childEnv); folder != "" {
		child(folder)
		return
	}
	os.Exit(m.Run())
}

const childValues = 50

// child asks for all values, in an order of its own, and writes which ones it has made.
func child(folder string) {
	s, err := Open(filepath.Join(folder, "store"), 0)
	if err != nil {
		panic(err)
	}
	for _, k := range rand.Perm(childValues) {
		key, _ := KeyOf(k)
		v, _ := Do(context.Background(), s, key, nil, nil, func() (value, bool) {
			log, err := os.OpenFile(filepath.Join(folder, "log"), os.O_APPEND|os.O_CREATE|os.O_WRONLY, 0o666)
			if err != nil {
				panic(err)
			}
			defer log.Close()
			fmt.Fprintln(log, k)
			time.Sleep(500 * time.Microsecond)
			return large(k), true
		})
		if !reflect.DeepEqual(v, large(k)) {
			fmt.Println("wrong value", k)
		}
	}
}

// large is made(k) with so many bytes that writing them takes several calls.
func large(k int) value {
	v := made(k)
	v.Floats = append(v.Floats, make([]float64, 5000)...)
	return v
}

func start(t *testing.T, folder string) *exec.Cmd {
	t.Helper()
	cmd := exec.Command(os.Args[0])
	cmd.Env = append(os.Environ(), childEnv+"="+folder)
	cmd.Stdout, cmd.Stderr = os.Stdout, os.Stderr
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	return cmd
}

// TestProcessesShareTheWork has three processes ask for the same values: each is made once.
func TestProcessesShareTheWork(t *testing.T) {
	t.Parallel()
	folder := t.TempDir()
	var all []*exec.Cmd
	for range 3 {
		all = append(all, start(t, folder))
	}
	for _, cmd := range all {
		if err := cmd.Wait(); err != nil {
			t.Error(err)
		}
	}
	log, err := os.ReadFile(filepath.Join(folder, "log"))
	if err != nil {
		t.Fatal(err)
	}
	count := map[string]int{}
	for _, k := range strings.Fields(string(log)) {
		count[k]++
	}
	for k := range childValues {
		if n := count[strconv.Itoa(k)]; n != 1 {
			t.Errorf("value %d was made %d times", k, n)
		}
	}
}

// TestKilledProcesses kills processes at random moments, 200 times where CRANK_KILLS is 200:
// every file of a value is whole, and those who come after get all values without long waits.
func TestKilledProcesses(t *testing.T) {
	t.Parallel()
	kills := 12
	if text := os.Getenv("CRANK_KILLS"); text != "" {
		n, err := strconv.Atoi(text)
		if err != nil {
			t.Fatal(err)
		}
		kills = n
	}
	folder := t.TempDir()
	early := 0 // killed before all values were there
	for range kills {
		cmd := start(t, folder)
		time.Sleep(time.Duration(rand.Float64() * 40 * float64(time.Millisecond)))
		_ = cmd.Process.Kill()
		if cmd.Wait() != nil {
			early++
		}
		wholeFiles(t, filepath.Join(folder, "store"))
		if n := countValues(t, folder); n == childValues {
			if err := os.RemoveAll(filepath.Join(folder, "store")); err != nil { // begin anew
				t.Fatal(err)
			}
		}
	}
	if early == 0 {
		t.Error("no process was killed before its end")
	}
	begin := time.Now()
	if err := start(t, folder).Wait(); err != nil || time.Since(begin) > patience/2 {
		t.Errorf("the last process took %v, error %v", time.Since(begin), err)
	}
	wholeFiles(t, filepath.Join(folder, "store"))
	if n := countValues(t, folder); n != childValues {
		t.Errorf("%d values in the end", n)
	}
}

func countValues(t *testing.T, folder string) int {
	n, _ := open(t, filepath.Join(folder, "store"), 0).Usage()
	return n
}

// wholeFiles reads every file that has the name of a value: none may be damaged.
func wholeFiles(t *testing.T, folder string) {
	t.Helper()
	s := &Store{folder: folder}
	named := map[string]int{}
	for k := range childValues {
		named[s.path(keyOf(t, k).of(reflect.TypeFor[value]()), "")] = k
	}
	for _, f := range s.files() {
		k, ok := named[f.path]
		var v value
		if !ok || !s.get(keyOf(t, k).of(reflect.TypeFor[value]()), &v) || !reflect.DeepEqual(v, large(k)) {
			t.Errorf("%s is damaged", f.path)
		}
	}
}
