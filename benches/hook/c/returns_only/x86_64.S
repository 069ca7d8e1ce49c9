/* The cheapest hook there can be: the price of being called at all. */
        .text
        .balign 64
        .globl  mcount
        .type   mcount, %function
        .globl  __fentry__
        .type   __fentry__, %function
mcount:
__fentry__:
        endbr64
        ret
        .size   mcount, . - mcount
        .size   __fentry__, . - __fentry__

        .section .note.GNU-stack, "", %progbits
