package mulan

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"net/http"
	"os"
	"path/filepath"
	"time"

	"github.com/crank-ml/crank/crankpkg/internal/errs"
	"github.com/crank-ml/crank/internal/atomicfile"
)

// FetchProgress tells how far a Fetch is.
type FetchProgress struct {
	Set, File string // what is being fetched
	// Done of Total bytes of the whole set are there.
	Done, Total int64
	// Found is the folder that has the whole set already, and BuiltIn says that the package
	// has it: nothing is fetched then.
	Found   string
	BuiltIn bool
}

// Fetch downloads a data set; see crankpkg.Fetch.
func Fetch(ctx context.Context, name string, progress func(FetchProgress)) error {
	set, err := findSet(name)
	if err != nil {
		return err
	}
	at, damaged, err := set.found()
	if err != nil {
		return err
	}
	if at != "" || set.builtIn && !damaged {
		if progress != nil {
			progress(FetchProgress{Set: set.name, Done: set.size(), Total: set.size(), Found: at, BuiltIn: at == ""})
		}
		return nil
	}
	cache, err := CacheFolder()
	if err != nil {
		return err
	}
	f := fetcher{
		client:   http.DefaultClient,
		base:     "https://raw.githubusercontent.com/tsoumakas/mulan/" + mulanRevision + "/data/multi-label/",
		folder:   cache,
		patience: 30 * time.Second,
		pause:    time.Second,
		progress: progress,
	}
	return f.fetch(ctx, set)
}

// fetchTries is how many times in a row a file may fail to grow.
const fetchTries = 3

// fetcher downloads data sets.
type fetcher struct {
	client   *http.Client
	base     string        // URL of the folder of all sets, with a slash
	folder   string        // that gets a folder for each set
	patience time.Duration // how long a server may send nothing
	pause    time.Duration // between tries
	progress func(FetchProgress)

	at FetchProgress
}

// fetch brings all files of a set.
func (f *fetcher) fetch(ctx context.Context, set *catalogSet) error {
	folder := filepath.Join(f.folder, set.name)
	if err := os.MkdirAll(folder, 0o777); err != nil {
		return fmt.Errorf("crankpkg: %w", err)
	}
	f.at = FetchProgress{Set: set.name, Total: set.size()}
	var before int64
	for _, file := range set.files() {
		f.at.File = file.name
		if err := f.file(ctx, file, folder, f.base+set.name+"/"+file.name, before); err != nil {
			return fmt.Errorf("crankpkg: fetching %s/%s: %w", set.name, file.name, err)
		}
		before += file.size
		f.report(before)
	}
	return nil
}

func (f *fetcher) report(done int64) {
	f.at.Done = done
	if f.progress != nil {
		f.progress(f.at)
	}
}

// file brings one file unless it is there; before is the number of bytes of the
// files before it.
func (f *fetcher) file(ctx context.Context, file catalogFile, folder, url string, before int64) error {
	path := filepath.Join(folder, file.name)
	if file.matches(path) {
		return nil
	}
	part := path + ".part"
	failures := 0
	for {
		old := fileSize(part)
		err := f.download(ctx, url, part, file, before)
		if err == nil {
			err = file.install(part, path)
		}
		if err == nil {
			return nil
		}
		if errors.Is(err, errs.ErrFormat) {
			os.Remove(part)
			if old == 0 { // all of it came from the server just now
				return err
			}
		}
		if ctx.Err() != nil {
			return ctx.Err()
		}
		if errors.Is(err, errRefused) {
			return err
		}
		failures++
		if fileSize(part) > old {
			failures = 0
		}
		if failures == fetchTries {
			return err
		}
		select {
		case <-ctx.Done():
			return ctx.Err()
		case <-time.After(f.pause):
		}
	}
}

var (
	errRefused = errors.New("the server refuses")
	errStalled = errors.New("the server sends nothing")
	errCut     = errors.New("the connection was cut")
)

