// Package netip declares addresses that compare.
package netip

type Addr struct {
	addr uint128
}

func (Addr) MarshalText() ([]byte, error)   {}
func (*Addr) UnmarshalText([]byte) error    {}
func (Addr) MarshalBinary() ([]byte, error) {}

type AddrPort struct {
	ip   Addr
	port uint16
}

func (AddrPort) MarshalText() ([]byte, error) {}
func (*AddrPort) UnmarshalText([]byte) error  {}

type Prefix struct {
	ip           Addr
	bitsPlusOne  uint8
}

func (Prefix) MarshalText() ([]byte, error) {}
func (*Prefix) UnmarshalText([]byte) error  {}

type uint128 struct {
	hi uint64
	lo uint64
}
