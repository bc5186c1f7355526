package policy

import (
	"slices"
	"strings"
	"testing"
)

// module is the path of this module, with a slash.
const module = "github.com/crank-ml/crank/"

// may lists, for each package of the library, the packages of this module that it may import. What those import, it may reach
// through them. A package that is not here fails the test: say first where it stands.
var may = map[string][]string{
	// Leaves.
	"internal/atomicfile":         {},
	"internal/cputime":            {},
	"internal/peakmemory":         {},
	"internal/origin":             {},
	"internal/nearest":            {},
	"crankpkg/internal/errs":      {},
	"crankpkg/internal/parallel":  {},
	"crankpkg/internal/draw":      {},
	"crankpkg/internal/jsonlist":  {},
	"crankpkg/internal/maxflow":   {},
	"crankpkg/internal/unionfind": {},
	"crankpkg/internal/farkas":    {},
	"crankpkg/internal/textfile":  {},
	"crankpkg/internal/mulandata": {},
	"crankpkg/internal/division":  {},
	"crankpkg/internal/sources":   {},
	"crankpkg/internal/schema":    {"internal/nearest"},
	"crankpkg/internal/values":    {},
	"crankpkg/internal/vec":       {},
	// What crankpkg stands on.
	"crankpkg/labelgraph":           {"crankpkg/internal/unionfind"},
	"crankpkg/metrics":              {"crankpkg/internal/errs"},
	"crankpkg/significance":         {"crankpkg/metrics"},
	"crankpkg/feature":              {"crankpkg/internal/errs", "crankpkg/internal/vec"},
	"crankpkg/envelope":             {"crankpkg/labelgraph"},
	"crankpkg/infer":                {"crankpkg/labelgraph", "crankpkg/metrics", "crankpkg/internal/errs", "crankpkg/internal/maxflow", "crankpkg/internal/unionfind"},
	"crankpkg/mrf":                  {"crankpkg/labelgraph", "crankpkg/internal/errs"},
	"crankpkg/simplex":              {"crankpkg/infer"},
	"crankpkg/internal/groups":      {"crankpkg/labelgraph", "crankpkg/mrf"},
	"crankpkg/internal/information": {"crankpkg/labelgraph", "crankpkg/internal/groups"},
	"crankpkg/internal/among":       {"crankpkg/labelgraph", "crankpkg/metrics"},
	"crankpkg/internal/forest":      {"crankpkg/feature", "crankpkg/infer", "crankpkg/internal/linear"},
	"crankpkg/internal/labeling":    {"crankpkg/infer", "crankpkg/internal/forest"},
	"crankpkg/internal/linear":      {"crankpkg/feature", "crankpkg/internal/vec"},
	"crankpkg/internal/table":       {"internal/nearest", "crankpkg/feature", "crankpkg/internal/errs", "crankpkg/internal/schema"},
	"crankpkg/internal/arff":        {"internal/nearest", "crankpkg/feature", "crankpkg/internal/errs", "crankpkg/internal/table", "crankpkg/internal/textfile"},
	"crankpkg/internal/csvdata":     {"internal/nearest", "crankpkg/feature", "crankpkg/internal/errs", "crankpkg/internal/table", "crankpkg/internal/textfile"},
	"crankpkg/internal/libsvm":      {"crankpkg/feature", "crankpkg/internal/errs", "crankpkg/internal/table", "crankpkg/internal/textfile"},
	"crankpkg/internal/mulan":       {"internal/atomicfile", "crankpkg/internal/errs", "crankpkg/internal/mulandata"},
	"crankpkg/internal/modelfile":   {"crankpkg/decision", "crankpkg/feature", "crankpkg/metrics", "crankpkg/internal/jsonlist", "crankpkg/internal/table"},
	"crankpkg/internal/treeset":     {"crankpkg/labelgraph", "crankpkg/internal/errs", "crankpkg/internal/unionfind"},
	"crankpkg/internal/interior":    {"crankpkg/feature", "crankpkg/internal/vec"},
	"crankpkg/internal/polytope":    {"crankpkg/labelgraph", "crankpkg/feature", "crankpkg/internal/vec"},
	"crankpkg/internal/solver": {"crankpkg/labelgraph", "crankpkg/feature", "crankpkg/envelope", "crankpkg/infer", "crankpkg/mrf",
		"crankpkg/internal/errs", "crankpkg/internal/groups", "crankpkg/internal/interior", "crankpkg/internal/polytope", "crankpkg/internal/parallel", "crankpkg/internal/vec"},
	"crankpkg/internal/treesearch": {"crankpkg/labelgraph", "crankpkg/internal/parallel", "crankpkg/internal/solver", "crankpkg/internal/treeset"},
	"crankpkg/decision": {"crankpkg/labelgraph", "crankpkg/infer", "crankpkg/metrics", "crankpkg/internal/among", "crankpkg/internal/errs", "crankpkg/internal/forest",
		"crankpkg/internal/labeling", "crankpkg/internal/parallel"},
	"crankpkg/trainstore":       {"crankpkg/internal/errs", "crankpkg/internal/parallel", "crankpkg/internal/values", "internal/atomicfile"},
	"crankpkg/internal/testkit": {"crankpkg/labelgraph", "crankpkg/feature"},
	// The ten lines, and what stands on them.
	"crankpkg": {"crankpkg/labelgraph", "crankpkg/feature", "crankpkg/metrics", "crankpkg/envelope", "crankpkg/infer", "crankpkg/mrf",
		"crankpkg/decision", "crankpkg/internal/among", "crankpkg/internal/arff", "crankpkg/internal/division", "crankpkg/internal/draw", "crankpkg/internal/errs",
		"crankpkg/internal/forest", "crankpkg/internal/groups", "crankpkg/internal/information", "crankpkg/internal/labeling", "crankpkg/internal/linear", "crankpkg/internal/modelfile",
		"crankpkg/internal/mulan", "crankpkg/internal/parallel", "crankpkg/internal/schema", "crankpkg/internal/solver", "crankpkg/internal/sources", "crankpkg/internal/table",
		"crankpkg/internal/treesearch", "crankpkg/internal/treeset", "crankpkg/internal/unionfind", "crankpkg/internal/values", "crankpkg/internal/vec",
		"crankpkg/trainstore", "internal/atomicfile"},
	"crankpkg/multistate": {"crankpkg", "crankpkg/labelgraph", "crankpkg/internal/draw", "crankpkg/internal/groups", "crankpkg/internal/jsonlist",
		"internal/atomicfile"},
	"crankpkg/planted":    {"crankpkg", "crankpkg/labelgraph", "crankpkg/internal/draw"},
	"crankpkg/gated":      {"crankpkg", "crankpkg/feature", "crankpkg/labelgraph", "crankpkg/metrics", "crankpkg/internal/draw"},
	"crankpkg/sparse":     {"crankpkg"},
	"crankpkg/tabular":    {"crankpkg", "crankpkg/feature", "crankpkg/internal/csvdata", "crankpkg/internal/libsvm", "crankpkg/internal/table"},
	"crankpkg/crossval":   {"crankpkg", "crankpkg/decision", "crankpkg/feature", "crankpkg/metrics", "crankpkg/infer", "crankpkg/internal/parallel", "crankpkg/internal/vec"},
	"crankpkg/experiment": {"crankpkg", "crankpkg/crossval", "crankpkg/metrics", "crankpkg/significance", "crankpkg/trainstore", "crankpkg/internal/errs", "crankpkg/internal/parallel", "internal/atomicfile"},
	// Theory needs no learning.
	"crankpkg/hardness": {"crankpkg/labelgraph", "crankpkg/mrf", "crankpkg/internal/errs", "crankpkg/internal/farkas"},
}

