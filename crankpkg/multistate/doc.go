// Package multistate is crankpkg for variables of several states instead of labels that
// are on or off.
//
//	Dataset, Planted, FromBinary   data; Indicators turns each state into a label, in Groups
//	Train                          any method of crankpkg that takes labels in groups
//	Model, Predictor, Evaluate     with LoadModel and Save
//
// Learning is that of crankpkg on indicators: what is here names states, and decodes.
package multistate
