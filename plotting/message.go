package plotting

import (
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
)

// message is a panel that says in words why there is no picture.
type message struct {
	text  string
	style *Style
}

// say returns a figure that shows a sentence in place of a picture.
func (s *Style) say(title, text string) *Figure {
	f := s.newFigure(message{text, s})
	f.Title = title
	return f
}

func (m message) Size() (width, height vg.Length) { return panelWidth, panelHeight / 2 }

func (m message) Draw(c draw.Canvas) {
	sty := m.style.textStyle(1.1, m.style.Faint)
	sty.XAlign = draw.XCenter
	drawText(c, sty, c.Center(), m.text)
}