// download makes part as large as file, from what it has on.
func (f *fetcher) download(ctx context.Context, url, part string, file catalogFile, before int64) error {
	have := fileSize(part)
	if have == file.size {
		return nil
	}
	if have > file.size {
		have = 0
	}
	ctx, cancel := context.WithCancelCause(ctx)
	watch := time.AfterFunc(f.patience, func() { cancel(errStalled) })
	defer func() { watch.Stop(); cancel(nil) }()

	body, have, err := f.open(ctx, url, have, file)
	if err != nil {
		return causeOf(ctx, err)
	}
	defer body.Close()
	out, err := os.OpenFile(part, os.O_WRONLY|os.O_CREATE, 0o666)
	if err != nil {
		return err
	}
	err = out.Truncate(have)
	if err == nil {
		_, err = out.Seek(have, io.SeekStart)
	}
	buf := make([]byte, 64<<10)
	for err == nil && have <= file.size {
		var n int
		n, err = body.Read(buf)
		watch.Reset(f.patience)
		if n > 0 {
			have += int64(n)
			if _, wrote := out.Write(buf[:n]); wrote != nil {
				err = wrote
			}
			f.report(before + min(have, file.size))
		}
	}
	closed := out.Close()
	switch {
	case have > file.size:
		return fmt.Errorf("%w: more than the %d bytes it should have", errs.ErrFormat, file.size)
	case err != nil && err != io.EOF && !errors.Is(err, io.ErrUnexpectedEOF):
		return causeOf(ctx, err)
	case have < file.size:
		return fmt.Errorf("%w after %d of %d bytes", errCut, have, file.size)
	}
	return closed
}

// causeOf returns why ctx ended, if it did, in place of err.
func causeOf(ctx context.Context, err error) error {
	if cause := context.Cause(ctx); cause != nil {
		return cause
	}
	return err
}

// open asks for the file from byte have on, and returns what comes together
// with the position at which it begins.
func (f *fetcher) open(ctx context.Context, url string, have int64, file catalogFile) (io.ReadCloser, int64, error) {
	request, err := http.NewRequestWithContext(ctx, http.MethodGet, url, nil)
	if err != nil {
		return nil, 0, err
	}
	request.Header.Set("Accept-Encoding", "identity") // so that lengths are the file's
	if have > 0 {
		request.Header.Set("Range", fmt.Sprintf("bytes=%d-", have))
	}
	response, err := f.client.Do(request)
	if err != nil {
		return nil, 0, err
	}
	switch code := response.StatusCode; {
	case code == http.StatusOK:
		have = 0
	case code == http.StatusPartialContent && response.Header.Get("Content-Range") == fmt.Sprintf("bytes %d-%d/%d", have, file.size-1, file.size):
	case code == http.StatusPartialContent || code == http.StatusRequestedRangeNotSatisfiable:
		err = fmt.Errorf("%w: the server has a part %q of it", errs.ErrFormat, response.Header.Get("Content-Range"))
	case code >= 500 || code == http.StatusTooManyRequests:
		err = fmt.Errorf("the server answers %s", response.Status)
	default:
		err = fmt.Errorf("%w: %s", errRefused, response.Status)
	}
	if length := response.ContentLength; err == nil && length >= 0 && have+length != file.size {
		err = fmt.Errorf("%w: %d bytes, but it should have %d", errs.ErrFormat, have+length, file.size)
	}
	if err != nil {
		response.Body.Close()
		return nil, 0, err
	}
	return response.Body, have, nil
}

// install gives part the name path if its content is the file's. The content is
// checked while it is copied, so that nothing that happens to part meanwhile
// can bring something else to path.
func (file catalogFile) install(part, path string) error {
	err := atomicfile.Write(path, func(w io.Writer) error {
		in, err := os.Open(part)
		if err != nil {
			return err
		}
		defer in.Close()
		return file.check(io.TeeReader(in, w))
	})
	if err != nil {
		return err
	}
	return os.Remove(part)
}

// check reads r and returns an error that wraps ErrFormat unless it is the
// file's content.
func (file catalogFile) check(r io.Reader) error {
	hash := sha256.New()
	size, err := io.Copy(hash, r)
	if err != nil {
		return err
	}
	if sum := hex.EncodeToString(hash.Sum(nil)); size != file.size || sum != file.sha256 {
		return fmt.Errorf("%w: %d bytes with SHA-256 %s, but it should be %d with %s", errs.ErrFormat, size, sum, file.size, file.sha256)
	}
	return nil
}

// matches reports whether the file at path has the right content.
func (file catalogFile) matches(path string) bool {
	if fileSize(path) != file.size {
		return false
	}
	in, err := os.Open(path)
	if err != nil {
		return false
	}
	defer in.Close()
	return file.check(in) == nil
}

// fileSize returns the size of the file at path, 0 if there is none.
func fileSize(path string) int64 {
	info, err := os.Stat(path)
	if err != nil || info.Mode()&fs.ModeType != 0 {
		return 0
	}
	return info.Size()
}
