-- KEYS: log, snapshot. Gives the snapshot if it belongs to the log.
local seq, head, version, blob, digest = unpack(
    redis.call('HMGET', KEYS[2], 'seq', 'head', 'version', 'blob', 'digest'))
if not seq or head_at(KEYS[1], tonumber(seq)) ~= head then
    return false
end
return {tonumber(seq), head, version, blob, digest}
