-- Read single facts of the index.
-- ARGV: what to read, and what depends on it:
-- version: the number of commits.
-- record, name: the record of a game.
-- new, names: those of the names that are neither indexed nor skipped.
-- last_rated, game: name and time of the end of the last rated game.
-- nth_last_rating, game, number: name, slash and user, and time of the end of the rating that is this far from the end.
-- rated, game, score, name, limit: the records of rated games from a game on, the earliest first.
local what = ARGV[1]
if what == 'version' then
    return version()
elseif what == 'record' then
    return redis.call('HGET', key('records'), ARGV[2])
elseif what == 'new' then
    local new = {}
    for place = 2, #ARGV do
        local name = ARGV[place]
        if redis.call('HEXISTS', key('records'), name) == 0 and redis.call('SISMEMBER', key('skipped'), name) == 0 then
            new[#new + 1] = name
        end
    end
    return new
elseif what == 'last_rated' then
    return redis.call('ZRANGE', key('rated_of', ARGV[2]), -1, -1, 'WITHSCORES')
elseif what == 'nth_last_rating' then
    local place = tonumber(ARGV[3]) - 1
    return redis.call('ZREVRANGE', key('ratings', ARGV[2]), place, place, 'WITHSCORES')
end
local set, score, from, limit, start, records = key('rated_of', ARGV[2]), ARGV[3], ARGV[4], tonumber(ARGV[5]), 0, {}
for _, name in ipairs(redis.call('ZRANGEBYSCORE', set, score, score)) do
    if name < from then
        start = start + 1
    end
end
for _, name in ipairs(redis.call('ZRANGEBYSCORE', set, score, '+inf', 'LIMIT', start, limit)) do
    records[#records + 1] = redis.call('HGET', key('records'), name)
end
return records
