-- finish: epoch, id, cont, keep, has body, body
local epoch, id, cont, span = ARGV[3], ARGV[4], ARGV[5], tonumber(ARGV[6])
if other_epoch(epoch) then return { 'other_epoch' } end
local record = read()
if not record then return { 'not_held' } end
if record.state == 'ended' then
  -- The reply to this very finish got lost: it is told the same once more.
  if record.id == id then return { 'finished', digits(redis.call('HEXISTS', RECORD, 'body')) } end
  return ended(record, cont)
end
if not held_by(record, id) then return { 'not_held' } end
close(record, id, ARGV[7], ARGV[8], span)
return { 'finished', ARGV[7] }
