-- Return, of one moment: the end of a log (number and head), the head at `after`, the entries after it that are in the
-- stream, and the number of the last archived entry.
-- KEYS: table, log. ARGV: after, limit.
local meta, log, after = KEYS[1], KEYS[2], tonumber(ARGV[1])
local seq, head, archived = unpack(redis.call('HMGET', meta, 'seq', 'head', 'archived'))
if not seq then
    return false
end
local entries = redis.call('XRANGE', log, (after + 1) .. '-0', '+', 'COUNT', ARGV[2])
return {tonumber(seq), head, head_at(meta, log, after) or '', entries, tonumber(archived or 0)}
