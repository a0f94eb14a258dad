-- Shared by the scripts of the key-value store.
-- KEYS: values (hash), keys in order (sorted set), times of expiry (sorted set).

local values, order, expiry = KEYS[1], KEYS[2], KEYS[3]

local function delete(key)
    redis.call('HDEL', values, key)
    redis.call('ZREM', order, key)
    redis.call('ZREM', expiry, key)
end

-- Delete up to 100 expired keys. Every write does this, so no timer is needed.
local function delete_expired(now)
    for _, key in ipairs(redis.call('ZRANGEBYSCORE', expiry, '-inf', now, 'LIMIT', 0, 100)) do
        delete(key)
    end
end

-- Return the value of a key, or false if there is none or it has expired.
local function get(key, now)
    local expires = redis.call('ZSCORE', expiry, key)
    if expires and tonumber(expires) <= now then
        return false
    end
    return redis.call('HGET', values, key)
end
