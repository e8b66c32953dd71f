package demo

import (
	"cmp"
	"context"
	"errors"
	"slices"
	"time"

	"github.com/google/uuid"

	"candor/app/support"
	"candor/app/withdrawal"
)

// exampleConversation is a conversation of the demo.
type exampleConversation struct {
	trader            string // a handle; empty for a visitor
	visitorLanguage   string
	labels            []string
	priority          support.Priority // empty for normal
	agent             string           // handle of the answering agent
	lines             []exampleLine
	snoozed, resolved bool // finally snoozed until tomorrow, or resolved
	rating            int
	thanks            string
}

// exampleLine is a message, or a note between agents.
type exampleLine struct {
	ago  time.Duration
	by   speaker
	text string
	card bool // with the trader's latest withdrawal
}

type speaker int

const (
	asker speaker = iota
	answerer
	noter
)

// exampleConversations are the conversations in the inbox.
var exampleConversations = []exampleConversation{
	{
		trader: "anna", labels: []string{"withdrawal"},
		lines: []exampleLine{
			{14 * time.Minute, asker, "Hello, I asked for this withdrawal some hours ago. When will it be sent?", true},
			{13 * time.Minute, asker, "It goes to the same account as the last one.", false},
		},
	},
	{
		trader: "dalia", labels: []string{"deposit"}, priority: support.Urgent,
		lines: []exampleLine{{22 * time.Minute, asker, "مرحبًا، أرسلت التحويل هذا الصباح. متى سيُضاف المبلغ إلى حسابي؟", false}},
	},
	{
		trader: "chen", labels: []string{"deposit"}, agent: "agent",
		lines: []exampleLine{
			{48 * time.Minute, asker, "您好，我刚刚上传了转账凭证，还需要别的材料吗？", false},
			{45 * time.Minute, answerer, "您好，凭证已收到，不需要别的材料。财务核对银行到账后，款项会记入您的账户，您会收到通知。", false},
			{44 * time.Minute, noter, "The proof is readable, reference and amount agree. Finance has it.", false},
		},
	},
	{
		trader: "lucia", labels: []string{"identity"}, agent: "second.agent",
		lines: []exampleLine{
			{55 * time.Minute, asker, "Why was my selfie refused? It is clearly me.", false},
			{51 * time.Minute, answerer, "The light behind you makes your face dark. Please take it again facing a window, without sunglasses. The other pictures are accepted and stay.", false},
		},
	},
	{
		trader: "ben", labels: []string{"withdrawal"}, agent: "agent", snoozed: true,
		lines: []exampleLine{
			{4 * time.Hour, asker, "Could you tell me tomorrow morning whether the 2,000 have left?", false},
			{232 * time.Minute, answerer, "Gladly. Two people approve every withdrawal, and one of them has. I’ll get back to you tomorrow morning.", false},
		},
	},
	{
		trader: "elena", labels: []string{"deposit", "complaint"}, agent: "second.agent", resolved: true, rating: 5, thanks: "Clear and quick.",
		lines: []exampleLine{
			{25 * time.Hour, asker, "My deposit of 600 was refused, why?", false},
			{25*time.Hour - 4*time.Minute, answerer, "It came from an account in another name. We can only take money from an account that is yours, and send this one back to where it came from.", false},
			{25*time.Hour - 9*time.Minute, asker, "I see, that was my brother's account. I'll send it from mine.", false},
			{25*time.Hour - 11*time.Minute, answerer, "Thank you. Use the same page; the reference will be a new one.", false},
		},
	},
	{
		visitorLanguage: "en",
		lines:           []exampleLine{{6 * time.Minute, asker, "Do I need to verify my identity before I try the demo account?", false}},
	},
}

// exampleVisitor is the secret id of an invented device.
var exampleVisitor = uuid.NewSHA1(uuid.NameSpaceURL, []byte("candor demo visitor")).String()

// steps are the messages, and the end of the conversation.
func (t *exampleConversation) steps() (list []demoStep) {
	for n, line := range t.lines {
		list = append(list, demoStep{line.ago, "a conversation", func(ctx context.Context, d *demo) error { return t.say(ctx, d, n, line) }})
	}
	return append(list, demoStep{t.lines[len(t.lines)-1].ago - time.Minute, "a conversation", t.end})
}

