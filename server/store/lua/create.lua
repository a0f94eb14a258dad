-- Create a table; return whether there was none.
-- KEYS: table, log. ARGV: time, phase, summary, head, then head and payload of each entry.
local meta, log = KEYS[1], KEYS[2]
if redis.call('EXISTS', meta) == 1 then
    return 0
end
local seq = add_entries(log, 0, '', 5)
redis.call('HSET', meta, 'phase', ARGV[2], 'about', ARGV[3], 'updated', format_time(time(ARGV[1])),
    'seq', seq, 'head', ARGV[4], 'epoch', 0, 'fence', '', 'worker', '', 'until', 0)
return 1
