package pages

import (
	"fmt"
	"regexp"
	"strings"
)

var (
	// What a page loads: scripts, styles, pictures, fonts; links that a reader follows are none of it.
	loaded = regexp.MustCompile(`(?i)<(?:script|img|iframe|link|source|object|embed|video|audio)\b[^<>]*?\b(?:src|href|data|poster)\s*=\s*["']?(?:https?:)?//[^"'\s>]*` +
		`|url\(\s*["']?(?:https?:)?//[^)]*|@import\b[^;]*|\b(?:import\s*\(|from|fetch\s*\()\s*["'](?:https?:)?//[^"']*`)
	// A list of pictures for several resolutions, any of which may be elsewhere. An address stands at the beginning or after a blank or
	// after the comma of a resolution; a comma within an address, such as that of data, begins none.
	loadedFromList = regexp.MustCompile(`(?i)<[^<>]*?\b(?:image)?srcset\s*=\s*(?:"(?:[^"]*?(?:\s|[0-9][xw],))?|'(?:[^']*?(?:\s|[0-9][xw],))?|)(?:https?:)?//[^"'\s>]*`)
	// What is not read as text: code, styles, scripts, rendered formulas.
	unread = regexp.MustCompile(`(?is)<script\b.*?</script>|<style\b.*?</style>|<pre\b.*?</pre>|<code\b.*?</code>|<title\b.*?</title>`)
	tags   = regexp.MustCompile(`<[^<>]*>`)
	// TeX that was not rendered: a command, a formula between dollar signs, a word that stood for one.
	rawTeX = regexp.MustCompile(`\\[a-zA-Z]{2,}[^\n]{0,40}|\$[^$\n]{1,200}\$|` + word + `\d+x`)
	wrong  = regexp.MustCompile(`<merror\b|<mtext mathcolor="red"`)
)

// Check returns what keeps a page from being whole by itself: what it loads from
// elsewhere, raw TeX, pictures without alternative text.
func Check(page string) (problems []string) {
	report := func(format string, args ...any) { problems = append(problems, fmt.Sprintf(format, args...)) }
	for _, found := range append(loaded.FindAllString(page, -1), loadedFromList.FindAllString(page, -1)...) {
		report("loads from elsewhere: %.120s", found)
	}
	for _, found := range rawTeX.FindAllString(tags.ReplaceAllString(unread.ReplaceAllString(page, ""), ""), -1) {
		report("raw TeX: %s", found)
	}
	if wrong.MatchString(page) {
		report("a formula that could not be rendered")
	}
	for _, tag := range image.FindAllString(page, -1) {
		if m := altOf.FindStringSubmatch(tag); m == nil || strings.TrimSpace(m[1]) == "" || m[1] == missingAlt {
			report("a picture without alternative text: %.120s", tag)
		}
	}
	return problems
}
