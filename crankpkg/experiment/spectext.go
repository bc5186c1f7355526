package experiment

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"reflect"
	"strings"
)

// specNode is a value in the text of a sweep.
type specNode struct {
	path    string // of fields, as in sets[1].planted.Noise; "" for the whole
	at, end int64  // where it stands in the text
	kind    json.Delim
	keys    []string // of an object, as written
	keyAt   []int64
	values  []*specNode // of an object, or of a list
}

// specReader reads the text of a sweep. Its errors say line and field.
type specReader struct {
	text []byte
	dec  *json.Decoder
}

// readSpecText fills in spec and returns the lines of all fields, by their paths in lower case. It refuses what decoding
// would take in silence: a field that occurs twice in an object, the first of which would not count; an empty list, which
// would mean the default; and anything after the value.
func readSpecText(text []byte, spec *Spec) (map[string]int, error) {
	r := specReader{text, json.NewDecoder(bytes.NewReader(text))}
	r.dec.UseNumber()
	root, err := r.value("", 0)
	if err != nil {
		return nil, err
	}
	if _, end := r.dec.Token(); !errors.Is(end, io.EOF) {
		return nil, r.wrong(r.dec.InputOffset(), "", errors.New("something follows the object"))
	}
	if err := r.decode(root, reflect.ValueOf(spec).Elem()); err != nil {
		return nil, err
	}
	lines := map[string]int{}
	r.linesOf(root, lines)
	return lines, nil
}

// line returns the line of a place in the text.
func (r *specReader) line(at int64) int {
	return 1 + bytes.Count(r.text[:min(at, int64(len(r.text)))], []byte{'\n'})
}

// wrong is the error of a field at a place.
func (r *specReader) wrong(at int64, path string, err error) error {
	if path != "" {
		err = fmt.Errorf("%s: %w", path, err)
	}
	return fmt.Errorf("line %d: %w", r.line(at), err)
}

// next returns where the next value or key begins.
func (r *specReader) next() int64 {
	at := r.dec.InputOffset()
	for at < int64(len(r.text)) && strings.IndexByte(" \t\r\n,:", r.text[at]) >= 0 {
		at++
	}
	return at
}

// deepest is how many objects and lists may be within one another.
const deepest = 50

// value reads a value within so many others.
func (r *specReader) value(path string, depth int) (*specNode, error) {
	n := &specNode{path: path, at: r.next()}
	if depth > deepest {
		return nil, r.wrong(n.at, "", fmt.Errorf("more than %d objects and lists within one another", deepest))
	}
	token, err := r.token(path)
	if err != nil {
		return nil, err
	}
	switch token {
	case json.Delim('{'):
		n.kind = '{'
		err = r.fields(n, depth+1)
	case json.Delim('['):
		n.kind = '['
		err = r.items(n, depth+1)
	}
	if err == nil && n.kind != 0 {
		_, err = r.token(path)
	}
	if err == nil && n.kind == '[' && len(n.values) == 0 && path != "vary" {
		err = r.wrong(n.at, "", fmt.Errorf("%s is an empty list", path))
	}
	n.end = r.dec.InputOffset()
	return n, err
}

// token reads a token. Where it is none, the decoder stands at its beginning; the offset of a syntax error leaves out what stands
// between values.
func (r *specReader) token(path string) (json.Token, error) {
	token, err := r.dec.Token()
	if errors.Is(err, io.EOF) {
		err = io.ErrUnexpectedEOF
	}
	if err != nil {
		return nil, r.wrong(r.dec.InputOffset(), path, err)
	}
	return token, nil
}

// fields reads the fields of an object.
func (r *specReader) fields(n *specNode, depth int) error {
	seen := map[string]bool{} // in lower case: decoding tells apart no others
	for r.dec.More() {
		at := r.next()
		token, err := r.token(n.path)
		if err != nil {
			return err
		}
		key := fmt.Sprint(token)
		if seen[strings.ToLower(key)] {
			return r.wrong(at, n.path, fmt.Errorf("%q occurs twice", key))
		}
		seen[strings.ToLower(key)] = true
		v, err := r.value(joinPath(n.path, key), depth)
		if err != nil {
			return err
		}
		n.keys, n.keyAt, n.values = append(n.keys, key), append(n.keyAt, at), append(n.values, v)
	}
	return nil
}

// items reads the values of a list.
func (r *specReader) items(n *specNode, depth int) error {
	for r.dec.More() {
		v, err := r.value(itemPath(n.path, len(n.values)), depth)
		if err != nil {
			return err
		}
		n.values = append(n.values, v)
	}
	return nil
}

func joinPath(path, field string) string {
	if path == "" || field == "" || strings.HasPrefix(field, "[") {
		return path + field
	}
	return path + "." + field
}

func itemPath(path string, k int) string { return fmt.Sprintf("%s[%d]", path, k) }

// linesOf notes the lines of a value and of all in it.
func (r *specReader) linesOf(n *specNode, lines map[string]int) {
	lines[strings.ToLower(n.path)] = r.line(n.at)
	for k, v := range n.values {
		r.linesOf(v, lines)
		if n.kind == '{' {
			lines[strings.ToLower(v.path)] = r.line(n.keyAt[k])
		}
	}
}

