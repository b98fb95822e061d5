-- look: epoch, cont
if other_epoch(ARGV[3]) then return { 'other_epoch' } end
local record = read()
if not record then return { 'free' } end
return met(record, ARGV[4])
