package main

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"reflect"
	"regexp"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/crank-ml/crank/crankpkg"
	"github.com/crank-ml/crank/crankpkg/tabular"
)

// prediction is what a client reads.
type prediction struct {
	Labels  []string
	Margins map[string]float64
}

func emotions(t testing.TB) (*crankpkg.Model, *crankpkg.Dataset) {
	t.Helper()
	m, err := modelOf(t.Context(), "")
	if err != nil {
		t.Fatal(err)
	}
	_, test, err := crankpkg.LoadSplit("emotions")
	if err != nil {
		t.Fatal(err)
	}
	return m, test
}

// shop is a model with a nominal column, and a column that may be missing.
func shop(t testing.TB) *crankpkg.Model {
	t.Helper()
	text := "income,city,buys,returns\n31,Oslo,1,0\n45,Rome,0,1\n28,Rome,1,1\n50,Lima,0,0\n"
	train, err := tabular.ParseCSV(strings.NewReader(text), "shop.csv", tabular.CSVOptions{LabelCount: -2})
	if err != nil {
		t.Fatal(err)
	}
	m, _, err := crankpkg.CRANK{Lambda: 0.01, Settings: crankpkg.Settings{Scaling: crankpkg.ZScore}}.Train(t.Context(), train)
	if err != nil {
		t.Fatal(err)
	}
	m.Coding.Columns[1].Fill = []float64{1, 0, 0}
	return m
}

// recordOf returns row m of a data set as JSON.
func recordOf(ds *crankpkg.Dataset, m int) []byte {
	record := map[string]float64{}
	for k, v := range ds.Row(m).Value {
		record[ds.FeatureNames[k]] = v
	}
	text, _ := json.Marshal(record)
	return text
}

func post(h http.Handler, body []byte) (int, []byte) {
	w := httptest.NewRecorder()
	h.ServeHTTP(w, httptest.NewRequest("POST", "/predict", bytes.NewReader(body)))
	return w.Code, w.Body.Bytes()
}

var usual = limits{bytes: 1 << 20, records: 1000}

// TestTrainsTheStandingModel has a lambda and a scaling of the README's table of scores where no file is given.
func TestTrainsTheStandingModel(t *testing.T) {
	t.Parallel()
	m, _ := emotions(t)
	readme, err := os.ReadFile(filepath.Join("..", "..", "README.md"))
	if err != nil {
		t.Fatal(err)
	}
	if row := fmt.Sprintf("\n| emotions, %v |", m.Lambda); !strings.Contains(string(readme), row) || m.Scaler.Kind != crankpkg.ZScore || m.Method != "CRANK" {
		t.Errorf("%s with scaling %q, and no %q in the README", m.Method, m.Scaler.Kind, row)
	}
}

// The server predicts all of Emotions' test set as the model does, bit for bit, to 32 clients
// at once, one by one and together.
func TestServesTheModel(t *testing.T) {
	t.Parallel()
	m, test := emotions(t)
	h := newHandler(m, usual)
	check := func(k int, got prediction) {
		want := prediction{m.PredictLabels(test.Row(k)), map[string]float64{}}
		for i, v := range m.Predictor().Margins(test.Row(k)) {
			want.Margins[m.LabelNames[i]] = v
		}
		if !slices.Equal(got.Labels, want.Labels) || !reflect.DeepEqual(got.Margins, want.Margins) {
			t.Errorf("row %d: %v, want %v", k, got, want)
		}
	}
	const clients = 32
	var group sync.WaitGroup
	for c := range clients {
		group.Go(func() {
			for k := c; k < test.Len(); k += clients {
				var got prediction
				if code, body := post(h, recordOf(test, k)); code != http.StatusOK || json.Unmarshal(body, &got) != nil {
					t.Errorf("row %d: status %d, %s", k, code, body)
				}
				check(k, got)
			}
		})
	}
	group.Wait()
	all := []byte("[")
	for k := range test.Len() {
		all = append(append(all, recordOf(test, k)...), ',')
	}
	all[len(all)-1] = ']'
	var got []prediction
	if code, body := post(h, all); code != http.StatusOK || json.Unmarshal(body, &got) != nil || len(got) != test.Len() {
		t.Fatalf("status %d, %d predictions", code, len(got))
	}
	for k := range got {
		check(k, got[k])
	}
}

