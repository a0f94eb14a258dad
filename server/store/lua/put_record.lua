-- ARGV: time, key, value, time of expiry or nothing, whether an old one stays.
local now, key = time(ARGV[1]), ARGV[2]
sweep(now)
if ARGV[5] == '1' and found(key, now) then
    return 0
end
forget(key)
redis.call('HSET', values, key, ARGV[3])
redis.call('ZADD', order, 0, key)
if ARGV[4] ~= '' then
    redis.call('ZADD', expiry, ARGV[4], key)
end
return 1
