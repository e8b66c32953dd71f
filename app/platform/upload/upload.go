// Package upload takes pictures and PDFs from strangers: it judges them by their header, decodes them within a budget of memory, and keeps only a fresh encoding,
// never the original bytes. Pages of a PDF become a picture.
package upload

import (
	"crypto/sha256"

	"candor/app/platform/errs"
)

// Limits of a picture. A photo of 24 megapixels (5712 x 4284), which phones take by default today, is the largest that passes.
const (
	MaxBytes  = 10 << 20
	maxPixels = 25_000_000
	maxSide   = 12_000
	Longest   = 4096 // the longer side of what is kept: larger pictures are scaled down
	quality   = 85
	maxScans  = 32 // of a JPEG: progressive encoders write about ten, and each one costs a pass over the whole picture
)

// Refusals of pictures.
var (
	ErrTooLarge   = errs.New(errs.Refused, "upload.too_large")
	ErrDetailed   = errs.New(errs.Refused, "upload.too_detailed") // small enough, but decoding it needs more memory than there is
	ErrFormat     = errs.New(errs.Refused, "upload.format")       // only JPEG, PNG and HEIC are read
	ErrInfected   = errs.New(errs.Refused, "upload.infected")
	ErrUnscanned  = errs.New(errs.Unavailable, "upload.unscanned") // the scanner does not answer
	ErrPDF        = errs.New(errs.Refused, "upload.pdf")           // pictures only
	ErrPDFBroken  = errs.New(errs.Refused, "upload.pdf_broken")
	ErrPDFLocked  = errs.New(errs.Refused, "upload.pdf_locked")  // with a password
	ErrPDFComplex = errs.New(errs.Refused, "upload.pdf_complex") // rendering it needs more memory or time than there is
	ErrBusy       = errs.New(errs.Unavailable, "busy")
	ErrMissing    = errs.Field("file", "field.required")
)

// Use is what an upload is for.
type Use struct {
	Longest int  // the longer side of what is kept
	PDF     bool // the pages of a PDF are accepted too
}

// The uses of customers.
var (
	Photo = Use{Longest: Longest}
	Paper = Use{Longest: Longest, PDF: true}
)

// Picture is a fresh JPEG without any metadata.
type Picture struct {
	Bytes         []byte
	Width, Height int
	Pages         int // of the PDF whose first pages it shows; 0 for a picture
	SHA256        [sha256.Size]byte
}
