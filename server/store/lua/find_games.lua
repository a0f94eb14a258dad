-- Return a page of the games that match, the latest first: whether the search is complete, the score and the name up to
-- which games were looked at, and then name, score and record of each game that was found.
-- ARGV: as MessagePack the conditions, each a list of sets of which one must contain the game, or the beginning of a word
-- that the game must have; the score and the name after which the page begins (empty: the latest game); the maximum
-- number of games found, and of lookups.
local conditions = cmsgpack.unpack(ARGV[1])
local score, name, limit, budget = ARGV[2], ARGV[3], tonumber(ARGV[4]), tonumber(ARGV[5])

-- With more words of the same beginning than this, the games are not read by these words.
local MAX_WORDS = 100
-- With so few words of the same beginning, looking a game up in their sets is faster than reading its own words.
local FEW_WORDS = 5
-- Sets that have fewer games than this together are read as a whole.
local MAX_READ = 1000

-- Return the sets of games with a word of this beginning; nil if there are too many.
local function sets_of_words(beginning)
    local first, sets = '[' .. beginning, {}
    local words = redis.call('ZRANGEBYLEX', key('words'), first, first .. '\255', 'LIMIT', 0, MAX_WORDS + 1)
    for _, word in ipairs(words) do
        sets[#sets + 1] = key('word', word)
    end
    return #words <= MAX_WORDS and sets or nil
end

-- The games are read from the sets of the condition that leaves the fewest, and checked for the other conditions.
local driver, size, driving = {key('all')}, redis.call('ZCARD', key('all')), nil
local checks = {}
for _, condition in ipairs(conditions) do
    local check, sets, count = {}, {}, 0
    if condition[1][1] == 'beginning' then
        check.beginning = condition[1][2]
        sets = sets_of_words(check.beginning)
    else
        for _, set in ipairs(condition) do
            sets[#sets + 1] = key(unpack(set))
        end
    end
    if not check.beginning or sets and #sets <= FEW_WORDS then
        check.sets = sets
    end
    for _, set in ipairs(sets or {}) do
        count = count + redis.call('ZCARD', set)
    end
    checks[#checks + 1] = check
    if sets and count < size and (#sets <= 1 or count <= MAX_READ) then
        driver, size, driving = sets, count, check
    end
end
if size == 0 then
    return {1, score, name}
end

local function is_in_one(sets, game)
    for _, set in ipairs(sets) do
        budget = budget - 1
        if redis.call('ZSCORE', set, game) then
            return true
        end
    end
    return false
end

local function has_word(beginning, game)
    budget = budget - 1
    for _, word in ipairs(cmsgpack.unpack(redis.call('HGET', key('facts'), game))[7]) do
        if string.sub(word, 1, #beginning) == beginning then
            return true
        end
    end
    return false
end

local function matches(game)
    for _, check in ipairs(checks) do
        if check ~= driving then
            local is_met = check.sets and is_in_one(check.sets, game) or not check.sets and has_word(check.beginning, game)
            if not is_met then
                return false
            end
        end
    end
    return true
end

-- Return the games of several small sets, in order: names and scores by turns.
local function joined(sets)
    local scores, names, games = {}, {}, {}
    for _, set in ipairs(sets) do
        local members = redis.call('ZRANGE', set, 0, -1, 'WITHSCORES')
        for place = 1, #members, 2 do
            if not scores[members[place]] then
                names[#names + 1] = members[place]
                scores[members[place]] = members[place + 1]
            end
        end
    end
    table.sort(names, function(one, other)
        local first, second = tonumber(scores[one]), tonumber(scores[other])
        return first > second or (first == second and one > other)
    end)
    for _, game in ipairs(names) do
        games[#games + 1] = game
        games[#games + 1] = scores[game]
    end
    return games
end

local CHUNK = 200
local all = #driver > 1 and joined(driver) or nil
local start = 0
if score ~= '' and all then
    local last = tonumber(score)
    while start < #all / 2 and (tonumber(all[2 * start + 2]) > last
            or (tonumber(all[2 * start + 2]) == last and all[2 * start + 1] >= name)) do
        start = start + 1
    end
elseif score ~= '' then
    start = redis.call('ZCOUNT', driver[1], '(' .. score, '+inf')
    for _, game in ipairs(redis.call('ZRANGEBYSCORE', driver[1], score, score)) do
        if game >= name then
            start = start + 1
        end
    end
end

local function chunk_at(first)
    if not all then
        return redis.call('ZREVRANGE', driver[1], first, first + CHUNK - 1, 'WITHSCORES')
    end
    local games = {}
    for place = 2 * first + 1, math.min(#all, 2 * (first + CHUNK)) do
        games[#games + 1] = all[place]
    end
    return games
end

local found = {}
while true do
    local chunk = chunk_at(start)
    for place = 1, #chunk, 2 do
        name, score, budget = chunk[place], chunk[place + 1], budget - 1
        if matches(name) then
            found[#found + 1] = name
            found[#found + 1] = score
            found[#found + 1] = redis.call('HGET', key('records'), name)
            if #found == 3 * limit then
                return {0, score, name, unpack(found)}
            end
        end
        if budget <= 0 then
            return {0, score, name, unpack(found)}
        end
    end
    if #chunk < 2 * CHUNK then
        return {1, score, name, unpack(found)}
    end
    start = start + CHUNK
end
