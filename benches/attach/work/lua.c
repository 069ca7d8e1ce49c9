/* Lua makes strings and tables, sorts, matches and recurses. */
#include <stdio.h>
#include <stdlib.h>

#include "lauxlib.h"
#include "lua.h"
#include "lualib.h"

static const char script[] =
    "local function fib(n) if n < 2 then return n end return fib(n - 1) + fib(n - 2) end\n"
    "function work()\n"
    "  local words = {}\n"
    "  for i = 1, 1000 do words[i] = ('%s-%05d'):format(('ab'):rep(i % 3), i * 7919 % 100000) end\n"
    "  table.sort(words)\n"
    "  local counts = {}\n"
    "  for _, word in ipairs(words) do\n"
    "    local key = word:match('(%d%d)$')\n"
    "    counts[key] = (counts[key] or 0) + 1\n"
    "  end\n"
    "  return fib(16) + #table.concat(words, ' '):gsub('%a+', string.upper)\n"
    "end\n";

void work(void)
{
    static lua_State *state;

    if (!state) {
        state = luaL_newstate();
        luaL_openlibs(state);
        if (luaL_dostring(state, script) != LUA_OK)
            exit(1);
    }
    lua_getglobal(state, "work");
    if (lua_pcall(state, 0, 0, 0) != LUA_OK) {
        fprintf(stderr, "%s\n", lua_tostring(state, -1));
        exit(1);
    }
}
