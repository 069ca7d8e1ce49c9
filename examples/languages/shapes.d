// D: functions, a method, and a template of which there are two.
//
/*# flags -O0 */
/*# calls _D6shapes3fibFiZi 21891 */
/*# calls _D6shapes6Square4areaMxFZd 7 */
/*# calls _D6shapes__T5twiceTiZQjFNaNbNiNfiZi 3 */
/*# calls _D6shapes__T5twiceTdZQjFNaNbNiNfdZd 2 */
module shapes;

int fib(int n)
{
    return n < 2 ? n : fib(n - 1) + fib(n - 2);
}

class Square
{
    double side = 2;
    double area() const
    {
        return side * side;
    }
}

T twice(T)(T value)
{
    return 2 * value;
}

int main()
{
    auto square = new Square;
    double sum = fib(20);
    foreach (i; 0 .. 7)
        sum += square.area();
    foreach (i; 0 .. 3)
        sum += twice(i);
    foreach (i; 0 .. 2)
        sum += twice(0.5);
    return sum == 6765 + 28 + 6 + 2 ? 0 : 1;
}
