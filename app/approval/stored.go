package approval

import "time"

// What a proposal holds is written as PostgreSQL writes it into JSON in UTC: the row that takes effect is compared with the proposal.
type (
	// Moment is a moment of a proposal.
	Moment time.Time
	// Day is a day of a proposal.
	Day time.Time
)

const momentLayout = "2006-01-02T15:04:05.999999-07:00"

// MarshalText writes the moment.
func (m Moment) MarshalText() ([]byte, error) {
	return []byte(time.Time(m).UTC().Format(momentLayout)), nil
}

// UnmarshalText reads the moment.
func (m *Moment) UnmarshalText(text []byte) error {
	at, err := time.Parse(momentLayout, string(text))
	*m = Moment(at.UTC())
	return err
}

// MarshalText writes the day.
func (d Day) MarshalText() ([]byte, error) {
	return []byte(time.Time(d).Format(time.DateOnly)), nil
}

// UnmarshalText reads the day.
func (d *Day) UnmarshalText(text []byte) error {
	day, err := time.Parse(time.DateOnly, string(text))
	*d = Day(day)
	return err
}
