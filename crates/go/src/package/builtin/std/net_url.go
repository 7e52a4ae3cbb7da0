// Package url declares addresses and their parameters.
package url

type URL struct {
	Scheme      string
	Opaque      string
	User        *Userinfo
	Host        string
	Path        string
	Fragment    string
	RawQuery    string
	RawPath     string
	RawFragment string
	ForceQuery  bool
	OmitHost    bool
}

type Userinfo struct {
	username    string
	password    string
	passwordSet bool
}

// Values holds parameters by name, each with all its values.
// Query strings and forms are read into it.
// Names are kept as they were written: no case
// is folded.
type Values map[string][]string
