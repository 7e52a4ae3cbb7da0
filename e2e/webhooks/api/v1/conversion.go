package v1

import (
	"fmt"
	"strconv"
	"strings"

	v2 "kindsmith.dev/e2e/webhooks/api/v2"
	"sigs.k8s.io/controller-runtime/pkg/conversion"
)

// BerthsAnnotation keeps what this version has no field for.
const BerthsAnnotation = "harbor.example.org/berths"

// ConvertTo writes a pier in the stored version.
func (p *Pier) ConvertTo(hub conversion.Hub) error {
	out := hub.(*v2.Pier)
	opens, closes, found := strings.Cut(p.Spec.Hours, "-")
	if !found {
		return fmt.Errorf("hours %q are not OPENS-CLOSES", p.Spec.Hours)
	}
	p.ObjectMeta.DeepCopyInto(&out.ObjectMeta)
	out.Spec = v2.PierSpec{Opens: opens, Closes: closes}
	if kept, isKept := out.Annotations[BerthsAnnotation]; isKept {
		berths, err := strconv.ParseInt(kept, 10, 32)
		if err != nil {
			return fmt.Errorf("annotation %s: %w", BerthsAnnotation, err)
		}
		out.Spec.Berths = int32(berths)
		delete(out.Annotations, BerthsAnnotation)
	}
	return nil
}

// ConvertFrom reads a pier of the stored version.
func (p *Pier) ConvertFrom(hub conversion.Hub) error {
	in := hub.(*v2.Pier)
	in.ObjectMeta.DeepCopyInto(&p.ObjectMeta)
	p.Spec.Hours = in.Spec.Opens + "-" + in.Spec.Closes
	if in.Spec.Berths != 0 {
		if p.Annotations == nil {
			p.Annotations = map[string]string{}
		}
		p.Annotations[BerthsAnnotation] = strconv.Itoa(int(in.Spec.Berths))
	}
	return nil
}
