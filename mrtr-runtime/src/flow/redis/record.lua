-- What the verbs share: reading a record as it is now, and keeping its indexes true.
--
-- KEYS: 1 the epoch, 2 all records by the end of their life, 3 the record.
-- ARGV: 1 the prefix of every key, 2 the flow in hexadecimal, then what the verb needs.
--
-- Other keys are made from the prefix, whose braces put all of them in one slot. Every script but
-- `claim` and `end` may run while Redis is out of memory: what was begun must come to its end.
local EPOCH, ALL, RECORD = KEYS[1], KEYS[2], KEYS[3]
local PREFIX, FLOW = ARGV[1], ARGV[2]

-- The one clock by which leases and lives are judged, in milliseconds.
local clock = redis.call('TIME')
local NOW = clock[1] * 1000 + math.floor(clock[2] / 1000)

-- All digits: a number that large would otherwise turn into one with an exponent.
local function digits(number)
  return string.format('%.0f', number)
end

local function other_epoch(epoch)
  return redis.call('GET', EPOCH) ~= epoch
end

local function caller_key(caller)
  return PREFIX .. 'caller:' .. caller
end

local function label_key(label)
  return PREFIX .. 'label:' .. label
end

-- The record as it is now: nil when its time is over, lost when its lease is.
local function read()
  local field = redis.call('HMGET', RECORD,
    'state', 'id', 'cont', 'lease', 'takeovers', 'keep', 'caller', 'label')
  if not field[1] then return nil end
  local record = {
    state = field[1], id = field[2], cont = field[3], lease = tonumber(field[4]),
    takeovers = tonumber(field[5]), keep = tonumber(field[6]), caller = field[7], label = field[8],
  }
  if record.keep <= NOW then return nil end
  if record.state == 'busy' and record.lease <= NOW then record.state = 'lost' end
  return record
end

local function held_by(record, id)
  return record.state ~= 'ended' and record.id == id
end

local function put_in_index(key, at)
  redis.call('ZADD', key, at, FLOW)
  if redis.call('PEXPIRETIME', key) < tonumber(at) then redis.call('PEXPIREAT', key, at) end
end

-- Lets the record stay this long from now on, or as long as it does already.
local function keep(record, span)
  record.keep = math.max(record.keep, NOW + span)
  local at = digits(record.keep)
  redis.call('HSET', RECORD, 'keep', at)
  redis.call('PEXPIREAT', RECORD, at)
  redis.call('SET', label_key(record.label), FLOW, 'PXAT', at)
  put_in_index(ALL, at)
  if record.caller ~= '' then put_in_index(caller_key(record.caller), at) end
end

local function forget(record)
  redis.call('DEL', RECORD, label_key(record.label))
  redis.call('ZREM', ALL, FLOW)
  if record.caller ~= '' then redis.call('ZREM', caller_key(record.caller), FLOW) end
end

local function is_full(key, most)
  redis.call('ZREMRANGEBYSCORE', key, '-inf', digits(NOW))
  return redis.call('ZCARD', key) >= most
end

-- Which limit leaves no room for a record of this caller; nil when there is room.
local function limit(caller, most, most_of_caller)
  if is_full(ALL, most) then return 'store' end
  if caller ~= '' and is_full(caller_key(caller), most_of_caller) then return 'caller' end
  return nil
end

-- A record that nothing is known of yet.
local function fresh(cont, caller, label, bound)
  redis.call('DEL', RECORD)
  redis.call('HSET', RECORD, 'cont', cont, 'caller', caller, 'label', label, 'bound', bound)
  return { cont = cont, caller = caller, label = label, keep = 0 }
end

-- Gives the flow to a claim. The record outlives the lease, so that a claim never just vanishes.
local function hold(record, id, takeovers, lease, span)
  redis.call('HSET', RECORD, 'state', 'busy', 'id', id,
    'lease', digits(NOW + lease), 'takeovers', takeovers)
  keep(record, math.max(lease, span))
end

-- Ends the flow. An empty id: without a commit, or by an operator.
local function close(record, id, has_body, body, span)
  redis.call('HSET', RECORD, 'state', 'ended', 'id', id)
  redis.call('HDEL', RECORD, 'lease', 'takeovers')
  if has_body == '1' then redis.call('HSET', RECORD, 'body', body) end
  keep(record, span)
end

-- How the flow ended, for a request with these answers.
local function ended(record, cont)
  if record.cont ~= cont then return { 'other_answers' } end
  local body = redis.call('HGET', RECORD, 'body')
  if body then return { 'recorded', body } end
  return { 'not_kept' }
end

-- The record as a request with these answers meets it.
local function met(record, cont)
  local same = record.cont == cont and '1' or '0'
  if record.state == 'busy' then return { 'busy', same } end
  if record.state == 'lost' then return { 'lost', same, digits(record.takeovers) } end
  return ended(record, cont)
end
