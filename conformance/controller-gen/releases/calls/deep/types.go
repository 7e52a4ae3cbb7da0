// Package deep has no webhooks.
package deep

import _ "example.org/fixtures/calls/c"
