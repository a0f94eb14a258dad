-- Take the lease on a table under a new fencing token, unless a worker that is not known to be dead holds it.
-- KEYS: table. ARGV: time, worker, seconds, nonce, dead worker.
local meta, now = KEYS[1], time(ARGV[1])
local seq, head, epoch, fence, worker, from, until_ = unpack(
    redis.call('HMGET', meta, 'seq', 'head', 'epoch', 'fence', 'worker', 'from', 'until'))
if not seq then
    return {'missing'}
end
-- The clock was set back since the lease was granted or renewed, by more than the lease lasts. A living owner renews it;
-- that of a dead one would run for as long as the clock was set back.
local is_set_back = from and from - now > until_ - from
if fence ~= '' and now < tonumber(until_) and worker ~= ARGV[5] and not is_set_back then
    return {'held', worker}
end
epoch = epoch + 1
fence = epoch .. '.' .. ARGV[4]
redis.call('HSET', meta, 'epoch', epoch, 'fence', fence, 'worker', ARGV[2],
    'from', format_time(now), 'until', format_time(now + ARGV[3]))
return {'claimed', fence, seq, head}