// decode sets v to a value of the text.
func (r *specReader) decode(n *specNode, v reflect.Value) error {
	raw := r.text[n.at:n.end]
	null := string(raw) == "null"
	switch at := v.Addr().Interface().(type) {
	case *SpecSet:
		object := specSetObject{}
		if n.kind != '{' {
			if null || json.Unmarshal(raw, &at.Name) != nil {
				return r.wrong(n.at, n.path, fmt.Errorf("%s: a set is a name or an object with planted, train and test", raw))
			}
			return nil
		}
		err := r.decode(n, reflect.ValueOf(&object).Elem())
		*at = object.set()
		return err
	case *SpecNumbers:
		if n.kind != '[' {
			if err := at.UnmarshalJSON(raw); err != nil {
				return r.wrong(n.at, n.path, err)
			}
			return nil
		}
	}
	switch {
	case null && (v.Kind() == reflect.Pointer || n.path == "" || v.Kind() == reflect.Interface):
		return nil
	case v.Kind() == reflect.Pointer:
		v.Set(reflect.New(v.Type().Elem()))
		return r.decode(n, v.Elem())
	case v.Kind() == reflect.Struct && n.kind == '{':
		return r.decodeFields(n, v)
	case v.Kind() == reflect.Slice && n.kind == '[':
		v.Set(reflect.MakeSlice(v.Type(), len(n.values), len(n.values)))
		for k, item := range n.values {
			if err := r.decode(item, v.Index(k)); err != nil {
				return err
			}
		}
		return nil
	case (v.Kind() == reflect.Map || v.Kind() == reflect.Interface) && n.kind == '{':
		return r.decodeMap(n, v)
	case v.Kind() == reflect.Interface && n.kind == '[':
		list := make([]any, len(n.values))
		err := r.decode(n, reflect.ValueOf(&list).Elem())
		v.Set(reflect.ValueOf(list))
		return err
	case null || json.Unmarshal(raw, v.Addr().Interface()) != nil:
		return r.wrong(n.at, n.path, fmt.Errorf("%s is no %s", shortened(raw), wanted(v.Type())))
	}
	return nil
}

// decodeFields sets the fields of a struct, whose names may differ in case.
func (r *specReader) decodeFields(n *specNode, v reflect.Value) error {
	for k, key := range n.keys {
		field, names := -1, []string{}
		for f := range v.NumField() {
			name, _, _ := strings.Cut(v.Type().Field(f).Tag.Get("json"), ",")
			switch {
			case !v.Type().Field(f).IsExported():
				continue
			case name == "":
				name = v.Type().Field(f).Name
			}
			names = append(names, name)
			if strings.EqualFold(name, key) {
				field = f
			}
		}
		if field < 0 {
			return r.wrong(n.keyAt[k], n.path, fmt.Errorf("unknown field %q; there are %s", key, strings.Join(names, ", ")))
		}
		if err := r.decode(n.values[k], v.Field(field)); err != nil {
			return err
		}
	}
	return nil
}

// decodeMap sets v to an object as a map.
func (r *specReader) decodeMap(n *specNode, v reflect.Value) error {
	object := map[string]any{}
	for k, key := range n.keys {
		var value any
		if err := r.decode(n.values[k], reflect.ValueOf(&value).Elem()); err != nil {
			return err
		}
		object[key] = value
	}
	v.Set(reflect.ValueOf(object))
	return nil
}

// wanted says what a field takes.
func wanted(t reflect.Type) string {
	switch t.Kind() {
	case reflect.Struct, reflect.Map:
		return "object"
	case reflect.Slice:
		return "list"
	case reflect.String:
		return "text"
	case reflect.Interface:
		return "value"
	}
	return t.String()
}

// shortened returns the text of a value, or the beginning of it.
func shortened(raw []byte) string {
	const most = 40
	text := strings.Join(strings.Fields(string(raw)), " ")
	if runes := []rune(text); len(runes) > most {
		return string(runes[:most]) + " ..."
	}
	return text
}

// fieldError is an error of a field of a Sweep, by its path in a Spec.
type fieldError struct {
	path string
	error
}

func (e *fieldError) Unwrap() error { return e.error }

// inField says which field an error is of. Paths within one another are joined.
func inField(path string, err error) error {
	if err == nil {
		return nil
	}
	var within *fieldError
	if errors.As(err, &within) {
		path = joinPath(path, within.path)
	}
	if e, ok := err.(*fieldError); ok {
		err = e.error
	}
	return &fieldError{path, err}
}

// place adds line and field to an error, as far as they are known.
func (s *Spec) place(err error) error {
	e, ok := err.(*fieldError)
	if !ok {
		e = &fieldError{"", err}
	}
	err = e.error
	if e.path != "" {
		err = fmt.Errorf("%s: %w", e.path, err)
	}
	for path := strings.ToLower(e.path); ; path = path[:max(0, strings.LastIndexAny(path, ".["))] {
		if line, ok := s.lines[path]; ok {
			return fmt.Errorf("line %d: %w", line, err)
		}
		if path == "" {
			return err
		}
	}
}
