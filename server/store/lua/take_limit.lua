-- Take one from a rate limit by GCRA; return the seconds to wait (0 if it was granted) and the seconds of debt.
-- The key holds the theoretical arrival time, and expires when that has passed.
-- KEYS: limit. ARGV: time, interval, tolerance.
local now, interval, tolerance = time(ARGV[1]), tonumber(ARGV[2]), tonumber(ARGV[3])
local arrival = tonumber(redis.call('GET', KEYS[1]) or now)
-- The upper bound changes nothing unless a clock was set back, or the rate was lowered.
arrival = math.min(math.max(arrival, now), now + tolerance)
local wait = arrival + interval - now - tolerance
if wait > 0.00001 then
    return {format_time(wait), format_time(arrival - now)}
end
arrival = arrival + interval
redis.call('SET', KEYS[1], format_time(arrival), 'PX', math.max(1, math.ceil((arrival - now) * 1000)))
return {'0', format_time(arrival - now)}
