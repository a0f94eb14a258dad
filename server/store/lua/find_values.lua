-- Return keys and values, alternating, of the keys that begin with a prefix, in order of keys.
-- ARGV: time, prefix.
local now, found = time(ARGV[1]), {}
local prefix = ARGV[2]
-- Byte 255 never occurs in UTF-8, so this bound is greater than every key with the prefix.
local last = prefix == '' and '+' or '(' .. prefix .. '\255'
for _, key in ipairs(redis.call('ZRANGEBYLEX', order, prefix == '' and '-' or '[' .. prefix, last)) do
    local value = get(key, now)
    if value then
        found[#found + 1] = key
        found[#found + 1] = value
    end
end
return found
