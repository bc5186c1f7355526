package plotting

import (
	"fmt"
	"io"
	"path/filepath"
	"strings"

	"github.com/crank-ml/crank/internal/atomicfile"
)

// Save writes d to a file in the format that the extension of path names: PNG
// (192 dots to the inch, at most 256 colors), SVG, PDF, GIF (144 dots to the
// inch, the one that moves) or HTML (for Positions). The file is replaced as a whole or not at all.
func Save(path string, d Drawing) error {
	format := strings.ToLower(strings.TrimPrefix(filepath.Ext(path), "."))
	data, err := encode(d, format)
	if err != nil {
		return err
	}
	err = atomicfile.Write(path, func(w io.Writer) error {
		_, err := w.Write(data)
		return err
	})
	if err != nil {
		return fmt.Errorf("plotting: %w", err)
	}
	return nil
}
