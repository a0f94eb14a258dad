-- Renew the leases on tables; return for each whether the fencing token is the current one.
-- KEYS: tables. ARGV: time, seconds, and the fence of each table.
local from = time(ARGV[1])
local lease = {'from', format_time(from), 'until', format_time(from + ARGV[2])}
local owned = {}
for number, meta in ipairs(KEYS) do
    owned[number] = 0
    if redis.call('HGET', meta, 'fence') == ARGV[2 + number] then
        redis.call('HSET', meta, unpack(lease))
        owned[number] = 1
    end
end
return owned
