// Messages of the runtime itself, which come with the stack of its machine code and fill a journal.

const trace = /\s*\bstack: \S*workerd\S*@[\da-f]+/
const hexTrace = /\s*\bstack: (?:[\da-f]{4,}\s*){3,}/
/** Failures of connections to other servers, also of those into the own network. The calling code gets the error, and logs what matters. */
const unreachable =
  /lookup address|DNS lookup|getaddrinfo|disconnected|is not allowed|connecti(?:on|ng)[^;]{0,80} (?:refused|reset|timed out|aborted)|unreachable|no route to host|broken pipe|certificate|\b(?:TLS|SSL)\b|timed out/i

/** A message as it is to be shown: without a trace, and null for a host that could not be reached. */
export function wordsOf(message) {
  const found = trace.exec(message) ?? hexTrace.exec(message)
  if (found === null) return message
  const words = message.slice(0, found.index).trim()
  return unreachable.test(words) ? null : `The runtime reports: ${words}`
}
