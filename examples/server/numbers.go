package main

import (
	"bytes"
	"strconv"

	"github.com/crank-ml/crank/crankpkg"
)

// numbers reads the records that most requests are: one flat object with a number for each
// column of a model whose columns are all numbers. It is several times as fast as
// encoding/json, which reads whatever else there is, and words the errors.
type numbers struct {
	place map[string]int // of each column
}

// numbersOf returns nil for a model whose columns are not all numbers, or that takes sparse rows.
func numbersOf(m *crankpkg.Model) *numbers {
	if m.Coding.Sparse {
		return nil
	}
	n := &numbers{place: make(map[string]int)}
	for k, c := range m.Coding.Or(m.FeatureNames).Columns {
		if _, twice := n.place[c.Name]; twice || c.Values != nil {
			return nil
		}
		n.place[c.Name] = k
	}
	return n
}

// read writes the numbers of a record to row, in the order of the columns, and reports
// whether text is one record with each column once and nothing else.
func (n *numbers) read(row []float64, seen []bool, text []byte) bool {
	clear(seen)
	rest, ok := after(text, '{')
	for left := len(n.place); ok && left > 0; left-- {
		var name, number []byte
		if name, rest, ok = plainText(rest); !ok {
			return false
		}
		k, known := n.place[string(name)]
		if !known || seen[k] {
			return false
		}
		seen[k] = true
		if rest, ok = after(rest, ':'); !ok {
			return false
		}
		number, rest = split(blank(rest), numeral(blank(rest)))
		v, err := strconv.ParseFloat(string(number), 64)
		if err != nil {
			return false
		}
		row[k] = v
		if left > 1 {
			rest, ok = after(rest, ',')
		}
	}
	if ok {
		rest, ok = after(rest, '}')
	}
	return ok && len(blank(rest)) == 0
}

// blank returns text without the blanks that it begins with.
func blank(text []byte) []byte {
	for len(text) > 0 && (text[0] == ' ' || text[0] == '\t' || text[0] == '\r' || text[0] == '\n') {
		text = text[1:]
	}
	return text
}

// after returns what follows a character, which blanks may precede.
func after(text []byte, c byte) (rest []byte, ok bool) {
	if text = blank(text); len(text) == 0 || text[0] != c {
		return text, false
	}
	return text[1:], true
}

func split(text []byte, at int) (head, rest []byte) { return text[:at], text[at:] }

// plainText returns a text in quotes that is printable ASCII without escapes.
func plainText(text []byte) (inside, rest []byte, ok bool) {
	if text, ok = after(text, '"'); !ok {
		return nil, nil, false
	}
	end := bytes.IndexByte(text, '"')
	if end < 0 {
		return nil, nil, false
	}
	for _, c := range text[:end] {
		if c < ' ' || c > '~' || c == '\\' {
			return nil, nil, false
		}
	}
	return text[:end], text[end+1:], true
}

// numeral returns the length of the number of JSON that text begins with, 0 for none.
func numeral(text []byte) int {
	at := 0
	if at < len(text) && text[at] == '-' {
		at++
	}
	whole := digits(text[at:])
	if whole == 0 || whole > 1 && text[at] == '0' {
		return 0
	}
	at += whole
	if at < len(text) && text[at] == '.' {
		part := digits(text[at+1:])
		if part == 0 {
			return 0
		}
		at += 1 + part
	}
	if at < len(text) && (text[at] == 'e' || text[at] == 'E') {
		at++
		if at < len(text) && (text[at] == '-' || text[at] == '+') {
			at++
		}
		part := digits(text[at:])
		if part == 0 {
			return 0
		}
		at += part
	}
	return at
}

// digits returns how many digits text begins with.
func digits(text []byte) int {
	count := 0
	for count < len(text) && text[count] >= '0' && text[count] <= '9' {
		count++
	}
	return count
}
