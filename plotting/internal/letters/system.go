package letters

import (
	"os"
	"path/filepath"
	"runtime"
	"sort"
	"strings"
)

// wellKnownFonts are the fonts that are looked for on a system, in the order in
// which they are asked for a letter: symbols and small scripts first, then
// Chinese, Japanese and Korean, then single scripts, and what is coarse last.
var wellKnownFonts = []string{
	"DejaVuSans.ttf", "NotoSans-Regular.ttf", "NotoSans-Regular.otf", "segoeui.ttf", "Arial.ttf",
	"NotoSansCJK-Regular.ttc", "NotoSansCJKsc-Regular.otf", "NotoSansCJKtc-Regular.otf", "NotoSansCJKjp-Regular.otf",
	"NotoSansCJKkr-Regular.otf", "NotoSansSC-Regular.otf", "NotoSansSC-Regular.ttf", "NotoSansTC-Regular.otf",
	"NotoSansJP-Regular.otf", "NotoSansJP-Regular.ttf", "NotoSansKR-Regular.otf", "NotoSansKR-Regular.ttf",
	"SourceHanSans-Regular.ttc", "SourceHanSansSC-Regular.otf", "SourceHanSansCN-Regular.otf", "SourceHanSansJP-Regular.otf",
	"PingFang.ttc", "Hiragino Sans GB.ttc", "STHeiti Light.ttc", "AppleSDGothicNeo.ttc", "Arial Unicode.ttf",
	"msyh.ttc", "msyh.ttf", "simhei.ttf", "simsun.ttc", "msjh.ttc", "YuGothM.ttc", "meiryo.ttc", "msgothic.ttc", "malgun.ttf",
	"wqy-microhei.ttc", "wqy-zenhei.ttc", "DroidSansFallbackFull.ttf", "DroidSansFallback.ttf",
	"ipag.ttf", "fonts-japanese-gothic.ttf", "NanumGothic.ttf", "uming.ttc", "ukai.ttc",
	"NotoSansThai-Regular.ttf", "NotoSansArmenian-Regular.ttf", "NotoSansGeorgian-Regular.ttf", "NotoSansEthiopic-Regular.ttf",
	"NotoSansArabic-Regular.ttf", "NotoSansHebrew-Regular.ttf", "NotoNaskhArabic-Regular.ttf", "NotoSansDevanagari-Regular.ttf",
	"NotoSansMath-Regular.ttf", "NotoSansSymbols-Regular.ttf", "NotoSansSymbols2-Regular.ttf", "NotoEmoji-Regular.ttf",
	"Apple Symbols.ttf", "seguisym.ttf", "seguiemj.ttf", "Nirmala.ttf", "leelawui.ttf",
	"FreeSans.ttf", "FreeSans.otf", "Symbola.ttf", "Symbola_hint.ttf", "unifont.ttf", "unifont.otf",
}

// System returns the well-known fonts of the machine.
func System() []string { return findFonts(fontFolders(), mostEntries) }

// mostEntries bounds the search, as a number and not as a time, so that it ends
// in the same way each time.
const mostEntries = 20000

// fontFolders are where systems keep fonts.
func fontFolders() []string {
	home, _ := os.UserHomeDir()
	under := func(dir string, more ...string) string {
		if dir == "" {
			return ""
		}
		return filepath.Join(append([]string{dir}, more...)...)
	}
	switch runtime.GOOS {
	case "windows":
		return []string{under(os.Getenv("WINDIR"), "Fonts"), under(os.Getenv("LOCALAPPDATA"), "Microsoft", "Windows", "Fonts")}
	case "darwin", "ios":
		return []string{under(home, "Library", "Fonts"), "/Library/Fonts", "/System/Library/Fonts"}
	}
	return []string{under(home, ".local", "share", "fonts"), under(home, ".fonts"), "/usr/local/share/fonts", "/usr/share/fonts"}
}

// findFonts returns the files with well-known names in the folders and those
// below them, in the order of the names. It looks at no more than the given
// number of entries.
func findFonts(folders []string, most int) []string {
	place := make(map[string]int, len(wellKnownFonts))
	for k, name := range wellKnownFonts {
		place[strings.ToLower(name)] = k
	}
	rank := func(path string) int { return place[strings.ToLower(filepath.Base(path))] }
	var found []string
	// Breadth first: what many folders hold in depth cannot hide the next folder.
	for len(folders) > 0 && most > 0 {
		folder := folders[0]
		folders = folders[1:]
		if folder == "" {
			continue
		}
		entries, _ := os.ReadDir(folder) // sorted
		for _, e := range entries[:min(most, len(entries))] {
			most--
			path := filepath.Join(folder, e.Name())
			if e.IsDir() {
				folders = append(folders, path)
				continue
			}
			if _, ok := place[strings.ToLower(e.Name())]; ok {
				found = append(found, path)
			}
		}
	}
	sort.SliceStable(found, func(a, b int) bool { return rank(found[a]) < rank(found[b]) })
	return found
}
