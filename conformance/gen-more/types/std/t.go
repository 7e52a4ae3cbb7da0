// Package std has members of the standard library's types.
// +groupName=std.h.example.org
// +versionName=v1
package std

import (
	"encoding/json"
	"net"
	"net/http"
	"net/netip"
	"net/url"
	"os"
	"sync"
	"time"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
)

// Host is an address in a wrapping of its own.
// +kubebuilder:validation:Type=string
type Host struct {
	netip.Addr
}

// Net is a wrapping with a format.
// +kubebuilder:validation:Type=string
// +kubebuilder:validation:Format=cidr
type Net struct {
	netip.Prefix
}

// Socket has no marker.
type Socket struct {
	netip.AddrPort
}

// Mask is made of another type.
type Mask os.FileMode

// Sheet has a member of each type.
type Sheet struct {
	Headers http.Header `json:"headers,omitempty"`
	// headers with words of their own
	Own      http.Header               `json:"own,omitempty"`
	Values   url.Values                `json:"values,omitempty"`
	IP       net.IP                    `json:"ip,omitempty"`
	IPs      []net.IP                  `json:"ips,omitempty"`
	Hardware net.HardwareAddr          `json:"hardware,omitempty"`
	Addr     netip.Addr                `json:"addr,omitempty"`
	Prefix   *netip.Prefix             `json:"prefix,omitempty"`
	Number   json.Number               `json:"number,omitempty"`
	Raw      json.RawMessage           `json:"raw,omitempty"`
	Mode     *os.FileMode              `json:"mode,omitempty"`
	Mask     Mask                      `json:"mask,omitempty"`
	Wait     time.Duration             `json:"wait,omitempty"`
	Month    time.Month                `json:"month,omitempty"`
	Host     Host                      `json:"host,omitempty"`
	Net      Net                       `json:"net,omitempty"`
	Socket   Socket                    `json:"socket,omitempty"`
	ByAddr   map[netip.Addr]netip.Addr `json:"byAddr,omitempty"`
	ByName   map[string]http.Header    `json:"byName,omitempty"`
	// +kubebuilder:validation:MaxProperties=3
	Few  map[string]net.IP `json:"few,omitempty"`
	Lock sync.Mutex        `json:"-"`
}

// Std is the kind.
type Std struct {
	metav1.TypeMeta   `json:",inline"`
	metav1.ObjectMeta `json:"metadata,omitempty"`
	Spec              Sheet `json:"spec,omitempty"`
}
