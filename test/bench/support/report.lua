-- Prints the results of wrk as one line of JSON.
return function(summary, latency)
  local e = summary.errors
  local errors = e.connect + e.read + e.write + e.status + e.timeout
  io.write(string.format('REPORT {"requests":%d,"durationMicros":%d,"p99Micros":%d,"errors":%d}\n',
    summary.requests, summary.duration, latency:percentile(99), errors))
end
