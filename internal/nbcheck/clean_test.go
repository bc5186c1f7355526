package nbcheck

import (
	"bytes"
	"strings"
	"testing"
)

const dirty = `{
 "cells": [
  {"cell_type": "markdown", "id": "random-1", "metadata": {"collapsed": true}, "source": ["# Title <1>"]},
  {"cell_type": "code", "id": "random-2", "execution_count": 1, "source": "f()",
   "metadata": {"execution": {"iopub.status.busy": "2026-01-01T00:00:00Z"}, "tags": ["want:image/png"]},
   "outputs": [
    {"output_type": "stream", "name": "stdout", "text": ["wrote /src/crank/build/m"]},
    {"output_type": "stream", "name": "stdout", "text": [".json\n", "in 0.250 s\n"]},
    {"output_type": "stream", "name": "stderr", "text": "x"},
    {"output_type": "display_data", "metadata": {"image/png": {"width": 640.50}},
     "data": {"text/html": ["<div id=\"gonb_slider_0123abcd\">", "gonb_slider_0123abcd gonb_button_ffff0000</div>"]}}]},
  {"cell_type": "code", "metadata": {}, "execution_count": null, "source": "f()", "outputs": []}
 ],
 "metadata": {"widgets": {}, "language_info": {"name": "go", "version": "go1.99"}},
 "nbformat": 4, "nbformat_minor": 4
}`

func TestClean(t *testing.T) {
	got, err := Clean([]byte(dirty), "/src/crank")
	if err != nil {
		t.Fatal(err)
	}
	for _, gone := range []string{"random-", "iopub", "collapsed", "/src/", "widgets", "go1.99", "0123abcd", "ffff0000"} {
		if bytes.Contains(got, []byte(gone)) {
			t.Errorf("%q is still there:\n%s", gone, got)
		}
	}
	for _, kept := range []string{
		"want:image/png", "640.50", `"wrote build/m.json\n"`, `"in 0.250 s\n"`, "# Title <1>", `"execution_count": null`, `"nbformat_minor": 5`,
	} {
		if !bytes.Contains(got, []byte(kept)) {
			t.Errorf("%q is lost:\n%s", kept, got)
		}
	}
	for element, n := range map[string]int{"gonb_slider_1": 2, "gonb_button_2": 1, `"id": `: 3} {
		if c := bytes.Count(got, []byte(element)); c != n {
			t.Errorf("%s: %d times, want %d:\n%s", element, c, n, got)
		}
	}
	again, err := Clean(got, "/src/crank")
	if err != nil {
		t.Fatal(err)
	}
	if !bytes.Equal(got, again) {
		t.Errorf("cleaning what is clean changes it:\n%s\nto\n%s", got, again)
	}
}

// The same two cells with another one between them keep their ids, so that a difference shows the new cell only.
func TestCleanIDsFollowContent(t *testing.T) {
	before, err := Clean([]byte(dirty), "")
	if err != nil {
		t.Fatal(err)
	}
	inserted := strings.Replace(dirty, `{"cell_type": "code",`, `{"cell_type": "markdown", "metadata": {}, "source": "new"}, {"cell_type": "code",`, 1)
	after, err := Clean([]byte(inserted), "")
	if err != nil {
		t.Fatal(err)
	}
	for line := range bytes.Lines(before) {
		if bytes.Contains(line, []byte(`"id": "`)) && !bytes.Contains(after, line) {
			t.Errorf("id changed: %s", line)
		}
	}
}

func TestCleanRefuses(t *testing.T) {
	for _, bad := range []string{"", "[]", `{"cells": [1]}`, `{"cells": [`} {
		if _, err := Clean([]byte(bad), ""); err == nil {
			t.Errorf("%q: no error", bad)
		}
	}
}
