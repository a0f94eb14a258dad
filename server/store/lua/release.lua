-- KEYS: table. ARGV: fence. Gives whether the fence owned the table.
local meta = KEYS[1]
if redis.call('HGET', meta, 'fence') ~= ARGV[1] then
    return 0
end
redis.call('HSET', meta, 'fence', '')
return 1
