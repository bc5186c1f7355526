package results

import "context"

// growthLambda is the same for all sizes: with more examples the problem is the
// same, known better.
const growthLambda = 0.01

// growthSeeds is how many draws of the data each size has.
const growthSeeds = 5

// series varies one size of the data, by factors of about two, for some
// methods.
type series struct {
	part    string
	methods []string
	sizes   []int
	// once are larger sizes, with one draw of the data.
	once []int
	job  func(size int) Job
}

var treeMethods = []string{"Empty", "Chow-Liu", "CRANK"}

// growthSeries are the series; a trial has the two smallest sizes,
// one draw, and fewer examples.
var growthSeries = []series{
	{"examples", append(treeMethods[:3:3], "Full"), []int{1000, 2000, 4000, 8000, 16000, 32000}, []int{64000, 100000},
		func(m int) Job { return planted(m, 20, 20) }},
	{"features", append(treeMethods[:3:3], "Full"), []int{10, 20, 40, 80, 160, 320}, []int{640, 1280},
		func(d int) Job { return planted(2000, d, 20) }},
	{"labels", treeMethods, []int{16, 32, 64, 128, 256, 512, 1000}, nil, func(n int) Job { return planted(2000, 20, n) }},
	{"labels, all pairs", []string{"CRANK, beta grows", "Full"}, []int{8, 16, 32, 64}, nil, func(n int) Job { return planted(2000, 20, n) }},
	{"labels, Greedy", []string{"Greedy", "MST"}, []int{8, 12, 16, 24}, nil, func(n int) Job { return planted(500, 20, n) }},
	{"dependencies", treeMethods, []int{0, 32, 64, 96, 127}, nil, func(k int) Job {
		j := planted(2000, 20, 128)
		j.Dependencies = k
		return j
	}},
	{"examples, yeast", append(treeMethods[:3:3], "Full"), []int{150, 300, 600, 1200}, nil, func(m int) Job { return Job{Set: "yeast", M: m} }},
	{"examples, scene", append(treeMethods[:3:3], "Full"), []int{150, 300, 600, 1200}, nil, func(m int) Job { return Job{Set: "scene", M: m} }},
}

// planted returns a job on data whose labels depend on each other in a tree.
func planted(m, d, n int) Job { return Job{M: m, D: d, N: n, Dependencies: n - 1} }

// growth makes scaling.json: trainings on planted data, and on parts of real sets drawn at random,
// one size growing at a time. A method that a size takes beyond the limit is not tried on larger
// ones.
func (mk *maker) growth(ctx context.Context) error {
	var rows []JobResult
	for _, s := range growthSeries {
		tooLong := map[string]bool{}
		sizes := append(s.sizes[:len(s.sizes):len(s.sizes)], s.once...)
		for k, size := range sizes[:pick(mk, len(sizes), 2)] {
			j := s.job(size)
			if mk.Quick {
				j.M, j.N = j.M/20, min(j.N, 32)
			}
			j.Part, j.Lambda, j.Target = s.part, growthLambda, pick(mk, 0.01, 0.1)
			seeds := uint64(1)
			if k < len(s.sizes) {
				seeds = pick(mk, uint64(growthSeeds), 1)
			}
			for j.Seed = 1; j.Seed <= seeds; j.Seed++ {
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
	}
	return writeRows(mk, "scaling.json", rows)
}
