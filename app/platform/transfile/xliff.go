package transfile

import (
	"bytes"
	"encoding/xml"
	"errors"
	"fmt"
	"io"
)

const namespace = "urn:oasis:names:tc:xliff:document:1.2"

type xliff struct {
	XMLName xml.Name `xml:"xliff"`
	Version string   `xml:"version,attr"`
	Space   string   `xml:"xmlns,attr"`
	Files   []file   `xml:"file"`
}

type file struct {
	Original string `xml:"original,attr"`
	Version  string `xml:"product-version,attr"`
	From     string `xml:"source-language,attr"`
	To       string `xml:"target-language,attr"`
	Type     string `xml:"datatype,attr"`
	Units    []unit `xml:"body>trans-unit"`
}

type unit struct {
	ID     string `xml:"id,attr"`
	Space  string `xml:"xml:space,attr"`
	Source string `xml:"source"`
	Target string `xml:"target"`
}

// WriteXLIFF writes an XLIFF 1.2 file: a <file> for each text and language. HTML is in it as escaped text.
func WriteXLIFF(w io.Writer, units []Unit) error {
	out := xliff{Version: "1.2", Space: namespace}
	for _, u := range units {
		head := file{Original: u.Item, Version: u.Version, From: u.From, To: u.To, Type: "plaintext"}
		if n := len(out.Files); n == 0 || out.Files[n-1].Original != u.Item || out.Files[n-1].To != u.To {
			out.Files = append(out.Files, head)
		}
		last := &out.Files[len(out.Files)-1]
		last.Units = append(last.Units, unit{u.Part, "preserve", u.Source, u.Target})
	}
	if _, err := io.WriteString(w, xml.Header); err != nil {
		return err
	}
	e := xml.NewEncoder(w)
	e.Indent("", "  ")
	if err := e.Encode(out); err != nil {
		return fmt.Errorf("write XLIFF: %w", err)
	}
	_, err := io.WriteString(w, "\n")
	return err
}

// reader holds the position in an XLIFF file while its tokens are read.
type reader struct {
	file  file
	unit  Unit
	text  *string // of the source or target that is open
	units []Unit
	root  bool
}

// readXLIFF reads token by token. encoding/xml loads no external entity and expands none that a file declares; a file with a declaration is refused all the same.
func readXLIFF(raw []byte) ([]Unit, error) {
	tokens, r := xml.NewDecoder(bytes.NewReader(raw)), &reader{}
	for {
		token, err := tokens.Token()
		switch {
		case errors.Is(err, io.EOF) && r.root:
			return r.units, nil
		case err != nil:
			return nil, ErrFormat
		}
		if err := r.take(token); err != nil {
			return nil, err
		}
	}
}

func (r *reader) take(token xml.Token) error {
	switch t := token.(type) {
	case xml.Directive:
		return ErrFormat
	case xml.StartElement:
		return r.open(t)
	case xml.CharData:
		if r.text != nil {
			*r.text += string(t)
		}
	case xml.EndElement:
		return r.end(t.Name.Local)
	}
	return nil
}

func (r *reader) open(t xml.StartElement) error {
	name := t.Name.Local
	switch {
	case !r.root:
		if r.root = name == "xliff" && attribute(t, "version") == "1.2"; !r.root {
			return ErrFormat
		}
	case r.text != nil && name != "mrk": // translation tools mark segments with it
		return ErrMarkup
	case name == "file":
		r.file = file{Original: attribute(t, "original"), Version: attribute(t, "product-version"), From: attribute(t, "source-language"), To: attribute(t, "target-language")}
	case name == "trans-unit":
		r.unit = Unit{Item: r.file.Original, Version: r.file.Version, From: r.file.From, To: r.file.To, Part: attribute(t, "id")}
	case name == "source":
		r.text = &r.unit.Source
	case name == "target":
		r.text = &r.unit.Target
	}
	return nil
}

func (r *reader) end(name string) error {
	switch name {
	case "source", "target":
		r.text = nil
	case "trans-unit":
		if r.units = append(r.units, r.unit); len(r.units) > maxUnits {
			return ErrSize
		}
	}
	return nil
}

func attribute(t xml.StartElement, name string) string {
	for _, a := range t.Attr {
		if a.Name.Local == name && a.Name.Space == "" {
			return a.Value
		}
	}
	return ""
}
