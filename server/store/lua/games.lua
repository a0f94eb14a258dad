-- Shared by the scripts of the index of finished games.
-- KEYS: the stem of all its keys, which share a hash tag.
-- Sorted sets of games have the time of the end as score, so games with the same score are in the order of their names.

local function key(...)
    return KEYS[1] .. table.concat({...}, ':')
end

local function version()
    return tonumber(redis.call('GET', key('version')) or '0')
end
