-- ARGV: time, key.
local value = found(ARGV[2], time(ARGV[1]))
forget(ARGV[2])
return value
