package trainstore

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"syscall"
	"testing"
	"time"
)

// asNobody calls do with the rights of a user who owns nothing, also where the tests run as root.
func asNobody(do func()) {
	if os.Getuid() != 0 {
		do()
		return
	}
	const sysNobody = 65534
	done := make(chan struct{})
	go func() { // on a thread of its own, which ends with it
		defer close(done)
		runtime.LockOSThread()
		syscall.RawSyscall(syscall.SYS_SETFSUID, sysNobody, 0, 0)
		do()
	}()
	<-done
}

// TestClaimsInFoldersOfOthers meets the claim of a process that has ended in a folder that cannot be written,
// or only read by others: the value is made, and nobody waits for ever.
func TestClaimsInFoldersOfOthers(t *testing.T) {
	t.Parallel()
	dead := fmt.Sprintf("%s\n%d\nx\n", host(), 1<<30)
	for name, c := range map[string]struct {
		holder       string
		folder, file os.FileMode
	}{
		"ended, read-only":   {dead, 0o555, 0o666},
		"no name, read-only": {"", 0o555, 0o666},
		"read-only":          {"", 0o555, 0},
	} {
		s := open(t, t.TempDir(), 0)
		key := keyOf(t, name)
		path := s.path(key, claimed)
		if c.file != 0 {
			prepare(t, path, c.holder, c.file)
		} else if err := os.MkdirAll(filepath.Dir(path), 0o777); err != nil {
			t.Fatal(err)
		}
		for _, dir := range []string{filepath.Dir(filepath.Dir(s.folder)), filepath.Dir(s.folder)} {
			os.Chmod(dir, 0o755) // so that anybody can come in
		}
		os.Chmod(filepath.Dir(path), c.folder)
		t.Cleanup(func() { os.Chmod(filepath.Dir(path), 0o755) })
		ctx, cancel := context.WithTimeout(context.Background(), patience)
		asNobody(func() {
			if release, err := s.claim(ctx, key, nil); err == nil || ctx.Err() != nil {
				t.Errorf("%s: claimed %v, error %v", name, release != nil, err)
			}
		})
		cancel()
	}
}

// TestUnreadableClaims tells those that beat from those that do not without reading them.
func TestUnreadableClaims(t *testing.T) {
	t.Parallel()
	path := filepath.Join(t.TempDir(), "x"+claimed)
	prepare(t, path, "elsewhere\n1\nx\n", 0)
	asNobody(func() {
		var s sight
		if s.stale(path) || s.since.IsZero() {
			t.Errorf("at first sight: %+v", s)
		}
		s.since = s.since.Add(-unnamed - time.Second)
		if s.stale(path) {
			t.Error("it may have a name")
		}
		s.since = s.since.Add(-patience)
		if !s.stale(path) {
			t.Errorf("after a long time without a beat: %+v", s)
		}
	})
	os.Chtimes(path, time.Now(), time.Now().Add(time.Minute))
	asNobody(func() {
		s := sight{since: time.Now().Add(-time.Hour), beat: time.Now()}
		if s.stale(path) {
			t.Error("it has beaten since")
		}
	})
}

func prepare(t *testing.T, path, text string, mode os.FileMode) {
	t.Helper()
	if err := os.MkdirAll(filepath.Dir(path), 0o777); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	if err := os.Chmod(path, mode); err != nil {
		t.Fatal(err)
	}
}
