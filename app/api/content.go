package api

import (
	"candor/app/wire"
	"encoding/hex"
	"errors"
	"net/http"
	"strings"
	"time"
	"unicode/utf8"

	"github.com/labstack/echo/v5"

	"candor/app/notice"
	"candor/app/platform/clientip"
	"candor/app/platform/errs"
	"candor/app/session"
	"candor/app/switches"
	"candor/app/trader"
)

// reader is the viewer of published content: the session's trader, else a visitor, who may name a device.
func (srv *Server) reader(c *echo.Context, deviceID *string) notice.Viewer {
	h := c.Request().Header
	v := notice.Viewer{Viewer: switches.Viewer{Language: language(c), Platform: h.Get("platformType")}, Device: valueOrZero(deviceID)}
	if token := h.Get("apptoken"); token != "" {
		if p, err := srv.Sessions.Check(c.Request().Context(), token, device(c, "")); err == nil {
			v.Country, v.TraderID, v.SessionID, v.Guest = p.Country, p.TraderID, p.SessionID, p.Guest()
		}
	}
	return v
}

// viewsPerHour limits how many views the visitors of one source may report in an hour; above it they are not counted, and the response is the same.
const viewsPerHour = 5_000

// countedReader is reader for reports of views and clicks; without a device nothing is counted.
func (srv *Server) countedReader(c *echo.Context, device *string) (notice.Viewer, error) {
	v := srv.reader(c, device)
	if v.TraderID != 0 || v.Device == "" {
		return v, nil
	}
	_, err := srv.Sessions.Throttle(c.Request().Context(), "visitors_marks", clientip.Source(c.RealIP()), viewsPerHour, time.Hour)
	if errors.Is(err, session.ErrThrottle) {
		v.Device, err = "", nil
	}
	return v, err
}

// FindByBannerList returns the banners of the home page.
func (srv *Server) FindByBannerList(c *echo.Context) error {
	banners, err := srv.Notices.Banners(c.Request().Context(), srv.reader(c, nil))
	if err != nil {
		return err
	}
	return srv.reply(c, convertAll(banners, func(p notice.Published) wire.Banner {
		return wire.Banner{Id: p.ID, Title: p.Title, Body: p.Summary, Link: p.Link, Image: imagePath(p), Alt: imageAlt(p), Locale: p.Locale}
	}))
}

// FindQuestionInfoList returns questions with their answers.
func (srv *Server) FindQuestionInfoList(c *echo.Context, params wire.FindQuestionInfoListParams) error {
	category, err := choice[string]("category", params.Category)
	if err != nil {
		return err
	}
	search := strings.TrimSpace(valueOrZero(params.Search))
	if utf8.RuneCountInString(search) > 100 {
		return errs.Field("search", "field.length")
	}
	list, categories, err := srv.Notices.Questions(c.Request().Context(), srv.reader(c, nil), category, search)
	if err != nil {
		return err
	}
	return srv.reply(c, wire.QuestionInfo{
		Categories: convertAll(categories, func(word string) wire.QuestionCategory { return wire.QuestionCategory(word) }),
		List: convertAll(list, func(p notice.Published) wire.Question {
			return wire.Question{Id: p.ID, Category: wire.QuestionCategory(p.Category), Title: p.Title, Body: p.Body, Locale: p.Locale}
		}),
	})
}

// InsertQuestionFeedback records whether an answer helped.
func (srv *Server) InsertQuestionFeedback(c *echo.Context) error {
	in, _, err := body[wire.QuestionFeedback](c)
	if err != nil {
		return err
	}
	v, err := srv.countedReader(c, in.GuestId)
	if err != nil {
		return err
	}
	if err := srv.Notices.Answer(c.Request().Context(), v, in.Id, in.Helpful); err != nil {
		return err
	}
	return srv.reply(c, 1)
}

