/* Nested functions (GNU C): the static chain that leads to the variables of the outer function
   arrives in a register of its own, through a trampoline when the function's address is taken. */
/*# only gcc: clang has no nested functions */
/*# flags -Wl,-z,execstack */
/*# arc main -> sum_to 20 */
/*# arc sum_to -> add 2000 */
/*# arc for_each -> visit 2000 */
/*# arc sum_to -> for_each 20 */
#include "counted.h"

COUNTED void for_each(int limit, void (*visit)(int))
{
    for (int i = 1; i <= limit; i++)
        visit(i);
    BARRIER();
}

COUNTED int sum_to(int limit)
{
    int sum = 0, visited = 0;

    auto void add(int) __asm__("add");
    auto void visit(int) __asm__("visit");

    COUNTED void add(int value)
    {
        sum += value;
    }

    COUNTED void visit(int value)
    {
        visited += value;
    }

    for (int i = 1; i <= limit; i++)
        add(i);
    for_each(limit, visit);
    return visited == sum ? sum : -1;
}

int main(void)
{
    for (int i = 0; i < 20; i++)
        if (sum_to(100) != 5050)
            return 1;
    return 0;
}
