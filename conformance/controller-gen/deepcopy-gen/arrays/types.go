package arrays

// Letters is an array with a name.
// +k8s:deepcopy-gen=false
type Letters [3]string

// Grid has arrays.
type Grid struct {
	Numbers  [4]int
	Pointers [2]*int
	Lists    [2][]string
	Structs  [1]Cell
	Letters  Letters
	Nested   [2][3]string
	Cell     Cell
	Cells    []Cell
	ByName   map[string]Cell
	Pointer  *Cell
}

// Cell is not plain, because it has an array.
type Cell struct {
	Values [2]int
}

// Plain is.
type Plain struct {
	A string
	B struct {
		C int
	}
}

// User has it.
type User struct {
	Plain  Plain
	Plains []Plain
	ByName map[string]Plain
}
