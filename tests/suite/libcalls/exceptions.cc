/* Exceptions through functions of the library, and streams. */
#include <algorithm>
#include <iostream>
#include <map>
#include <sstream>
#include <stdexcept>
#include <string>
#include <vector>

static int depth(int left)
{
    std::string text = std::to_string(left);
    if (left == 0)
        throw std::runtime_error("deep " + text);
    return depth(left - 1) + static_cast<int>(text.size());
}

int main()
{
    std::map<std::string, int> counts;
    for (int i = 0; i < 200; i++) {
        try {
            depth(i % 10);
        } catch (const std::exception &error) {
            counts[error.what()]++;
        }
        std::ostringstream stream;
        stream << i << ' ' << i / 3.0 << std::endl;
        counts[stream.str()]++;
        std::istringstream input(stream.str());
        int number;
        double third;
        input >> number >> third;
        if (number != i)
            return 1;
    }
    std::vector<std::string> words;
    for (const auto &[word, count] : counts)
        words.push_back(word);
    std::stable_sort(words.rbegin(), words.rend());
    try {
        words.at(100000);
    } catch (const std::out_of_range &) {
        std::cout << "done" << std::endl;
    }
    return 0;
}
