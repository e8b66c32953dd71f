package support

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"
	"unicode/utf8"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"
	"gorm.io/gorm"
	"gorm.io/gorm/clause"

	"candor/app/platform/clock"
	"candor/app/platform/db"
	"candor/app/platform/events"
	"candor/app/platform/upload"
	"candor/app/platform/zones"
	"candor/app/staff/member"
	"candor/app/trader"
)

// OwnsCard reports whether an order, a deposit or a withdrawal belongs to a trader.
type OwnsCard func(ctx context.Context, kind string, traderID, id int64) (bool, error)

// Service implements support chat for the API and the back office.
type Service struct {
	db          *db.DB
	clock       clock.Clock
	bus         *events.Bus
	pictures    *upload.Store
	owns        OwnsCard
	messenger   *trader.Messenger
	activities  *activities
	noted       chan noted
	subscribers subscribers
}

// New makes the service; a nil messenger mails no transcripts.
func New(d *db.DB, c clock.Clock, bus *events.Bus, pictures *upload.Store, owns OwnsCard, messenger *trader.Messenger) *Service {
	return &Service{db: d, clock: c, bus: bus, pictures: pictures, owns: owns, messenger: messenger, activities: newActivities(), noted: make(chan noted, 256)}
}

// Draft is a message as submitted by its sender.
type Draft struct {
	ID       string // a UUID chosen by the sender; the same UUID is the same message
	Text     string
	Picture  string // the name of an uploaded picture
	CardKind string // order, deposit or withdrawal
	CardID   int64
	Seen     int64 // for an answer: the newest message on the agent's page
	// Then follows a note in the transaction that stores it; nil does nothing.
	Then func(ctx context.Context, tx *db.Tx, m Message) error
}

func (d *Draft) read() error {
	id, err := uuid.Parse(d.ID)
	if err != nil {
		return ErrMessageID
	}
	d.ID = id.String()
	d.Text = strings.TrimSpace(d.Text)
	n := utf8.RuneCountInString(d.Text)
	if n > LongestText || !db.IsText(d.Text) || n == 0 && d.Picture == "" && d.CardID == 0 {
		return ErrText
	}
	return nil
}

func (d *Draft) kind() Kind {
	switch {
	case d.Picture != "":
		return Picture
	case d.CardID != 0:
		return Card
	}
	return Text
}

// message turns the draft into a thread entry.
func (d *Draft) message(c Conversation, author Author, at time.Time) Message {
	m := Message{ConversationID: c.ID, ClientID: d.ID, Author: author, Kind: d.kind(), Body: d.Text, At: at}
	switch m.Kind {
	case Picture:
		m.Picture = &d.Picture
	case Card:
		m.CardKind, m.CardID = d.CardKind, &d.CardID
	case Text, Note, Mail, PhoneCall, System:
	}
	return m
}

// same reports whether a message has the same sender and content as another.
func (m Message) same(other Message) bool {
	return m.Body == other.Body && m.Kind == other.Kind && m.Author == other.Author && given(m.Picture) == given(other.Picture) && m.CardKind == other.CardKind &&
		m.Subject == other.Subject && m.Direction == other.Direction && given(m.Minutes) == given(other.Minutes) && given(m.CardID) == given(other.CardID) && given(m.StaffID) == given(other.StaffID)
}

func given[T any](p *T) (v T) {
	if p != nil {
		v = *p
	}
	return v
}

func (c *Customer) read() error {
	if c.TraderID != 0 {
		c.Visitor = ""
		return nil
	}
	id, err := uuid.Parse(c.Visitor)
	if err != nil {
		return ErrVisitor
	}
	c.Visitor = id.String()
	return nil
}

// Send stores a customer's message, once per id, in the current conversation or a new one. It is published after commit.
// Refusals: ErrMessageID, ErrText, ErrReused, ErrOften, ErrNetwork, ErrVisitor, ErrPicture, ErrCard.
func (s *Service) Send(ctx context.Context, from Customer, d Draft) (m Message, err error) {
	if err := errors.Join(d.read(), from.read()); err != nil {
		return m, first(err)
	}
	if err := s.checkPictures(ctx, from, d); err != nil {
		return m, err
	}
	masked := false
	d.Text, masked = mask(d.Text)
	err = s.db.InTx(ctx, func(tx *db.Tx) error {
		c, err := s.activeConversationTx(ctx, tx, from)
		if err != nil {
			return err
		}
		m = d.message(c, ByCustomer, s.clock.Now())
		m.Masked = masked
		again, err := s.writeTx(ctx, tx, &m)
		if err != nil || again {
			return err
		}
		return s.customerWroteTx(ctx, tx, c, from, m)
	})
	return m, err
}

