// Package textfile makes plain UTF-8 text of what people have in their files.
//
//	Open         undoes gzip, bzip2, UTF-16, a byte order mark and lines that end in CR
//	Decompress   undoes gzip and bzip2 alone
//	BaseName     the name of a file without folder and extensions
//	Decode       a text that may be Latin-1
//
// What is no text at all, a zip archive or a web page, is refused by its name.
package textfile
