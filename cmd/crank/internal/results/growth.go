package results

import "context"

// growthLambda is the same for all sizes: with more examples the problem is the
// same, known better.
const growthLambda = 0.01

// series varies one size of planted data, by factors of about two, for some
// methods.
type series struct {
	part    string
	methods []string
	sizes   []int
	job     func(size int) Job
}

var treeMethods = []string{"Empty", "Chow-Liu", "CRANK"}

// growthSeries are the series; a trial has the two smallest sizes,
// and fewer examples.
var growthSeries = []series{
	{"examples", append(treeMethods[:3:3], "Full"),
		[]int{1000, 2000, 4000, 8000, 16000, 32000, 64000, 100000}, func(m int) Job { return planted(m, 20, 20) }},
	{"features", append(treeMethods[:3:3], "Full"), []int{10, 20, 40, 80, 160, 320, 640, 1280}, func(d int) Job { return planted(2000, d, 20) }},
	{"labels", treeMethods, []int{16, 32, 64, 128, 256, 512, 1000}, func(n int) Job { return planted(2000, 20, n) }},
	{"labels, all pairs", []string{"CRANK, beta grows", "Full"}, []int{16, 32, 64, 128}, func(n int) Job { return planted(2000, 20, n) }},
	{"labels, Greedy", []string{"Greedy", "MST"}, []int{8, 16, 32, 64}, func(n int) Job { return planted(500, 20, n) }},
	{"dependencies", treeMethods, []int{0, 16, 32, 64, 96, 128, 192, 255}, func(k int) Job {
		j := planted(2000, 20, 256)
		j.Dependencies = k
		return j
	}},
}

// planted returns a job on data whose labels depend on each other in a tree.
func planted(m, d, n int) Job { return Job{M: m, D: d, N: n, Dependencies: n - 1} }

// growth makes scaling.json: trainings on planted data, one of its sizes growing
// at a time. A method that a size takes beyond the limit is not tried on larger
// ones.
func (mk *maker) growth(ctx context.Context) error {
	var rows []JobResult
	for _, s := range growthSeries {
		tooLong := map[string]bool{}
		for _, size := range s.sizes[:pick(mk, len(s.sizes), 2)] {
			j := s.job(size)
			if mk.Quick {
				j.M, j.N = j.M/20, min(j.N, 32)
			}
			j.Part, j.Lambda, j.Target = s.part, growthLambda, pick(mk, 0.01, 0.1)
			for _, j.Method = range s.methods {
				if tooLong[j.Method] {
					continue
				}
				r, err := mk.run(ctx, j)
				if err != nil {
					return err
				}
				rows = append(rows, r)
				tooLong[j.Method] = r.Wall >= jobLimit.Seconds()
			}
		}
	}
	return writeRows(mk, "scaling.json", rows)
}