// first returns the first of joined errors.
func first(err error) error {
	if joined, ok := err.(interface{ Unwrap() []error }); ok {
		return joined.Unwrap()[0]
	}
	return err
}

// checkPictures refuses a picture or a card that is not the customer's.
func (s *Service) checkPictures(ctx context.Context, from Customer, d Draft) error {
	switch d.kind() {
	case Picture:
		return s.ownPicture(ctx, d.Picture, `trader_id = nullif($2, 0) OR visitor = nullif($3, '')::uuid`, from.TraderID, from.Visitor)
	case Card:
		own, err := s.owns(ctx, d.CardKind, from.TraderID, d.CardID)
		if err == nil && !own {
			err = ErrCard
		}
		return err
	case Text, Note, Mail, PhoneCall, System:
	}
	return nil
}

// activeConversationTx locks the customer's conversation that is not closed, or begins one. Concurrent calls begin only one.
func (s *Service) activeConversationTx(ctx context.Context, tx *db.Tx, from Customer) (c Conversation, err error) {
	if c, err = ofCustomer(tx.ForUpdate(), from); err != nil || c.ID != 0 {
		return c, err
	}
	now := s.clock.Now()
	if from.unknown() {
		begun, err := begunTx(ctx, tx, from.Network(), now.Add(-time.Hour))
		if err != nil || begun >= visitsAnHour {
			return c, errors.Join(err, ErrNetwork)
		}
	}
	begun := Conversation{FromIP: from.Network(), Language: from.Language, State: Queued, Priority: Normal, Version: 1, CreatedAt: now, MovedAt: now}
	if from.TraderID != 0 {
		begun.TraderID = &from.TraderID
	} else {
		begun.Visitor = &from.Visitor
	}
	if err := tx.Rows.Clauses(clause.OnConflict{DoNothing: true}).Create(&begun).Error; err != nil {
		return c, fmt.Errorf("begin a conversation: %w", err)
	}
	if c, err = ofCustomer(tx.ForUpdate(), from); err == nil && c.ID == 0 {
		err = errors.New("a conversation that was begun is not there")
	}
	return c, err
}

// begunTx counts the conversations that visitors and guests of a network began after a time.
func begunTx(ctx context.Context, tx *db.Tx, network string, after time.Time) (n int, err error) {
	traders, err := ids(ctx, tx.Conn, `SELECT coalesce(trader_id, 0) FROM conversations WHERE from_ip = $1 AND created_at > $2`, network, after)
	if err != nil {
		return 0, fmt.Errorf("count what a network began: %w", err)
	}
	guests, err := trader.Guests(ctx, tx.Conn, traders...)
	for _, id := range traders {
		if id == 0 || guests[id] {
			n++
		}
	}
	return n, err
}

// ofCustomer finds the customer's conversation that is not closed. It returns the zero value if there is none.
func ofCustomer(rows *gorm.DB, from Customer) (Conversation, error) {
	return one(rows, `(trader_id = nullif(?, 0) OR visitor = nullif(?, '')::uuid) AND state <> 'closed'`, from.TraderID, from.Visitor)
}

// one finds a conversation. It returns the zero value if there is none.
func one(rows *gorm.DB, condition string, values ...any) (c Conversation, err error) {
	if err = rows.Where(condition, values...).Limit(1).Find(&c).Error; err != nil {
		return c, fmt.Errorf("read a conversation: %w", err)
	}
	return c, nil
}

// sentTx returns the stored message with this id, or the zero value if there is none. It returns ErrReused if the content differs.
func sentTx(ctx context.Context, tx *db.Tx, m Message) (again Message, err error) {
	list, err := messages(ctx, tx.Conn, tx.Rows.Where("conversation_id = ? AND client_id = ?", m.ConversationID, m.ClientID))
	if err != nil || len(list) == 0 {
		return again, err
	}
	if !list[0].same(m) {
		return list[0], ErrReused
	}
	return list[0], nil
}

