package values

import (
	"encoding/binary"
	"errors"
	"fmt"
	"math"
	"reflect"
	"strings"
)

// errShort marks bytes that are not what Encode makes of a value of the type.
var errShort = errors.New("crankpkg: bytes that are no such value")

// Encode returns the bytes of a value of structs with exported fields, pointers, lists,
// numbers and texts. Decode reads them into a value of the same type; Layout tells whether
// a type is still the same. It returns an error that wraps ErrKind for others.
func Encode(v any) ([]byte, error) { return encode(nil, reflect.ValueOf(v), 0) }

func encode(buf []byte, v reflect.Value, depth int) (_ []byte, err error) {
	if depth > deepest {
		return nil, fmt.Errorf("%w: it is nested %d deep", ErrKind, deepest)
	}
	if buf, ok := appendScalar(buf, v); ok {
		return buf, nil
	}
	switch v.Kind() {
	case reflect.Struct:
		for i := range v.NumField() {
			if !v.Type().Field(i).IsExported() {
				return nil, fmt.Errorf("%w: %v.%s is not exported", ErrKind, v.Type(), v.Type().Field(i).Name)
			}
			if buf, err = encode(buf, v.Field(i), depth+1); err != nil {
				return nil, err
			}
		}
		return buf, nil
	case reflect.Pointer:
		if v.IsNil() {
			return append(buf, 0), nil
		}
		return encode(append(buf, 1), v.Elem(), depth+1)
	case reflect.Slice:
		buf = appendLength(buf, v)
		switch {
		case v.Type().Elem().Size() == 0 && v.Len() > 0:
			return nil, fmt.Errorf("%w: a %v", ErrKind, v.Type())
		case v.Type() == floatsType:
			return appendFloats(buf, v.Interface().([]float64)), nil
		case v.Type().Elem().Kind() == reflect.Uint8:
			return append(buf, v.Bytes()...), nil
		}
		for i := range v.Len() {
			if buf, err = encode(buf, v.Index(i), depth+1); err != nil {
				return nil, err
			}
		}
		return buf, nil
	}
	return nil, fmt.Errorf("%w: a %v", ErrKind, v.Kind())
}

// Decode reads what Encode has written into the value that to points at. It returns an error
// where the bytes are others, and may then have changed a part of the value.
func Decode(data []byte, to any) error {
	d := decoder{data: data}
	if err := d.value(reflect.ValueOf(to).Elem(), 0); err != nil {
		return err
	}
	if len(d.data) > 0 {
		return fmt.Errorf("%w: %d bytes are left", errShort, len(d.data))
	}
	return nil
}

type decoder struct{ data []byte }

func (d *decoder) value(v reflect.Value, depth int) error {
	if depth > deepest {
		return errShort
	}
	switch v.Kind() {
	case reflect.Struct:
		for i := range v.NumField() {
			if err := d.value(v.Field(i), depth+1); err != nil {
				return err
			}
		}
		return nil
	case reflect.Pointer:
		there, err := d.take(1)
		if err != nil || there[0] == 0 {
			v.SetZero()
			return err
		}
		v.Set(reflect.New(v.Type().Elem()))
		return d.value(v.Elem(), depth+1)
	case reflect.Slice:
		return d.list(v, depth)
	}
	return d.scalar(v)
}

func (d *decoder) list(v reflect.Value, depth int) error {
	n, err := d.uint()
	if err != nil || n == 0 {
		v.SetZero()
		return err
	}
	if n--; n > uint64(len(d.data)) {
		return errShort // each element takes a byte at least
	}
	switch {
	case v.Type() == floatsType:
		bytes, err := d.take(8 * int(n))
		if err != nil {
			return err
		}
		floats := make([]float64, n)
		for k := range floats {
			floats[k] = math.Float64frombits(binary.LittleEndian.Uint64(bytes[8*k:]))
		}
		v.Set(reflect.ValueOf(floats))
		return nil
	case v.Type().Elem().Kind() == reflect.Uint8:
		bytes, err := d.take(int(n))
		if err != nil {
			return err
		}
		v.Set(reflect.MakeSlice(v.Type(), int(n), int(n)))
		copy(v.Bytes(), bytes)
		return nil
	}
	v.Set(reflect.MakeSlice(v.Type(), int(n), int(n)))
	for i := range int(n) {
		if err := d.value(v.Index(i), depth+1); err != nil {
			return err
		}
	}
	return nil
}

func (d *decoder) scalar(v reflect.Value) error {
	switch v.Kind() {
	case reflect.Bool:
		bit, err := d.take(1)
		if err == nil {
			v.SetBool(bit[0] != 0)
		}
		return err
	case reflect.Int, reflect.Int8, reflect.Int16, reflect.Int32, reflect.Int64:
		n, used := binary.Varint(d.data)
		if used <= 0 || v.OverflowInt(n) {
			return errShort
		}
		d.data = d.data[used:]
		v.SetInt(n)
	case reflect.Uint, reflect.Uint8, reflect.Uint16, reflect.Uint32, reflect.Uint64:
		n, err := d.uint()
		if err != nil || v.OverflowUint(n) {
			return errShort
		}
		v.SetUint(n)
	case reflect.Float32, reflect.Float64:
		bytes, err := d.take(8)
		if err != nil {
			return err
		}
		v.SetFloat(math.Float64frombits(binary.LittleEndian.Uint64(bytes)))
	case reflect.String:
		n, err := d.uint()
		if err != nil || n > uint64(len(d.data)) {
			return errShort
		}
		bytes, _ := d.take(int(n))
		v.SetString(string(bytes))
	default:
		return fmt.Errorf("%w: a %v", ErrKind, v.Type())
	}
	return nil
}

func (d *decoder) uint() (uint64, error) {
	n, used := binary.Uvarint(d.data)
	if used <= 0 {
		return 0, errShort
	}
	d.data = d.data[used:]
	return n, nil
}

func (d *decoder) take(n int) ([]byte, error) {
	if n < 0 || n > len(d.data) {
		return nil, errShort
	}
	head := d.data[:n]
	d.data = d.data[n:]
	return head, nil
}

// Layout describes a type with all types in it. Where it is the same, the bytes of Encode
// mean the same.
func Layout(t reflect.Type) string {
	var text strings.Builder
	layout(&text, t, map[reflect.Type]bool{})
	return text.String()
}

func layout(text *strings.Builder, t reflect.Type, seen map[reflect.Type]bool) {
	text.WriteString(TypeName(t) + " " + t.Kind().String())
	switch t.Kind() {
	case reflect.Pointer, reflect.Slice, reflect.Array:
		text.WriteString("(")
		layout(text, t.Elem(), seen)
		text.WriteString(")")
	case reflect.Struct:
		if seen[t] {
			return
		}
		seen[t] = true
		text.WriteString("{")
		for i := range t.NumField() {
			text.WriteString(t.Field(i).Name + " ")
			layout(text, t.Field(i).Type, seen)
			text.WriteString(";")
		}
		text.WriteString("}")
	}
}
