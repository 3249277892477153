// The public API as any client sees it.

/** Calls with `token`, or anonymously without one: returns the parsed body, throws for anything but a success. */
export function client(origin, token) {
  return async function call(method, path, body, headers = {}) {
    const form = body instanceof FormData
    const response = await fetch(origin + path, {
      method,
      headers: {
        ...(token === null ? {} : { Authorization: `Bearer ${token}` }),
        ...(body === undefined || form ? {} : { 'Content-Type': 'application/json' }),
        ...headers,
      },
      ...(body === undefined ? {} : { body: form ? body : JSON.stringify(body) }),
    })
    const text = await response.text()
    if (response.ok) return JSON.parse(text)
    throw new Error(`${method} ${path} answered ${response.status}: ${text.slice(0, 300)}`)
  }
}

/** Every entity of a list endpoint that pages by id. */
export async function all(call, path) {
  const found = []
  const size = 40
  for (;;) {
    const last = found.at(-1)
    const page = await call('GET', `${path}&limit=${size}${last === undefined ? '' : `&max_id=${last.id}`}`)
    found.push(...page)
    if (page.length === 0) return found
  }
}

/** A multipart form of plain values and of PNG pictures. */
export function form(values) {
  const made = new FormData()
  for (const [name, value] of Object.entries(values))
    if (Buffer.isBuffer(value)) made.append(name, new Blob([value], { type: 'image/png' }), `${name}.png`)
    else made.append(name, value)
  return made
}
