-- KEYS: table. ARGV: time, fence, seconds. Gives whether the fence owns the table.
local meta = KEYS[1]
if redis.call('HGET', meta, 'fence') ~= ARGV[2] then
    return 0
end
redis.call('HSET', meta, 'until', written(time(ARGV[1]) + ARGV[3]))
return 1
