-- Put before every script. The clock is that of Redis, one for all workers; tests send a time of their own.

local function time(given)
    if given ~= '' then
        return tonumber(given)
    end
    local now = redis.call('TIME')
    return tonumber(now[1]) + tonumber(now[2]) / 1000000
end

-- Doubles keep microseconds until the year 2255; the usual conversion of Lua would cut them off.
local function written(seconds)
    return string.format('%.6f', seconds)
end