// FindPopupMsgList returns the pop-ups to show now.
func (srv *Server) FindPopupMsgList(c *echo.Context, params wire.FindPopupMsgListParams) error {
	list, err := srv.Notices.Popups(c.Request().Context(), srv.reader(c, params.GuestId))
	if err != nil {
		return err
	}
	return srv.reply(c, convertAll(list, func(p notice.Published) wire.Popup {
		return wire.Popup{
			Id: p.ID, Revision: p.Number, Category: p.Category, Severity: wire.PopupSeverity(p.Severity), Title: p.Title, Body: p.Body, Link: p.Link, Image: imagePath(p), Alt: imageAlt(p),
			Dismissible: !p.MustAck, MustAck: p.MustAck, Frequency: wire.PopupFrequency(p.Frequency), Locale: p.Locale,
		}
	}))
}

// UpdatePopupSeen records that a pop-up was shown.
func (srv *Server) UpdatePopupSeen(c *echo.Context) error {
	in, _, err := body[wire.PopupSeen](c)
	if err != nil {
		return err
	}
	v, err := srv.countedReader(c, in.GuestId)
	if err != nil {
		return err
	}
	if err := srv.Notices.PopupSeen(c.Request().Context(), v, in.Id, int(in.Revision), in.Ack); err != nil {
		return err
	}
	return srv.reply(c, 1)
}

// FindUserMsgPage returns the trader's own messages.
func (srv *Server) FindUserMsgPage(c *echo.Context, params wire.FindUserMsgPageParams) error {
	page, size, offset, err := pageOf(params.Page, params.Size, params.Next)
	if err != nil {
		return err
	}
	group, err := choice[trader.MessageGroup]("group", params.Group)
	if err != nil {
		return err
	}
	ctx, owner, categories := c.Request().Context(), principal(c).TraderID, group.Categories()
	total, more, err := srv.Notices.CountMessages(ctx, owner, categories)
	if err != nil {
		return err
	}
	list, next, err := srv.Notices.Messages(ctx, owner, categories, valueOrZero(params.Next), offset, size)
	if err != nil {
		return err
	}
	return srv.reply(c, wire.UserMsgPage{List: convertAll(list, func(m notice.Message) wire.UserMsg {
		return wire.UserMsg{Id: m.ID, Key: m.Key, Args: m.Args, Time: m.At.UnixMilli(), Read: m.ReadAt != nil}
	}), Total: total, More: more, Page: page, Size: size, Next: next})
}

// UpdateUserMsgRead marks messages as read and returns the number of unread ones.
func (srv *Server) UpdateUserMsgRead(c *echo.Context) error {
	in, _, err := body[wire.UserMsgRead](c)
	if err != nil {
		return err
	}
	if err := srv.Notices.ReadMessages(c.Request().Context(), principal(c).TraderID, valueOrZero(in.Ids)); err != nil {
		return err
	}
	return srv.FindUnreadCount(c)
}

// FindUserMsgSettings returns how the trader receives messages of each category.
func (srv *Server) FindUserMsgSettings(c *echo.Context) error {
	list, err := srv.Traders.NotificationSettings(c.Request().Context(), principal(c))
	if err != nil {
		return err
	}
	return srv.reply(c, wire.UserMsgSettings{List: convertAll(list, func(n trader.NotificationSetting) wire.UserMsgSetting {
		return wire.UserMsgSetting{
			Category: wire.UserMsgCategory(n.Category), InApp: n.InApp, Mail: n.Mail, InAppLocked: n.Category.InAppLocked(), MailLocked: n.Category.MailLocked(),
		}
	})})
}

// UpdateUserMsgSetting stores how the trader receives messages of a category and returns all settings.
func (srv *Server) UpdateUserMsgSetting(c *echo.Context) error {
	in, _, err := body[wire.UpdateUserMsgSetting](c)
	if err != nil {
		return err
	}
	if err := srv.Traders.SetNotification(c.Request().Context(), principal(c), trader.Category(in.Category), in.InApp, in.Mail, from(c)); err != nil {
		return err
	}
	return srv.FindUserMsgSettings(c)
}

