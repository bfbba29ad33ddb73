-- Asks for permits by the Connect protocol. REQUEST_FILE has the bodies in hexadecimal, one a line, which are sent one after
-- another again and again. AUTHORIZATION is the caller's header.
done = require("report")
wrk.method = "POST"
wrk.headers["Content-Type"] = "application/proto"
wrk.headers["Connect-Protocol-Version"] = "1"
wrk.headers["Authorization"] = os.getenv("AUTHORIZATION")
wrk.headers["Transfer-Encoding"] = "chunked"

local requests = {}
local last = 0

local function bytes(digits)
  return (string.gsub(digits, "%x%x", function(byte) return string.char(tonumber(byte, 16)) end))
end

-- In one chunk, as the gateway sends it.
local function message(body)
  return wrk.format() .. string.format("%x\r\n", #body) .. body .. "\r\n0\r\n\r\n"
end

function init()
  for body in io.lines(os.getenv("REQUEST_FILE")) do requests[#requests + 1] = message(bytes(body)) end
end

function request()
  last = last % #requests + 1
  return requests[last]
end
