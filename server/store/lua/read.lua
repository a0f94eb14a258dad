-- KEYS: table, log. ARGV: after, limit. Gives the end of the log, the head at `after`, and what follows, all of one moment.
local meta, log, after = KEYS[1], KEYS[2], tonumber(ARGV[1])
local seq, head = unpack(redis.call('HMGET', meta, 'seq', 'head'))
if not seq then
    return false
end
local events = redis.call('XRANGE', log, (after + 1) .. '-0', '+', 'COUNT', ARGV[2])
return {tonumber(seq), head, head_at(log, after) or '', events}
