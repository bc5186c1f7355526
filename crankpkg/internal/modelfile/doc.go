// Package modelfile has the form that a model takes on disk: one JSON object, File.
// crankpkg turns models into it and back, and checks what the numbers mean.
//
//	File            what a model file holds, in plain lists
//	Encode, Decode  its text, in the lowest version that has what it needs
//	Join            rows of one width, one after the other
package modelfile
