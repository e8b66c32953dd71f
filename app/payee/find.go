package payee

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"strings"

	"candor/app/platform/names"
)

// endingLetters is how many of the last characters of an account number find it.
const endingLetters = 4

// Search lists, for staff, payees of any trader, newest first, at most limit: those with a whole account number or address, with the last four of an account
// number (and with words of its holder's name beside them), or with all words of the holder's name. Removed payees are included. No name is opened. exact reports
// that the words name the payees as a whole.
func (s *Service) Search(ctx context.Context, words string, limit int) (list []Payee, exact bool, err error) {
	if list, err = s.whole(ctx, words, limit); err != nil || len(list) > 0 {
		return list, true, err
	}
	if ending, holder := endingOf(words); ending != "" {
		list, err = s.ending(ctx, ending, holder, limit)
		return list, false, err
	}
	found, err := s.words.Find(ctx, s.db.Pool, words, 0, limit)
	if err != nil || len(found) == 0 {
		return nil, false, err
	}
	list, err = s.numbered(ctx, idsOf(found))
	return list, false, err
}

// OwnersNamed lists, for staff, traders with a payee whose account number is given whole, or whose holder's name has all words of a search: newest first, below a
// trader id (0 starts at the top), at most limit.
func (s *Service) OwnersNamed(ctx context.Context, words string, below int64, limit int) (ids []int64, err error) {
	if iban := compact(words); ibanForm.MatchString(iban) {
		err = s.db.Rows(ctx).Raw(`SELECT DISTINCT trader_id FROM payees WHERE kind = 'bank' AND iban = ? AND (?::bigint = 0 OR trader_id < ?) ORDER BY trader_id DESC LIMIT ?`, iban, below, below, limit).
			Scan(&ids).Error
		if err != nil {
			return nil, fmt.Errorf("look for whose account it is: %w", err)
		}
		return ids, nil
	}
	found, err := s.words.Find(ctx, s.db.Pool, words, below, limit)
	for _, one := range found {
		ids = append(ids, one.TraderID)
	}
	return slices.Compact(ids), err
}

// whole lists the payees with a whole account number or address.
func (s *Service) whole(ctx context.Context, words string, limit int) (list []Payee, err error) {
	rows := s.db.Rows(ctx).Order("trader_id DESC, id DESC").Limit(limit)
	if iban := compact(words); ibanForm.MatchString(iban) {
		rows = rows.Where("kind = 'bank' AND iban = ?", iban)
	} else if forms := addressForms(words); len(forms) > 0 {
		rows = rows.Where("kind = 'address' AND address IN ?", forms)
	} else {
		return nil, nil
	}
	if err := rows.Find(&list).Error; err != nil {
		return nil, fmt.Errorf("look for a payee: %w", err)
	}
	return list, nil
}

// addressForms are the forms that chains give an address.
func addressForms(address string) (forms []string) {
	for _, c := range chains {
		if form, err := c.Normal(address); err == nil {
			forms = append(forms, form)
		}
	}
	return forms
}

// endingOf finds the last four of an account number among the words of a search, and the words beside it. Four letters without a digit are a name.
func endingOf(words string) (ending, holder string) {
	var others []string
	for word := range strings.FieldsSeq(words) {
		upper := strings.ToUpper(word)
		if ending == "" && len(upper) == endingLetters && strings.Trim(upper, "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ") == "" && strings.ContainsAny(upper, "0123456789") {
			ending = upper
			continue
		}
		others = append(others, word)
	}
	holder = strings.Join(others, " ")
	if ending == "" || len(others) > 0 && len(names.Words(holder)) == 0 {
		return "", ""
	}
	return ending, holder
}

// mostEnding is how many payees with the same last four are compared with a holder's name.
const mostEnding = 100

// ending lists the bank accounts with these last four, of a holder with the words if there are any.
func (s *Service) ending(ctx context.Context, last, holder string, limit int) (list []Payee, err error) {
	read := limit
	if holder != "" {
		read = mostEnding
	}
	if err := s.db.Rows(ctx).Where(`kind = 'bank' AND "right"(iban, 4) = ?`, last).Order("id DESC").Limit(read).Find(&list).Error; err != nil {
		return nil, fmt.Errorf("look for an account by its last four: %w", err)
	}
	if holder == "" || len(list) == 0 {
		return list, nil
	}
	ids := make([]int64, len(list))
	for i, p := range list {
		ids[i] = p.ID
	}
	having, err := s.words.Having(ctx, s.db.Pool, holder, ids)
	list = slices.DeleteFunc(list, func(p Payee) bool { return !slices.Contains(having, p.ID) })
	return list[:min(limit, len(list))], err
}

func idsOf(found []names.Found) (ids []int64) {
	for _, one := range found {
		ids = append(ids, one.ID)
	}
	return ids
}

// numbered reads payees of any trader by their ids, the newest trader first.
func (s *Service) numbered(ctx context.Context, ids []int64) (list []Payee, err error) {
	if err := s.db.Rows(ctx).Where("id IN ?", ids).Find(&list).Error; err != nil {
		return nil, fmt.Errorf("read payees by their ids: %w", err)
	}
	slices.SortFunc(list, func(a, b Payee) int {
		return cmp.Or(cmp.Compare(b.TraderID, a.TraderID), cmp.Compare(b.ID, a.ID))
	})
	return list, nil
}
