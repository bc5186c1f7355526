// Package jsonlist has the lists of model files.
package jsonlist

import (
	"bytes"
	"encoding/json"
	"fmt"
)

// List is a list of a JSON file without nulls, which a plain slice reads as zeros, and without
// unknown fields.
type List[T any] []T

// UnmarshalJSON implements json.Unmarshaler.
func (v *List[T]) UnmarshalJSON(data []byte) error {
	var items []*T
	dec := json.NewDecoder(bytes.NewReader(data))
	dec.DisallowUnknownFields() // which the decoder of the file around it cannot ask for here
	if err := dec.Decode(&items); err != nil {
		return err
	}
	*v = nil // also for [], so that each model is read in just one form
	for k, item := range items {
		if item == nil {
			return fmt.Errorf("null at position %d of a list", k)
		}
		*v = append(*v, *item)
	}
	return nil
}
