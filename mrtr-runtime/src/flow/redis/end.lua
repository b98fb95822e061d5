-- end: epoch, cont, caller, label, bound, keep, has body, body, most records, most records of one
-- caller
local epoch, cont, caller, label, bound = ARGV[3], ARGV[4], ARGV[5], ARGV[6], ARGV[7]
if other_epoch(epoch) then return { 'other_epoch' } end
local record = read()
if record then return met(record, cont) end
local reached = limit(caller, tonumber(ARGV[11]), tonumber(ARGV[12]))
if reached then return { 'full', reached } end
close(fresh(cont, caller, label, bound), '', ARGV[9], ARGV[10], tonumber(ARGV[8]))
return { 'ended' }