// TestImportsPointOneWay holds every package of the library, with all that it depends on, to the table.
func TestImportsPointOneWay(t *testing.T) {
	t.Parallel()
	seen := map[string]bool{}
	for _, p := range packages(t) {
		if !inLibrary(p.ImportPath) {
			continue
		}
		pkg := strings.TrimPrefix(p.ImportPath, module)
		seen[pkg] = true
		if _, ok := may[pkg]; !ok {
			t.Errorf("%s is not in the table of what may import what", pkg)
			continue
		}
		reach := closure(pkg)
		for _, path := range p.Deps {
			switch dep, ours := strings.CutPrefix(path, module); {
			case ours && !reach[dep]:
				t.Errorf("%s must not depend on %s", pkg, dep)
			case !ours && foreign(path) && !strings.HasPrefix(path, "gonum.org/v1/gonum/"):
				t.Errorf("%s depends on %s: the library needs gonum and the standard library only", pkg, path)
			}
		}
	}
	for pkg := range may {
		if strings.HasPrefix(pkg, "crankpkg") && !seen[pkg] {
			t.Errorf("%s is in the table and is no package", pkg)
		}
	}
}

// closure returns what pkg may reach through its imports.
func closure(pkg string) map[string]bool {
	reach := map[string]bool{}
	var visit func(string)
	visit = func(p string) {
		for _, dep := range may[p] {
			if !reach[dep] {
				reach[dep] = true
				visit(dep)
			}
		}
	}
	visit(pkg)
	return reach
}

// foreign reports whether a path is neither of the standard library nor one that it vendors.
func foreign(path string) bool {
	first, _, _ := strings.Cut(path, "/")
	return strings.Contains(first, ".")
}

// TestTableOfImports finds slips in the table itself: unknown names, and a circle.
func TestTableOfImports(t *testing.T) {
	t.Parallel()
	for pkg, deps := range may {
		if closure(pkg)[pkg] {
			t.Errorf("%s may reach itself", pkg)
		}
		for _, dep := range deps {
			if _, ok := may[dep]; !ok {
				t.Errorf("%s may import %s, which the table does not know", pkg, dep)
			}
		}
		if !slices.Equal(deps, slices.Compact(slices.Clone(deps))) {
			t.Errorf("%s lists an import twice", pkg)
		}
	}
}

// TestNobodyImportsCommands keeps what makes results, and notebooks, out of what others build on.
func TestNobodyImportsCommands(t *testing.T) {
	t.Parallel()
	for _, p := range packages(t) {
		pkg := strings.TrimPrefix(p.ImportPath, module)
		for _, path := range p.Imports {
			dep, ours := strings.CutPrefix(path, module)
			if ours && (strings.HasPrefix(dep, "cmd/") && !strings.HasPrefix(pkg, "cmd/") || strings.HasPrefix(dep, "notebooks") && pkg != "notebooks") {
				t.Errorf("%s imports %s", pkg, dep)
			}
		}
	}
}
