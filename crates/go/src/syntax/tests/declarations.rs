//! Declarations and their parts.

use super::check;

#[test]
fn imports() {
    check(
        r#"
        import "fmt"
        import (
            metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
            . "strings"
            _ "embed"
            `raw`
        )
        "#,
        r#"
        import "fmt"
        import metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
        import . "strings"
        import _ "embed"
        import `raw`
        "#,
    );
}

#[test]
fn type_forms() {
    check(
        r"
        type A string
        type B = pkg.A
        type ( C []byte; D [3 + N]*int )
        type E map[string][]pkg.F
        type F interface{}
        type G interface { M() }
        type H func(a, b int, c ...string) (x error)
        type I <-chan int
        type J chan<- (map[string]int)
        type K [...]int
        ",
        r"
        type A string
        type B = pkg.A
        type C []byte
        type D [(Add 3 N)]*int
        type E map[string][]pkg.F
        type F interface{}
        type G interface{…}
        type H func
        type I chan int
        type J chan map[string]int
        type K [...]int
        ",
    );
}

#[test]
fn generics() {
    check(
        r"
        type A[T any] struct{}
        type B[K comparable, V Foo[K]] map[K]V
        type C[K, V any] = D[K, pkg.E[V]]
        type F [N]int
        type G [N * 2]int
        type H[P *C, Q any] int
        type I[P interface{ *C }] int
        type J[T ~int | ~string] []T
        type K [pkg.N]int
        ",
        r"
        type A[T any] struct
        type B[K comparable, V Foo[K]] map[K]V
        type C[K any, V any] = D[K, pkg.E[V]]
        type F [N]int
        type G [(Multiply N 2)]int
        type H[P *C, Q any] int
        type I[P interface{ *C }] int
        type J[T ~int | ~string] []T
        type K [pkg.N]int
        ",
    );
}

#[test]
fn struct_fields() {
    check(
        r#"
        type S struct {
            A, B string `json:"a"`
            C *pkg.T "json:\"c\""
            Embedded
            *Pointer `json:",inline"`
            pkg.Other `json:"o"`
            *pkg.Deep
            Generic[int]
            pkg.Generic2[int, string] `x`
            List []string
            Array [2]Foo
            ArrayN [N]Foo
            Inst Foo[Bar]
            Inner struct { X int; Y struct{ Z bool } }
            Items []struct { W int } `json:"items"`
            Any interface{}
            Fn func(int) (string, error)
            (Paren)
        }
        "#,
        r#"
        type S struct
          A string `json:"a"`
          B string `json:"a"`
          C *pkg.T "json:\"c\""
          embedded Embedded Embedded
          embedded Pointer *Pointer `json:",inline"`
          embedded Other pkg.Other `json:"o"`
          embedded Deep *pkg.Deep
          embedded Generic Generic[int]
          embedded Generic2 pkg.Generic2[int, string] `x`
          List []string
          Array [2]Foo
          ArrayN [N]Foo
          Inst Foo[Bar]
          Inner struct
            X int
            Y struct
              Z bool
          Items []struct `json:"items"`
            W int
          Any interface{}
          Fn func
          embedded Paren Paren
        "#,
    );
}

#[test]
fn constants() {
    check(
        r#"
        const A = "a"
        const B, C Phase = "b", pkg.C
        const (
            D Level = iota + 1
            E

            F = 1 << (10 * iota)
            G, H = -1, len("x" + y)
            I, J
            K = Phase("x")
            L = a[0]
            M = a || b && c == d
        )
        "#,
        r#"
        const A = "a" @0
        const B Phase = "b" @0
        const C Phase = pkg.C @0
        const D Level = (Add iota 1) @0
        const E Level = (Add iota 1) @1 implicit
        const F = (ShiftLeft 1 (Multiply 10 iota)) @2
        const G = (Minus 1) @3
        const H = len((Add "x" y)) @3
        const I = (Minus 1) @4 implicit
        const J = len((Add "x" y)) @4 implicit
        const K = Phase("x") @5
        const L = <a[0]> @6
        const M = (Or a (And b (Equal c d))) @7
        "#,
    );
}

#[test]
fn variables_keep_their_text() {
    check(
        r#"
        var A int
        var B, C = f(1, 2), []string{"x"}
        var (
            D pkg.T = pkg.T{ F: func() { return } }
        )
        "#,
        r#"
        var A int
        var B = f(1, 2), []string{"x"}
        var C = f(1, 2), []string{"x"}
        var D pkg.T = pkg.T{ F: func() { return } }
        "#,
    );
}

#[test]
fn functions() {
    check(
        r#"
        func F() {}
        func G(a, b int, c ...pkg.T) error { if x { return '}' } ; return "}" + `}` /* } */ }
        func H(int, []string, *T, Foo[int]) (a int, err error) { return }
        func I(a []int, b [2]int, c Foo[int])
        func J[T any, U ~int](t T) U { return 0 }
        func SetDefaults_Foo(obj *Foo) {
            // }
        }
        "#,
        r"
        func F()
        func G(a int, b int, c ...pkg.T) (error)
        func H(int, []string, *T, Foo[int]) (a int, err error) returns 
          closest (trailing):  }
        func I(a []int, b [2]int, c Foo[int])
        func J[T any, U ~int](t T) (U) returns 0
        func SetDefaults_Foo(obj *Foo)
        ",
    );
}

#[test]
fn methods_and_what_they_return() {
    check(
        r#"
        func (T) OpenAPISchemaType() []string { return []string{"string"} }
        func (t *T) OpenAPISchemaFormat() string {
            return ""
        }
        func (t List[E]) Len() int { return len(t), 1 }
        func (_ *T) Twice() int { return 1; x() }
        "#,
        r#"
        func (T) OpenAPISchemaType() ([]string) returns []string{"string"}
        func (*T) OpenAPISchemaFormat() (string) returns ""
        func (List) Len() (int) returns len(t), 1
        func (*T) Twice() (int)
        "#,
    );
}