// messages reads messages with the names of the staff and the pages of PDFs.
func messages(ctx context.Context, q db.Querier, rows *gorm.DB) (list []Message, err error) {
	if err = rows.Find(&list).Error; err != nil {
		return nil, fmt.Errorf("read messages: %w", err)
	}
	people := make([]int64, len(list))
	for i, m := range list {
		people[i] = given(m.StaffID)
	}
	names, err := member.Names(ctx, q, people...)
	if err != nil {
		return nil, err
	}
	for i, id := range people {
		list[i].StaffName = names[id]
	}
	return list, addPages(ctx, q, list)
}

// writeTx adds a message to a thread that the caller has locked, so message ids grow in commit order. If its id exists, m becomes the stored message. Customers
// may send sendsAMinute messages a minute. Refusals: ErrReused, ErrOften, ErrPicture.
func (s *Service) writeTx(ctx context.Context, tx *db.Tx, m *Message) (again bool, err error) {
	if m.Picture != nil {
		if m.Pages, err = usePictureTx(ctx, tx, *m.Picture); err != nil {
			return false, err
		}
	}
	err = tx.Conn.QueryRow(ctx, `
		INSERT INTO chat_messages (conversation_id, client_id, author, staff_id, kind, private, body, masked, picture, card_kind, card_id, at, subject, mail_id, direction, minutes)
		SELECT $1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $15, $16::bigint, nullif($17, '')::chat_call_direction, $18::int WHERE $3::chat_author <> 'customer' OR (
			SELECT count(*) FROM (SELECT author, at FROM chat_messages WHERE conversation_id = $1 ORDER BY id DESC LIMIT $13) last WHERE author = 'customer' AND at > $12::timestamptz - interval '1 minute'
		) < $14
		ON CONFLICT (conversation_id, client_id) DO NOTHING RETURNING id`,
		m.ConversationID, m.ClientID, m.Author, m.StaffID, m.Kind, m.Private, m.Body, m.Masked, m.Picture, m.CardKind, m.CardID, m.At, 2*sendsAMinute, sendsAMinute, m.Subject, m.MailID, m.Direction, m.Minutes).Scan(&m.ID)
	if err == nil {
		m.StaffName, err = member.Name(ctx, tx.Conn, given(m.StaffID))
		return false, err
	}
	if !errors.Is(err, pgx.ErrNoRows) {
		return false, err
	}
	before, err := sentTx(ctx, tx, *m)
	if err == nil && before.ID == 0 {
		err = ErrOften
	}
	*m = before
	return true, err
}

// customerWroteTx updates the conversation after a customer message: the wait starts, a snooze ends, and a resolved conversation reopens (see reopenTx).
func (s *Service) customerWroteTx(ctx context.Context, tx *db.Tx, c Conversation, from Customer, m Message) error {
	changes := map[string]any{"last_message_id": m.ID, "customer_got": m.ID, "customer_read": m.ID, "language": from.Language}
	if _, known := zones.Load(from.Zone); known {
		changes["zone"] = from.Zone
	}
	if c.WaitingSince == nil {
		changes["waiting_since"] = m.At
	}
	switch c.State {
	case WaitingCustomer, Snoozed:
		changes["state"], changes["snoozed_until"] = Open, nil
	case Resolved:
		return s.reopenTx(ctx, tx, c, from.Language, changes, m)
	case Queued:
		if c.LastMessageID == 0 {
			table, err := readTimetable(ctx, tx.Conn)
			if err != nil {
				return err
			}
			if !table.For(from.Language).Open(m.At) {
				changes["state"] = OfflineMessage
			}
		}
	case Open, Closed, OfflineMessage:
	}
	return s.moveTx(tx, &c, changes, m)
}

