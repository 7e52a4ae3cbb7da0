// Package net declares addresses of hosts and networks.
package net

type IP []byte

func (IP) MarshalText() ([]byte, error) {}
func (*IP) UnmarshalText([]byte) error  {}

type IPMask []byte

type IPNet struct {
	IP   IP
	Mask IPMask
}

// HardwareAddr is the address of a network card.
type HardwareAddr []byte