// FindSiteMailPage returns notices.
func (srv *Server) FindSiteMailPage(c *echo.Context, params wire.FindSiteMailPageParams) error {
	page, size, offset, err := pageOf(params.Page, params.Size, params.Next)
	if err != nil {
		return err
	}
	w := notice.ListFilter{Kind: notice.Notice, Next: valueOrZero(params.Next), Offset: offset, Limit: size}
	if w.Category, err = choice[string]("category", params.Category); err != nil {
		return err
	}
	if w.Placement, err = choice[string]("placement", params.Placement); err != nil {
		return err
	}
	v := srv.reader(c, nil)
	list, total, more, next, err := srv.readPublished(c, v, w)
	if err != nil {
		return err
	}
	return srv.reply(c, wire.SiteMailPage{List: convertAll(list, func(p notice.Published) wire.SiteMail {
		return wire.SiteMail{
			Id: p.ID, Category: wire.NoticeCategory(p.Category), Placement: wire.NoticePlacement(p.Placement), Severity: wire.SiteMailSeverity(p.Severity), Title: p.Title, Summary: p.Summary,
			Time: p.LiveAt.UnixMilli(), Sticky: p.Sticky, Link: p.Link, Locale: p.Locale, Read: readBy(v, p),
		}
	}), Total: total, More: more, Page: page, Size: size, Next: next})
}

// FindSiteMailDetail returns one notice.
func (srv *Server) FindSiteMailDetail(c *echo.Context, params wire.FindSiteMailDetailParams) error {
	v := srv.reader(c, nil)
	p, err := srv.Notices.Find(c.Request().Context(), v, notice.Notice, params.Id)
	if err != nil {
		return err
	}
	out := articleOf(p)
	out.Read = readBy(v, p)
	return srv.reply(c, out)
}

// UpdateSiteMailRead marks notices as read and returns the number of unread ones.
func (srv *Server) UpdateSiteMailRead(c *echo.Context) error {
	in, _, err := body[wire.SiteMailRead](c)
	if err != nil {
		return err
	}
	v := srv.reader(c, nil)
	if in.Id == nil {
		err = srv.Notices.ReadAll(c.Request().Context(), v)
	} else {
		err = srv.Notices.Read(c.Request().Context(), v, *in.Id)
	}
	if err != nil {
		return err
	}
	return srv.FindUnreadCount(c)
}

// FindUnreadCount returns the trader's unread notices and messages.
func (srv *Server) FindUnreadCount(c *echo.Context) error {
	notices, messages, err := srv.Notices.Unread(c.Request().Context(), srv.reader(c, nil))
	if err != nil {
		return err
	}
	return srv.reply(c, wire.Unread{Notices: notices, Messages: messages, Total: notices + messages})
}

// FindCurrencyNewsPage returns news.
func (srv *Server) FindCurrencyNewsPage(c *echo.Context, params wire.FindCurrencyNewsPageParams) error {
	page, size, offset, err := pageOf(params.Page, params.Size, params.Next)
	if err != nil {
		return err
	}
	w := notice.ListFilter{Kind: notice.News, Locale: valueOrZero(params.Locale), Next: valueOrZero(params.Next), Offset: offset, Limit: size}
	if w.Category, err = choice[string]("category", params.Category); err != nil {
		return err
	}
	list, total, more, next, err := srv.readPublished(c, srv.reader(c, nil), w)
	if err != nil {
		return err
	}
	return srv.reply(c, wire.NewsPage{List: convertAll(list, func(p notice.Published) wire.NewsItem {
		return wire.NewsItem{
			Id: p.ID, Category: wire.NewsCategory(p.Category), Title: p.Title, Summary: p.Summary, Source: p.Source, Image: imagePath(p), Alt: imageAlt(p),
			Time: p.LiveAt.UnixMilli(), Sticky: p.Sticky, Link: p.Link, Locale: p.Locale,
		}
	}), Total: total, More: more, Page: page, Size: size, Next: next})
}

// FindCurrencyNewsDetail returns one news item.
func (srv *Server) FindCurrencyNewsDetail(c *echo.Context, params wire.FindCurrencyNewsDetailParams) error {
	p, err := srv.Notices.Find(c.Request().Context(), srv.reader(c, nil), notice.News, params.Id)
	if err != nil {
		return err
	}
	return srv.reply(c, articleOf(p))
}

