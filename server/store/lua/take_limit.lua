-- Take one from a rate limit by GCRA; return the seconds to wait (0 if it was granted) and the seconds of debt.
-- The key holds the theoretical arrival time, and expires when that has passed.
-- KEYS: limit. ARGV: time, interval, tolerance.
local now, interval, tolerance = time(ARGV[1]), tonumber(ARGV[2]), tonumber(ARGV[3])
local stored = tonumber(redis.call('GET', KEYS[1]) or now)
-- The upper bound changes nothing unless a clock was set back, or the rate was lowered.
local arrival = math.min(math.max(stored, now), now + tolerance)
local wait = arrival + interval - now - tolerance
local is_granted = wait <= 0.00001
if is_granted then
    wait, arrival = 0, arrival + interval
end
if is_granted or arrival < stored then
    redis.call('SET', KEYS[1], format_time(arrival), 'PX', math.max(1, math.ceil((arrival - now) * 1000)))
end
return {format_time(wait), format_time(arrival - now)}
