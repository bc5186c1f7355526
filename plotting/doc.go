// Package plotting draws what package crankpkg learns: in a GoNB notebook
// inline, elsewhere into files.
//
//	plotting.Show(plotting.Network(m), plotting.Convergence(trace))
//
// The functions take data and return a *Figure: one or more panels with one
// key, on gonum/plot. Figure.Plots gives the *plot.Plot of each panel, to set a
// title, a range or a label as with any gonum plot; Grid puts figures (and any
// *plot.Plot) side by side; Show displays and Save writes PNG, SVG, PDF or GIF.
//
// # Data that cannot be drawn
//
// No function of this package panics on data or asks for an error to be
// checked before there is a picture. What is drawn is always true to what
// could be drawn, and the rest is said in the picture and in Figure.Notes:
//
//   - no data at all (a nil or empty trace, a model without labels): the panel
//     shows a sentence in place of axes;
//   - NaN and infinite values, and values that are not positive on a
//     logarithmic axis: left out, and counted in a note;
//   - one point: its marker, and constant data: a line in the middle of an axis
//     with round numbers;
//   - names longer than 28 letters: shortened in the middle; names that need a
//     letter which the font lacks (it covers Latin, Greek, Cyrillic and
//     phonetic letters): replaced by the number of the label, with a note.
//
// Slices of different lengths are a mistake in the program, and a panic. Show
// and Save return an error when writing fails.
//
// # Style
//
// Colors, dashes, markers and sizes come from one Style; a method has the same
// color, dash and marker in every figure. Use(Dark) makes the figures that
// follow fit a dark page.
package plotting
