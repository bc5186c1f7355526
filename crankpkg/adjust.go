package crankpkg

// Adjustable is a Trainer whose Settings can be changed. Every method of this
// package is one; packages crossval and experiment use it to set the scaling, the
// seed and the number of workers.
type Adjustable interface {
	Trainer
	// Adjust returns the same trainer with settings that change has changed.
	Adjust(change func(*Settings)) Trainer
}

// Adjust returns e with changed settings.
func (e Empty) Adjust(change func(*Settings)) Trainer { change(&e.Settings); return e }

// Adjust returns f with changed settings.
func (f Full) Adjust(change func(*Settings)) Trainer { change(&f.Settings); return f }

// Adjust returns f with changed settings.
func (f FixedGraph) Adjust(change func(*Settings)) Trainer { change(&f.Settings); return f }

// Adjust returns p with changed settings.
func (p Project) Adjust(change func(*Settings)) Trainer { change(&p.Settings); return p }

// Adjust returns g with changed settings.
func (g Greedy) Adjust(change func(*Settings)) Trainer { change(&g.Settings); return g }

// Adjust returns m with changed settings.
func (m MST) Adjust(change func(*Settings)) Trainer { change(&m.Settings); return m }

// Adjust returns c with changed settings.
func (c ChowLiu) Adjust(change func(*Settings)) Trainer { change(&c.Settings); return c }

// Adjust returns c with changed settings.
func (c CRANK) Adjust(change func(*Settings)) Trainer { change(&c.Settings); return c }

// Adjust returns b with changed settings.
func (b BestTree) Adjust(change func(*Settings)) Trainer { change(&b.Settings); return b }

// Adjust returns s with changed settings. They hold for Start too.
func (s SwapSearch) Adjust(change func(*Settings)) Trainer { change(&s.Settings); return s }

// Adjust returns t with settings that change has changed, and whether it is
// Adjustable; else it returns t as it is. What embeds a method is Adjustable with an Adjust of
// its own: that of the method would return the method alone.
func Adjust(t Trainer, change func(*Settings)) (Trainer, bool) {
	if a, ok := t.(Adjustable); ok {
		adjusted := a.Adjust(change)
		if _, embeds := t.(learner); embeds && baseType(adjusted) != baseType(t) {
			return t, false
		}
		return adjusted, true
	}
	return t, false
}
