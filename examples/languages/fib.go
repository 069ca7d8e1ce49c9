// Go, as gccgo compiles it: a function that recurses.
//
/*# flags -O0 */
/*# calls main.fib 21891 */
/*# arc <outside> -> main.main 1 */
package main

func fib(n int) int {
	if n < 2 {
		return n
	}
	return fib(n-1) + fib(n-2)
}

func main() {
	if fib(20) != 6765 {
		panic("fib")
	}
}
