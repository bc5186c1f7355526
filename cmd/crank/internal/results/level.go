package results

import (
	"context"
	"fmt"

	"github.com/crank-ml/crank/internal/levels"
)

// level makes level.json: how often the tests of metrics and significance reject at five per
// cent, where nothing differs and where something does.
func (mk *maker) level(ctx context.Context) error {
	var rows []levels.Rate
	for _, d := range levels.Designs() {
		for _, count := range pick(mk, d.Counts, d.Counts[:1]) {
			runs := pick(mk, 6000, 20)
			rates, err := kept(ctx, mk, []string{d.Name, fmt.Sprint(count)}, []any{d.Tests, d.Size, runs}, func() ([]levels.Rate, error) {
				return d.Measure(count, runs), nil
			})
			if err != nil {
				return err
			}
			rows = append(rows, rates...)
		}
	}
	return writeRows(mk, "level.json", rows)
}
