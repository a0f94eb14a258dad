-- Append an entry by compare-and-swap.
-- KEYS: table, log, commands.
-- ARGV: time, fence, expected seq, expected head, idempotency key, request hash and answer, new summary, new phase,
-- whether the caller has looked for the idempotency key in the archive, new head, payload.
-- Idempotency key, summary and phase are optional: empty means none, else a '+' precedes the value.
local meta, log, commands = KEYS[1], KEYS[2], KEYS[3]
local expected = tonumber(ARGV[3])
local seq, head, fence, archived = unpack(redis.call('HMGET', meta, 'seq', 'head', 'fence', 'archived'))
if not seq then
    return {'fenced'}
end
seq = tonumber(seq)
if ARGV[5] ~= '' then
    local known = redis.call('HGET', commands, ARGV[5])
    if known then
        return {'known', known}
    end
    if archived and ARGV[9] == '0' then
        return {'archived'}
    end
end
if fence ~= ARGV[2] then
    return {'fenced'}
end
if expected < tonumber(archived or 0) then
    return {'stale', seq, head}
end
if expected > seq or head_at(meta, log, expected) ~= ARGV[4] then
    return {'rewound', seq, head}
end
if expected < seq then
    return {'conflict', seq, head}
end
local changed = {'seq', add_entries(log, seq, fence, 10), 'head', ARGV[10], 'updated', format_time(time(ARGV[1]))}
for name, given in pairs({about = ARGV[7], phase = ARGV[8]}) do
    if given ~= '' then
        changed[#changed + 1] = name
        changed[#changed + 1] = string.sub(given, 2)
    end
end
redis.call('HSET', meta, unpack(changed))
if ARGV[5] ~= '' then
    redis.call('HSET', commands, ARGV[5], ARGV[6])
end
return {'appended'}
