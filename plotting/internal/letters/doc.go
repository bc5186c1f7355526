// Package letters finds fonts for letters that a figure's own font lacks, in given
// files and among the well-known fonts of a system (List, System), and puts
// letters from right to left into the order of the page (Visual). Package plotting
// is what draws them.
package letters
