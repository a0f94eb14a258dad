-- ARGV: time, prefix. Gives keys and values in turn, in the order of keys.
local now, answer = time(ARGV[1]), {}
local prefix = ARGV[2]
-- No byte of a text in UTF-8 is as great as 255, so this is behind all that begins with the prefix.
local last = prefix == '' and '+' or '(' .. prefix .. '\255'
for _, key in ipairs(redis.call('ZRANGEBYLEX', order, prefix == '' and '-' or '[' .. prefix, last)) do
    local value = found(key, now)
    if value then
        answer[#answer + 1] = key
        answer[#answer + 1] = value
    end
end
return answer
