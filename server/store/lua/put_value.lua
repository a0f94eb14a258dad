-- Store a value; return whether it was stored.
-- ARGV: time, key, value, time of expiry or empty, '1' to keep an existing value.
local now, key = time(ARGV[1]), ARGV[2]
if ARGV[5] == '1' and get(key, now) then
    return 0
end
-- First of all writes: a Redis that is full refuses it, but nothing that follows a first write of a script.
redis.call('HSET', values, key, ARGV[3])
redis.call('ZADD', order, 0, key)
if ARGV[4] ~= '' then
    redis.call('ZADD', expiry, ARGV[4], key)
else
    redis.call('ZREM', expiry, key)
end
delete_expired(now)
return 1
