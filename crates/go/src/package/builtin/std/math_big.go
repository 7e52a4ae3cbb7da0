// Package big declares numbers of any size.
package big

type Int struct {
	neg bool
	abs nat
}

func (*Int) MarshalText() ([]byte, error) {}
func (*Int) MarshalJSON() ([]byte, error) {}
func (*Int) UnmarshalText([]byte) error   {}
func (*Int) UnmarshalJSON([]byte) error   {}

type nat []Word

type Word uint
