// Virtual calls, most of them of one class, and branches that are rarely taken.
#include <cstdio>
#include <cstdlib>
#include <memory>
#include <vector>

struct Shape {
    virtual ~Shape() = default;
    virtual unsigned area(unsigned scale) const = 0;
};

struct Square : Shape {
    unsigned side;
    explicit Square(unsigned side) : side(side) {}
    unsigned area(unsigned scale) const override { return side * side * scale; }
};

struct Rectangle : Shape {
    unsigned width, height;
    Rectangle(unsigned width, unsigned height) : width(width), height(height) {}
    unsigned area(unsigned scale) const override { return width * height * scale; }
};

struct Polygon : Shape {
    std::vector<unsigned> corners;
    explicit Polygon(unsigned count) {
        for (unsigned i = 0; i < count; i++) corners.push_back(i * i);
    }
    unsigned area(unsigned scale) const override {
        unsigned sum = 0;
        for (unsigned corner : corners) sum += corner * scale;
        return sum;
    }
};

int main(int argc, char **argv) {
    long rounds = argc > 1 ? std::atol(argv[1]) : 1;
    std::vector<std::unique_ptr<Shape>> shapes;
    for (unsigned i = 0; i < 50000; i++) {
        if (i % 100 == 7)
            shapes.emplace_back(new Polygon(i % 9));
        else if (i % 20 == 3)
            shapes.emplace_back(new Rectangle(i, i + 1));
        else
            shapes.emplace_back(new Square(i));
    }
    unsigned sum = 0;
    for (long round = 0; round < rounds; round++)
        for (const auto &shape : shapes) {
            unsigned area = shape->area(sum & 3);
            if (area % 1000 == 999) sum ^= area;
            sum += area;
        }
    std::printf("%u\n", sum);
    return 0;
}
