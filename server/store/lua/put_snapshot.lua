-- KEYS: table, snapshot. ARGV: fence, seq, head, version, blob, digest.
if redis.call('HGET', KEYS[1], 'fence') ~= ARGV[1] then
    return 0
end
redis.call('HSET', KEYS[2], 'seq', ARGV[2], 'head', ARGV[3], 'version', ARGV[4], 'blob', ARGV[5], 'digest', ARGV[6])
return 1
