package csvdata

import (
	"net/netip"
	"regexp"
	"strings"

	"github.com/crank-ml/crank/crankpkg/internal/table"
)

// grouped has numbers with a mark between each three digits, as 1,234.5 and 1 234,5.
var grouped = regexp.MustCompile(`^[+-]?[0-9]{1,3}([,.'\x{2019}\x{00a0}\x{202f} ][0-9]{3})+([.,][0-9]+)?$`)

// disguised says what a text looks like that only something beside the digits keeps from being a
// number, and what to do; "" is any other text.
func disguised(text string) (what, remedy string) {
	if bare := strings.Replace(text, "\u2212", "-", 1); bare != text && isNumber(bare) {
		return "looks like a number with the minus sign of typesetting", "write a hyphen"
	}
	for _, sign := range []string{"$", "€", "£", "¥"} {
		if bare := strings.TrimSpace(strings.Trim(text, sign)); bare != text && (isNumber(bare) || grouped.MatchString(bare)) {
			return "looks like a number with the sign of a currency", "take the sign out"
		}
	}
	if bare := strings.TrimSpace(strings.TrimSuffix(text, "%")); bare != text && (isNumber(bare) || looksDecimal(bare)) {
		return "looks like a number with a sign of per cent", "take the sign out"
	}
	switch thousands := grouped.MatchString(text) && !isNumber(text) && !isAddress(text); {
	case thousands && looksDecimal(text):
		return "looks like a number with a decimal comma, or one between thousands", "set CSVOptions.DecimalComma, or take it out"
	case thousands:
		return "looks like a number with marks between thousands", "take the marks out"
	case looksDecimal(text):
		return "looks like a number with a decimal comma", "set CSVOptions.DecimalComma"
	}
	return "", ""
}

// isAddress reports whether a text is an address such as 192.168.100.200, which is a name as
// 10.0.0.1 is: a column of so large numbers with marks has others that are none.
func isAddress(text string) bool {
	_, err := netip.ParseAddr(text)
	return err == nil
}

func isNumber(text string) bool {
	_, numeric := table.ParseNumber([]byte(text))
	return numeric
}

// looksDecimal reports whether a text without a decimal comma would be a number.
func looksDecimal(text string) bool {
	whole, rest, found := strings.Cut(text, ",")
	if !found {
		return false
	}
	return isNumber(whole + "." + rest)
}

// looksMissing reports whether a text is one that often stands for a missing value.
func looksMissing(text string) bool {
	switch strings.ToLower(text) {
	case "n/a", "na", "n.a.", "#n/a", "<na>", "nan", "null", "nil", "none", "missing", "unknown", "-", "--", ".", "*":
		return true
	}
	return false
}
