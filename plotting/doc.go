// Package plotting draws what package crankpkg learns: in a GoNB notebook
// inline, elsewhere into files.
//
//	plotting.Show(plotting.Network(m), plotting.Convergence(trace))
//
// The functions take data and return a *Figure: one or more panels with one
// key, on gonum/plot. Figure.Plots gives the *plot.Plot of each panel, to set a
// title, a range or a label as with any gonum plot; Grid puts figures (and any
// *plot.Plot) side by side; Show displays and Save writes PNG, SVG, PDF or GIF.
// Animate plays pictures one after the other, Scrubber lets a reader move
// through them, with no kernel and in saved pages too.
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
//     logarithmic axis: left out, and counted in a note. So are values beyond
//     1e300. An end of a range that is not finite is chosen as if there were none;
//   - one point: its marker, and constant data: a line in the middle of an axis
//     with round numbers;
//   - names longer than 28 letters: shortened in the middle;
//   - letters that no font has: in the name of a label or of a row, its number in
//     place of the name; in all other text a box with the number of the letter in
//     Unicode. A note tells which; that on boxes follows from the texts as they
//     are when the figure is drawn, and is in the picture alone.
//
// Slices of different lengths are a mistake in the program, and a panic. Show
// and Save return an error when writing fails.
//
// # Text of any script
//
// The built-in font covers Latin, Greek, Cyrillic, Hebrew and phonetic letters,
// and looks the same on every machine. Other letters come from the font that
// UseFont names or, failing that, from a font of the system: a short list of
// well-known ones in the usual folders, looked for once, when a letter first needs
// it. A program whose pictures have to be the same everywhere calls UseFont.
// Letters are drawn as outlines in all formats, so that no file needs a font to be
// seen; their text can be neither searched nor copied, in SVG and PDF either. SVG has
// the title and a description as text beside the drawing. Hebrew and Arabic run from right to left, and Arabic letters join. All
// other letters stand one by one, also those of Indian scripts, which should join.
//
// # Style
//
// Colors, dashes, markers and sizes come from one Style; a method has the same
// color, dash and marker in every figure. Use(Dark) makes the figures that
// follow fit a dark page.
package plotting
