// A program of templates, overloads, lambdas, virtual functions, exceptions and name spaces.
#include <algorithm>
#include <cstdio>
#include <functional>
#include <map>
#include <memory>
#include <numeric>
#include <stdexcept>
#include <string>
#include <vector>

namespace shapes {

template <typename T, unsigned N>
struct Grid {
    T cells[N] = {};
    __attribute__((noinline)) T sum(T (*weight)(const T &)) const
    {
        T total{};
        for (const T &cell : cells)
            total += weight(cell);
        return total;
    }
    __attribute__((noinline)) Grid &operator+=(const T &value)
    {
        for (T &cell : cells)
            cell += value;
        return *this;
    }
};

class Shape {
public:
    virtual ~Shape() = default;
    virtual double area() const = 0;
};

class Square : public Shape {
    double side;
public:
    explicit Square(double length) : side(length)
    {
        if (length < 0)
            throw std::invalid_argument("negative");
    }
    double area() const override { return side * side; }
};

template <typename T, typename... Args>
__attribute__((noinline)) std::unique_ptr<Shape> make(Args &&...args)
{
    return std::make_unique<T>(std::forward<Args>(args)...);
}

} // namespace shapes

namespace {

long twice(const long &value) { return 2 * value; }

__attribute__((noinline)) int risky(int n)
{
    if (n % 3 == 0)
        throw std::runtime_error("three " + std::to_string(n));
    return n;
}

struct Guard {
    int &depth;
    explicit Guard(int &d) : depth(d) { ++depth; }
    ~Guard() { --depth; }
};

__attribute__((noinline)) int deep(int n, int &depth)
{
    Guard guard(depth);
    return n == 0 ? risky(depth) : deep(n - 1, depth) + 1;
}

} // namespace

template <typename... Args>
__attribute__((noinline)) int count(Args &&...)
{
    return sizeof...(Args);
}

__attribute__((noinline)) int operator*(const std::string &left, const std::string &right)
{
    return static_cast<int>(left.size() * right.size());
}

int main()
{
    shapes::Grid<long, 8u> grid;
    std::map<std::string, std::vector<int>> table;
    std::function<int(int, const std::string &)> weigh = [&](int n, const std::string &text) {
        return n + text * text;
    };
    long total = 0;
    int depth = 0;
    for (int i = 0; i < 3000; i++) {
        grid += i;
        total += grid.sum(twice);
        table["key" + std::to_string(i % 50)].emplace_back(i);
        total += weigh(i, "four") + count(i, "x", 2.0, std::string("y"));
        try {
            total += deep(i % 8, depth);
            total += static_cast<long>(shapes::make<shapes::Square>(i % 10 - 1.0)->area());
        } catch (const std::runtime_error &error) {
            total -= error.what()[0];
        } catch (const std::exception &error) {
            total += error.what()[0];
        }
    }
    for (auto &entry : table) {
        std::sort(entry.second.begin(), entry.second.end(), [](int a, int b) { return a > b; });
        total += std::accumulate(entry.second.begin(), entry.second.end(), 0L);
    }
    std::printf("%ld %d\n", total, depth);
    return 0;
}
