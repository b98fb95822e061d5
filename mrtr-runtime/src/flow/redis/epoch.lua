#!lua flags=allow-oom
-- The epoch of the data, drawn by the first who asks. A write, so that no replica answers.
-- KEYS: 1 the epoch. ARGV: 1 sixteen random bytes.
local epoch = redis.call('GET', KEYS[1])
if epoch then return epoch end
redis.call('SET', KEYS[1], ARGV[1])
return ARGV[1]
