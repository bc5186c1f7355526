package letters

import (
	"encoding/binary"
	"errors"
	"io"
)

// lettersOf are the tables of a font that letters need.
var lettersOf = map[string]bool{
	"CFF ": true, "OS/2": true, "cmap": true, "glyf": true, "head": true, "hhea": true, "hmtx": true, "loca": true, "maxp": true, "name": true, "post": true,
}

var errDamaged = errors.New("the font is damaged")

// alignFont returns a copy of a font, the first one of a collection, with its
// tables at multiples of four bytes. Fonts in use, WenQuanYi's among them, break
// that rule, which the parser insists on.
func alignFont(src io.ReaderAt, size int64) ([]byte, error) {
	start, err := firstFont(src)
	if err != nil {
		return nil, err
	}
	head := make([]byte, 12)
	if _, err := src.ReadAt(head, start); err != nil {
		return nil, errDamaged
	}
	records := make([]byte, 16*int(binary.BigEndian.Uint16(head[4:])))
	if _, err := src.ReadAt(records, start+12); err != nil {
		return nil, errDamaged
	}
	var directory, tables []byte
	for ; len(records) > 0; records = records[16:] {
		record := records[:16:16]
		if !lettersOf[string(record[:4])] {
			continue
		}
		offset, length := int64(binary.BigEndian.Uint32(record[8:])), int64(binary.BigEndian.Uint32(record[12:]))
		if offset+length > size || int64(len(tables))+length > size {
			return nil, errDamaged
		}
		table := make([]byte, (length+3)/4*4)
		if _, err := src.ReadAt(table[:length], offset); err != nil && length > 0 {
			return nil, errDamaged
		}
		binary.BigEndian.PutUint32(record[8:], uint32(len(tables))) // from the end of the directory, for now
		directory, tables = append(directory, record...), append(tables, table...)
	}
	binary.BigEndian.PutUint16(head[4:], uint16(len(directory)/16))
	for k := 0; k < len(directory); k += 16 {
		at := directory[k+8 : k+12]
		binary.BigEndian.PutUint32(at, binary.BigEndian.Uint32(at)+uint32(12+len(directory)))
	}
	return append(append(head, directory...), tables...), nil
}

// firstFont returns where the first font of a file begins.
func firstFont(src io.ReaderAt) (int64, error) {
	head := make([]byte, 16)
	if _, err := src.ReadAt(head, 0); err != nil {
		return 0, errDamaged
	}
	if string(head[:4]) != "ttcf" {
		return 0, nil
	}
	return int64(binary.BigEndian.Uint32(head[12:])), nil
}
