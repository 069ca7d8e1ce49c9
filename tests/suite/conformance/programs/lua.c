/* A workload for Lua: recursion, closures, tables, strings, patterns, sorting, coroutines, errors and
   garbage. The same in every run. */
#include <stdio.h>
#include "lua.h"
#include "lauxlib.h"
#include "lualib.h"

static const char script[] =
    "local function fib(n) if n < 2 then return n end return fib(n - 1) + fib(n - 2) end\n"
    "local words, seed = {}, 1\n"
    "for i = 1, 3000 do\n"
    "  seed = (seed * 1103515245 + 12345) % 2147483648\n"
    "  words[i] = ('%s-%05d'):format(('ab'):rep(i % 3), seed % 100000)\n"
    "end\n"
    "table.sort(words, function(a, b) return a > b end)\n"
    "local counts = setmetatable({}, {__index = function() return 0 end})\n"
    "for _, word in ipairs(words) do\n"
    "  local key = word:match('(%d)$')\n"
    "  counts[key] = rawget(counts, key) and counts[key] + 1 or 1\n"
    "end\n"
    "local function numbers(n)\n"
    "  return coroutine.wrap(function() for i = 1, n do coroutine.yield(i * i) end end)\n"
    "end\n"
    "local sum = 0\n"
    "for square in numbers(2000) do sum = sum + square % 7 end\n"
    "for i = 1, 500 do pcall(error, {code = i}) end\n"
    "local text = table.concat(words, ' '):gsub('%a+', string.upper):reverse()\n"
    "collectgarbage()\n"
    "return ('%d %d %d %s'):format(fib(25), sum, #text, counts['7'])\n";

int main(void)
{
    lua_State *state = luaL_newstate();

    if (!state)
        return 1;
    luaL_openlibs(state);
    if (luaL_dostring(state, script) != LUA_OK) {
        fprintf(stderr, "%s\n", lua_tostring(state, -1));
        return 1;
    }
    puts(lua_tostring(state, -1));
    lua_close(state);
    return 0;
}
