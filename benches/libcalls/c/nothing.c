/* A library with a function that does nothing. */
int nothing(int number)
{
    return number;
}
