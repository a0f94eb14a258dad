-- ARGV: time, key.
return get(ARGV[2], time(ARGV[1]))
