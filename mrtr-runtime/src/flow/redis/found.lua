-- found: what an operator is told of the record
local record = read()
if not record then return { 'nothing' } end
local state = record.state
if state == 'ended' and redis.call('HEXISTS', RECORD, 'body') == 0 then state = 'bare' end
return { state, record.cont, redis.call('HGET', RECORD, 'bound') }
