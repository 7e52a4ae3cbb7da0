// Package time declares parts of a calendar.
package time

// A Month specifies a month of the year (January = 1, ...).
type Month int

// A Weekday specifies a day of the week (Sunday = 0, ...).
type Weekday int
