-- Has LuaJIT name the code that it makes, in a map as perf and gmon read it: luajit -l perfmap script.lua
local util = require("jit.util")
local process = io.open("/proc/self/stat"):read("*n")
local map = assert(io.open(string.format("/tmp/perf-%d.map", process), "w"))
map:setvbuf("line")

-- A trace is the path that a loop takes through all functions it calls.
jit.attach(function(event, trace, func, pc)
  if event == "stop" then
    local code, address = util.tracemc(trace)
    local place = util.funcinfo(func, pc).loc or "?"
    map:write(string.format("%x %x trace %d %s\n", address, #code, trace, place))
  end
end, "trace")
