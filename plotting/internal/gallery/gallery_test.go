package main

import (
	"bytes"
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"runtime/debug"
	"strings"
	"testing"

	"gonum.org/v1/plot/cmpimg"
)

const dir = "../.."

// tolerance is the difference that a pixel may have, of 1: rounding in the
// antialiasing of other processors.
const tolerance = 0.02

// TestGallery compares every figure with its golden image. With -regen it
// writes them, and README.md.
func TestGallery(t *testing.T) {
	if *cmpimg.GenerateTestData {
		if err := generate(dir); err != nil {
			t.Fatal(err)
		}
		return
	}
	for _, f := range figures {
		t.Run(f.name, func(t *testing.T) {
			if !strings.HasPrefix(f.file, "dark") {
				t.Parallel() // begins when those on a dark page have ended
			}
			path := filepath.Join(t.TempDir(), f.file)
			if err := save(path, f.make); err != nil {
				t.Fatal(err)
			}
			got, err := os.ReadFile(path)
			if err != nil {
				t.Fatal(err)
			}
			want, err := os.ReadFile(filepath.Join(dir, "gallery", f.file))
			if err != nil {
				t.Fatal(err)
			}
			same := bytes.Equal(got, want)
			if !same && strings.HasSuffix(f.file, ".png") {
				if same, err = cmpimg.EqualApprox("png", got, want, tolerance); err != nil {
					t.Fatal(err)
				}
			}
			if !same {
				t.Errorf("%s differs from its golden image; look at the new one and, if it is as it should be, run: go test ./plotting/internal/gallery -regen", f.file)
			}
		})
	}
}

// TestReadme checks that the page is what the sources make of it.
func TestReadme(t *testing.T) {
	want, err := readme()
	if err != nil {
		t.Fatal(err)
	}
	got, err := os.ReadFile(filepath.Join(dir, "README.md"))
	if err != nil {
		t.Fatal(err)
	}
	if string(got) != want {
		t.Error("plotting/README.md is stale; run: go run ./plotting/internal/gallery")
	}
}

// TestNothingStale checks that the folder holds the pictures of the figures and
// nothing else.
func TestNothingStale(t *testing.T) {
	known := map[string]bool{}
	for _, f := range figures {
		known[f.file] = true
	}
	files, err := os.ReadDir(filepath.Join(dir, "gallery"))
	if err != nil {
		t.Fatal(err)
	}
	for _, f := range files {
		if !known[f.Name()] {
			t.Errorf("no figure makes gallery/%s", f.Name())
		}
	}
}

const asProgram = "GALLERY_AS_PROGRAM"

func TestMain(m *testing.M) {
	if os.Getenv(asProgram) != "" {
		main()
		return
	}
	if os.Getenv("GOGC") == "" {
		debug.SetGCPercent(400) // pictures leave much garbage
	}
	os.Exit(m.Run())
}

// TestProgramFails runs the command where a file is in the place of its folder: it says so and fails.
func TestProgramFails(t *testing.T) {
	folder := t.TempDir()
	if err := os.WriteFile(filepath.Join(folder, "plotting"), nil, 0o666); err != nil {
		t.Fatal(err)
	}
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	cmd := exec.Command(self)
	cmd.Dir, cmd.Env = folder, append(os.Environ(), asProgram+"=yes")
	out, err := cmd.CombinedOutput()
	if exit := (*exec.ExitError)(nil); !errors.As(err, &exit) || !strings.Contains(string(out), "plotting") {
		t.Errorf("%v: %s", err, out)
	}
}

// TestErrorsAreTold asks for what cannot be made: a page with a figure that no function draws, and files where no folder can be.
func TestErrorsAreTold(t *testing.T) {
	all := figures
	defer func() { figures = all }()
	figures = append(figures[:1:1], figure{"drawnByNobody", nothing, "nobody.png"})
	if page, err := readme(); err == nil || page != "" || !strings.Contains(err.Error(), "drawnByNobody") {
		t.Errorf("a page of %d bytes, error %v", len(page), err)
	}
	figures = nil
	file := filepath.Join(t.TempDir(), "file")
	if err := os.WriteFile(file, nil, 0o666); err != nil {
		t.Fatal(err)
	}
	if err := generate(file); err == nil {
		t.Error("a gallery below a file, and no error")
	}
}
