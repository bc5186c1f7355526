package plotting

import (
	"errors"
	"time"

	"github.com/janpfeifer/gonb/gonbui"
	"github.com/janpfeifer/gonb/gonbui/comms"
	"github.com/janpfeifer/gonb/gonbui/dom"
	"github.com/janpfeifer/gonb/gonbui/widgets"
)

// ShowSlider shows the picture of value over a slider from lo to hi, and the
// picture of each value that the slider is moved to, until the cell is stopped.
// While a picture is being made the slider can move on; what it passes
// meanwhile is left out. Outside of GoNB it shows the picture of value and
// returns, as it does, with an error, where no page answers: a notebook that is
// executed without a browser has none.
func ShowSlider(lo, hi, value int, picture func(value int) Drawing) error {
	screen := NewScreen()
	if err := screen.Show(picture(value)); err != nil || !gonbui.IsNotebook {
		return err
	}
	if !connect() {
		return errors.New("plotting: no slider, as no page answers")
	}
	slider := widgets.Slider(lo, hi, value).Done()
	for v := range slider.Listen().LatestOnly().C {
		if err := screen.Show(picture(v)); err != nil {
			return err
		}
	}
	return nil
}

// connect waits until the page answers. GoNB itself tries to connect once, for
// half a second, and that gets lost when the server is slow.
func connect() bool {
	answers := comms.Listen[int]("/crank/connected")
	defer answers.Close()
	for range 5 {
		comms.Start() // tries again only after a second of silence
		dom.TransientJavascript(`globalThis.gonb_comm?.send("/crank/connected", 1)`)
		select {
		case <-answers.C:
			return true
		case <-time.After(2 * time.Second):
		}
	}
	return false
}
