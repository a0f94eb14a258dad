-- Take the lease on a table under a new fencing token, unless a worker that is not known to be dead holds it.
-- KEYS: table. ARGV: time, worker, seconds, nonce, dead worker.
local meta, now = KEYS[1], time(ARGV[1])
local seq, head, epoch, fence, worker, until_ = unpack(
    redis.call('HMGET', meta, 'seq', 'head', 'epoch', 'fence', 'worker', 'until'))
if not seq then
    return {'missing'}
end
if fence ~= '' and now < tonumber(until_) and worker ~= ARGV[5] then
    return {'held', worker}
end
epoch = epoch + 1
fence = epoch .. '.' .. ARGV[4]
redis.call('HSET', meta, 'epoch', epoch, 'fence', fence, 'worker', ARGV[2], 'until', format_time(now + ARGV[3]))
return {'claimed', fence, seq, head}
