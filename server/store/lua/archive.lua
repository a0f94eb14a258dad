-- Replace the stream and the answers of a table by its archive; return whether the fencing token owns the table and
-- the log still ends at `seq`.
-- KEYS: table, log, commands, archive. ARGV: fence, seq, the archive.
local meta = KEYS[1]
local seq, head, fence = unpack(redis.call('HMGET', meta, 'seq', 'head', 'fence'))
if fence ~= ARGV[1] or seq ~= ARGV[2] then
    return 0
end
redis.call('SET', KEYS[4], ARGV[3])
redis.call('HSET', meta, 'archived', seq, 'archived_head', head)
redis.call('DEL', KEYS[2], KEYS[3])
return 1
