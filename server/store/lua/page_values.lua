-- Return key, value and time of expiry (empty for none), alternating, of the keys after a key, in order of keys.
-- ARGV: time, the key after which the page begins, the maximum number of values.
local now, after, limit, found, count = time(ARGV[1]), ARGV[2], tonumber(ARGV[3]), {}, 0
repeat
    local keys = redis.call('ZRANGEBYLEX', order, after == '' and '-' or '(' .. after, '+', 'LIMIT', 0, limit)
    for _, key in ipairs(keys) do
        local value = get(key, now)
        if value and count < limit then
            count = count + 1
            found[#found + 1] = key
            found[#found + 1] = value
            found[#found + 1] = redis.call('ZSCORE', expiry, key) or ''
        end
        after = key
    end
until #keys < limit or count == limit
return found
