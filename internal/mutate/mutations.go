package main

import (
	"bytes"
	"fmt"
	"go/ast"
	"go/token"
	"go/types"
	"strings"
)

// A mutation is a slip within one line: the bytes from start to end of a file become text.
type mutation struct {
	*source
	kind       string
	line       int
	start, end int
	text       string
}

// mutated returns the file with the slip.
func (m mutation) mutated() []byte {
	src := m.source.text
	return append(append(bytes.Clone(src[:m.start]), m.text...), src[m.end:]...)
}

// before and after return the line without and with the slip.
func (m mutation) before() string { return lineAt(m.source.text, m.start) }
func (m mutation) after() string  { return lineAt(m.mutated(), m.start) }

// String names the place, the kind and both lines, as the report and the list of equivalent mutations do.
func (m mutation) String() string {
	return fmt.Sprintf("%s %s\n- %s\n+ %s", m.place(), m.kind, m.before(), m.after())
}

// place is the file and the line, each with a colon after it.
func (m mutation) place() string { return fmt.Sprintf("%s:%d:", m.name, m.line) }

// lineAt returns the line of text that holds the offset, without the space around it.
func lineAt(text []byte, offset int) string {
	start := bytes.LastIndexByte(text[:offset], '\n') + 1
	line, _, _ := bytes.Cut(text[start:], []byte("\n"))
	return strings.TrimSpace(string(line))
}

// mutations lists the slips in the package's files, except those that a program wrote.
func (c *checked) mutations() []mutation {
	var all []mutation
	for i, file := range c.files {
		if ast.IsGenerated(file) {
			continue
		}
		l := lister{fset: c.fset, info: c.info, source: c.sources[i]}
		ast.Inspect(file, l.visit)
		all = append(all, l.found...)
	}
	return all
}

// A lister collects the mutations of a file.
type lister struct {
	fset   *token.FileSet
	info   *types.Info
	source *source
	found  []mutation
}

// visit lists the slips at a node itself, and reports whether to go on to the nodes in it.
func (l *lister) visit(n ast.Node) bool {
	switch n := n.(type) {
	case *ast.BinaryExpr:
		l.operator(n.OpPos, n.Op, n.X)
	case *ast.AssignStmt:
		l.operator(n.TokPos, n.Tok, n.Lhs[0])
	case *ast.IncDecStmt:
		l.operator(n.TokPos, n.Tok, n.X)
	case *ast.UnaryExpr:
		l.unary(n)
	case *ast.BasicLit:
		l.literal(n)
	case *ast.Ident:
		l.ident(n)
	case *ast.IfStmt:
		l.condition(n.Cond)
	case *ast.BranchStmt:
		l.branch(n)
	case *ast.ReturnStmt:
		l.returned(n)
	case *ast.SliceExpr:
		l.bound(n.Low)
		l.bound(n.High)
	case *ast.CallExpr:
		return l.call(n)
	case *ast.BlockStmt:
		l.statements(n.List)
	case *ast.CaseClause:
		l.statements(n.Body)
	case *ast.CommClause:
		l.statements(n.Body)
	}
	return true
}

// replace adds the mutation that puts text in the place of what is from start to end, where that is in one line.
func (l *lister) replace(kind string, start, end token.Pos, text string) {
	from, to := l.offset(start), l.offset(end)
	if bytes.IndexByte(l.source.text[from:to], '\n') >= 0 {
		return
	}
	line := l.fset.PositionFor(start, false).Line
	l.found = append(l.found, mutation{source: l.source, kind: kind, line: line, start: from, end: to, text: text})
}

func (l *lister) offset(p token.Pos) int { return l.fset.PositionFor(p, false).Offset }

// text returns the source of a node.
func (l *lister) text(n ast.Node) string {
	return string(l.source.text[l.offset(n.Pos()):l.offset(n.End())])
}
