-- Sends token requests, each with a secret of its own. TOKEN_BODY is the body without the secret at its end; TOKEN_FILE has the
-- secrets, one a line, each with a DPoP proof after a space or without one. The refresh tokens of the responses are written to ANSWER_FILE if it is set; otherwise they are the
-- secrets of later requests.
done = require("report")
wrk.method = "POST"
wrk.headers["Content-Type"] = "application/x-www-form-urlencoded"

local body = os.getenv("TOKEN_BODY")
local answers = os.getenv("ANSWER_FILE")
local secrets = {}
local first = 1

function init()
  for secret in io.lines(os.getenv("TOKEN_FILE")) do secrets[#secrets + 1] = secret end
  if answers then answers = io.open(answers, "w") end
end

-- If no secret is left, the request fails, and with it the round.
function request()
  local secret, proof = string.match(secrets[first] or "none-left", "^(%S+) ?(%S*)$")
  first = first + 1
  if proof == "" then return wrk.format(nil, nil, nil, body .. secret) end
  local headers = { ["Content-Type"] = wrk.headers["Content-Type"], DPoP = proof }
  return wrk.format(nil, nil, headers, body .. secret)
end

function response(status, headers, answer)
  local secret = string.match(answer, '"refresh_token":"([^"]+)"')
  if not secret then return end
  if answers then answers:write(secret, "\n") else secrets[#secrets + 1] = secret end
end
