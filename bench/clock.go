package main

// #include <time.h>
// static double threadSeconds(void) {
//	struct timespec t;
//	clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t);
//	return t.tv_sec + 1e-9*t.tv_nsec;
// }
import "C"

import "runtime"

// cpuSeconds returns the processor time that f takes on its thread, in seconds.
// Unlike the time on the wall, it does not count what else the machine does.
func cpuSeconds(f func()) float64 {
	runtime.LockOSThread()
	defer runtime.UnlockOSThread()
	begin := C.threadSeconds()
	f()
	return float64(C.threadSeconds() - begin)
}

// cpuSecondsOf is cpuSeconds for what takes microseconds: the mean over so many
// calls that the clock's grain does not matter.
func cpuSecondsOf(f func()) float64 {
	const enough = 2e-4
	for calls := 1; ; calls *= 2 {
		total := cpuSeconds(func() {
			for range calls {
				f()
			}
		})
		if total >= enough {
			return total / float64(calls)
		}
	}
}
