// Threads that share their work through templates of the library: each counts the words of its part of a text
// and sorts them.
#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <map>
#include <string>
#include <thread>
#include <vector>

#include <pthread.h>

namespace {

class Random {
    std::uint64_t state;
public:
    explicit Random(std::uint64_t seed) : state(seed) {}
    __attribute__((noinline)) std::uint64_t below(std::uint64_t end)
    {
        state = state * 6364136223846793005u + 1442695040888963407u;
        return (state >> 33) % end;
    }
};

template <typename Key>
class Counts {
    std::map<Key, long> counts;
public:
    __attribute__((noinline)) void add(const Key &key) { counts[key]++; }
    __attribute__((noinline)) std::vector<std::pair<long, Key>> most() const
    {
        std::vector<std::pair<long, Key>> list;
        for (const auto &[key, count] : counts)
            list.emplace_back(count, key);
        std::sort(list.rbegin(), list.rend());
        return list;
    }
};

__attribute__((noinline)) std::string word(Random &random)
{
    std::string word;
    for (std::uint64_t length = 1 + random.below(3); length > 0; length--)
        word += static_cast<char>('a' + random.below(26));
    return word;
}

__attribute__((noinline)) void work(unsigned number, long *found)
{
    pthread_setname_np(pthread_self(), ("worker " + std::to_string(number)).c_str());
    Random random(number);
    Counts<std::string> words;
    Counts<std::uint64_t> lengths;
    for (int round = 0; round < 60000; round++) {
        std::string next = word(random);
        words.add(next);
        lengths.add(next.size());
    }
    *found = words.most().front().first + lengths.most().front().first;
}

} // namespace

int main()
{
    std::vector<std::thread> threads;
    long found[3] = {};
    for (unsigned number = 0; number < 3; number++)
        threads.emplace_back(work, number, &found[number]);
    for (std::thread &thread : threads)
        thread.join();
    std::printf("%ld\n", found[0] + found[1] + found[2]);
}
