-- mark lost: id
local record = read()
if not record or not held_by(record, ARGV[3]) then return { 'not_held' } end
redis.call('HSET', RECORD, 'state', 'lost')
return { 'lost' }
