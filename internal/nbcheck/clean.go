package nbcheck

import (
	"bytes"
	"crypto/sha256"
	"encoding/json"
	"fmt"
	"regexp"
	"strings"
)

// Clean returns the notebook file data without what differs from one execution or machine to the next, so that the difference
// between two versions shows what changed: no timings, random ids, kernel versions or widget states, and paths below root made
// relative. The result is laid out as Jupyter lays out its files.
func Clean(data []byte, root string) ([]byte, error) {
	var nb map[string]any
	d := json.NewDecoder(bytes.NewReader(data))
	d.UseNumber() // keep numbers as they are written
	if err := d.Decode(&nb); err != nil {
		return nil, err
	}
	nb["metadata"] = map[string]any{
		"kernelspec":    map[string]any{"display_name": "Go (gonb)", "language": "go", "name": "gonb"},
		"language_info": map[string]any{"file_extension": ".go", "mimetype": "text/x-go", "name": "go"},
	}
	nb["nbformat"], nb["nbformat_minor"] = 4, 5
	cells, _ := nb["cells"].([]any)
	used := map[string]bool{}
	ids := &stableIDs{names: map[string]string{}}
	for _, c := range cells {
		cell, ok := c.(map[string]any)
		if !ok {
			return nil, fmt.Errorf("a cell is not an object")
		}
		cleanCell(cell, used, ids, root)
	}
	var out bytes.Buffer
	e := json.NewEncoder(&out)
	e.SetEscapeHTML(false)
	e.SetIndent("", " ")
	if err := e.Encode(nb); err != nil {
		return nil, err
	}
	return out.Bytes(), nil
}

// cleanCell cleans a cell in place. Of its metadata only the tags stay.
func cleanCell(cell map[string]any, used map[string]bool, ids *stableIDs, root string) {
	metadata := map[string]any{}
	if old, ok := cell["metadata"].(map[string]any); ok && old["tags"] != nil {
		metadata["tags"] = old["tags"]
	}
	cell["metadata"] = metadata
	cell["id"] = cellID(cell, used)
	if cell["cell_type"] != "code" {
		return
	}
	outputs, _ := cell["outputs"].([]any)
	outputs = joinStreams(outputs)
	cell["outputs"] = outputs
	for i, o := range outputs {
		outputs[i] = mapStrings(o, func(s string) string {
			if root != "" {
				s = strings.ReplaceAll(s, root+"/", "")
			}
			return ids.replace(s)
		})
	}
}

// joinStreams joins neighboring pieces of the same stream: where the kernel cuts it changes from run to run.
func joinStreams(outputs []any) []any {
	joined := []any{} // not nil, which would be written as null
	for _, o := range outputs {
		name, text, ok := stream(o)
		if !ok {
			joined = append(joined, o)
			continue
		}
		if len(joined) > 0 {
			if before, earlier, ok := stream(joined[len(joined)-1]); ok && before == name {
				text = earlier + text
				joined = joined[:len(joined)-1]
			}
		}
		lines := []any{}
		for line := range strings.Lines(text) {
			lines = append(lines, line)
		}
		joined = append(joined, map[string]any{"output_type": "stream", "name": name, "text": lines})
	}
	return joined
}

// stream returns the name and the whole text of an output that is a piece of a stream.
func stream(output any) (name, text string, ok bool) {
	o, _ := output.(map[string]any)
	if o["output_type"] != "stream" {
		return "", "", false
	}
	name, _ = o["name"].(string)
	return name, joinText(o["text"]), true
}

// joinText returns a decoded string or list of lines as one string.
func joinText(v any) string {
	var b strings.Builder
	mapStrings(v, func(s string) string { b.WriteString(s); return s })
	return b.String()
}

// cellID returns an id that changes only when the cell's own content does.
func cellID(cell map[string]any, used map[string]bool) string {
	kind, _ := cell["cell_type"].(string)
	sum := sha256.Sum256([]byte(kind + "\n" + joinText(cell["source"])))
	id := fmt.Sprintf("%x", sum[:4])
	for n, first := 2, id; used[id]; n++ {
		id = fmt.Sprintf("%s-%d", first, n)
	}
	used[id] = true
	return id
}

// mapStrings applies f to all strings (not the keys) of decoded JSON, in order within lists, and returns the result.
func mapStrings(v any, f func(string) string) any {
	switch v := v.(type) {
	case string:
		return f(v)
	case []any:
		for i := range v {
			v[i] = mapStrings(v[i], f)
		}
	case map[string]any:
		for k := range v {
			v[k] = mapStrings(v[k], f)
		}
	}
	return v
}

// randomID is how GoNB names the elements of its widgets, inside one output or across several.
var randomID = regexp.MustCompile(`\b(gonb_\w*?)([0-9a-f]{8})\b`)

// stableIDs replaces random ids by numbered ones, the same everywhere in a notebook.
type stableIDs struct{ names map[string]string }

func (ids *stableIDs) replace(s string) string {
	return randomID.ReplaceAllStringFunc(s, func(id string) string {
		name, ok := ids.names[id]
		if !ok {
			prefix := randomID.FindStringSubmatch(id)[1]
			name = fmt.Sprintf("%s%d", prefix, len(ids.names)+1)
			ids.names[id] = name
		}
		return name
	})
}
