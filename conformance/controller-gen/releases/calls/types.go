// Package calls: webhooks of several packages.
package calls
