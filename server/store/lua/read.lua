-- KEYS: table, log. ARGV: after, limit.
-- Gives the end of the log, the head at `after`, what follows in the stream, and how far the archive goes: all of one moment.
local meta, log, after = KEYS[1], KEYS[2], tonumber(ARGV[1])
local seq, head, archived = unpack(redis.call('HMGET', meta, 'seq', 'head', 'archived'))
if not seq then
    return false
end
local events = redis.call('XRANGE', log, (after + 1) .. '-0', '+', 'COUNT', ARGV[2])
return {tonumber(seq), head, head_at(meta, log, after) or '', events, tonumber(archived or 0)}
