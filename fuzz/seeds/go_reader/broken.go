package p
type A struct {
	B map[string
	C ?

type D [P *C]int
func f( {
func g() { if {
const "a
