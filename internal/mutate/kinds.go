package main

import (
	"go/ast"
	"go/token"
	"go/types"
	"math"
	"strconv"
	"strings"
)

// slip says what an operator is mistaken for.
type slip struct {
	kind string
	to   []token.Token
}

// slips holds what each operator is mistaken for: of comparisons the neighbor, off by one, and the converse.
var slips = map[token.Token]slip{
	token.LSS: {"comparison", []token.Token{token.LEQ, token.GTR}},
	token.LEQ: {"comparison", []token.Token{token.LSS, token.GEQ}},
	token.GTR: {"comparison", []token.Token{token.GEQ, token.LSS}},
	token.GEQ: {"comparison", []token.Token{token.GTR, token.LEQ}},
	token.EQL: {"comparison", []token.Token{token.NEQ}},
	token.NEQ: {"comparison", []token.Token{token.EQL}},

	token.LAND: {"logic", []token.Token{token.LOR}},
	token.LOR:  {"logic", []token.Token{token.LAND}},

	token.ADD: {"arithmetic", []token.Token{token.SUB}},
	token.SUB: {"arithmetic", []token.Token{token.ADD}},
	token.MUL: {"arithmetic", []token.Token{token.QUO}},
	token.QUO: {"arithmetic", []token.Token{token.MUL}},
	token.AND: {"arithmetic", []token.Token{token.OR}},
	token.OR:  {"arithmetic", []token.Token{token.AND}},
	token.SHL: {"arithmetic", []token.Token{token.SHR}},
	token.SHR: {"arithmetic", []token.Token{token.SHL}},

	token.ADD_ASSIGN: {"assignment", []token.Token{token.SUB_ASSIGN}},
	token.SUB_ASSIGN: {"assignment", []token.Token{token.ADD_ASSIGN}},
	token.MUL_ASSIGN: {"assignment", []token.Token{token.QUO_ASSIGN}},
	token.QUO_ASSIGN: {"assignment", []token.Token{token.MUL_ASSIGN}},
	token.INC:        {"assignment", []token.Token{token.DEC}},
	token.DEC:        {"assignment", []token.Token{token.INC}},
}

// opposites are names mistaken for each other: of functions that any package may have, and of the two truth values.
var opposites = map[string]string{
	"min": "max", "max": "min",
	"Min": "Max", "Max": "Min",
	"MinIdx": "MaxIdx", "MaxIdx": "MinIdx",
	"MinFunc": "MaxFunc", "MaxFunc": "MinFunc",
	"Floor": "Ceil", "Ceil": "Floor",
	"true": "false", "false": "true",
}

// operator mistakes an operator whose first operand is x. Strings can only be added.
func (l *lister) operator(at token.Pos, op token.Token, x ast.Expr) {
	s := slips[op]
	if s.kind != "comparison" && isString(l.info.TypeOf(x)) {
		return
	}
	for _, to := range s.to {
		l.replace(s.kind, at, at+token.Pos(len(op.String())), to.String())
	}
}

func isString(t types.Type) bool {
	if t == nil {
		return false
	}
	b, ok := t.Underlying().(*types.Basic)
	return ok && b.Info()&types.IsString != 0
}

// unary drops a sign or a negation.
func (l *lister) unary(n *ast.UnaryExpr) {
	switch n.Op {
	case token.SUB:
		l.replace("sign", n.OpPos, n.X.Pos(), "")
	case token.NOT:
		l.replace("negation", n.OpPos, n.X.Pos(), "")
	}
}

// literal adds one to an integer and halves a float, whose zero becomes one.
func (l *lister) literal(n *ast.BasicLit) {
	switch n.Kind {
	case token.INT:
		if k, err := strconv.ParseInt(n.Value, 0, 64); err == nil && k < math.MaxInt64 {
			l.replace("constant", n.Pos(), n.End(), strconv.FormatInt(k+1, 10))
		}
	case token.FLOAT:
		if x, err := strconv.ParseFloat(n.Value, 64); err == nil {
			l.replace("constant", n.Pos(), n.End(), half(x))
		}
	}
}

// half writes x/2, or 1 for zero, as a float's literal.
func half(x float64) string {
	if x == 0 {
		return "1.0"
	}
	s := strconv.FormatFloat(x/2, 'g', -1, 64)
	if !strings.ContainsAny(s, ".e") {
		s += ".0"
	}
	return s
}

// ident mistakes a truth value, or a function for its opposite. A name that is declared here stays.
func (l *lister) ident(n *ast.Ident) {
	to, ok := opposites[n.Name]
	if !ok {
		return
	}
	switch l.info.Uses[n].(type) {
	case *types.Const, *types.Func, *types.Builtin:
		l.replace("opposite", n.Pos(), n.End(), to)
	}
}

