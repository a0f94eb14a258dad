-- Return the name, the time of the end and the value of ratings, alternating.
-- ARGV: what to read, the game, and what depends on it:
-- before, user, score, name: the last rating of a user before a game.
-- history, user, limit: the last ratings of a user, the earliest first.
-- since, score, name, limit: the ratings from a game on, each with its user before its name.
-- standings, cursor, count: the next cursor, and the last rating of some users, each with its user before its name.
local what, game, found = ARGV[1], ARGV[2], {}

local function add(user, name, ended, with_user)
    if with_user then
        found[#found + 1] = user
    end
    found[#found + 1] = name
    found[#found + 1] = ended
    found[#found + 1] = redis.call('HGET', key('values', game), user .. '/' .. name)
end

if what == 'before' then
    local user, score, name = ARGV[3], ARGV[4], ARGV[5]
    local same = redis.call('ZREVRANGEBYSCORE', key('rating', game, user), score, score)
    for _, earlier in ipairs(same) do
        if earlier < name then
            add(user, earlier, score)
            return found
        end
    end
    local last = redis.call('ZREVRANGEBYSCORE', key('rating', game, user), '(' .. score, '-inf', 'WITHSCORES', 'LIMIT', 0, 1)
    if last[1] then
        add(user, last[1], last[2])
    end
elseif what == 'history' then
    local user = ARGV[3]
    local last = redis.call('ZRANGE', key('rating', game, user), -tonumber(ARGV[4]), -1, 'WITHSCORES')
    for place = 1, #last, 2 do
        add(user, last[place], last[place + 1])
    end
elseif what == 'since' then
    local score, from, limit, start = ARGV[3], ARGV[4], tonumber(ARGV[5]), 0
    for _, member in ipairs(redis.call('ZRANGEBYSCORE', key('ratings', game), score, score)) do
        if string.match(member, '^([^/]*)/') < from then
            start = start + 1
        end
    end
    local rest = redis.call('ZRANGEBYSCORE', key('ratings', game), score, '+inf', 'WITHSCORES', 'LIMIT', start, limit)
    for place = 1, #rest, 2 do
        local name, user = string.match(rest[place], '^([^/]*)/(.*)$')
        add(user, name, rest[place + 1], true)
    end
else
    local scanned = redis.call('SSCAN', key('users', game), ARGV[3], 'COUNT', ARGV[4])
    found[1] = scanned[1]
    for _, user in ipairs(scanned[2]) do
        local last = redis.call('ZRANGE', key('rating', game, user), -1, -1, 'WITHSCORES')
        add(user, last[1], last[2], true)
    end
end
return found
