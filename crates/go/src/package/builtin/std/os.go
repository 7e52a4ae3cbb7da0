// Package os declares modes of files.
package os

import "io/fs"

// FileMode says what kind of file it is and who may use it.
// The bits have their meaning on every system, and
// a file keeps them on its way from one to the next.
// Systems ignore the bits they have no use for.
// Directories always have [ModeDir].
type FileMode = fs.FileMode
