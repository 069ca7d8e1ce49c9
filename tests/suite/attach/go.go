// A program that works in goroutines until its input ends.

package main

import (
	"fmt"
	"os"
)

var sink int

//go:noinline
func inner(rounds int) int {
	sum := 0
	for i := 0; i < rounds; i++ {
		sum += i * i
	}
	return sum
}

//go:noinline
func outer() {
	sink += inner(1000000)
}

func main() {
	fmt.Println("ready")
	go func() {
		for {
			outer()
		}
	}()
	os.Stdin.Read(make([]byte, 1))
}
