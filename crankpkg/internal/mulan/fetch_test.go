package mulan

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/crank-ml/crank/crankpkg/internal/errs"
	"github.com/crank-ml/crank/crankpkg/internal/mulandata"
)

// fetchContent is longer than one read of a download, so that cuts fall within.
var fetchContent = bytes.Repeat([]byte("0123456789abcdef"), 1<<14)

// fetchServer answers request number k, from 0, for the one large file of its
// set with answer k, and with the last answer from then on.
type fetchServer struct {
	answers []fetchAnswer
	ranges  []string // the Range headers that came
	small   int      // requests for the other file
}

// fetchAnswer writes an answer; start is where the asked range begins.
type fetchAnswer func(w http.ResponseWriter, r *http.Request, start int)

func (s *fetchServer) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	if r.URL.Path == "/toy/toy.xml" {
		s.small++
		io.WriteString(w, "labels")
		return
	}
	var start int
	fmt.Sscanf(r.Header.Get("Range"), "bytes=%d-", &start)
	answer := s.answers[min(len(s.ranges), len(s.answers)-1)]
	s.ranges = append(s.ranges, r.Header.Get("Range"))
	answer(w, r, start)
}

// serve sends content as a good server would, from start on, but stops after
// limit bytes.
func serve(content []byte, limit int) fetchAnswer {
	return func(w http.ResponseWriter, _ *http.Request, start int) {
		w.Header().Set("Content-Length", fmt.Sprint(len(content)-start))
		if start > 0 {
			w.Header().Set("Content-Range", fmt.Sprintf("bytes %d-%d/%d", start, len(content)-1, len(content)))
			w.WriteHeader(http.StatusPartialContent)
		}
		w.Write(content[start:min(start+limit, len(content))])
	}
}

func status(code int) fetchAnswer {
	return func(w http.ResponseWriter, _ *http.Request, _ int) { w.WriteHeader(code) }
}

// stall sends limit bytes and then nothing more.
func stall(limit int) fetchAnswer {
	return func(w http.ResponseWriter, r *http.Request, start int) {
		serve(fetchContent, limit)(w, r, start)
		w.(http.Flusher).Flush()
		<-r.Context().Done()
	}
}

// fromStart sends content whatever range was asked for.
func fromStart(content []byte, limit int) fetchAnswer {
	return func(w http.ResponseWriter, r *http.Request, _ int) { serve(content, limit)(w, r, 0) }
}

func endless(w http.ResponseWriter, r *http.Request, _ int) {
	for r.Context().Err() == nil {
		w.Write(fetchContent)
	}
}

func wrongRange(w http.ResponseWriter, _ *http.Request, start int) {
	w.Header().Set("Content-Range", fmt.Sprintf("bytes %d-%d/%d", start+1, len(fetchContent)-1, len(fetchContent)))
	w.WriteHeader(http.StatusPartialContent)
	w.Write(fetchContent[start+1:])
}

func describeFile(name string, content []byte) catalogFile {
	sum := sha256.Sum256(content)
	return catalogFile{name, int64(len(content)), hex.EncodeToString(sum[:])}
}

var fetchToy = catalogSet{
	name:   "toy",
	whole:  describeFile("toy.arff", fetchContent),
	labels: describeFile("toy.xml", []byte("labels")),
}

// startFetch returns a server and a fetcher that uses it.
func startFetch(t *testing.T, answers ...fetchAnswer) (*fetchServer, *fetcher) {
	t.Helper()
	s := &fetchServer{answers: answers}
	server := httptest.NewServer(s)
	t.Cleanup(server.Close)
	return s, &fetcher{
		client: server.Client(), base: server.URL + "/", folder: t.TempDir(),
		patience: time.Minute, pause: time.Millisecond,
	}
}

