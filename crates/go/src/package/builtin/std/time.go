// Package time declares lengths of time and parts of a calendar.
package time

// Duration is a length of time in nanoseconds.
// With 64 bits it is good for
// 290 years at most.
type Duration int64

// Month is a month by its number, January being 1.
type Month int

// Weekday is a day of the week by its number, Sunday being 0.
type Weekday int
