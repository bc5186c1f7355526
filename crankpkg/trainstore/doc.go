// Package trainstore keeps trainings, so that one that was ever done comes back at once.
//
// Training is deterministic: the same method, settings, data and version of the library give
// the same bits. So a training is a value, and a folder can keep it under a key of its
// content. Every method's Train, TrainPath, and with these cross-validation, experiments and
// sweeps ask the store first. What comes back is what was trained, bit by bit: the model, the
// trace with the times of then, and an error that wraps ErrNotConverged where there was one.
//
//	Store, Open   a folder
//	In, Of        which store trainings under a context use
//	Env           the environment variable that says which: a folder, or off
//	Versioned     how a trainer of your own takes part
//	Key, Do, Look anything else that is determined by its inputs
//
// # Where it is on
//
// In a notebook it is on, in the folder crank/trainings of the user's cache folder, and
// holds at most a gigabyte: what was not used for longest goes first. Elsewhere it is off.
// CRANK_STORE=folder turns it on and keeps everything there, CRANK_STORE=off turns it off; In
// does so for a part of a program.
//
// # What a key is made of
//
// Of the rows, labels, names, groups and coding of the data (not of its name); of the method's
// type and all of its fields, but Workers, Progress and MaxTime, which change no result that is
// kept; of the program that trains; of Go's version; and of what a very small training gives on
// this processor, since other processors may round differently. Trainings that ended by their
// context or by MaxTime are not kept, and one that took longer than MaxTime allows is not used.
//
// The program is the library's own text: every build carries that of what trains, chooses
// lambdas and rules, and measures, and hashes it, without comments and empty lines, when a store
// is first asked. So whoever changes that code trains anew, whether or not any test would have
// noticed, and nobody has to remember a number. What else is in the library,
// a notebook, a figure, a reader of files, changes no key: the data that are read are in it
// themselves. A revision of git would change with all of these, and is unknown where a
// notebook's cells are compiled; the hashes of pinned results, which are in the key for the sake
// of libraries of others, change only with settings that are pinned.
//
// Any number of processes may share a folder, also over a network. Of those that ask for a
// training that is not there, one trains and the others wait; should it die, another takes
// over. Files are written whole or not at all and have a checksum: what is damaged is
// computed again.
package trainstore
