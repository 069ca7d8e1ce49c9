/* Templates of the library and of its own, inlined into each other many levels deep: what a large program
 * in C++ consists of. */

#include <algorithm>
#include <deque>
#include <functional>
#include <iostream>
#include <map>
#include <memory>
#include <numeric>
#include <set>
#include <sstream>
#include <string>
#include <tuple>
#include <unordered_map>
#include <variant>
#include <vector>

namespace {

template <int N> struct Level {
    template <typename T> static T sum(const std::vector<T> &items)
    {
        T part = std::accumulate(items.begin(), items.end(), T{}, [](T a, T b) { return a * 3 + b; });
        return part + Level<N - 1>::sum(items);
    }
};

template <> struct Level<0> {
    template <typename T> static T sum(const std::vector<T> &items) { return items.front(); }
};

template <typename Key, typename Value> class Index {
  public:
    void put(const Key &key, Value value) { lists[key].push_back(std::move(value)); }
    std::size_t count(const Key &key) const
    {
        auto found = lists.find(key);
        return found == lists.end() ? 0 : found->second.size();
    }
    void order()
    {
        for (auto &[key, list] : lists)
            std::sort(list.begin(), list.end(), [](const Value &a, const Value &b) { return b < a; });
    }

  private:
    std::map<Key, std::deque<Value>> lists;
};

using Any = std::variant<int, std::string, std::tuple<double, std::vector<int>>>;

std::string shown(const Any &any)
{
    std::ostringstream out;
    std::visit(
        [&out](const auto &value) {
            using T = std::decay_t<decltype(value)>;
            if constexpr (std::is_same_v<T, std::tuple<double, std::vector<int>>>)
                std::apply([&out](double d, const auto &list) { out << d << list.size(); }, value);
            else
                out << value;
        },
        any);
    return out.str();
}

struct Shape {
    virtual ~Shape() = default;
    virtual double area() const = 0;
};

template <typename Unit> struct Box : Shape {
    Unit width, height;
    Box(Unit width, Unit height) : width(width), height(height) {}
    double area() const override { return static_cast<double>(width) * height; }
};

std::size_t words_in(const std::string &text)
{
    std::unordered_map<std::string, std::set<std::string>> found;
    std::istringstream words(text);
    for (std::string word; words >> word;)
        found[word.substr(0, 3)].insert(word.substr(3));
    return std::accumulate(found.begin(), found.end(), std::size_t{},
                           [](std::size_t sum, const auto &pair) { return sum + pair.second.size(); });
}

} // namespace

int main()
{
    std::vector<int> small(10, 3);
    std::vector<double> large(10, 0.5);
    Index<std::string, double> by_name;
    Index<int, std::string> by_number;
    for (int i = 0; i < 100; i++) {
        by_name.put("n" + std::to_string(i % 7), i * 0.5);
        by_number.put(i % 5, shown(Any(i)) + shown(Any(std::to_string(i))));
    }
    by_name.order();
    by_number.order();
    std::vector<std::unique_ptr<Shape>> shapes;
    shapes.push_back(std::make_unique<Box<int>>(2, 3));
    shapes.push_back(std::make_unique<Box<float>>(2.5f, 3.5f));
    double area = std::accumulate(shapes.begin(), shapes.end(), 0.0,
                                  [](double sum, const auto &shape) { return sum + shape->area(); });
    std::function<int(int)> twice = [&small](int n) { return n * 2 + small[0]; };
    std::cout << Level<12>::sum(small) + Level<12>::sum(large) << by_name.count("n3")
              << by_number.count(2) << words_in("one1 two2 one3") << twice(4) << area << "\n";
    return 0;
}
