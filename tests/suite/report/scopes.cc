// Functions that are inlined and that linkers do not know: of a namespace, of a class without a name for others, and
// two lambdas of one function.
namespace app {

static volatile int sink;

static inline int of_namespace(int n) {
    int sum = n;
    for (int i = 0; i < 6000; i++) sum = (sum * 7 + i) ^ (sum >> 3) ^ sink;
    return sum;
}

namespace {
struct Scorer {
    int score(int n) {
        int sum = n;
        for (int i = 0; i < 6000; i++) sum = (sum * 31 + i) ^ (sum >> 2) ^ sink;
        return sum;
    }
};
}  // namespace

__attribute__((noinline)) int work(int n) {
    auto first = [](int a) {
        int sum = a;
        for (int i = 0; i < 6000; i++) sum = (sum * 5 + i) ^ (sum >> 4) ^ sink;
        return sum;
    };
    auto second = [](int a) {
        int sum = a;
        for (int i = 0; i < 6000; i++) sum = (sum * 3 + i) ^ (sum >> 5) ^ sink;
        return sum;
    };
    Scorer scorer;
    int sum = 0;
    for (int i = 0; i < n; i++) sum += of_namespace(i) + scorer.score(i) + first(i) + second(i);
    return sum;
}

}  // namespace app

int main() { return app::work(3000) == 1; }
