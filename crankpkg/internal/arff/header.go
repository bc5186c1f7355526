package arff

import (
	"bytes"
	"errors"
	"fmt"
	"strings"

	"github.com/crank-ml/crank/crankpkg/internal/errs"
	"github.com/crank-ml/crank/crankpkg/internal/table"
	"github.com/crank-ml/crank/crankpkg/internal/textfile"
)

type kind uint8

const (
	numericKind kind = iota
	nominalKind
	otherKind // string, date, relational or hierarchical
)

type role uint8

const (
	featureRole role = iota
	labelRole
	droppedRole
)

// attribute is one @attribute line.
type attribute struct {
	table.Field
	typeName string
	kind     kind
	role     role
	lineNo   int
	place    map[string]int32 // of each value in Values
	numbers  numericLabel     // of a label that is numeric
}

// header is what stands above @data.
type header struct {
	relation string
	attrs    []attribute
	place    map[string]int // of each name in attrs
	absent   []string       // labels to predict, which are not in attrs
}

// readHeader reads up to and with the line @data. Attributes to drop may be of any type.
func readHeader(in *reader, drop []string) (*header, error) {
	h := &header{place: make(map[string]int)}
	dropped := make(map[string]bool, len(drop))
	for _, name := range drop {
		dropped[name] = true
	}
	for {
		more, err := in.nextLine()
		if err != nil {
			return nil, err
		}
		if !more {
			if in.lineNo == 0 {
				return nil, fmt.Errorf("%w: %s: the file is empty", errs.ErrFormat, in.file)
			}
			return nil, in.errorf(errs.ErrFormat, "the file ends before @data")
		}
		done, err := h.declaration(in, dropped)
		if err != nil {
			return nil, in.located(err)
		}
		if done {
			break
		}
	}
	if len(h.attrs) == 0 {
		return nil, in.errorf(errs.ErrFormat, "@data stands before any @attribute")
	}
	return h, nil
}

// located adds the place to an error of the scanner.
func (in *reader) located(err error) error {
	if errors.Is(err, errs.ErrFormat) || errors.Is(err, errs.ErrData) {
		return err
	}
	return in.errorf(errs.ErrFormat, "%w", err)
}

// declaration reads one line of the header; done tells that it was @data.
func (h *header) declaration(in *reader, dropped map[string]bool) (done bool, err error) {
	keyword, err := in.next()
	if err != nil {
		return false, err
	}
	switch strings.ToLower(string(keyword.text)) {
	case "@relation":
		h.relation, err = relationName(in)
		return false, err
	case "@attribute":
		return false, h.attribute(in, dropped)
	case "@data":
		return true, expectEnd(in)
	}
	return false, fmt.Errorf("%v where @relation, @attribute or @data is expected", keyword)
}

// relationName returns the name as it stands, which may lack quotes in spite of
// blanks.
func relationName(in *reader) (string, error) {
	if in.atEnd() {
		return "", nil
	}
	text := bytes.TrimSpace(in.rest())
	if c := text[0]; c == '\'' || c == '"' {
		name, err := in.next()
		return textfile.Decode(name.text), err
	}
	return textfile.Decode(text), nil
}

func expectEnd(in *reader) error {
	t, err := in.next()
	if err == nil && t.kind != endToken {
		err = fmt.Errorf("%v where the end of the line is expected", t)
	}
	return err
}

// attribute reads the rest of an @attribute line.
func (h *header) attribute(in *reader, dropped map[string]bool) error {
	name, err := in.next()
	if err != nil {
		return err
	}
	if !name.isText() || len(name.text) == 0 {
		return fmt.Errorf("%v where the name of an attribute is expected", name)
	}
	a := attribute{Field: table.Field{Name: textfile.Decode(name.text)}, lineNo: in.lineNo}
	if first, twice := h.place[a.Name]; twice {
		return fmt.Errorf("attribute %q: declared already in line %d", a.Name, h.attrs[first].lineNo)
	}
	if err := a.readType(in, dropped[a.Name]); err != nil {
		return in.located(fmt.Errorf("attribute %q: %w", a.Name, err))
	}
	h.place[a.Name] = len(h.attrs)
	h.attrs = append(h.attrs, a)
	return nil
}

func (a *attribute) readType(in *reader, dropped bool) error {
	t, err := in.next()
	if err != nil {
		return err
	}
	if dropped && t.kind != endToken && !strings.EqualFold(string(t.text), "relational") {
		a.kind = otherKind
		return nil // whatever it is
	}
	if t.kind == openToken {
		a.kind, a.typeName = nominalKind, "nominal"
		if err := a.readValues(in); err != nil {
			return err
		}
		return expectEnd(in)
	}
	if t.kind != wordToken {
		return fmt.Errorf("%v where a type is expected", t)
	}
	a.typeName = strings.ToLower(string(t.text))
	switch a.typeName {
	case "numeric", "real", "integer":
		return a.skipRange(in)
	case "string", "date", "hierarchical":
		a.kind = otherKind
		return nil // a date may have a format, a hierarchy its classes
	case "relational":
		a.kind = otherKind
		return skipRelational(in)
	}
	return fmt.Errorf("unknown type %v; drop the attribute", t)
}

// readValues reads the values of a nominal attribute.
func (a *attribute) readValues(in *reader) error {
	a.place = make(map[string]int32)
	for {
		t, err := in.next()
		switch {
		case err != nil:
			return err
		case t.kind == closeToken && len(a.Values) > 0:
			return nil
		case t.kind == commaToken && len(a.Values) > 0:
			continue
		case !t.isText():
			return fmt.Errorf("%v where a nominal value is expected", t)
		}
		value := textfile.Decode(t.text)
		if _, twice := a.place[value]; twice {
			return fmt.Errorf("nominal value %q is declared twice", value)
		}
		a.place[value] = int32(len(a.Values))
		a.Values = append(a.Values, value)
	}
}

// skipRange skips the range that some files add to a numeric type, as in
// "real [0, 1]".
func (a *attribute) skipRange(in *reader) error {
	if !in.atEnd() && in.rest()[0] == '[' {
		return nil
	}
	return expectEnd(in)
}

// skipRelational skips the attributes inside a relational one, up to its @end.
func skipRelational(in *reader) error {
	for depth := 1; depth > 0; {
		more, err := in.nextLine()
		if err != nil {
			return err
		}
		if !more {
			return errors.New("the file ends before its @end")
		}
		words := bytes.Fields(in.rest())
		switch {
		case bytes.EqualFold(words[0], []byte("@end")):
			depth--
		case bytes.EqualFold(words[0], []byte("@attribute")) && bytes.EqualFold(words[len(words)-1], []byte("relational")):
			depth++
		}
	}
	return nil
}