func TestRefuses(t *testing.T) {
	t.Parallel()
	h := newHandler(shop(t), limits{bytes: 500, records: 3})
	const good = `{"income": 30, "city": "Rome"}`
	for _, test := range []struct {
		body string
		code int
		in   string
	}{
		{good, 200, `{"labels":[`},
		{"[]", 200, "[]"},
		{" [" + good + "," + good + "]\n", 200, `[{"labels":[`},
		{`{"income": "30"}`, 200, `"margins":{"buys":`},
		{`{"income": 30, "city": null}`, 200, ""},
		{`{"income": 30, "city": "Paris"}`, 400, `column \"city\": \"Paris\" is none of the values`},
		{`{"city": "Rome"}`, 400, `column \"income\": it is missing`},
		{`{"income": "much"}`, 400, `column \"income\": \"much\" is not a finite number`},
		{`{"income": 1e999}`, 400, `column \"income\": \"1e999\" is not a finite number`},
		{`{"income": [1]}`, 400, `column \"income\": a []interface {} is neither`},
		{`{"income": 1, "weight": 2}`, 400, `column \"weight\" is unknown`},
		{"[" + good + `, {"income": true, "town": 1}]`, 400, `record 1: crankpkg: unusable data: column \"town\"`},
		{"[" + good + ", null]", 400, "record 1: null is no record"},
		{"[1]", 400, "record 0: a number is no record"},
		{"[" + strings.Repeat(good+",", 3) + good + "]", 413, "too many records"},
		{"", 400, "JSON object or an array"},
		{"[", 400, "EOF"},
		{"{", 400, "EOF"},
		{"null", 400, "JSON object or an array"},
		{`"text"`, 400, "JSON object or an array"},
		{good + good, 400, "something follows"},
		{"[" + good, 400, "EOF"},
		{`{"income": 30`, 400, "EOF"},
		{`{"income": nil}`, 400, "invalid character"},
		{strings.Repeat(" ", 501), 413, "500 bytes"},
	} {
		if code, body := post(h, []byte(test.body)); code != test.code || !strings.Contains(string(body), test.in) || !json.Valid(body) {
			t.Errorf("%s: status %d, %s; want %d and %s", test.body, code, body, test.code, test.in)
		}
	}
	// What a request leaves behind does not reach the next one.
	post(h, []byte(`{"income": 30, "weight": 1, "city": "Lima"}`))
	if code, body := post(h, []byte(`{"income": 30}`)); code != 200 {
		t.Errorf("after a bad request: status %d, %s", code, body)
	}
	w := httptest.NewRecorder()
	h.ServeHTTP(w, httptest.NewRequest("GET", "/predict", nil))
	if w.Code != http.StatusMethodNotAllowed {
		t.Errorf("GET: status %d", w.Code)
	}
}

func TestTellsTheModel(t *testing.T) {
	t.Parallel()
	w := httptest.NewRecorder()
	newHandler(shop(t), usual).ServeHTTP(w, httptest.NewRequest("GET", "/model", nil))
	const want = `{"method":"CRANK","labels":["buys","returns"],"columns":[{"name":"income","optional":false},` +
		`{"name":"city","values":["Lima","Oslo","Rome"],"optional":true}]}` + "\n"
	if w.Body.String() != want {
		t.Errorf("%s, want %s", w.Body, want)
	}
}

// safeBuffer is a buffer for two goroutines.
type safeBuffer struct {
	sync.Mutex
	bytes.Buffer
}

func (b *safeBuffer) Write(p []byte) (int, error) {
	b.Lock()
	defer b.Unlock()
	return b.Buffer.Write(p)
}

