// Methods, templates, constructors, destructors and exceptions.
#include <stdexcept>
#include "counted.h"

extern "C" COUNTED void work(void)
{
    BARRIER();
}

struct Base {
    virtual ~Base() = default;
    virtual void method() = 0;
};

struct Derived : Base {
    COUNTED void method() override __asm__("method");
};

COUNTED void Derived::method()
{
    work();
    BARRIER();
}

extern "C" COUNTED void thrower(int levels)
{
    work();
    if (levels == 0)
        throw std::runtime_error("caught");
    thrower(levels - 1);
    BARRIER();
}

extern "C" COUNTED void catcher(Base *object)
{
    object->method();
    try {
        thrower(9);
    } catch (const std::exception &) {
        BARRIER();
    }
}

int main()
{
    Derived object;

    for (int i = 0; i < 100; i++)
        catcher(&object);
    return 0;
}
