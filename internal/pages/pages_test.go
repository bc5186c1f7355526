package pages

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"testing"
)

func TestTakeFrom(t *testing.T) {
	t.Parallel()
	const w0, w1 = word + "0x", word + "1x"
	for _, c := range []struct {
		markdown, want string
		formulas       Formulas
	}{
		{"no formula", "no formula", nil},
		{"a $x_i$, and\n\n$$y \\tag{3}$$\n", "a " + w0 + ", and\n\n" + w1 + "\n", Formulas{{TeX: "x_i"}, {TeX: "y", Display: true, Tag: "3"}}},
		{"$$\na\n+ b\n$$", w0, Formulas{{TeX: "a\n+ b", Display: true}}},
		{"*over* $a|b$*!*", "*over* " + w0 + "*!*", Formulas{{TeX: "a|b"}}},
		{"code `a $x$ b` and ``c `$y$` d``, $z$", "code `a $x$ b` and ``c `$y$` d``, " + w0, Formulas{{TeX: "z"}}},
		{"```go\n$x$\n```\n$y$\n", "```go\n$x$\n```\n" + w0 + "\n", Formulas{{TeX: "y"}}},
		{"~~~\n```\n$x$\n~~~\n$y$", "~~~\n```\n$x$\n~~~\n" + w0, Formulas{{TeX: "y"}}},
		{`\$5 and $ 6 and 7$ or $8`, `\$5 and $ 6 and 7$ or $8`, nil},
		{"costs $5\n\nand $6", "costs $5\n\nand $6", nil},
		{"an open ` tick $x$", "an open ` tick " + w0, Formulas{{TeX: "x"}}},
		{`the end \`, `the end \`, nil},
	} {
		var fs Formulas
		if got := fs.TakeFrom(c.markdown); got != c.want || !slices.Equal(fs, c.formulas) {
			t.Errorf("%q: %q with %v, want %q with %v", c.markdown, got, fs, c.want, c.formulas)
		}
	}
}

// FuzzTakeFrom takes formulas out of any text and puts them back.
func FuzzTakeFrom(f *testing.F) {
	for _, s := range []string{"a $x$ b", "$$y$$", "``` $", "`$x$`$y$", "\\$$x$", "$\n$"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, markdown string) {
		if strings.Contains(markdown, word) || strings.ContainsAny(markdown, "<>") || strings.Contains(markdown, `\tag`) {
			return
		}
		var fs Formulas
		text := fs.TakeFrom(markdown)
		for k, formula := range fs {
			marks := "$"
			if formula.Display {
				marks = "$$"
			}
			text = strings.Replace(text, fmt.Sprintf("%s%dx", word, k), marks+formula.TeX+marks, 1)
		}
		blank := func(s string) string { return strings.Join(strings.Fields(strings.ReplaceAll(s, "$", " $ ")), " ") }
		if blank(text) != blank(markdown) {
			t.Errorf("%q became %q", markdown, text)
		}
	})
}

func TestPutInto(t *testing.T) {
	t.Parallel()
	fs := Formulas{{TeX: "x"}, {TeX: "y", Display: true, Tag: "1"}}
	page := fmt.Sprintf(`<h2 id="On-%s0x">On %s0x</h2><p>%s1x</p>`, word, word, word)
	got, err := fs.PutInto(page, []string{"<math>x</math>", "<math>y</math>"})
	if want := `<h2 id="On-formula-0">On <math>x</math></h2><p><span class="formula"><math>y</math><span>(1)</span></span></p>`; err != nil || got != want {
		t.Errorf("%s (%v), want %s", got, err, want)
	}
	if _, err := fs.PutInto(page, nil); err == nil {
		t.Error("no error without rendered formulas")
	}
}

// made returns a notebook of the cells.
func made(cells ...map[string]any) []byte {
	data, err := json.Marshal(map[string]any{"cells": cells, "metadata": map[string]any{}})
	if err != nil {
		panic(err)
	}
	return data
}

func text(source any) map[string]any {
	return map[string]any{"cell_type": "markdown", "source": source}
}

func shows(outputs ...any) map[string]any {
	return map[string]any{"cell_type": "code", "source": "f()", "outputs": outputs}
}

func png(data, alt string) map[string]any {
	about := map[string]any{"width": 3}
	if alt != "" {
		about["alt"] = alt
	}
	return map[string]any{"data": map[string]any{"image/png": data}, "metadata": map[string]any{"image/png": about}}
}

