package upload

import (
	"errors"
	"fmt"
	"image"
	"io"

	"github.com/klippa-app/go-pdfium"
	"github.com/klippa-app/go-pdfium/enums"
	pdferrors "github.com/klippa-app/go-pdfium/errors"
	"github.com/klippa-app/go-pdfium/references"
	"github.com/klippa-app/go-pdfium/requests"
	"github.com/klippa-app/go-pdfium/webassembly"
	"github.com/tetratelabs/wazero"
)

// pdfMark begins every PDF.
const pdfMark = "%PDF-"

// Pages of a PDF are rendered one below the other.
const (
	PDFPages = 3    // the most that are rendered
	pageSide = 2000 // the longer side of a page in pixels, at most
	pageGap  = 8    // pixels between two pages
)

// openPDFium starts pdfium. Nothing of the machine is visible to it.
func (s *sandbox) openPDFium() (pdfium.Pdfium, error) {
	pool, err := webassembly.Init(webassembly.Config{
		Context: s.ctx, MaxTotal: 1, FSConfig: wazero.NewFSConfig(), RuntimeConfig: s.config, Stdout: io.Discard, Stderr: io.Discard,
	})
	if err != nil {
		return nil, fmt.Errorf("compile pdfium: %w", err)
	}
	instance, err := pool.GetInstanceWithContext(s.ctx)
	if err != nil {
		return nil, fmt.Errorf("start pdfium: %w", err)
	}
	return instance, nil
}

// renderPDF draws the first pages of a PDF into one picture of at most longest pixels in height, and returns the number of all pages.
// Refusals: ErrPDFLocked, ErrPDFBroken, ErrPDFComplex.
func (s *sandbox) renderPDF(library pdfium.Pdfium, raw []byte, longest int) (shown image.Image, pages int, err error) {
	opened, err := library.OpenDocument(&requests.OpenDocument{File: &raw})
	if err != nil {
		return nil, 0, s.pdfRefusal(err)
	}
	count, err := library.FPDF_GetPageCount(&requests.FPDF_GetPageCount{Document: opened.Document})
	if err != nil {
		return nil, 0, s.pdfRefusal(err)
	}
	if count.PageCount < 1 {
		return nil, 0, ErrPDFBroken
	}
	drawn, err := library.RenderPagesInPixels(stacked(opened.Document, min(count.PageCount, PDFPages), longest))
	if err != nil {
		return nil, 0, s.pdfRefusal(err)
	}
	// pdfium's colours are not multiplied by their alpha.
	rgba, ok := drawn.Result.RenderedImage.(*image.RGBA)
	if !ok {
		return nil, 0, ErrPDFBroken
	}
	return &image.NRGBA{Pix: rgba.Pix, Stride: rgba.Stride, Rect: rgba.Rect}, count.PageCount, nil
}

// stacked asks for the first n pages within a height.
func stacked(document references.FPDF_DOCUMENT, n, height int) *requests.RenderPagesInPixels {
	ask := &requests.RenderPagesInPixels{Padding: pageGap}
	for i := range n {
		ask.Pages = append(ask.Pages, requests.RenderPageInPixels{
			Page:  requests.Page{ByIndex: &requests.PageByIndex{Document: document, Index: i}},
			Width: min(pageSide, height), Height: min(pageSide, height/n-pageGap), RenderFlags: enums.FPDF_RENDER_FLAG_ANNOT,
		})
	}
	return ask
}

// pdfRefusal is the refusal for an error of pdfium.
func (s *sandbox) pdfRefusal(err error) error {
	switch {
	case s.full:
		return ErrPDFComplex
	case errors.Is(err, pdferrors.ErrPassword), errors.Is(err, pdferrors.ErrSecurity):
		return ErrPDFLocked
	}
	return ErrPDFBroken
}
