-- Renew the lease on a table; return whether the fencing token is the current one.
-- KEYS: table. ARGV: time, fence, seconds.
local meta = KEYS[1]
if redis.call('HGET', meta, 'fence') ~= ARGV[2] then
    return 0
end
local now = time(ARGV[1])
redis.call('HSET', meta, 'from', format_time(now), 'until', format_time(now + ARGV[3]))
return 1
