-- Shared by all scripts.

-- Return the time given by a test, or else the clock of Redis, which is the same for all workers.
local function time(given)
    if given ~= '' then
        return tonumber(given)
    end
    local now = redis.call('TIME')
    return tonumber(now[1]) + tonumber(now[2]) / 1000000
end

-- Format seconds with microseconds, which Lua's own conversion would cut off. Doubles hold them until the year 2255.
local function format_time(seconds)
    return string.format('%.6f', seconds)
end