// FindPage returns a product or legal page.
func (srv *Server) FindPage(c *echo.Context, params wire.FindPageParams) error {
	key, err := choice[string]("key", &params.Key)
	if err != nil {
		return err
	}
	v := srv.reader(c, nil)
	p, err := srv.Notices.Page(c.Request().Context(), v, key)
	if err != nil {
		return err
	}
	out := wire.ContentPage{Id: p.ID, Key: key, Title: p.Title, Body: p.Body, Revision: p.Number, PublishedAt: p.LiveAt.UnixMilli(), Locale: p.Locale}
	accepted, at, err := srv.Notices.Accepted(c.Request().Context(), v.TraderID, key)
	if err != nil {
		return err
	}
	if accepted > 0 {
		moment := at.UnixMilli()
		out.AcceptedRevision, out.AcceptedAt = &accepted, &moment
	}
	return srv.reply(c, out)
}

// InsertSeen counts a view of items.
func (srv *Server) InsertSeen(c *echo.Context) error {
	in, _, err := body[wire.ContentSeen](c)
	if err != nil {
		return err
	}
	v, err := srv.countedReader(c, in.GuestId)
	if err != nil {
		return err
	}
	if err := srv.Notices.Seen(c.Request().Context(), v, in.Ids); err != nil {
		return err
	}
	return srv.reply(c, 1)
}

// InsertClick counts a followed link.
func (srv *Server) InsertClick(c *echo.Context) error {
	in, _, err := body[wire.ContentClick](c)
	if err != nil {
		return err
	}
	v, err := srv.countedReader(c, in.GuestId)
	if err != nil {
		return err
	}
	if err := srv.Notices.Click(c.Request().Context(), v, in.Id); err != nil {
		return err
	}
	return srv.reply(c, 1)
}

// readPublished reads a page of published items and counts them.
func (srv *Server) readPublished(c *echo.Context, v notice.Viewer, w notice.ListFilter) (list []notice.Published, total int, more bool, next int64, err error) {
	if total, more, err = srv.Notices.Count(c.Request().Context(), v, w); err != nil {
		return nil, 0, false, 0, err
	}
	list, next, err = srv.Notices.List(c.Request().Context(), v, w)
	return list, total, more, next, err
}

func articleOf(p notice.Published) wire.Article {
	out := wire.Article{
		Id: p.ID, Category: p.Category, Severity: wire.ArticleSeverity(p.Severity), Title: p.Title, Summary: p.Summary, Body: p.Body, Image: imagePath(p), Alt: imageAlt(p),
		Link: p.Link, Time: p.LiveAt.UnixMilli(), Revision: p.Number, Locale: p.Locale,
	}
	if p.Source != "" {
		out.Source = &p.Source
	}
	return out
}

// readBy reports whether the trader has read a notice; nil for a visitor, who has no mailbox.
func readBy(v notice.Viewer, p notice.Published) *bool {
	if v.TraderID == 0 {
		return nil
	}
	return &p.Read
}

// picturesPath is the path of published pictures, each named by its hash.
const picturesPath = "/media/"

func imagePath(p notice.Published) *string {
	if len(p.Image) == 0 {
		return nil
	}
	path := picturesPath + hex.EncodeToString(p.Image) + ".jpg"
	return &path
}

func imageAlt(p notice.Published) *string {
	if len(p.Image) == 0 {
		return nil
	}
	return &p.Alt
}

// findPicture returns a picture. It never changes, because its name is the hash of its bytes.
func (srv *Server) findPicture(c *echo.Context) error {
	name, isPicture := strings.CutSuffix(c.Param("name"), ".jpg")
	hash, err := hex.DecodeString(name)
	if err != nil || !isPicture || len(hash) != 32 {
		return echo.ErrNotFound
	}
	bytes, err := srv.Notices.Image(c.Request().Context(), hash)
	if errors.Is(err, notice.ErrUnknown) {
		return echo.ErrNotFound
	}
	if err != nil {
		return err
	}
	c.Response().Header().Set("Cache-Control", "public, max-age=31536000, immutable")
	return c.Blob(http.StatusOK, "image/jpeg", bytes)
}