func (t *exampleConversation) customer(ctx context.Context, d *demo) (support.Customer, error) {
	if t.trader == "" {
		return support.Customer{Visitor: exampleVisitor, Language: t.visitorLanguage, IP: "203.0.113.99"}, nil
	}
	at := slices.IndexFunc(examples, func(e *example) bool { return e.handle == t.trader })
	e := examples[at]
	found, err := d.find(ctx, e)
	if err == nil && !found {
		err = errors.New("they have not registered")
	}
	return support.Customer{TraderID: d.tradersByHandle[e.handle].traderID, Language: e.language, IP: e.ip()}, err
}

// thread is the conversation so far; zero before it has begun.
func (t *exampleConversation) thread(ctx context.Context, d *demo) (from support.Customer, c support.Conversation, said []support.Message, err error) {
	if from, err = t.customer(ctx, d); err != nil {
		return from, c, nil, err
	}
	thread, err := d.chat.Read(ctx, from, 0)
	if err != nil || thread.ID == 0 {
		return from, c, nil, err
	}
	said, _, err = d.chat.Messages(ctx, thread.ID, 0)
	return from, thread.Conversation, said, err
}

// say adds a line unless it exists.
func (t *exampleConversation) say(ctx context.Context, d *demo, n int, line exampleLine) error {
	from, c, said, err := t.thread(ctx, d)
	draft := support.Draft{ID: uuid.NewSHA1(uuid.NameSpaceURL, []byte("candor demo "+t.trader+line.text)).String(), Text: line.text, Seen: c.LastMessageID}
	if err != nil || slices.ContainsFunc(said, func(m support.Message) bool { return m.ClientID == draft.ID }) {
		return err
	}
	by := d.staffByHandle[t.agent]
	switch line.by {
	case asker:
		if line.card {
			if err := t.show(ctx, d, from); err != nil {
				return err
			}
		}
		m, err := d.chat.Send(ctx, from, draft)
		if err == nil && n == 0 && len(t.labels) > 0 {
			_, err = d.chat.Label(ctx, d.staffByHandle["support.lead"], m.ConversationID, 0, t.labels, cmp.Or(t.priority, support.Normal))
		}
		return err
	case noter:
		_, err = d.chat.AddNote(ctx, by, c.ID, draft)
		return err
	case answerer:
		if c, err = d.chat.Claim(ctx, by, c.ID); err != nil {
			return err
		}
		draft.Seen = c.LastMessageID
		if err = d.chat.MarkSeen(ctx, by.ID, c.ID, c.LastMessageID, true); err == nil {
			_, err = d.chat.Answer(ctx, by, c.ID, draft)
		}
	}
	return err
}

// show sends the trader's latest withdrawal as a card.
func (t *exampleConversation) show(ctx context.Context, d *demo, from support.Customer) error {
	list, _, err := d.withdrawals.List(ctx, from.TraderID, withdrawal.Filter{Limit: 1})
	if err != nil || len(list) == 0 {
		return err
	}
	_, err = d.chat.Send(ctx, from, support.Draft{ID: uuid.NewSHA1(uuid.NameSpaceURL, []byte("candor demo card "+t.trader)).String(), CardKind: "withdrawal", CardID: list[0].ID})
	return err
}

// end snoozes the conversation, or resolves it and adds a rating.
func (t *exampleConversation) end(ctx context.Context, d *demo) error {
	from, c, _, err := t.thread(ctx, d)
	if err != nil {
		return err
	}
	by := d.staffByHandle[t.agent]
	switch {
	case t.snoozed && c.State == support.WaitingCustomer:
		_, err = d.chat.Snooze(ctx, by, c.ID, c.Version, d.now.Add(18*time.Hour))
	case t.resolved && c.State == support.WaitingCustomer:
		c, err = d.chat.Resolve(ctx, by, c.ID, c.Version, c.LastMessageID)
	}
	if err == nil && t.rating > 0 && c.Rateable() {
		d.clock.Advance(2 * time.Minute)
		err = d.chat.Rate(ctx, from, t.rating, t.thanks)
	}
	return err
}

const exampleAnswersFrom = 20 * exampleDay

