-- KEYS: table, log, commands, snapshot, archive. ARGV: fence, seq, the archive. Gives whether it took the stream's place.
local meta = KEYS[1]
local seq, head, fence = unpack(redis.call('HMGET', meta, 'seq', 'head', 'fence'))
if fence ~= ARGV[1] or seq ~= ARGV[2] then
    return 0
end
redis.call('SET', KEYS[5], ARGV[3])
redis.call('HSET', meta, 'archived', seq, 'archived_head', head)
redis.call('DEL', KEYS[2], KEYS[3], KEYS[4])
return 1
