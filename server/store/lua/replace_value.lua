-- Store a value if the present one is the expected one; return whether it was stored.
-- ARGV: time, key, expected value, value, time of expiry or empty.
local now, key = time(ARGV[1]), ARGV[2]
if get(key, now) ~= ARGV[3] then
    return 0
end
-- First of all writes: a Redis that is full refuses it, but nothing that follows a first write of a script.
redis.call('HSET', values, key, ARGV[4])
if ARGV[5] ~= '' then
    redis.call('ZADD', expiry, ARGV[5], key)
else
    redis.call('ZREM', expiry, key)
end
delete_expired(now)
return 1
