-- Void the fencing token of a table; return whether it was the current one.
-- KEYS: table. ARGV: fence.
local meta = KEYS[1]
if redis.call('HGET', meta, 'fence') ~= ARGV[1] then
    return 0
end
redis.call('HSET', meta, 'fence', '')
return 1