// condition negates what an if asks, unless another slip does.
func (l *lister) condition(cond ast.Expr) {
	switch c := cond.(type) {
	case *ast.BinaryExpr:
		if c.Op == token.EQL || c.Op == token.NEQ {
			return
		}
	case *ast.UnaryExpr:
		if c.Op == token.NOT {
			return
		}
	}
	l.replace("condition", cond.Pos(), cond.End(), "!("+l.text(cond)+")")
}

// branch goes on with a loop that it should leave, or the other way around.
func (l *lister) branch(n *ast.BranchStmt) {
	end := n.TokPos + token.Pos(len(n.Tok.String()))
	switch n.Tok {
	case token.BREAK:
		l.replace("branch", n.TokPos, end, "continue")
	case token.CONTINUE:
		l.replace("branch", n.TokPos, end, "break")
	}
}

var errorType = types.Universe.Lookup("error").Type().Underlying().(*types.Interface)

// returned forgets the error of a return.
func (l *lister) returned(n *ast.ReturnStmt) {
	if len(n.Results) == 0 {
		return
	}
	last := n.Results[len(n.Results)-1]
	if t := l.info.TypeOf(last); t != nil && types.Implements(t, errorType) {
		l.replace("error", last.Pos(), last.End(), "nil")
	}
}

// bound moves the bound of a slice by one. A literal moves as a constant.
func (l *lister) bound(e ast.Expr) {
	if _, ok := e.(*ast.BasicLit); ok || e == nil {
		return
	}
	l.replace("bound", e.End(), e.End(), "+1")
	l.replace("bound", e.End(), e.End(), "-1")
}

// statements forgets assignments and calls.
func (l *lister) statements(list []ast.Stmt) {
	for _, s := range list {
		switch s := s.(type) {
		case *ast.ExprStmt, *ast.IncDecStmt:
			l.replace("deletion", s.Pos(), s.End(), "")
		case *ast.AssignStmt:
			if s.Tok != token.DEFINE && !blank(s.Lhs) {
				l.replace("deletion", s.Pos(), s.End(), "")
			}
		}
	}
}

// blank reports whether an assignment keeps nothing.
func blank(lhs []ast.Expr) bool {
	for _, e := range lhs {
		if id, ok := e.(*ast.Ident); !ok || id.Name != "_" {
			return false
		}
	}
	return true
}

// call swaps arguments. It reports whether to look into the call, for two need care: of the argument of math.Inf only the
// sign matters, and the capacity that make is given changes no result.
func (l *lister) call(n *ast.CallExpr) bool {
	switch f := l.callee(n); {
	case f == "math.Inf":
		l.flip(n.Args[0])
		return false
	case f == "make" && len(n.Args) == 3:
		ast.Inspect(n.Args[1], l.visit)
		return false
	case opposites[f[strings.LastIndexByte(f, '.')+1:]] == "":
		l.swap(n.Args)
	}
	return true
}

// callee returns the name of a called function, with its package's path if it has one, or "".
func (l *lister) callee(n *ast.CallExpr) string {
	name, ok := n.Fun.(*ast.Ident)
	if s, isSelector := n.Fun.(*ast.SelectorExpr); isSelector {
		name, ok = s.Sel, true
	}
	if !ok {
		return ""
	}
	switch f := l.info.Uses[name].(type) {
	case *types.Func:
		if f.Signature().Recv() == nil {
			return f.Pkg().Path() + "." + f.Name()
		}
	case *types.Builtin:
		return f.Name()
	}
	return ""
}

// flip changes the sign of an expression.
func (l *lister) flip(e ast.Expr) {
	if u, ok := e.(*ast.UnaryExpr); ok && u.Op == token.SUB {
		l.unary(u)
		return
	}
	l.replace("sign", e.Pos(), e.End(), "-("+l.text(e)+")")
}

// swap exchanges two arguments that are names of the same type.
func (l *lister) swap(args []ast.Expr) {
	for i, x := range args {
		for _, y := range args[i+1:] {
			a, ok := x.(*ast.Ident)
			b, also := y.(*ast.Ident)
			if ok && also && a.Name != b.Name && types.Identical(l.info.TypeOf(a), l.info.TypeOf(b)) {
				between := string(l.source.text[l.offset(a.End()):l.offset(b.Pos())])
				l.replace("arguments", a.Pos(), b.End(), b.Name+between+a.Name)
			}
		}
	}
}
