// Package schema matches names, of features or labels, to those that are wanted: Match.
package schema

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/crank-ml/crank/internal/nearest"
)

// Match returns where each of want is in have, or nil where each is at its place. Its error
// names what is missing, or what nobody wants; kind says what the names are of.
func Match(kind string, want, have []string) ([]int, error) {
	if slices.Equal(want, have) {
		return nil, nil
	}
	place := make(map[string]int, len(have))
	for k, name := range have {
		if _, seen := place[name]; seen {
			return nil, twice(kind, name)
		}
		place[name] = k
	}
	order := make([]int, 0, len(want))
	asked := make(map[string]bool, len(want))
	var missing, extra []string
	for _, name := range want {
		if asked[name] {
			return nil, twice(kind, name)
		}
		asked[name] = true
		if k, found := place[name]; found {
			order = append(order, k)
		} else {
			missing = append(missing, name)
		}
	}
	for _, name := range have {
		if !asked[name] {
			extra = append(extra, name)
		}
	}
	var problems []string
	if len(missing) > 0 {
		problems = append(problems, fmt.Sprintf("%s %s missing%s", kind, listed(missing), near(missing, extra)))
	}
	if len(extra) > 0 {
		problems = append(problems, fmt.Sprintf("%s %s unknown", kind, listed(extra)))
	}
	if problems != nil {
		return nil, errors.New(strings.Join(problems, ", "))
	}
	return order, nil
}

// near tells the names that nobody wants and that are near to a single one that is missing, where
// they are not listed anyway.
func near(missing, extra []string) string {
	if len(missing) > 1 || len(extra) <= most {
		return ""
	}
	return nearest.Hint(missing[0], extra)
}

func twice(kind, name string) error {
	return fmt.Errorf("%s %q is there twice, so that names do not tell which is which", kind, name)
}

// most is how many names are listed.
const most = 3

// listed returns the first few of the names and how many more there are.
func listed(names []string) string {
	text := fmt.Sprintf("%q", names[:min(len(names), most)])
	text = strings.Trim(text, "[]")
	if more := len(names) - most; more > 0 {
		text += fmt.Sprintf(" and %d more", more)
	}
	return text
}
