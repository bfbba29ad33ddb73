-- The public read of the sample sale, as browsers send it.
done = require("report")
wrk.method = "POST"
wrk.headers["Content-Type"] = "application/json"
wrk.body = '{"SaleUUID":"11111111-1111-4111-8111-111111111111"}'
