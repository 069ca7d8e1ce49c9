-- Recursion, closures, tables, strings, patterns, sorting, coroutines and garbage; the same in every run.
local seed = 1
local function random()
    seed = (seed * 1103515245 + 12345) % 2147483648
    return seed
end

local function fib(n)
    if n < 2 then return n end
    return fib(n - 1) + fib(n - 2)
end

local function numbers(n)
    return coroutine.wrap(function() for i = 1, n do coroutine.yield(i * i) end end)
end

local words = {}
for i = 1, 60000 do
    words[i] = ('%s-%05d'):format(('ab'):rep(i % 3), random() % 100000)
end
table.sort(words, function(a, b) return a > b end)
table.sort(words)

local counts = setmetatable({}, {__index = function() return 0 end})
for _, word in ipairs(words) do
    local key = word:match('(%d%d)$')
    counts[key] = counts[key] + 1
end

local sum = 0
for square in numbers(150000) do sum = sum + square % 7 end

local text = table.concat(words, ' ')
for _ = 1, 3 do
    text = text:gsub('%a+', string.upper):reverse():lower()
end
print(fib(27), sum, #text, counts['07'])
