package plotting

import (
	"encoding/base64"
	"encoding/gob"
	"errors"
	"fmt"
	"html"
	"image/png"
	"os"
	"path/filepath"
	"sync/atomic"
	"time"

	"github.com/janpfeifer/gonb/gonbui"
	"github.com/janpfeifer/gonb/gonbui/comms"
	"github.com/janpfeifer/gonb/gonbui/dom"
	"github.com/janpfeifer/gonb/gonbui/protocol"
	"github.com/janpfeifer/gonb/gonbui/widgets"
)

func init() {
	// The size of a picture travels to GoNB as metadata of this type.
	gob.Register(map[string]any{})
}

// FiguresEnv names the environment variable with the folder that Show writes
// to outside of GoNB; without it that is the working directory.
const FiguresEnv = "CRANK_FIGURES"

// Show displays drawings. In GoNB they appear below the cell, at a size and
// resolution that is crisp on every screen, and Show returns when they have
// been handed over. Elsewhere they become files whose names are printed:
// figure-001.png, figure-002.png, ... in the folder that FiguresEnv names; a
// program that runs again replaces the files of its last run. A Table is shown as
// text: as HTML in GoNB, printed elsewhere. The error is about writing and nothing
// else.
func Show(drawings ...Drawing) error {
	var errs []error
	for _, d := range drawings {
		table, isTable := d.(Table)
		switch {
		case isTable && gonbui.IsNotebook:
			gonbui.SendData(tableMessage(table))
			continue
		case isTable:
			_, err := fmt.Println(table)
			errs = append(errs, err)
			continue
		case gonbui.IsNotebook:
			errs = append(errs, display(d, ""))
			continue
		}
		format := "png"
		switch d.(type) {
		case *Animation:
			format = "gif"
		case *Positions:
			format = "html"
		}
		_, err := showFile(d, format)
		errs = append(errs, err)
	}
	gonbui.Sync()
	return errors.Join(append(errs, gonbui.Error())...)
}

// display sends d to the notebook: into a new output or, with the id of one, in
// place of what that shows.
func display(d Drawing, id string) error {
	message, err := pictureMessage(d)
	if err != nil {
		return err
	}
	message.DisplayID = id
	gonbui.SendData(message)
	return nil
}

// pictureMessage returns d as notebooks take it. What it shows in words is the alternative
// text of the picture, and stands in place of it where pictures are not shown.
func pictureMessage(d Drawing) (*protocol.DisplayData, error) {
	data, err := encodePNG(d, png.BestCompression)
	if err != nil {
		return nil, err
	}
	w, h := sizeOf(d)
	width, height := pixels(w), pixels(h)
	said := describe(d)
	message := &protocol.DisplayData{
		Data: map[protocol.MIMEType]any{protocol.MIMEImagePNG: data, protocol.MIMETextPlain: said},
		Metadata: map[string]any{string(protocol.MIMEImagePNG): map[string]any{
			"width": width, "height": height, "alt": said,
		}},
	}
	switch d := d.(type) {
	case *Animation:
		// Notebooks have no output of their own for GIF. Where HTML is not shown
		// the PNG, of the last frame, is.
		data, err := d.encodeGIF()
		if err != nil {
			return nil, err
		}
		message.Data[protocol.MIMETextHTML] = fmt.Sprintf(`<img src="data:image/gif;base64,%s" width="%d" height="%d" alt="%s">`,
			base64.StdEncoding.EncodeToString(data), width, height, html.EscapeString(said))
	case *Positions:
		piece, still, err := d.encodeHTML()
		if err != nil {
			return nil, err
		}
		message.Data[protocol.MIMETextHTML], message.Data[protocol.MIMEImagePNG] = piece, still
	}
	return message, nil
}

// tableMessage returns a table as notebooks take it.
func tableMessage(t Table) *protocol.DisplayData {
	return &protocol.DisplayData{Data: map[protocol.MIMEType]any{protocol.MIMETextHTML: t.HTML(), protocol.MIMETextPlain: t.String()}}
}

// Screen is an output whose picture can be replaced, for what changes while a
// cell runs: a training, or a slider. Make it with NewScreen.
type Screen struct {
	id   string // in GoNB
	file string // elsewhere
}

// NewScreen returns a Screen. It takes up no room before its first picture.
func NewScreen() *Screen {
	return &Screen{id: "crank-screen-" + gonbui.UniqueId()}
}

// Show puts d in place of what the screen shows. Outside of GoNB it replaces the
// screen's file, whose name is printed the first time.
func (s *Screen) Show(d Drawing) error {
	if gonbui.IsNotebook {
		err := display(d, s.id)
		gonbui.Sync()
		return errors.Join(err, gonbui.Error())
	}
	if s.file != "" {
		return Save(s.file, d)
	}
	file, err := showFile(d, "png")
	s.file = file
	return err
}

// shown counts the files that Show wrote.
var shown atomic.Int64

// showFile saves d under the next number, prints the file's name and returns it.
func showFile(d Drawing, ext string) (path string, err error) {
	dir := os.Getenv(FiguresEnv)
	if dir != "" {
		if err := os.MkdirAll(dir, 0o755); err != nil {
			return "", fmt.Errorf("plotting: %w", err)
		}
	}
	path = filepath.Join(dir, fmt.Sprintf("figure-%03d.%s", shown.Add(1), ext))
	if err := Save(path, d); err != nil {
		return "", err
	}
	_, err = fmt.Println(path)
	return path, err
}

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
