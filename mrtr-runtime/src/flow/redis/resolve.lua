-- resolve: happened, has body, body
local happened = ARGV[3] == '1'
local record = read()
if not record then return { 'nothing' } end
if record.state == 'busy' then return { 'busy' } end
if record.state == 'lost' and not happened then
  forget(record)
  return { 'done' }
end
if happened and (record.state == 'lost' or redis.call('HEXISTS', RECORD, 'body') == 0) then
  close(record, '', ARGV[4], ARGV[5], 0)
  return { 'done' }
end
return { 'already_ended' }