func TestPrepare(t *testing.T) {
	t.Parallel()
	var fs Formulas
	page, notebook, err := Prepare("03_x", made(
		text([]string{"# 3. On $\\beta$\n", "\n", "**Question.** Why $x$?\n\nMore."}),
		shows(png("one", ""), png("two", "its own")),
		shows(map[string]any{"data": map[string]any{"text/markdown": "made: $z$"}}),
		text("**Figure 1.** *A picture of* $w_{ij}$ *and* [more](a.ipynb). What to see: nothing."),
		shows(png("three", "")), text("*Figure 2. A slope.* Steep."),
		shows(png("four", "")), text("It falls. It rises."),
		shows(png("five", "")),
	), &fs)
	if err != nil {
		t.Fatal(err)
	}
	if page.Title != "3. On β" || page.Lead != "**Question.** Why "+word+"2x?" {
		t.Errorf("title %q, lead %q", page.Title, page.Lead)
	}
	for data, alt := range map[string]string{"one": "Figure 1: A picture of w_ij and more. (picture 1 of 2)", "two": "its own",
		"three": "Figure 2. A slope.", "four": "It falls.", "five": ""} {
		if page.Alts[data] != alt {
			t.Errorf("%s: %q, want %q", data, page.Alts[data], alt)
		}
	}
	if strings.Contains(string(notebook), "$") || len(fs) != 4 {
		t.Errorf("%v taken from %s", fs, notebook)
	}
	for name, data := range map[string]string{
		"no metadata": `{"cells": [{"cell_type": "markdown", "source": "# One"}]}`, "other metadata": `{"metadata": {"kept": 1}, "cells": [{"cell_type": "markdown", "source": "# One"}]}`,
	} {
		page, notebook, err := Prepare("04_y", []byte(data), &fs)
		var back struct{ Metadata map[string]any }
		if err != nil || json.Unmarshal(notebook, &back) != nil || page.Title != "One" || back.Metadata["title"] != "One" || (back.Metadata["kept"] != nil) != strings.Contains(data, "kept") {
			t.Errorf("%s: %s, error %v", name, notebook, err)
		}
	}
	if _, _, err := Prepare("cut", []byte(`{"cells": [`), &fs); err == nil || !strings.Contains(err.Error(), "cut") {
		t.Errorf("error %v does not name the notebook", err)
	}
}

func TestFinish(t *testing.T) {
	t.Parallel()
	page := &Page{Name: "b", Title: "B", Alts: map[string]string{"AAAA": `five < "six"`}}
	before := &Page{Name: "a", Title: "A & O"}
	html := `<main><img alt="` + missingAlt + `" src="data:image/png;base64,AAAA"><img alt="known" src="data:image/png;base64,AAAA">` +
		`<a href="a.ipynb#top">a</a><a href="z.ipynb">z</a></main>`
	got, err := Finish(html, page, before, nil, []*Page{before, page}, nil, nil)
	if err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{`<a href="a.html#top">`, `<a href="z.ipynb">`, `alt="known"`, `<img alt="five &lt; &#34;six&#34;"`,
		`<a rel="prev" href="a.html">← A &amp; O</a>`, `<a href="index.html">`} {
		if !strings.Contains(got, want) {
			t.Errorf("no %s in %s", want, got)
		}
	}
	if strings.Count(got, "<nav") != 2 || strings.Contains(got, missingAlt) {
		t.Error(got)
	}
	if list := Index([]*Page{before, page}); !strings.Contains(list, "## [A & O](a.html)") {
		t.Error(list)
	}
}

func TestCheck(t *testing.T) {
	t.Parallel()
	whole := `<html><head><style>p { background: url("data:image/png;base64,AAAA//http") }</style><script>let s = "$x$ \\frac";</script></head>` +
		`<body><p>It costs 5 $. <math><mi>x</mi></math> <a href="https://example.org">away</a> <code>\n $x$</code></p><pre>\frac $x$</pre>` +
		`<img alt="a line" src="data:image/png;base64,AAAA" srcset="a.png 1x, data:image/png;base64,//AA//http 2x"></body></html>`
	if problems := Check(whole); len(problems) > 0 {
		t.Errorf("a whole page: %q", problems)
	}
	for added, want := range map[string]string{
		`<script src="https://cdn.example.org/a.js"></script>`:                         "loads from elsewhere",
		`<script type="module" async src='//cdn.example.org/a.js'></script>`:           "loads from elsewhere",
		`<link rel="stylesheet" href="http://example.org/a.css">`:                      "loads from elsewhere",
		`<img alt="x" src="https://example.org/a.png">`:                                "loads from elsewhere",
		`<img alt="x" srcset="https://example.org/a.png 2x">`:                          "loads from elsewhere",
		`<img alt="x" src="a.png" srcset='a.png 1x, //example.org/b.png 2x'>`:          "loads from elsewhere",
		`<img alt="x" src="a.png" srcset="a.png 640w,https://example.org/b.png 2x">`:   "loads from elsewhere",
		`<picture><source srcset=https://example.org/a.webp></picture>`:                "loads from elsewhere",
		`<link rel="preload" as="image" imagesrcset="http://example.org/a.png 2x">`:    "loads from elsewhere",
		`<video poster="https://example.org/a.png"></video>`:                           "loads from elsewhere",
		`<style>@import "https://example.org/a.css";</style>`:                          "loads from elsewhere",
		`<style>p { background: url(https://example.org/a.png) }</style>`:              "loads from elsewhere",
		`<script type="module">import m from 'https://cdn.example.org/m.mjs'</script>`: "loads from elsewhere",
		`<script>const m = await import("https://cdn.example.org/m.mjs")</script>`:     "loads from elsewhere",
		`<p>so $x_i$ is</p>`:                              "raw TeX",
		`<p>$$\sum_i x$$</p>`:                             "raw TeX",
		`<p>\begin{cases} 1 \end{cases}</p>`:              "raw TeX",
		`<p>the ` + word + `12x</p>`:                      "raw TeX",
		`<math><merror><mtext>\foo</mtext></merror>`:      "raw TeX",
		`<math><merror>y</merror></math>`:                 "could not be rendered",
		`<img src="data:image/png;base64,AAAA">`:          "without alternative text",
		`<img alt="" src="data:image/png;base64,AAAA">`:   "without alternative text",
		`<img alt="` + missingAlt + `" src="data:image">`: "without alternative text",
	} {
		if problems := Check(strings.Replace(whole, "</body>", added+"</body>", 1)); len(problems) == 0 || !strings.Contains(problems[0], want) {
			t.Errorf("%s: %q, want %s", added, problems, want)
		}
	}
}