// reopenTx reopens a resolved conversation: to its agent if they take chats, else to the queue, or as an offline message outside working hours.
func (s *Service) reopenTx(ctx context.Context, tx *db.Tx, c Conversation, language string, changes map[string]any, messages Message) error {
	now := s.clock.Now()
	m := Message{ConversationID: c.ID, ClientID: uuid.NewString(), Author: BySystem, Kind: System, Body: "chat.reopen", At: now}
	if _, err := s.writeTx(ctx, tx, &m); err != nil {
		return err
	}
	changes["reopened_at"], changes["last_message_id"] = now, m.ID
	table, err := readTimetable(ctx, tx.Conn)
	if err != nil {
		return err
	}
	takes := false
	if c.AgentID != nil {
		if takes, err = s.takesTx(ctx, tx.Conn, *c.AgentID); err != nil {
			return err
		}
	}
	switch {
	case takes:
		changes["state"] = Open
	case table.For(language).Open(now):
		changes["state"], changes["agent_id"] = Queued, nil
	default:
		changes["state"], changes["agent_id"] = OfflineMessage, nil
	}
	return s.moveTx(tx, &c, changes, messages, m)
}

// moveTx writes changed columns if the row still has the version read, and publishes the messages after commit. It returns ErrState for an invalid transition.
func (s *Service) moveTx(tx *db.Tx, c *Conversation, columns map[string]any, messages ...Message) error {
	if next, moving := columns["state"].(State); moving && next != c.State && !c.May(next) {
		return ErrState
	}
	columns["moved_at"], columns["version"] = s.clock.Now(), c.Version+1
	var moved Conversation
	if err := db.MustAffect(tx.Rows.Model(&moved).Clauses(clause.Returning{}).Where("id = ? AND version = ?", c.ID, c.Version).Updates(columns)); err != nil {
		return fmt.Errorf("move conversation %d: %w", c.ID, err)
	}
	*c = moved
	s.publishTx(tx, *c, messages...)
	return nil
}

// publishTx publishes the messages after commit, or one Moved event if there are none.
func (s *Service) publishTx(tx *db.Tx, c Conversation, messages ...Message) {
	tx.AfterCommit(func() {
		for _, m := range messages {
			s.publish(eventOf(c, Said, &m))
		}
		if len(messages) == 0 {
			s.publish(eventOf(c, Moved, nil))
		}
	})
}

// Thread is a page of a conversation as its customer sees it.
type Thread struct {
	Conversation
	AgentName string
	Earlier   bool          // closed conversations exist
	Position  int           // in the queue; 0 if not queued
	Estimate  time.Duration // until the first reply, for a Position; 0 if unknown
	Typing    bool          // the agent is typing
	List      []Message     // oldest first
	More      bool          // newer messages follow
}

// Read returns a page of the current conversation after a message, oldest first; it is empty without a conversation. More is true before the last page.
// Refusals: ErrVisitor.
func (s *Service) Read(ctx context.Context, from Customer, after int64) (t Thread, err error) {
	if err := from.read(); err != nil {
		return t, err
	}
	err = s.db.Pool.QueryRow(ctx, `SELECT EXISTS (SELECT 1 FROM conversations WHERE (trader_id = nullif($1, 0) OR visitor = nullif($2, '')::uuid) AND state = 'closed')`,
		from.TraderID, from.Visitor).Scan(&t.Earlier)
	if err != nil {
		return t, err
	}
	if t.Conversation, err = ofCustomer(s.db.Rows(ctx), from); err != nil || t.ID == 0 {
		return t, err
	}
	if t.List, t.More, err = s.page(ctx, "id", "conversation_id = ? AND id > ? AND NOT private", t.ID, after); err != nil {
		return t, err
	}
	t.Typing = s.activities.typing(t.ID, s.clock.Now())
	if t.AgentID != nil {
		t.AgentName, err = s.NameOf(ctx, *t.AgentID)
	}
	if t.State == Queued && err == nil {
		if t.Position, err = position(ctx, s.db.Pool, t.ID); err == nil {
			t.Estimate, err = s.estimate(ctx, t.Position)
		}
	}
	return t, err
}

// Earlier returns the newest 200 messages of a customer's closed conversations before a message, oldest first, and whether older ones exist.
// Refusals: ErrVisitor.
func (s *Service) Earlier(ctx context.Context, from Customer, before int64) (list []Message, more bool, err error) {
	if err := from.read(); err != nil {
		return nil, false, err
	}
	list, more, err = s.page(ctx, "id DESC", `conversation_id IN (SELECT id FROM conversations WHERE (trader_id = nullif(?, 0) OR visitor = nullif(?, '')::uuid) AND state = 'closed')
		AND id < ? AND NOT private`, from.TraderID, from.Visitor, before)
	slices.Reverse(list)
	return list, more, err
}

