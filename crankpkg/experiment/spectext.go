package experiment

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"strings"
)

// specText refuses what decoding would take in silence: a field that occurs twice in an object, the first of which would
// not count; an empty list, which would mean the default; and anything after the value. The error says the line.
func specText(text []byte) error {
	dec := json.NewDecoder(bytes.NewReader(text))
	dec.UseNumber()
	err := checkValue(dec, "")
	if err == nil {
		if _, end := dec.Token(); !errors.Is(end, io.EOF) {
			err = errors.New("something follows the object")
		}
	}
	return atLine(text, dec.InputOffset(), err)
}

// checkValue reads a value, of the field of a name.
func checkValue(dec *json.Decoder, name string) error {
	token, err := dec.Token()
	if err != nil {
		return err
	}
	switch token {
	case json.Delim('{'):
		seen := map[string]bool{} // in lower case: decoding tells apart no others
		for dec.More() {
			key, err := dec.Token()
			if err != nil {
				return err
			}
			name := strings.ToLower(fmt.Sprint(key))
			if seen[name] {
				return fmt.Errorf("%q occurs twice", key)
			}
			seen[name] = true
			if err := checkValue(dec, name); err != nil {
				return err
			}
		}
		_, err = dec.Token()
	case json.Delim('['):
		if !dec.More() && name != "vary" {
			return fmt.Errorf("%s is an empty list", name)
		}
		for dec.More() {
			if err := checkValue(dec, name); err != nil {
				return err
			}
		}
		_, err = dec.Token()
	}
	return err
}

// atLine adds the line of an error in a text: where the error says that it is, else at the offset, unless that is below zero.
func atLine(text []byte, offset int64, err error) error {
	switch e := err.(type) { // one within another may count from elsewhere
	case nil:
		return nil
	case *json.SyntaxError:
		offset = e.Offset
	case *json.UnmarshalTypeError:
		offset = e.Offset
	}
	if offset < 0 {
		return err
	}
	offset = min(offset, int64(len(text)))
	return fmt.Errorf("line %d: %w", 1+bytes.Count(text[:offset], []byte{'\n'}), err)
}