func TestFetch(t *testing.T) {
	lies := bytes.Repeat([]byte("x"), len(fetchContent))
	half := len(fetchContent) / 2
	rangeOf := func(n int) string { return fmt.Sprintf("bytes=%d-", n) }
	for _, test := range []struct {
		name    string
		answers []fetchAnswer
		part    []byte   // what an earlier download left
		ranges  []string // what must be asked for
		want    error    // nil: success
		left    int      // bytes that remain for a later try
		stalls  bool     // the server falls silent; elsewhere a busy machine must not look like it
	}{
		{name: "good", answers: []fetchAnswer{serve(fetchContent, 1<<30)}, ranges: []string{""}},
		{name: "goes on after a cut", answers: []fetchAnswer{serve(fetchContent, half), serve(fetchContent, 1<<30)}, ranges: []string{"", rangeOf(half)}},
		{name: "goes on after a stall", answers: []fetchAnswer{stall(half), serve(fetchContent, 1<<30)}, ranges: []string{"", rangeOf(half)}, stalls: true},
		{name: "goes on from an earlier fetch", answers: []fetchAnswer{serve(fetchContent, 1<<30)}, part: fetchContent[:half], ranges: []string{rangeOf(half)}},
		{name: "was complete already", answers: []fetchAnswer{status(404)}, part: fetchContent, ranges: nil},
		{name: "survives many cuts", answers: []fetchAnswer{serve(fetchContent, half/4)}, ranges: []string{"", rangeOf(half / 4), rangeOf(half / 2), rangeOf(3 * half / 4), rangeOf(half), rangeOf(5 * half / 4), rangeOf(3 * half / 2), rangeOf(7 * half / 4)}},
		{name: "starts again where ranges are ignored", answers: []fetchAnswer{serve(fetchContent, half), fromStart(fetchContent, 1<<30)}, ranges: []string{"", rangeOf(half)}},
		{name: "starts again after a wrong range", answers: []fetchAnswer{wrongRange, serve(fetchContent, 1<<30)}, part: fetchContent[:half], ranges: []string{rangeOf(half), ""}},
		{name: "starts again after a refused range", answers: []fetchAnswer{status(416), serve(fetchContent, 1<<30)}, part: fetchContent[:half], ranges: []string{rangeOf(half), ""}},
		{name: "starts again from a false beginning", answers: []fetchAnswer{serve(fetchContent, 1<<30)}, part: lies[:half], ranges: []string{rangeOf(half), ""}},
		{name: "starts again from a false whole", answers: []fetchAnswer{serve(fetchContent, 1<<30)}, part: lies, ranges: []string{""}},
		{name: "starts again from too much", answers: []fetchAnswer{serve(fetchContent, 1<<30)}, part: append(bytes.Clone(fetchContent), 'x'), ranges: []string{""}},
		{name: "overloaded for a while", answers: []fetchAnswer{status(503), status(429), serve(fetchContent, 1<<30)}, ranges: []string{"", "", ""}},

		{name: "always cut at once", answers: []fetchAnswer{serve(fetchContent, 0)}, ranges: []string{"", "", ""}, want: errCut},
		{name: "cut at the same place", answers: []fetchAnswer{fromStart(fetchContent, half)}, ranges: []string{"", rangeOf(half), rangeOf(half), rangeOf(half)}, want: errCut, left: half},
		{name: "stalled for good", answers: []fetchAnswer{stall(0)}, ranges: []string{"", "", ""}, want: errStalled, stalls: true},
		{name: "not there", answers: []fetchAnswer{status(404)}, ranges: []string{""}, want: errRefused},
		{name: "other content", answers: []fetchAnswer{serve(lies, 1<<30)}, ranges: []string{""}, want: errs.ErrFormat},
		{name: "too short", answers: []fetchAnswer{serve(fetchContent[1:], 1<<30)}, ranges: []string{""}, want: errs.ErrFormat},
		{name: "too long", answers: []fetchAnswer{serve(append(bytes.Clone(fetchContent), 'x'), 1<<30)}, ranges: []string{""}, want: errs.ErrFormat},
		{name: "endless", answers: []fetchAnswer{endless}, ranges: []string{""}, want: errs.ErrFormat},
		{name: "a part nobody asked for", answers: []fetchAnswer{wrongRange}, ranges: []string{""}, want: errs.ErrFormat},
	} {
		t.Run(test.name, func(t *testing.T) {
			s, f := startFetch(t, test.answers...)
			if test.stalls {
				f.patience = 300 * time.Millisecond
			}
			folder := filepath.Join(f.folder, "toy")
			path := filepath.Join(folder, "toy.arff")
			if test.part != nil {
				os.MkdirAll(folder, 0o777)
				os.WriteFile(path+".part", test.part, 0o666)
			}
			err := f.fetch(context.Background(), &fetchToy)
			if !errors.Is(err, test.want) {
				t.Errorf("error %v, want %v", err, test.want)
			}
			if err != nil && !strings.Contains(err.Error(), "toy/toy.arff") {
				t.Errorf("the error %q does not name the file", err)
			}
			if fmt.Sprint(s.ranges) != fmt.Sprint(test.ranges) {
				t.Errorf("asked for %q, want %q", s.ranges, test.ranges)
			}
			content, readErr := os.ReadFile(path)
			switch {
			case test.want == nil && !bytes.Equal(content, fetchContent):
				t.Errorf("the file has %d bytes, want %d", len(content), len(fetchContent))
			case test.want != nil && readErr == nil:
				t.Error("a file that failed is there")
			}
			if left := fileSize(path + ".part"); left != int64(test.left) {
				t.Errorf("%d bytes are left for later, want %d", left, test.left)
			}
		})
	}
}

// A failed fetch leaves what was there, and a good file is never asked for.
func TestFetchKeepsFiles(t *testing.T) {
	s, f := startFetch(t, status(404))
	path := filepath.Join(f.folder, "toy", "toy.arff")
	os.MkdirAll(filepath.Dir(path), 0o777)
	os.WriteFile(path, []byte("mine"), 0o666)
	if err := f.fetch(context.Background(), &fetchToy); err == nil {
		t.Error("no error")
	}
	if content, _ := os.ReadFile(path); string(content) != "mine" {
		t.Errorf("the file became %q", content)
	}

	os.WriteFile(path, fetchContent, 0o666)
	s.ranges = nil
	for range 2 {
		if err := f.fetch(context.Background(), &fetchToy); err != nil {
			t.Fatal(err)
		}
	}
	if len(s.ranges) != 0 || s.small != 1 {
		t.Errorf("asked %d and %d times for files, want 0 and 1", len(s.ranges), s.small)
	}
}

