package mulandata

import (
	"compress/gzip"
	"embed"
	"io"
	"io/fs"
)

// packed holds each file under its set's folder, compressed by gzip.
//
//go:embed emotions flags medical scene yeast
var packed embed.FS

// Has reports whether the files of a set are here.
func Has(set string) bool {
	_, err := fs.Stat(packed, set)
	return err == nil
}

// Open returns the content of a file as Mulan publishes it; name is the set and the file, "yeast/yeast-train.arff".
func Open(name string) (io.ReadCloser, error) {
	f, err := packed.Open(name + ".gz")
	if err != nil {
		return nil, err
	}
	return gzip.NewReader(f) // a file in memory has nothing to close
}
