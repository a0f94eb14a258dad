-- ARGV: time, key.
return found(ARGV[2], time(ARGV[1]))
