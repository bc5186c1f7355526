package experiment

import (
	"cmp"
	"fmt"
	"maps"
	"math"
	"reflect"
	"slices"
	"strings"
	"time"

	"github.com/crank-ml/crank/crankpkg"
)

// Factor is a setting that a Sweep varies. Make it with Vary or VaryFunc.
type Factor struct {
	Name   string
	Levels []Level // the first one is the base

	field string // that Vary sets, without "Settings."; empty: none
}

// Level is one value of a Factor.
type Level struct {
	Label string // as the tables have it
	// Apply returns the trainer with this value.
	Apply func(crankpkg.Trainer) (crankpkg.Trainer, error)
}

// Vary is the factor of a field of the methods, with the values that it takes; the first is
// the base that others are compared with. Fields of Settings and of structs in it have a
// name, too: "Gap", "Loss.Squared", "EdgeFeatures.Scale", "Lambda". A value has the type of
// the field, or one that stands for the same: 3 for 3.0, "zscore" for ZScore, "10s" for a
// time, nil for the zero value, in JSON an object for a struct.
func Vary(field string, values ...any) Factor {
	f := Factor{Name: field, field: strings.TrimPrefix(field, "Settings.")}
	for _, v := range values {
		f.Levels = append(f.Levels, Level{Label: labelOf(v), Apply: func(t crankpkg.Trainer) (crankpkg.Trainer, error) {
			return SetField(t, field, v)
		}})
	}
	return f
}

// check returns an error unless there are levels, all with different labels.
func (f *Factor) check() error {
	if len(f.Levels) == 0 {
		return inField("values", fmt.Errorf("%w: factor %s has no levels", crankpkg.ErrSettings, f.Name))
	}
	labels := map[string]bool{}
	for k, l := range f.Levels {
		switch {
		case l.Apply == nil:
			return fmt.Errorf("%w: level %s of factor %s has no Apply", crankpkg.ErrSettings, l.Label, f.Name)
		case labels[l.Label]:
			return inField(itemPath("values", k), fmt.Errorf("%w: factor %s has two levels %s", crankpkg.ErrSettings, f.Name, l.Label))
		}
		labels[l.Label] = true
	}
	return nil
}

// overlaps reports whether two factors set the same field, or one a part of the other's: what is set last
// would undo the other.
func (f *Factor) overlaps(g *Factor) bool {
	part := func(of, field string) bool {
		first, _, _ := strings.Cut(field, ".")
		_, ofSettings := reflect.TypeFor[crankpkg.Settings]().FieldByName(first)
		return field == of || strings.HasPrefix(field, of+".") || of == "Settings" && ofSettings
	}
	return f.field != "" && g.field != "" && (part(f.field, g.field) || part(g.field, f.field))
}

// VaryFunc is a factor of what is no field: change returns a trainer with the value of a
// label, and t with the base for the first label.
func VaryFunc(name string, change func(t crankpkg.Trainer, label string) crankpkg.Trainer, labels ...string) Factor {
	f := Factor{Name: name}
	for _, label := range labels {
		f.Levels = append(f.Levels, Level{Label: label, Apply: func(t crankpkg.Trainer) (crankpkg.Trainer, error) {
			changed := change(t, label)
			if changed == nil {
				return nil, fmt.Errorf("%w: %s %s of %s makes no trainer", crankpkg.ErrSettings, name, label, t.Name())
			}
			return changed, nil
		}})
	}
	return f
}

// labelOf returns a value as tables have it.
func labelOf(v any) string {
	switch x := v.(type) {
	case nil:
		return "default"
	case crankpkg.Trainer:
		return x.Name()
	case string:
		if x == "" {
			return "default"
		}
	case map[string]any:
		var parts []string
		for _, name := range slices.Sorted(maps.Keys(x)) {
			parts = append(parts, name+" "+labelOf(x[name]))
		}
		return cmp.Or(strings.Join(parts, ", "), "default")
	}
	if r := reflect.ValueOf(v); r.Kind() == reflect.String && r.Len() == 0 {
		return "none"
	}
	return fmt.Sprintf("%+v", v)
}

func numberOf(v any) float64 {
	r := reflect.ValueOf(v)
	switch {
	case !r.IsValid():
	case r.CanInt():
		return float64(r.Int())
	case r.CanUint():
		return float64(r.Uint())
	case r.CanFloat():
		return r.Float()
	}
	return math.NaN()
}

