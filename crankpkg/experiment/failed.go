package experiment

import (
	"fmt"

	"github.com/crank-ml/crank/crankpkg"
)

// Failed returns the row of the cell with an error: for programs that run cells in other
// processes, which can end without a word. The error is for a cell that makes no sense.
func (c *SpecCell) Failed(why error) (*Row, error) {
	s, err := c.Spec.Sweep()
	if err != nil {
		return nil, err
	}
	points, _, err := s.plan()
	if err != nil {
		return nil, err
	}
	if len(points) != 1 {
		return nil, fmt.Errorf("%w: a cell of %d cells", crankpkg.ErrFormat, len(points))
	}
	row := s.newRow(points[0])
	row.Cell, row.Error = c.Cell, why.Error()
	return row, nil
}
