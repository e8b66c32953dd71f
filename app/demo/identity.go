package demo

import (
	"context"
	"fmt"
	"slices"
	"time"

	"candor/app/audit"
	"candor/app/kyc"
	"candor/app/ledger"
)

// verify submits the documents and advances the application to its target state.
func (e *example) verify(ctx context.Context, d *demo) error {
	i := d.tradersByHandle[e.handle]
	v, err := d.identities.Find(ctx, i.traderID)
	if err != nil {
		return err
	}
	if v.CurrentState() == kyc.None || v.State == kyc.Draft {
		if v, err = e.submitApplication(ctx, d, i); err != nil {
			return err
		}
	}
	a := v.Application
	for err == nil && a.State != e.identity {
		was := a.Version
		a, err = d.advanceIdentity(ctx, a, e.identity)
		if a.Version == was {
			break
		}
	}
	return err
}

func (e *example) submitApplication(ctx context.Context, d *demo, i exampleAccount) (v kyc.View, err error) {
	o := ledger.Owner{TraderID: i.traderID, Name: i.name, IP: e.ip(), TraceID: exampleTrace}
	country, paper, number, expiry := e.country, string(kyc.Passport), fmt.Sprint("EX", 4_711_000+e.number), d.now.AddDate(4, e.number%12, 0).Format(time.DateOnly)
	if e.documentCountry != "" {
		country = e.documentCountry
	}
	d.clock.Advance(3 * time.Minute)
	if v, err = d.identities.Save(ctx, o, kyc.Filled{Country: &country, DocumentType: &paper, FullName: &e.name, Number: &number, BirthDate: &e.born, ExpiryDate: &expiry}); err != nil {
		return v, err
	}
	for _, side := range kyc.Sides[kyc.Passport] {
		if slices.ContainsFunc(v.Documents, func(d kyc.Document) bool { return d.Side == side }) { // from an interrupted start
			continue
		}
		drawn := passportPicture(e.name, country, number, e.born, expiry)
		if side == kyc.Selfie {
			drawn = selfiePicture(e.name)
		}
		picture, err := d.readPicture(ctx, drawn)
		if err != nil {
			return v, err
		}
		d.clock.Advance(time.Minute)
		if v, err = d.identities.Attach(ctx, o, side, picture); err != nil {
			return v, err
		}
	}
	if _, err = d.identities.Submit(ctx, o, v.Version, i.keyed("identity")); err != nil {
		return v, err
	}
	return d.identities.Find(ctx, i.traderID)
}

// advanceIdentity takes the application's next step to a state; without one it is unchanged.
func (d *demo) advanceIdentity(ctx context.Context, a kyc.Application, to kyc.State) (kyc.Application, error) {
	by := d.staffByHandle["compliance"]
	switch {
	case a.State == kyc.Submitted, a.State == kyc.InReview && !a.ClaimActiveBy(by.ID, d.clock.Now()):
		d.clock.Advance(5 * time.Minute)
		return d.identities.Claim(ctx, by, a.ID)
	case a.State != kyc.InReview:
		return a, nil
	}
	a, err := d.judge(ctx, by, a, to)
	if err != nil {
		return a, err
	}
	d.clock.Advance(2 * time.Minute)
	if to == kyc.Resubmission {
		return d.identities.AskAgain(ctx, by, a.ID, a.Version, nil, "The window behind is brighter than the face.")
	}
	return d.identities.Approve(ctx, by, a.ID, a.Version)
}

// judge views and accepts every picture as a reviewer and matches the data; it rejects the selfie of an application that is to be returned.
func (d *demo) judge(ctx context.Context, by audit.Actor, a kyc.Application, to kyc.State) (kyc.Application, error) {
	c, err := d.identities.Case(ctx, by, a.ID)
	if err != nil {
		return a, err
	}
	for _, document := range c.Documents {
		if _, err := d.identities.View(ctx, by, a.ID, document.ID); err != nil {
			return a, err
		}
		accept, reason := true, ""
		if to == kyc.Resubmission && document.Side == kyc.Selfie {
			accept, reason = false, "glare"
		}
		if a, err = d.identities.DecideDocument(ctx, by, a.ID, a.Version, document.ID, accept, reason); err != nil {
			return a, err
		}
	}
	if len(a.Marks.Unmarked()) == 0 { // from an interrupted start
		return a, nil
	}
	return d.identities.MatchRest(ctx, by, a.ID, a.Version)
}
