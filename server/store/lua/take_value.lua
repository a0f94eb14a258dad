-- Delete a value and return it.
-- ARGV: time, key.
local value = get(ARGV[2], time(ARGV[1]))
delete(ARGV[2])
return value