// exampleAnswers are prepared answers, each with a name, subject and language.
var exampleAnswers = []support.Reply{
	{Slug: "hello", Category: "account", Language: "en", Body: "Hello, this is {{agent}}. I have read your question and am looking into it."},
	{Slug: "hello", Category: "account", Language: "zh_CN", Body: "您好，我是{{agent}}。您的问题我已看到，正在为您查询。"},
	{Slug: "hello", Category: "account", Language: "ar", Body: "مرحبًا، معك {{agent}}. قرأت سؤالك وأتحقق منه الآن."},
	{Slug: "withdrawal-stage", Category: "withdrawal", Language: "en", Body: "Your withdrawal {{withdrawal.number}} of {{withdrawal.amount}} is at this stage: {{withdrawal.stage}}. The Withdraw page shows every step with its time."},
	{Slug: "withdrawal-stage", Category: "withdrawal", Language: "zh_CN", Body: "您的出金 {{withdrawal.number}}（{{withdrawal.amount}}）目前状态：{{withdrawal.stage}}。每一步及其时间都可在出金页面查看。"},
	{Slug: "withdrawal-stage", Category: "withdrawal", Language: "ar", Body: "طلب السحب {{withdrawal.number}} بمبلغ {{withdrawal.amount}} في مرحلة: {{withdrawal.stage}}. كل خطوة ووقتها في صفحة السحب."},
	{Slug: "deposit-proof", Category: "deposit", Language: "en", Body: "Please open the deposit {{deposit.number}} and add a picture of your bank's confirmation. It must show the amount, the reference and the date."},
	{Slug: "deposit-proof", Category: "deposit", Language: "zh_CN", Body: "请打开入金 {{deposit.number}}，上传银行转账凭证的图片，图中须能看到金额、附言和日期。"},
	{Slug: "deposit-proof", Category: "deposit", Language: "ar", Body: "يُرجى فتح الإيداع {{deposit.number}} وإضافة صورة من تأكيد البنك يظهر فيها المبلغ والمرجع والتاريخ."},
	{Slug: "identity-state", Category: "identity", Language: "en", Body: "Your verification: {{identity.state}}. The verification page shows what is still needed. Only that has to be sent again."},
	{Slug: "identity-state", Category: "identity", Language: "zh_CN", Body: "您的身份认证：{{identity.state}}。还需要什么，认证页面上都有说明，只需补交该项。"},
	{Slug: "identity-state", Category: "identity", Language: "ar", Body: "حالة التحقق من هويتك: {{identity.state}}. ما زال مطلوبًا مذكور في صفحته، ولا يلزم إرسال غيره من جديد."},
	{Slug: "our-hours", Category: "account", Language: "en", Body: "We answer at these times: {{hours}}. You can leave a message at any time."},
}

// prepareAnswers adds the missing ones.
func prepareAnswers(ctx context.Context, d *demo) error {
	there, err := d.chat.Replies(ctx, "", "")
	for i := 0; err == nil && i < len(exampleAnswers); i++ {
		wanted := exampleAnswers[i]
		if !slices.ContainsFunc(there, func(r support.Reply) bool { return r.Slug == wanted.Slug && r.Language == wanted.Language }) {
			err = d.chat.SaveReply(ctx, d.staffByHandle["support.lead"], wanted)
		}
	}
	return err
}

// exampleMacros are macros of the desk.
var exampleMacros = []support.Macro{
	{Name: "Ask for the proof", Key: new(1), Reply: "deposit-proof", Labels: "deposit", Ending: support.EndSnooze, Snooze: "hours"},
	{Name: "Say the stage and resolve", Key: new(2), Reply: "withdrawal-stage", Labels: "withdrawal", Ending: support.EndResolve},
}

// prepareMacros adds the missing ones.
func prepareMacros(ctx context.Context, d *demo) error {
	there, err := d.chat.Macros(ctx)
	for i := 0; err == nil && i < len(exampleMacros); i++ {
		if wanted := exampleMacros[i]; !slices.ContainsFunc(there, func(m support.Macro) bool { return m.Name == wanted.Name }) {
			err = d.chat.SaveMacro(ctx, d.staffByHandle["support.lead"], wanted)
		}
	}
	return err
}
