// +groupName=standard.h.example.org
package v1

import (
	"encoding/json"
	"net"
	"net/netip"
	"time"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
)

type Standard struct {
	metav1.TypeMeta   `json:",inline"`
	metav1.ObjectMeta `json:"metadata,omitempty"`
	IP      net.IP           `json:"ip"`
	MAC     net.HardwareAddr `json:"mac"`
	Addr    netip.Addr       `json:"addr"`
	Prefix  netip.Prefix     `json:"prefix"`
	Number  json.Number      `json:"number"`
	Month   time.Month       `json:"month"`
	// Of the week.
	Days []time.Weekday `json:"days"`
}
