package demo

import (
	"context"
	"errors"
	"fmt"
	"regexp"
	"slices"

	"github.com/pquerna/otp/totp"

	"candor/app/audit"
	"candor/app/staff"
	"candor/app/trader"
)

// colleague is a member of staff of the demo.
type colleague struct {
	handle, name string
	role         staff.Role
}

// colleagues are the staff: the first joins by the link of an empty installation, invites the others and requests their roles, and the second grants them.
var colleagues = []colleague{
	{"admin", "Example Super Admin", staff.SuperAdmin},
	{"second.admin", "Example Second Admin", staff.SuperAdmin},
	{"finance.maker", "Example Finance Maker", staff.FinanceMaker},
	{"finance.checker", "Example Finance Checker", staff.FinanceChecker},
	{"finance.lead", "Example Finance Lead", staff.FinanceLead},
	{"compliance", "Example Compliance", staff.ComplianceReviewer},
	{"compliance.lead", "Example Compliance Lead", staff.ComplianceLead},
	{"agent", "Example Agent", staff.SupportAgent},
	{"second.agent", "Example Second Agent", staff.SupportAgent},
	{"support.lead", "Example Support Lead", staff.SupportLead},
	{"editor", "Example Editor", staff.ContentEditor},
	{"publisher", "Example Publisher", staff.ContentPublisher},
	{"config.admin", "Example Config Admin", staff.ConfigAdmin},
	{"config.approver", "Example Config Approver", staff.ConfigApprover},
	{"risk", "Example Risk", staff.Risk},
	{"auditor", "Example Auditor", staff.Auditor},
}

func (c colleague) mail() string { return c.handle + trader.ExampleDomain }

// hire adds the staff, each with a password and an authenticator.
func (d *demo) hire(ctx context.Context) error {
	first, err := d.firstAdmin(ctx)
	if err != nil {
		return err
	}
	second := first
	for _, c := range colleagues[1:] {
		p, err := d.invite(ctx, first, c)
		if err != nil {
			return fmt.Errorf("hire %s: %w", c.mail(), err)
		}
		if err := d.grantRole(ctx, first, second, p, c.role); err != nil {
			return fmt.Errorf("give %s a role: %w", c.mail(), err)
		}
		if p, err = d.staff.Person(ctx, p.ID); err != nil {
			return err
		}
		d.staffByHandle[c.handle] = d.actorOf(p)
		second = d.staffByHandle[colleagues[1].handle]
	}
	return nil
}

func (d *demo) actorOf(p staff.Person) audit.Actor {
	return p.Acting(audit.Actor{IP: fmt.Sprint("192.0.2.", p.ID%200+1), TraceID: exampleTrace})
}

// colleague finds a member by e-mail; anybody reports whether there is any staff.
func (d *demo) colleague(ctx context.Context, email string) (p staff.Person, found, anybody bool, err error) {
	list, err := d.staff.List(ctx, 0, 100)
	at := slices.IndexFunc(list, func(p staff.Person) bool { return p.Email == email })
	if at < 0 {
		return p, false, len(list) > 0, err
	}
	return list[at], true, true, err
}

func (d *demo) firstAdmin(ctx context.Context) (audit.Actor, error) {
	c := colleagues[0]
	p, found, anybody, err := d.colleague(ctx, c.mail())
	if err != nil || found {
		return d.actorOf(p), err
	}
	if anybody {
		return audit.Actor{}, errInstallationInUse
	}
	token, _, err := d.staff.FirstLink(ctx)
	if err != nil {
		return audit.Actor{}, err
	}
	p, err = d.completeLink(ctx, token, c)
	return d.actorOf(p), err
}

// completeLink completes a link with a password and an authenticator.
func (d *demo) completeLink(ctx context.Context, token string, c colleague) (p staff.Person, err error) {
	e, err := d.staff.Begin(ctx, token, staff.Entry{Email: c.mail(), Name: c.name, Password: examplePassword})
	if err != nil {
		return p, err
	}
	code, err := totp.GenerateCode(e.Secret, d.clock.Now())
	if err != nil {
		return p, fmt.Errorf("read the authenticator: %w", err)
	}
	return d.staff.Finish(ctx, e, code, audit.Actor{Kind: audit.Staff, TraceID: exampleTrace})
}

var invitation = regexp.MustCompile(regexp.QuoteMeta(staff.LinkPath("invite")) + `(\w+)`)

// invite invites a member, who completes the link in the mail.
func (d *demo) invite(ctx context.Context, by audit.Actor, c colleague) (staff.Person, error) {
	p, found, _, err := d.colleague(ctx, c.mail())
	switch {
	case err != nil:
		return p, err
	case !found:
		_, err = d.staff.Invite(ctx, by, c.mail(), c.name)
	case p.State == staff.Invited:
		err = d.staff.InviteAgain(ctx, by, p.ID, p.Version)
	default:
		return p, nil
	}
	if err != nil {
		return p, err
	}
	list, err := d.outbox.List(ctx, c.mail(), 1)
	if err != nil {
		return p, err
	}
	if len(list) == 0 {
		return p, errors.New("the invitation is not in the outbox")
	}
	link := invitation.FindStringSubmatch(list[0].Body)
	if link == nil {
		return p, errors.New("there is no link in the invitation")
	}
	return d.completeLink(ctx, link[1], c)
}

// grantRole makes the first administrator request a role, and the second one grant it where two people are needed.
func (d *demo) grantRole(ctx context.Context, first, second audit.Actor, p staff.Person, role staff.Role) error {
	if p.Has(role) {
		return nil
	}
	granted, err := d.staff.AskRole(ctx, first, p.ID, role)
	if granted || err != nil && !errors.Is(err, staff.ErrAsked) {
		return err
	}
	open, err := d.staff.OpenRequests(ctx, 100)
	if err != nil {
		return err
	}
	for _, r := range open {
		if r.StaffID == p.ID && r.Role == role {
			return d.staff.GrantRole(ctx, second, r.ID)
		}
	}
	return errors.New("nobody has asked for it")
}
