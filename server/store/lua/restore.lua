-- Create a table from a copy; return whether there was none.
-- KEYS: table, log, commands, archive. ARGV: phase, summary, time of the last append, epoch, number and head of the end,
-- the archive or empty, the number of entries; then head, fence and payload of each entry; then idempotency key and
-- request hash with answer, alternating.
local meta, log, commands, archive = KEYS[1], KEYS[2], KEYS[3], KEYS[4]
if redis.call('EXISTS', meta) == 1 then
    return 0
end
redis.call('DEL', log, commands, archive)
local argument = 9
for seq = 1, tonumber(ARGV[8]) do
    redis.call('XADD', log, seq .. '-0', 'head', ARGV[argument], 'fence', ARGV[argument + 1],
        'payload', ARGV[argument + 2])
    argument = argument + 3
end
while argument < #ARGV do
    redis.call('HSET', commands, ARGV[argument], ARGV[argument + 1])
    argument = argument + 2
end
redis.call('HSET', meta, 'phase', ARGV[1], 'about', ARGV[2], 'updated', ARGV[3], 'epoch', ARGV[4],
    'seq', ARGV[5], 'head', ARGV[6], 'fence', '', 'worker', '', 'until', 0)
if ARGV[7] ~= '' then
    redis.call('SET', archive, ARGV[7])
    redis.call('HSET', meta, 'archived', ARGV[5], 'archived_head', ARGV[6])
end
return 1