func TestFetchProgress(t *testing.T) {
	_, f := startFetch(t, serve(fetchContent, len(fetchContent)/2), serve(fetchContent, 1<<30))
	var last FetchProgress
	f.progress = func(p FetchProgress) {
		if p.Done < last.Done || p.Done > p.Total || p.Set != "toy" {
			t.Errorf("%+v after %+v", p, last)
		}
		last = p
	}
	if err := f.fetch(context.Background(), &fetchToy); err != nil {
		t.Fatal(err)
	}
	if total := int64(len(fetchContent) + len("labels")); last.Done != total || last.Total != total {
		t.Errorf("ended with %+v, want %d bytes", last, total)
	}
}

func TestFetchCancelled(t *testing.T) {
	ctx, cancel := context.WithCancel(context.Background())
	_, f := startFetch(t, stall(1000))
	f.patience = time.Hour
	f.progress = func(FetchProgress) { cancel() }
	if err := f.fetch(ctx, &fetchToy); !errors.Is(err, context.Canceled) {
		t.Errorf("error %v, want %v", err, context.Canceled)
	}
}

// What LoadSplit finds is not fetched again, wherever it is: Fetch says where. Sets that nobody has, and copies in the cache that
// are not right, are asked for.
func TestFetchFinds(t *testing.T) {
	data, cache := t.TempDir(), t.TempDir()
	t.Setenv(dataVariable, data)
	t.Setenv("XDG_CACHE_HOME", cache)
	t.Setenv("HOME", cache)
	t.Setenv("LocalAppData", cache)
	cache, err := CacheFolder()
	if err != nil {
		t.Fatal(err)
	}
	asked := 0
	transport := http.DefaultClient.Transport
	http.DefaultClient.Transport = roundTrip(func(*http.Request) (*http.Response, error) {
		asked++
		return &http.Response{StatusCode: 404, Status: "404", Body: http.NoBody}, nil
	})
	t.Cleanup(func() { http.DefaultClient.Transport = transport })
	put := func(folder string, set *catalogSet, content func(catalogFile) []byte, extension string) {
		os.MkdirAll(filepath.Join(folder, set.name), 0o777)
		for _, file := range set.files() {
			os.WriteFile(filepath.Join(folder, set.name, file.name+extension), content(file), 0o666)
		}
	}
	mine := func(catalogFile) []byte { return []byte("mine") }
	fetch := func(name string) (found FetchProgress, requests int, err error) {
		asked = 0
		err = Fetch(context.Background(), name, func(f FetchProgress) { found = f })
		return found, asked, err
	}
	for k := range catalog {
		set := &catalog[k]
		found, requests, err := fetch(set.name)
		if builtIn := mulandata.Has(set.name); builtIn != (err == nil) || builtIn != found.BuiltIn || builtIn == (requests > 0) {
			t.Errorf("%s, nowhere on disk: %+v, %d requests, error %v", set.name, found, requests, err)
		}
		put(data, set, mine, []string{"", ".gz"}[k%2])
		found, requests, err = fetch(set.name)
		if err != nil || requests > 0 || found.Found != filepath.Join(data, set.name) || found.BuiltIn || found.Done != found.Total || found.Total == 0 {
			t.Errorf("%s in the folder of copies: %+v, %d requests, error %v", set.name, found, requests, err)
		}
		os.RemoveAll(filepath.Join(data, set.name))
		put(cache, set, mine, "")
		if _, requests, err = fetch(set.name); err == nil || requests == 0 {
			t.Errorf("%s, not right in the cache: %d requests, error %v", set.name, requests, err)
		}
		put(cache, set, mine, ".gz")
		for _, file := range set.files() {
			os.Remove(filepath.Join(cache, set.name, file.name))
		}
		if found, requests, err = fetch(set.name); err != nil || requests > 0 || found.Found != filepath.Join(cache, set.name) {
			t.Errorf("%s, compressed in the cache: %+v, %d requests, error %v", set.name, found, requests, err)
		}
	}
	if found, _, err := fetch(Medical10); err != nil || found.Set != "medical" {
		t.Errorf("%+v, error %v", found, err)
	}
}

type roundTrip func(*http.Request) (*http.Response, error)

func (f roundTrip) RoundTrip(r *http.Request) (*http.Response, error) { return f(r) }

func TestFetchUnknown(t *testing.T) {
	err := Fetch(context.Background(), "nosuchset", nil)
	if !errors.Is(err, errs.ErrNotFound) || !strings.Contains(err.Error(), "yeast") {
		t.Errorf("error %v, want one that lists the names", err)
	}
}
