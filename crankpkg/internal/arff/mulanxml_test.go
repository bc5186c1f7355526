package arff_test

import (
	"bytes"
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/crank-ml/crank/crankpkg/internal/arff"
	"github.com/crank-ml/crank/crankpkg/internal/errs"
)

func TestParseMulanXML(t *testing.T) {
	for _, test := range []struct {
		name, text string
		want       []string
	}{
		{"plain", `<?xml version="1.0" encoding="utf-8"?>` + "\r\n" + `<labels xmlns="http://mulan.sourceforge.net/labels"><label name="b"></label><label name="a"/></labels>`, []string{"b", "a"}},
		{"nested", `<labels><label name="a"><label name="b"><label name="c"/></label><label name="d"/></label><label name="e"/></labels>`, []string{"a", "b", "c", "d", "e"}},
		{"escapes and quotes", `<labels><!-- no --><label name='Swainson&apos;s "Thrush" &#233;'/></labels>`, []string{`Swainson's "Thrush" é`}},
		{"gzip", string(packed(`<labels><label name="a"/></labels>`, true)), []string{"a"}},
		{"Latin-1", "<?xml version=\"1.0\" encoding=\"ISO-8859-1\"?><labels><label name=\"caf\xe9\"/></labels>", []string{"café"}},
		{"ASCII", `<?xml version="1.0" encoding="US-ASCII"?><labels><label name="a"/></labels>`, []string{"a"}},
	} {
		got, err := arff.ParseMulanXML(strings.NewReader(test.text), "x.xml")
		if err != nil || !slices.Equal(got, test.want) {
			t.Errorf("%s: %q, error %v; want %q", test.name, got, err, test.want)
		}
	}
}

func TestParseMulanXMLRefuses(t *testing.T) {
	for _, test := range []struct {
		name, text string
		line       int
		in         string
	}{
		{"empty", "", 1, "no labels"},
		{"no labels", "<labels>\n</labels>", 2, "no labels"},
		{"other root", "<html>\n<label name='a'/></html>", 1, "<html>"},
		{"other element", "<labels>\n<label name='a'/>\n<lable name='b'/></labels>", 3, "<lable>"},
		{"no name", "<labels>\n<label/></labels>", 2, "without a name"},
		{"empty name", "<labels>\n<label name=''/></labels>", 2, "without a name"},
		{"listed twice", "<labels>\n<label name='a'/>\n<label name='b'><label name='a'/></label></labels>", 3, `"a"`},
		{"cut", "<labels>\n<label name='a'/>", 2, "EOF"},
		{"not XML", "@relation r\n", 2, "no labels"},
		{"second root", "<labels><label name='a'/></labels>\n<label name='b'/>", 2, "<label>"},
		{"encoding", `<?xml version="1.0" encoding="UTF-16"?><labels/>`, 1, "UTF-16"},
	} {
		got, err := arff.ParseMulanXML(strings.NewReader(test.text), "x.xml")
		if !errors.Is(err, errs.ErrFormat) || got != nil {
			t.Errorf("%s: %q, error %v; want %v", test.name, got, err, errs.ErrFormat)
			continue
		}
		if place := fmt.Sprintf("x.xml:%d: ", test.line); !strings.Contains(err.Error(), place) || !strings.Contains(err.Error(), test.in) {
			t.Errorf("%s: the error %q does not say %q and %q", test.name, err, place, test.in)
		}
	}
}

func FuzzParseMulanXML(f *testing.F) {
	f.Add([]byte(`<?xml version="1.0" encoding="latin1"?><labels xmlns="x"><label name="a"><label name="b"/></label></labels>`))
	f.Add([]byte(`<labels><label name="&#65;"></label><!-- --></labels>`))
	f.Add(packed(`<labels><label name="a"/></labels>`, true))
	f.Fuzz(func(t *testing.T, text []byte) {
		labels, err := arff.ParseMulanXML(bytes.NewReader(text), "x.xml")
		switch {
		case err != nil && (!errors.Is(err, errs.ErrFormat) || labels != nil):
			t.Errorf("labels %q, error %v", labels, err)
		case err == nil && (len(labels) == 0 || slices.Contains(labels, "")):
			t.Errorf("labels %q", labels)
		}
	})
}
