-- Shared by the scripts that use the stream of a log. Entries up to number `archived` are in the archive, not in the stream.

local GENESIS = string.rep('\0', 32)

-- Return the head hash after entry number `seq`, or nil if the stream has no such entry.
local function head_at(meta, log, seq)
    if seq == 0 then
        return GENESIS
    end
    local archived, head = unpack(redis.call('HMGET', meta, 'archived', 'archived_head'))
    if seq == tonumber(archived or 0) then
        return head
    end
    local entry = redis.call('XRANGE', log, seq .. '-0', seq .. '-0')[1]
    return entry and entry[2][2]
end

-- Add entries after number `seq`, given as pairs of head and payload from ARGV[first] on; return the new last number.
local function add_entries(log, seq, fence, first)
    for argument = first, #ARGV, 2 do
        seq = seq + 1
        redis.call('XADD', log, seq .. '-0', 'head', ARGV[argument], 'fence', fence, 'payload', ARGV[argument + 1])
    end
    return seq
end
