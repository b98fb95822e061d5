-- claim: epoch, id, cont, caller, label, bound, lease, keep, takeover, most takeovers, most records,
-- most records of one caller
local epoch, id, cont, caller, label, bound = ARGV[3], ARGV[4], ARGV[5], ARGV[6], ARGV[7], ARGV[8]
local lease, span = tonumber(ARGV[9]), tonumber(ARGV[10])
local takeover, most_takeovers = ARGV[11] == '1', tonumber(ARGV[12])
if other_epoch(epoch) then return { 'other_epoch' } end

local record = read()
if not record then
  local reached = limit(caller, tonumber(ARGV[13]), tonumber(ARGV[14]))
  if reached then return { 'full', reached } end
  hold(fresh(cont, caller, label, bound), id, 0, lease, span)
  return { 'won' }
end

local same = record.cont == cont
-- The reply to this very claim got lost: nobody else knows its id.
if record.state == 'busy' and same and record.id == id then
  hold(record, id, record.takeovers, lease, span)
  return { 'won' }
end
if record.state == 'lost' and same and takeover and record.takeovers < most_takeovers then
  hold(record, id, record.takeovers + 1, lease, span)
  return { 'won' }
end
return met(record, cont)
