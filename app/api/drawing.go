package api

import (
	"time"

	"github.com/labstack/echo/v5"

	"candor/app/drawing"
	"candor/app/wire"
)

// FindDrawingList lists the trader's drawings on a product.
func (srv *Server) FindDrawingList(c *echo.Context, params wire.FindDrawingListParams) error {
	product, err := srv.Market.Product(params.ProductId)
	if err != nil {
		return err
	}
	list, err := srv.Drawings.Of(c.Request().Context(), principal(c).TraderID, product.ID)
	if err != nil {
		return err
	}
	return srv.replyDrawings(c, product.ID, list)
}

// SaveDrawings stores the newer ones of the changes and lists the product's drawings.
func (srv *Server) SaveDrawings(c *echo.Context) error {
	in, _, err := body[wire.Drawings](c)
	if err != nil {
		return err
	}
	product, err := srv.Market.Product(in.ProductId)
	if err != nil {
		return err
	}
	list, err := srv.Drawings.Save(c.Request().Context(), principal(c).TraderID, product.ID, convertAll(in.Drawings, drawingOf))
	if err != nil {
		return err
	}
	return srv.replyDrawings(c, product.ID, list)
}

func drawingOf(d wire.Drawing) drawing.Drawing {
	style := drawing.Style{Fill: d.Style.Fill}
	if d.Style.Colour != nil {
		style.Colour = *d.Style.Colour
	}
	if d.Style.Width != nil {
		style.Width = *d.Style.Width
	}
	if d.Style.Dash != nil {
		style.Dash = string(*d.Style.Dash)
	}
	return drawing.Drawing{
		ID: d.Id, Tool: d.Tool, Anchors: convertAll(d.Anchors, func(a wire.DrawingAnchor) drawing.Anchor { return drawing.Anchor{At: a.Time, Price: a.Price} }), Style: style,
		Note: d.Note, Locked: d.Locked, Hidden: d.Hidden, Deleted: d.Deleted, ChangedAt: time.UnixMilli(d.ChangedAt),
	}
}

func (srv *Server) replyDrawings(c *echo.Context, productID int, list []drawing.Drawing) error {
	return srv.reply(c, wire.Drawings{ProductId: productID, Drawings: convertAll(list, drawingToWire)})
}

func drawingToWire(d drawing.Drawing) wire.Drawing {
	style := wire.DrawingStyle{Fill: d.Style.Fill}
	if d.Style.Colour != "" {
		style.Colour = &d.Style.Colour
	}
	if d.Style.Width != 0 {
		style.Width = &d.Style.Width
	}
	if d.Style.Dash != "" {
		dash := wire.DrawingStyleDash(d.Style.Dash)
		style.Dash = &dash
	}
	return wire.Drawing{
		Id: d.ID, Tool: d.Tool, Anchors: convertAll(d.Anchors, func(a drawing.Anchor) wire.DrawingAnchor { return wire.DrawingAnchor{Time: a.At, Price: a.Price} }), Style: style,
		Note: d.Note, Locked: d.Locked, Hidden: d.Hidden, Deleted: d.Deleted, ChangedAt: d.ChangedAt.UnixMilli(),
	}
}
