-- Put before the scripts of records. KEYS: values, order of keys, times of expiry.

local values, order, expiry = KEYS[1], KEYS[2], KEYS[3]

local function forget(key)
    redis.call('HDEL', values, key)
    redis.call('ZREM', order, key)
    redis.call('ZREM', expiry, key)
end

-- What has expired goes a little at a time, whenever something is written: no timer is needed.
local function sweep(now)
    for _, key in ipairs(redis.call('ZRANGEBYSCORE', expiry, '-inf', now, 'LIMIT', 0, 100)) do
        forget(key)
    end
end

local function found(key, now)
    local expires = redis.call('ZSCORE', expiry, key)
    if expires and tonumber(expires) <= now then
        return false
    end
    return redis.call('HGET', values, key)
end
