-- Return a table at one moment, without its entries: phase, summary, time of the last append, epoch, number and head of
-- the end, all answers, and the archive. Entries up to the end never change, so they can be read later.
-- KEYS: table, commands, archive.
local row = redis.call('HMGET', KEYS[1], 'phase', 'about', 'updated', 'epoch', 'seq', 'head')
if not row[1] then
    return false
end
return {row, redis.call('HGETALL', KEYS[2]), redis.call('GET', KEYS[3]) or ''}