// page reads up to pageSize messages and reports whether more follow.
func (s *Service) page(ctx context.Context, order, condition string, values ...any) ([]Message, bool, error) {
	list, err := messages(ctx, s.db.Pool, s.db.Rows(ctx).Where(condition, values...).Order(order).Limit(pageSize+1))
	if err != nil || len(list) <= pageSize {
		return list, false, err
	}
	return list[:pageSize], true, nil
}

// Unread counts the agents' messages that the customer has not read.
func (s *Service) Unread(ctx context.Context, from Customer) (n int, err error) {
	if err := from.read(); err != nil {
		return 0, err
	}
	err = s.db.Pool.QueryRow(ctx, `
		SELECT count(*) FROM conversations c JOIN chat_messages m ON m.conversation_id = c.id AND m.id > c.customer_read AND m.author = 'agent' AND NOT m.private
		WHERE (c.trader_id = nullif($1, 0) OR c.visitor = nullif($2, '')::uuid) AND c.state <> 'closed'`, from.TraderID, from.Visitor).Scan(&n)
	return n, err
}

// MarkRead records the newest message that the customer's app received, and read if read is true. Receipts never move back.
func (s *Service) MarkRead(ctx context.Context, from Customer, upTo int64, read bool) error {
	if err := from.read(); err != nil {
		return err
	}
	return s.mark(ctx, "customer", upTo, read, `(trader_id = nullif(?, 0) OR visitor = nullif(?, '')::uuid) AND state <> 'closed'`, from.TraderID, from.Visitor)
}

func (s *Service) mark(ctx context.Context, side string, upTo int64, read bool, condition string, values ...any) error {
	receipts := []string{side + "_got"}
	if read {
		receipts = append(receipts, side+"_read")
	}
	columns := map[string]any{}
	for _, receipt := range receipts {
		columns[receipt] = gorm.Expr("greatest("+receipt+", least(?, last_message_id))", upTo)
	}
	var marked []Conversation
	err := s.db.Rows(ctx).Model(&marked).Clauses(clause.Returning{}).Where(condition, values...).
		Where("least("+strings.Join(receipts, ", ")+") < least(?, last_message_id)", upTo).Updates(columns).Error
	if err != nil {
		return fmt.Errorf("mark a thread: %w", err)
	}
	for _, c := range marked {
		s.publish(eventOf(c, Marked, nil))
	}
	return nil
}

// Rate stores a customer's rating of a resolution, from 1 to 5, with a comment; 0 dismisses the request for a rating.
// Refusals: ErrRating, ErrText, ErrUnknown, ErrRated.
func (s *Service) Rate(ctx context.Context, from Customer, rating int, words string) error {
	words = strings.TrimSpace(words)
	switch {
	case rating < 0 || rating > 5:
		return ErrRating
	case utf8.RuneCountInString(words) > 1000 || !db.IsText(words):
		return ErrText
	}
	if err := from.read(); err != nil {
		return err
	}
	return s.db.InTx(ctx, func(tx *db.Tx) error {
		c, err := ofCustomer(tx.ForUpdate(), from)
		switch {
		case err != nil:
			return err
		case c.ID == 0:
			return ErrUnknown
		case !c.Rateable():
			return ErrRated
		}
		changes := map[string]any{"rated_at": s.clock.Now()}
		if rating > 0 {
			words, _ := mask(words)
			m := Message{ConversationID: c.ID, ClientID: uuid.NewString(), Author: BySystem, Kind: System, Private: true, Body: fmt.Sprintf("chat.rated.%d %s", rating, words), At: s.clock.Now()}
			if _, err := s.writeTx(ctx, tx, &m); err != nil {
				return err
			}
			changes["rating"] = rating
			return s.moveTx(tx, &c, changes, m)
		}
		return s.moveTx(tx, &c, changes)
	})
}

// NameOf returns a staff member's name.
func (s *Service) NameOf(ctx context.Context, staffID int64) (string, error) {
	return member.Name(ctx, s.db.Pool, staffID)
}
