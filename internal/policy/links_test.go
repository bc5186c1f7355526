package policy

import (
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"unicode"
)

var (
	mdLink    = regexp.MustCompile(`\]\(([^)\s]+)\)`)
	mdHeading = regexp.MustCompile(`(?m)^#+ (.*)$`)
	mdFence   = regexp.MustCompile("(?ms)^```.*?^```")
)

// TestLinks follows every link between files of the checkout in its Markdown: the file has to be there, and the heading, where one is
// named.
func TestLinks(t *testing.T) {
	t.Parallel()
	cmd := exec.Command("git", "ls-files", "--cached", "--others", "--exclude-standard", "*.md")
	cmd.Dir = root
	out, err := cmd.Output()
	if err != nil {
		t.Skip("no checkout")
	}
	links := 0
	for _, name := range strings.Fields(string(out)) {
		for _, m := range mdLink.FindAllStringSubmatch(markdown(t, name), -1) {
			if strings.Contains(m[1], "://") {
				continue
			}
			links++
			file, heading, _ := strings.Cut(m[1], "#")
			target := name
			if file != "" {
				target = filepath.Join(filepath.Dir(name), file)
			}
			if _, err := os.Stat(filepath.Join(root, target)); err != nil {
				t.Errorf("%s: link to %s: %v", name, m[1], err)
			} else if heading != "" && !anchors(markdown(t, target))[heading] {
				t.Errorf("%s: %s has no heading for the link %s", name, target, m[1])
			}
		}
	}
	if links < 20 {
		t.Errorf("only %d links", links)
	}
}

// markdown returns the text of a file of the checkout without its blocks of code.
func markdown(t *testing.T, name string) string {
	t.Helper()
	text, err := os.ReadFile(filepath.Join(root, name))
	if err != nil {
		t.Fatal(err)
	}
	return mdFence.ReplaceAllString(string(text), "")
}

// anchors returns what headings are linked to by, as code hosts make it: small letters, a hyphen for each blank, no other marks.
func anchors(text string) map[string]bool {
	all := map[string]bool{}
	for _, m := range mdHeading.FindAllStringSubmatch(text, -1) {
		all[strings.Map(func(r rune) rune {
			switch {
			case r == ' ':
				return '-'
			case r == '-' || r == '_' || unicode.IsLetter(r) || unicode.IsDigit(r):
				return unicode.ToLower(r)
			}
			return -1
		}, m[1])] = true
	}
	return all
}
