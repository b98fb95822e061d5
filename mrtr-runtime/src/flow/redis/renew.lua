-- renew: id, lease, keep
local record = read()
if not record or not held_by(record, ARGV[3]) then return { 'gone' } end
hold(record, record.id, record.takeovers, tonumber(ARGV[4]), tonumber(ARGV[5]))
return { 'held' }
