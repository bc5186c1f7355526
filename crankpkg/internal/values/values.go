// Package values turns Go values into bytes: into a digest of all that they hold, and into
// an encoding that gives back the same values, bit by bit, with what is nil and what is
// empty told apart, which neither gob nor JSON does.
package values

import (
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"math"
	"reflect"
	"slices"
)

// ErrKind marks a value that has no bytes: a function, a channel, a circle of pointers.
var ErrKind = errors.New("crankpkg: a value that cannot be written")

// deepest is how far values may be nested; what goes deeper is taken for a circle.
const deepest = 100

// Digest writes what determines a value to a hash: the names of types and fields, and every
// field, exported or not, but those of Skip.
type Digest struct {
	W io.Writer
	// Skip, where not nil, says which fields of a struct do not matter.
	Skip func(of reflect.Type, field string) bool
	// Special, where not nil, may write the value behind an interface in a way of its own, and
	// reports whether it has; where it has not, it leaves the digest alone.
	Special func(v any, d *Digest) (done bool, err error)

	buf   []byte
	depth int
}

// Add writes the values, one after the other.
func (d *Digest) Add(all ...any) error {
	for _, v := range all {
		if err := d.value(reflect.ValueOf(v)); err != nil {
			return err
		}
	}
	return d.flush()
}

// TypeName returns the name of a type with the path of its package.
func TypeName(t reflect.Type) string {
	if t.PkgPath() == "" {
		return t.String()
	}
	return t.PkgPath() + "." + t.Name()
}

func (d *Digest) value(v reflect.Value) error {
	if d.depth++; d.depth > deepest {
		return fmt.Errorf("%w: it is nested %d deep", ErrKind, deepest)
	}
	defer func() { d.depth-- }()
	switch v.Kind() {
	case reflect.Struct:
		return d.fields(v)
	case reflect.Interface:
		return d.dynamic(v)
	case reflect.Map:
		return d.entries(v)
	case reflect.Func, reflect.Chan, reflect.UnsafePointer:
		if !v.IsNil() {
			return fmt.Errorf("%w: a %v", ErrKind, v.Type())
		}
		d.buf = append(d.buf, 0)
		return nil
	}
	return d.plain(v)
}

// plain writes what is written alike in a digest and an encoding.
func (d *Digest) plain(v reflect.Value) (err error) {
	if len(d.buf) > 1<<15 {
		if err := d.flush(); err != nil {
			return err
		}
	}
	if buf, ok := appendScalar(d.buf, v); ok {
		d.buf = buf
		return nil
	}
	switch v.Kind() {
	case reflect.Invalid:
		d.buf = append(d.buf, 0)
	case reflect.Pointer:
		if v.IsNil() {
			d.buf = append(d.buf, 0)
			return nil
		}
		d.buf = append(d.buf, 1)
		return d.value(v.Elem())
	case reflect.Slice, reflect.Array:
		return d.list(v)
	default:
		return fmt.Errorf("%w: a %v", ErrKind, v.Type())
	}
	return nil
}

// list writes the length of a list, one more unless it is nil, and its elements.
func (d *Digest) list(v reflect.Value) error {
	d.buf = appendLength(d.buf, v)
	if v.Kind() == reflect.Slice && v.Type().Elem().Kind() == reflect.Uint8 {
		if err := d.flush(); err != nil {
			return err
		}
		_, err := d.W.Write(v.Bytes())
		return err
	}
	if v.Kind() == reflect.Slice && v.Type() == floatsType && v.CanInterface() {
		for part := range slices.Chunk(v.Interface().([]float64), 4096) {
			d.buf = appendFloats(d.buf, part)
			if err := d.flush(); err != nil {
				return err
			}
		}
		return nil
	}
	for i := range v.Len() {
		if err := d.value(v.Index(i)); err != nil {
			return err
		}
	}
	return nil
}

func (d *Digest) fields(v reflect.Value) error {
	d.text(TypeName(v.Type()))
	for i := range v.NumField() {
		name := v.Type().Field(i).Name
		if d.Skip != nil && d.Skip(v.Type(), name) {
			continue
		}
		d.text(name)
		if err := d.value(v.Field(i)); err != nil {
			return fmt.Errorf("%s: %w", name, err)
		}
	}
	return nil
}

// dynamic writes the type of what an interface holds, and that.
func (d *Digest) dynamic(v reflect.Value) error {
	if v.IsNil() {
		d.buf = append(d.buf, 0)
		return nil
	}
	at := len(d.buf)
	if d.Special != nil && v.CanInterface() {
		d.buf = append(d.buf, 2)
		if done, err := d.Special(v.Interface(), d); done || err != nil {
			return err
		}
	}
	// Nothing else may begin so, or what is special could be taken for it.
	d.buf = append(d.buf[:at], 1)
	d.text(TypeName(v.Elem().Type()))
	return d.value(v.Elem())
}

// entries writes a map in the order of its keys' bytes.
func (d *Digest) entries(v reflect.Value) error {
	d.buf = appendLength(d.buf, v)
	var all []string
	for it := v.MapRange(); it.Next(); {
		var text writer
		inner := &Digest{W: &text, Skip: d.Skip, Special: d.Special, depth: d.depth}
		for _, part := range []reflect.Value{it.Key(), it.Value()} {
			if err := errors.Join(inner.value(part), inner.flush()); err != nil {
				return err
			}
		}
		all = append(all, string(text))
	}
	slices.Sort(all)
	for _, text := range all {
		d.text(text)
	}
	return nil
}

func (d *Digest) text(s string) {
	d.buf = append(binary.AppendUvarint(d.buf, uint64(len(s))), s...)
}

func (d *Digest) flush() error {
	_, err := d.W.Write(d.buf)
	d.buf = d.buf[:0]
	return err
}

// writer collects bytes.
type writer []byte

func (w *writer) Write(p []byte) (int, error) {
	*w = append(*w, p...)
	return len(p), nil
}

var floatsType = reflect.TypeFor[[]float64]()

// appendScalar adds a number, a truth value or a text, and reports whether v is one.
func appendScalar(buf []byte, v reflect.Value) ([]byte, bool) {
	switch v.Kind() {
	case reflect.Bool:
		bit := byte(0)
		if v.Bool() {
			bit = 1
		}
		return append(buf, bit), true
	case reflect.Int, reflect.Int8, reflect.Int16, reflect.Int32, reflect.Int64:
		return binary.AppendVarint(buf, v.Int()), true
	case reflect.Uint, reflect.Uint8, reflect.Uint16, reflect.Uint32, reflect.Uint64:
		return binary.AppendUvarint(buf, v.Uint()), true
	case reflect.Float32, reflect.Float64:
		return binary.LittleEndian.AppendUint64(buf, math.Float64bits(v.Float())), true
	case reflect.String:
		s := v.String()
		return append(binary.AppendUvarint(buf, uint64(len(s))), s...), true
	}
	return buf, false
}

func appendLength(buf []byte, v reflect.Value) []byte {
	if v.Kind() != reflect.Array && v.IsNil() {
		return append(buf, 0)
	}
	return binary.AppendUvarint(buf, uint64(v.Len())+1)
}

func appendFloats(buf []byte, values []float64) []byte {
	for _, f := range values {
		buf = binary.LittleEndian.AppendUint64(buf, math.Float64bits(f))
	}
	return buf
}
