package handwritten

// DeepCopy copies.
func (in *ByPointer) DeepCopy() *ByPointer { return nil }

// DeepCopy copies.
func (in ByValue) DeepCopy() ByValue { return in }

// DeepCopyInto copies.
func (in *Into) DeepCopyInto(out *Into) {}

// DeepCopy copies.
func (in *Both) DeepCopy() *Both { return nil }

// DeepCopyInto copies.
func (in *Both) DeepCopyInto(out *Both) {}

// DeepCopy copies.
func (in List) DeepCopy() List { return in }

// DeepCopy copies.
func (in Number) DeepCopy() Number { return in }

// DeepCopy does something else.
func (in *Wrong) DeepCopy(depth int) *Wrong { return nil }
