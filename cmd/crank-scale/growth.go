package main

import "time"

// growthLambda is the same for all sizes: with more examples the problem is the
// same, known better.
const growthLambda = 0.01

// size is that of planted data.
type size struct{ m, d, n, dependencies int }

// series varies one size for some methods.
type series struct {
	part    string
	methods []string
	sizes   []size
}

// growthSeries are the series. Each step is a factor of about two.
func growthSeries() []series {
	trees := []string{"Empty", "Chow-Liu", "CRANK"}
	all := append(trees[:len(trees):len(trees)], "Full")
	s := []series{
		{part: "examples", methods: all},
		{part: "features", methods: all},
		{part: "labels", methods: trees},
		{part: "labels, all pairs", methods: []string{"CRANK, beta grows", "Full"}},
		{part: "labels, Greedy", methods: []string{"Greedy", "MST"}},
		{part: "dependencies", methods: trees},
	}
	for _, m := range []int{1000, 2000, 4000, 8000, 16000, 32000, 64000, 100000} {
		s[0].sizes = append(s[0].sizes, size{m: m, d: 20, n: 20, dependencies: 19})
	}
	for _, d := range []int{10, 20, 40, 80, 160, 320, 640, 1280} {
		s[1].sizes = append(s[1].sizes, size{m: 2000, d: d, n: 20, dependencies: 19})
	}
	for _, n := range []int{16, 32, 64, 128, 256, 512, 1000} {
		s[2].sizes = append(s[2].sizes, size{m: 2000, d: 20, n: n, dependencies: n - 1})
	}
	for _, n := range []int{16, 32, 64, 128} {
		s[3].sizes = append(s[3].sizes, size{m: 2000, d: 20, n: n, dependencies: n - 1})
	}
	for _, n := range []int{8, 16, 32, 64} {
		s[4].sizes = append(s[4].sizes, size{m: 500, d: 20, n: n, dependencies: n - 1})
	}
	for _, k := range []int{0, 16, 32, 64, 96, 128, 192, 255} {
		s[5].sizes = append(s[5].sizes, size{m: 2000, d: 20, n: 256, dependencies: k})
	}
	return s
}

// growth makes scaling.json: trainings on planted data, one of its sizes growing
// at a time. A method that a size takes beyond the limit is not tried on larger
// ones.
func growth(r *runner, limit time.Duration) error {
	for _, s := range growthSeries() {
		tooLong := map[string]bool{}
		for _, size := range s.sizes {
			for _, method := range s.methods {
				if tooLong[method] {
					continue
				}
				res, err := r.do(job{
					Part: s.part, M: size.m, D: size.d, N: size.n, Dependencies: size.dependencies,
					Method: method, Lambda: growthLambda, Target: 0.01, Limit: limit,
				})
				if err != nil {
					return err
				}
				tooLong[method] = res.Wall >= limit.Seconds()
			}
		}
	}
	return nil
}
