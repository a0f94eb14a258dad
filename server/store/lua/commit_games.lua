-- Change the index by compare-and-swap on its version; return 1, or 0 if the version is another one.
-- ARGV: the expected version, and as MessagePack: ratings that are removed, games, ratings and skipped tables that are
-- added, and tables whose games are removed.
if version() ~= tonumber(ARGV[1]) then
    return 0
end
local unrated, games, ratings, skipped, removed = unpack(cmsgpack.unpack(ARGV[2]))

-- Return the keys of the sorted sets that contain a game.
local function sets_of(facts)
    local ended, game, seats, people, is_public, is_rated, words = unpack(facts)
    local sets = {key('all'), key('game', game), key('seats', seats), key(is_rated and 'rated' or 'unrated')}
    if is_public then
        sets[#sets + 1] = key('public')
    end
    if is_rated then
        sets[#sets + 1] = key('rated_of', game)
    end
    for _, user in ipairs(people) do
        sets[#sets + 1] = key('person', user)
    end
    for _, word in ipairs(words) do
        sets[#sets + 1] = key('word', word)
    end
    return sets
end

local function remove_rating(game, user, name)
    redis.call('HDEL', key('values', game), user .. '/' .. name)
    redis.call('ZREM', key('rating', game, user), name)
    redis.call('ZREM', key('ratings', game), name .. '/' .. user)
    if redis.call('EXISTS', key('rating', game, user)) == 0 then
        redis.call('SREM', key('users', game), user)
    end
end

for _, each in ipairs(unrated) do
    local game, ended, from = unpack(each)
    local found = redis.call('ZRANGEBYSCORE', key('ratings', game), ended, '+inf', 'WITHSCORES')
    for place = 1, #found, 2 do
        local name, user = string.match(found[place], '^([^/]*)/(.*)$')
        if tonumber(found[place + 1]) > ended or name >= from then
            remove_rating(game, user, name)
        end
    end
end

local function remove_game(name)
    local before = redis.call('HGET', key('facts'), name)
    if before then
        for _, set in ipairs(sets_of(cmsgpack.unpack(before))) do
            redis.call('ZREM', set, name)
        end
    end
    redis.call('HDEL', key('facts'), name)
    redis.call('HDEL', key('records'), name)
    redis.call('SREM', key('skipped'), name)
end

for _, name in ipairs(removed) do
    remove_game(name)
end
for _, each in ipairs(games) do
    local name, facts, record = unpack(each)
    remove_game(name)
    local found = cmsgpack.unpack(facts)
    for _, set in ipairs(sets_of(found)) do
        redis.call('ZADD', set, found[1], name)
    end
    for _, word in ipairs(found[7]) do
        redis.call('ZADD', key('words'), 0, word)
    end
    redis.call('HSET', key('facts'), name, facts)
    redis.call('HSET', key('records'), name, record)
end
for _, each in ipairs(ratings) do
    local game, user, ended, name, value = unpack(each)
    redis.call('HSET', key('values', game), user .. '/' .. name, value)
    redis.call('ZADD', key('rating', game, user), ended, name)
    redis.call('ZADD', key('ratings', game), ended, name .. '/' .. user)
    redis.call('SADD', key('users', game), user)
end
for _, name in ipairs(skipped) do
    redis.call('SADD', key('skipped'), name)
end
redis.call('INCR', key('version'))
return 1