func (b *safeBuffer) text() string {
	b.Lock()
	defer b.Unlock()
	return b.String()
}

// The program serves a saved model until it is told to stop.
func TestRun(t *testing.T) {
	t.Parallel()
	path := filepath.Join(t.TempDir(), "model.json")
	if err := shop(t).Save(path); err != nil {
		t.Fatal(err)
	}
	ctx, stop := context.WithCancel(t.Context())
	var out safeBuffer
	done := make(chan error)
	go func() { done <- run(ctx, []string{"-model", path, "-listen", "localhost:0"}, &out) }()
	var address string
	for deadline := time.Now().Add(10 * time.Second); address == "" && time.Now().Before(deadline); time.Sleep(time.Millisecond) {
		address = regexp.MustCompile(`http://\S+`).FindString(out.text())
	}
	answer, err := http.Post(address+"/predict", "application/json", strings.NewReader(`{"income": 30}`))
	if err != nil {
		t.Fatal(err)
	}
	body, _ := io.ReadAll(answer.Body)
	answer.Body.Close()
	if answer.StatusCode != http.StatusOK || answer.Header.Get("Content-Type") != "application/json" {
		t.Errorf("status %s, %s", answer.Status, body)
	}
	// Without flags a request may have a thousand records, and no more.
	for records, want := range map[int]int{1000: http.StatusOK, 1001: http.StatusRequestEntityTooLarge} {
		many := "[" + strings.TrimSuffix(strings.Repeat(`{"income": 30},`, records), ",") + "]"
		answer, err := http.Post(address+"/predict", "application/json", strings.NewReader(many))
		if err != nil {
			t.Fatal(err)
		}
		answer.Body.Close()
		if answer.StatusCode != want {
			t.Errorf("%d records: status %s", records, answer.Status)
		}
	}
	stop()
	if err := <-done; err != nil {
		t.Error(err)
	}
	for _, args := range [][]string{{"-model", path + ".none"}, {"-model", path, "-listen", "nowhere:x"}, {"-flag"}} {
		if err := run(t.Context(), args, io.Discard); err == nil {
			t.Errorf("%q: no error", args)
		}
	}
	if err := run(t.Context(), []string{"-help"}, io.Discard); err != nil {
		t.Error(err)
	}
}

// BenchmarkServe has clients on connections of their own, on this machine, each of which sends
// one record of Emotions' test set after the other.
func BenchmarkServe(b *testing.B) {
	m, test := emotions(b)
	server := httptest.NewServer(newHandler(m, usual))
	defer server.Close()
	records := make([][]byte, test.Len())
	for k := range records {
		records[k] = recordOf(test, k)
	}
	client := &http.Client{Transport: &http.Transport{MaxIdleConnsPerHost: 64}}
	b.ReportAllocs()
	b.SetParallelism(8)
	b.RunParallel(func(pb *testing.PB) {
		for k := 0; pb.Next(); k++ {
			answer, err := client.Post(server.URL+"/predict", "application/json", bytes.NewReader(records[k%len(records)]))
			if err != nil {
				b.Error(err)
				return
			}
			io.Copy(io.Discard, answer.Body)
			answer.Body.Close()
			if answer.StatusCode != http.StatusOK {
				b.Error(fmt.Errorf("status %s", answer.Status))
			}
		}
	})
	b.ReportMetric(float64(b.N)/b.Elapsed().Seconds(), "requests/s")
}

// BenchmarkAnswer is the work of a request without the network.
func BenchmarkAnswer(b *testing.B) {
	m, test := emotions(b)
	h := handlerOf(m, usual)
	ws := h.workspaces.New().(*workspace)
	ws.body.Write(recordOf(test, 0))
	b.ReportAllocs()
	for b.Loop() {
		ws.answer = ws.answer[:0]
		if err := h.answer(ws); err != nil {
			b.Fatal(err)
		}
	}
}
