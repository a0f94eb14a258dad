-- Put before the scripts that look into a log. The events up to `archived` are not in the stream any more.

local GENESIS = string.rep('\0', 32)

-- The head hash after event number `seq`, or nil if there is no such event in the stream.
local function head_at(meta, log, seq)
    if seq == 0 then
        return GENESIS
    end
    local archived, head = unpack(redis.call('HMGET', meta, 'archived', 'archived_head'))
    if seq == tonumber(archived or 0) then
        return head
    end
    local found = redis.call('XRANGE', log, seq .. '-0', seq .. '-0')[1]
    return found and found[2][2]
end

-- Adds events, given as pairs of head and payload from ARGV[first] on, behind number `seq`; gives the new end.
local function grow(log, seq, fence, first)
    for argument = first, #ARGV, 2 do
        seq = seq + 1
        redis.call('XADD', log, seq .. '-0', 'head', ARGV[argument], 'fence', fence, 'payload', ARGV[argument + 1])
    end
    return seq
end
