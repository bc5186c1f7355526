// Package jsonlist has the lists of model files.
package jsonlist

import (
	"encoding/json"
	"fmt"
)

// List is a list of a JSON file without nulls, which a plain slice reads as zeros.
type List[T any] []T

// UnmarshalJSON implements json.Unmarshaler.
func (v *List[T]) UnmarshalJSON(data []byte) error {
	var items []*T
	if err := json.Unmarshal(data, &items); err != nil {
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
