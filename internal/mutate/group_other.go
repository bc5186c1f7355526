//go:build !unix

package main

import "os/exec"

// interruptible leaves a command as it is: canceled, it is killed without what it started, which ends at its time limit.
func interruptible(*exec.Cmd) {}

// endGroup does nothing: there are no groups.
func endGroup(*exec.Cmd) {}
