package arff

import (
	"encoding/xml"
	"errors"
	"fmt"
	"io"
	"strings"

	"github.com/crank-ml/crank/crankpkg/internal/errs"
	"github.com/crank-ml/crank/crankpkg/internal/textfile"
)

// ReadMulanXML returns the label names in a Mulan XML file, in its order.
// Labels nested in others are listed after their parents: the hierarchy itself
// is not kept. Errors wrap ErrFormat and name the file and the line.
func ReadMulanXML(path string) ([]string, error) {
	return textfile.ReadFile(path, ParseMulanXML)
}

// ParseMulanXML is ReadMulanXML for an open stream; name stands for the file
// in errors.
func ParseMulanXML(r io.Reader, name string) ([]string, error) {
	text, err := textfile.Decompress(r)
	if err != nil {
		return nil, fmt.Errorf("%w: %s: %w", errs.ErrFormat, name, err)
	}
	dec := xml.NewDecoder(text)
	dec.CharsetReader = decodeCharset
	labels, err := mulanLabels(dec)
	if err == nil && len(labels) == 0 {
		err = errors.New("no labels")
	}
	if err != nil {
		line, _ := dec.InputPos()
		return nil, fmt.Errorf("%w: %s:%d: %w", errs.ErrFormat, name, line, err)
	}
	return labels, nil
}

func mulanLabels(dec *xml.Decoder) (labels []string, err error) {
	seen := make(map[string]bool)
	depth := 0
	for {
		token, err := dec.Token()
		if err == io.EOF {
			return labels, nil
		}
		if err != nil {
			return nil, err
		}
		switch element := token.(type) {
		case xml.EndElement:
			depth--
		case xml.StartElement:
			label, err := mulanLabel(element, depth)
			if err != nil {
				return nil, err
			}
			depth++
			if depth == 1 {
				continue // <labels> itself
			}
			if seen[label] {
				return nil, fmt.Errorf("label %q is listed twice", label)
			}
			seen[label] = true
			labels = append(labels, label)
		}
	}
}

// mulanLabel checks one element and returns the name of its label.
func mulanLabel(element xml.StartElement, depth int) (string, error) {
	want := "label"
	if depth == 0 {
		want = "labels"
	}
	if element.Name.Local != want {
		return "", fmt.Errorf("element <%s> where <%s> is expected", element.Name.Local, want)
	}
	if depth == 0 {
		return "", nil
	}
	for _, a := range element.Attr {
		if a.Name.Local == "name" && a.Value != "" {
			return a.Value, nil
		}
	}
	return "", errors.New("a label without a name")
}

// decodeCharset lets files say that they are in Latin-1 or ASCII; encoding/xml
// itself knows UTF-8 only.
func decodeCharset(charset string, r io.Reader) (io.Reader, error) {
	switch strings.ToLower(charset) {
	case "us-ascii", "ascii":
		return r, nil
	case "iso-8859-1", "latin1":
		text, err := io.ReadAll(r)
		return strings.NewReader(textfile.Latin1(text)), err
	}
	return nil, fmt.Errorf("encoding %q is not supported", charset)
}
