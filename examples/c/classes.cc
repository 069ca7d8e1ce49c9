// C++: reports show demangled names, template arguments and all.
/*# arc <outside> -> main 1 */
/*# arc main -> total_area(std::vector<Shape const*, std::allocator<Shape const*> > const&) 10 */
/*# arc total_area(std::vector<Shape const*, std::allocator<Shape const*> > const&) -> Square::area() const 300 */
/*# arc total_area(std::vector<Shape const*, std::allocator<Shape const*> > const&) -> Circle::area() const 200 */
/*# arc Circle::area() const -> double squared<double>(double) 200 */
/*# arc Square::area() const -> int squared<int>(int) 300 */
/*# arc main -> geometry::Vector::operator+(geometry::Vector const&) const 25 */
/*# arc main -> risky(int) 20 */
/*# arc risky(int) -> Guard::Guard() 20 */
/*# calls Guard::~Guard() 20 */
/*# arc Registry::Registry(char const*) -> note(char const*) 3 */
/*# arc note(char const*) -> length_of(char const*) 3 */
#include <stdexcept>
#include <vector>
#include "counted.h"

template <typename T> COUNTED T squared(T value)
{
    BARRIER();
    return value * value;
}

struct Shape {
    virtual double area() const = 0;
};

struct Square : Shape {
    int side;
    explicit Square(int side) : side(side) {}
    COUNTED double area() const override { return squared<int>(side) + 0.0; }
};

struct Circle : Shape {
    double radius;
    explicit Circle(double radius) : radius(radius) {}
    COUNTED double area() const override { return 3 * squared<double>(radius); }
};

namespace geometry {
struct Vector {
    int x, y;
    Vector operator+(const Vector &other) const;
};

COUNTED Vector Vector::operator+(const Vector &other) const
{
    BARRIER();
    return {x + other.x, y + other.y};
}
}

COUNTED int length_of(const char *text)
{
    int length = 0;

    while (text[length])
        length++;
    BARRIER();
    return length;
}

COUNTED int note(const char *name)
{
    int length = length_of(name);

    BARRIER();
    return length;
}

struct Registry {
    int length;
    COUNTED explicit Registry(const char *name) : length(note(name)) {}
};

static Registry first("first"), second("second");
Registry third("third");

static int open_guards;

struct Guard {
    COUNTED Guard() { open_guards++; }
    COUNTED ~Guard() { open_guards--; }
};

COUNTED int risky(int value)
{
    Guard guard;

    if (value % 2)
        throw std::runtime_error("odd");
    BARRIER();
    return value;
}

COUNTED double total_area(const std::vector<const Shape *> &shapes)
{
    double total = 0;

    for (const Shape *shape : shapes)
        total += shape->area();
    return total;
}

int main()
{
    std::vector<const Shape *> shapes;
    Square square(2);
    Circle circle(1);
    geometry::Vector sum = {0, 0}, step = {1, 2};
    int caught = 0;

    for (int i = 0; i < 50; i++)
        shapes.push_back(i % 5 < 3 ? static_cast<const Shape *>(&square) : &circle);
    for (int i = 0; i < 10; i++)
        if (total_area(shapes) != 30 * 4 + 20 * 3)
            return 1;
    for (int i = 0; i < 25; i++)
        sum = sum + step;
    for (int i = 0; i < 20; i++) {
        try {
            risky(i);
        } catch (const std::runtime_error &) {
            caught++;
        }
    }
    return !(sum.y == 50 && caught == 10 && open_guards == 0);
}
