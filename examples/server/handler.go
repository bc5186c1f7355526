package main

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math"
	"net/http"
	"strconv"
	"sync"

	"github.com/crank-ml/crank/crankpkg"
)

// limits bound what a request may ask for.
type limits struct {
	bytes   int64
	records int
}

// handler predicts. One Predictor serves all requests.
type handler struct {
	predictor  *crankpkg.Predictor
	limits     limits
	numbers    *numbers // nil: records are not all numbers
	names      [][]byte // of the labels, as JSON
	model      []byte   // what GET /model answers
	workspaces sync.Pool
}

// workspace is what a request needs, kept for the next one.
type workspace struct {
	body   bytes.Buffer
	record map[string]any
	answer []byte
	row    []float64
	seen   []bool
}

// newHandler returns the handler of POST /predict and GET /model.
func newHandler(m *crankpkg.Model, limits limits) http.Handler {
	h := handlerOf(m, limits)
	mux := http.NewServeMux()
	mux.HandleFunc("POST /predict", h.predict)
	mux.HandleFunc("GET /model", func(w http.ResponseWriter, _ *http.Request) { reply(w, http.StatusOK, h.model) })
	return mux
}

func handlerOf(m *crankpkg.Model, limits limits) *handler {
	h := &handler{predictor: m.Predictor(), limits: limits, numbers: numbersOf(m), model: describe(m)}
	for _, name := range m.LabelNames {
		h.names = append(h.names, quoted(name))
	}
	d := m.NumFeatures()
	h.workspaces.New = func() any {
		return &workspace{record: make(map[string]any), row: make([]float64, d), seen: make([]bool, d)}
	}
	return h
}

// describe tells the labels of a model, and the columns of its records.
func describe(m *crankpkg.Model) []byte {
	type column struct {
		Name     string   `json:"name"`
		Values   []string `json:"values,omitempty"`
		Optional bool     `json:"optional"`
	}
	about := struct {
		Method  string   `json:"method"`
		Labels  []string `json:"labels"`
		Columns []column `json:"columns"`
	}{Method: m.Method, Labels: m.LabelNames}
	for _, c := range m.Coding.Or(m.FeatureNames).Columns {
		about.Columns = append(about.Columns, column{c.Name, c.Values, c.Fill != nil || m.Coding.Sparse})
	}
	text, _ := json.Marshal(about) // names and flags alone
	return append(text, '\n')
}

func quoted(name string) []byte {
	text, _ := json.Marshal(name)
	return text
}

func reply(w http.ResponseWriter, status int, body []byte) {
	w.Header().Set("Content-Type", "application/json")
	w.WriteHeader(status)
	w.Write(body)
}

func (h *handler) predict(w http.ResponseWriter, r *http.Request) {
	ws := h.workspaces.Get().(*workspace)
	defer h.workspaces.Put(ws)
	ws.body.Reset()
	ws.answer = ws.answer[:0]
	_, err := ws.body.ReadFrom(http.MaxBytesReader(w, r.Body, h.limits.bytes))
	if err == nil {
		err = h.answer(ws)
	}
	var large *http.MaxBytesError
	switch {
	case err == nil:
		reply(w, http.StatusOK, append(ws.answer, '\n'))
	case errors.As(err, &large):
		refuse(w, http.StatusRequestEntityTooLarge, fmt.Errorf("a request may have %d bytes", large.Limit))
	case errors.Is(err, errTooMany):
		refuse(w, http.StatusRequestEntityTooLarge, err)
	default:
		refuse(w, http.StatusBadRequest, err)
	}
}

func refuse(w http.ResponseWriter, status int, err error) {
	text, _ := json.Marshal(map[string]string{"error": err.Error()})
	reply(w, status, append(text, '\n'))
}

var (
	errTooMany = errors.New("too many records in one request")
	errForm    = errors.New("the body must be a JSON object or an array of them")
)

// answer predicts all records of the body. They are read one at a time into the same map.
func (h *handler) answer(ws *workspace) error {
	body := ws.body.Bytes()
	if h.numbers != nil && h.numbers.read(ws.row, ws.seen, body) {
		return h.predictRow(ws, crankpkg.Row{Value: ws.row})
	}
	first := bytes.TrimLeft(body, " \t\r\n")
	dec := json.NewDecoder(bytes.NewReader(body))
	dec.UseNumber() // so that errors about numbers name their column
	switch {
	case len(first) > 0 && first[0] == '{':
		if err := h.next(ws, dec); err != nil {
			return err
		}
	case len(first) > 0 && first[0] == '[':
		if err := h.array(ws, dec); err != nil {
			return err
		}
	default:
		return errForm
	}
	if _, err := dec.Token(); err != io.EOF {
		return fmt.Errorf("something follows the records: %w", errForm)
	}
	return nil
}

func (h *handler) array(ws *workspace, dec *json.Decoder) error {
	if _, err := dec.Token(); err != nil {
		return err
	}
	ws.answer = append(ws.answer, '[')
	for k := 0; dec.More(); k++ {
		if k == h.limits.records {
			return errTooMany
		}
		if k > 0 {
			ws.answer = append(ws.answer, ',')
		}
		if err := h.next(ws, dec); err != nil {
			return fmt.Errorf("record %d: %w", k, err)
		}
	}
	ws.answer = append(ws.answer, ']')
	_, err := dec.Token()
	return err
}

// next predicts the next record.
func (h *handler) next(ws *workspace, dec *json.Decoder) error {
	clear(ws.record)
	if err := dec.Decode(&ws.record); err != nil {
		if wrong := (*json.UnmarshalTypeError)(nil); errors.As(err, &wrong) {
			return fmt.Errorf("a %s is no record: %w", wrong.Value, errForm)
		}
		return err
	}
	if ws.record == nil { // JSON's null
		ws.record = make(map[string]any)
		return fmt.Errorf("null is no record: %w", errForm)
	}
	x, err := h.predictor.EncodeRecord(ws.record)
	if err != nil {
		return err
	}
	return h.predictRow(ws, x)
}

// predictRow predicts a row.
func (h *handler) predictRow(ws *workspace, x crankpkg.Row) error {
	y, err := h.predictor.PredictRow(x)
	if err != nil {
		return err
	}
	margins, err := h.predictor.MarginsRow(x)
	if err != nil {
		return err
	}
	ws.answer = h.appendPrediction(ws.answer, y, margins)
	return nil
}

// appendPrediction adds {"labels": those that are on, "margins": of all by name}.
func (h *handler) appendPrediction(to []byte, y []uint8, margins []float64) []byte {
	to = append(to, `{"labels":[`...)
	separator := ""
	for i, v := range y {
		if v == 1 {
			to = append(append(to, separator...), h.names[i]...)
			separator = ","
		}
	}
	to = append(to, `],"margins":{`...)
	for i, v := range margins {
		if i > 0 {
			to = append(to, ',')
		}
		to = append(append(to, h.names[i]...), ':')
		if math.IsInf(v, 0) { // a label that all labelings have, or none; JSON has no infinity
			to = append(to, "null"...)
		} else {
			to = strconv.AppendFloat(to, v, 'g', -1, 64)
		}
	}
	return append(to, "}}"...)
}
