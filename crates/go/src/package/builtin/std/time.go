// Package time declares lengths of time and parts of a calendar.
package time

// Duration is a length of time in nanoseconds.
// With 64 bits it is good for
// 290 years at most.
type Duration int64

// Time is an instant.
type Time struct {
	place *Location
}

// Location is a time zone.
type Location struct {
	name string
}

// Month is a month by its number, January being 1.
type Month int

// Weekday is a day of the week by its number, Sunday being 0.
type Weekday int