// SetField returns t with another value of a field, as Vary does. The error, which wraps
// ErrSettings, lists the fields there are or says what the field takes.
func SetField(t crankpkg.Trainer, field string, value any) (crankpkg.Trainer, error) {
	if n, ok := t.(interface {
		Within(func(crankpkg.Trainer) (crankpkg.Trainer, error)) (crankpkg.Trainer, error)
	}); ok {
		return n.Within(func(inner crankpkg.Trainer) (crankpkg.Trainer, error) { return SetField(inner, field, value) })
	}
	old := reflect.ValueOf(t)
	pointer := old.Kind() == reflect.Pointer && !old.IsNil()
	if pointer {
		old = old.Elem()
	}
	if old.Kind() != reflect.Struct {
		return nil, fmt.Errorf("%w: %s is a %T, not a struct with a field %s", crankpkg.ErrSettings, t.Name(), t, field)
	}
	changed := reflect.New(old.Type())
	changed.Elem().Set(old)
	at := changed.Elem()
	for part := range strings.SplitSeq(field, ".") {
		next, ok := fieldCalled(at, part)
		if !ok {
			return nil, unknownField{fmt.Errorf("%w: %s has no field %s; there are %s", crankpkg.ErrSettings, t.Name(), field, strings.Join(Fields(t), ", "))}
		}
		at = next
	}
	if err := setValue(at, value); err != nil {
		return nil, inField("", fmt.Errorf("%w: %s.%s: %w", crankpkg.ErrSettings, t.Name(), field, err))
	}
	if pointer {
		return changed.Interface().(crankpkg.Trainer), nil
	}
	return changed.Elem().Interface().(crankpkg.Trainer), nil
}

// unknownField is the error of a field that a method does not have.
type unknownField struct{ error }

func (e unknownField) Unwrap() error { return e.error }

// fieldCalled returns the field of a struct, also of one that it embeds or points at, which
// is copied.
func fieldCalled(v reflect.Value, name string) (reflect.Value, bool) {
	if v.Kind() == reflect.Pointer {
		fresh := reflect.New(v.Type().Elem())
		if !v.IsNil() {
			fresh.Elem().Set(v.Elem())
		}
		v.Set(fresh)
		v = fresh.Elem()
	}
	if v.Kind() != reflect.Struct {
		return reflect.Value{}, false
	}
	f, ok := v.Type().FieldByName(name)
	if !ok || !f.IsExported() || throughPointer(v.Type(), f.Index) {
		return reflect.Value{}, false
	}
	return v.FieldByIndex(f.Index), true
}

// throughPointer reports whether the way to a field goes through an embedded pointer.
func throughPointer(t reflect.Type, index []int) bool {
	for _, k := range index[:len(index)-1] {
		if t = t.Field(k).Type; t.Kind() == reflect.Pointer {
			return true
		}
	}
	return false
}

// setValue sets a field to a value of its type, or to one that stands for the same.
func setValue(at reflect.Value, value any) error {
	v := reflect.ValueOf(value)
	want := at.Type()
	wrong := fmt.Errorf("%v (%T) is no %v", value, value, want)
	switch {
	case !v.IsValid():
		at.SetZero()
		return nil
	case v.Type().AssignableTo(want):
		at.Set(v)
		return nil
	case want == reflect.TypeFor[time.Duration]() && v.Kind() == reflect.String:
		d, err := time.ParseDuration(v.String())
		if err != nil {
			return wrong
		}
		at.SetInt(int64(d))
		return nil
	case want == reflect.TypeFor[crankpkg.Scaling]() && v.Kind() == reflect.String && v.String() == "none":
		at.SetString(string(crankpkg.NoScaling))
		return nil
	case want.Kind() == v.Kind() && want.Kind() != reflect.Slice && v.CanConvert(want):
		at.Set(v.Convert(want))
		return nil
	case want.Kind() == reflect.Struct && v.Type() == reflect.TypeFor[map[string]any]():
		return setFields(at, value.(map[string]any))
	case want.Kind() == reflect.Slice && v.Kind() == reflect.Slice:
		list := reflect.MakeSlice(want, v.Len(), v.Len())
		for i := range v.Len() {
			if err := setValue(list.Index(i), v.Index(i).Interface()); err != nil {
				return inField(itemPath("", i), err)
			}
		}
		at.Set(list)
		return nil
	}
	number := numberOf(value)
	whole := number == math.Trunc(number) && math.Abs(number) < 1<<53
	switch {
	case math.IsNaN(number):
		return wrong
	case at.CanFloat():
		at.SetFloat(number)
	case at.CanInt() && whole && !at.OverflowInt(int64(number)) && want != reflect.TypeFor[time.Duration]():
		at.SetInt(int64(number))
	case at.CanUint() && whole && number >= 0 && !at.OverflowUint(uint64(number)):
		at.SetUint(uint64(number))
	default:
		return wrong
	}
	return nil
}

// setFields sets a struct to these fields, the others to zero.
func setFields(at reflect.Value, fields map[string]any) error {
	at.SetZero()
	for _, name := range slices.Sorted(maps.Keys(fields)) {
		field, ok := fieldCalled(at, name)
		if !ok {
			return inField(name, fmt.Errorf("%v has no field %s", at.Type(), name))
		}
		if err := setValue(field, fields[name]); err != nil {
			return inField(name, fmt.Errorf("%s: %w", name, err))
		}
	}
	return nil
}

// Fields lists the names of the fields of a trainer that Vary knows, in their order.
func Fields(t crankpkg.Trainer) []string {
	of := reflect.TypeOf(t)
	if of.Kind() == reflect.Pointer {
		of = of.Elem()
	}
	if of.Kind() != reflect.Struct {
		return nil
	}
	var names []string
	for _, f := range reflect.VisibleFields(of) {
		if f.IsExported() && !f.Anonymous && f.Type.Kind() != reflect.Func && !throughPointer(of, f.Index) {
			names = append(names, f.Name)
		}
	}
	return slices.Compact(names)
}
