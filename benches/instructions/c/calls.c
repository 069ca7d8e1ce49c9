/* Calls a function often, each time from the same place. */
__attribute__((noipa)) static int callee(int value)
{
    return value + 1;
}

int main(void)
{
    int value = 0;

    for (int i = 0; i < 100; i++)
        value = callee(value);
    return value == 100 ? 0 : 1;
}
