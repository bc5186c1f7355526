package main

import (
	"bytes"
	"context"
	"errors"
	"io"
	"net/http"
	"strings"
	"testing"

	"github.com/crank-ml/crank/crankpkg"
)

func TestRunRefuses(t *testing.T) {
	if err := run(context.Background(), nil, io.Discard); err == nil || !strings.Contains(err.Error(), "yeast") {
		t.Errorf("without names: error %v, want one that lists them", err)
	}
	err := run(context.Background(), []string{"nosuchset"}, io.Discard)
	if !errors.Is(err, crankpkg.ErrNotFound) {
		t.Errorf("error %v, want %v", err, crankpkg.ErrNotFound)
	}
}

// refusing answers every request with 404 and keeps the addresses.
type refusing struct{ asked []string }

func (r *refusing) RoundTrip(request *http.Request) (*http.Response, error) {
	r.asked = append(r.asked, request.URL.Path)
	return &http.Response{StatusCode: 404, Status: "404 Not Found", Body: io.NopCloser(&bytes.Reader{})}, nil
}

func TestRunFails(t *testing.T) {
	for _, variable := range []string{"XDG_CACHE_HOME", "HOME", "LocalAppData"} {
		t.Setenv(variable, t.TempDir())
	}
	server := &refusing{}
	http.DefaultClient.Transport = server
	defer func() { http.DefaultClient.Transport = nil }()
	err := run(context.Background(), []string{"flags", "yeast"}, io.Discard)
	if err == nil || !strings.Contains(err.Error(), "flags/flags-train.arff") || !strings.Contains(err.Error(), "404") {
		t.Errorf("error %v, want one that names the file and what the server said", err)
	}
	if len(server.asked) != 1 {
		t.Errorf("asked for %q, want one file", server.asked)
	}
}
