// Package pages turns executed notebooks into pages that are whole by
// themselves: formulas are rendered when the page is made, every picture has an
// alternative text, and nothing is loaded from elsewhere.
//
// Prepare takes formulas out of a notebook, Jupyter's nbconvert makes a page of
// it, Finish puts the rendered formulas in, with the links between pages. Check
// says what a page lacks. `make html` does all of it, by internal/makepages.
package pages
