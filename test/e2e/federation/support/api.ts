import type { Person } from './instance'

type Body = Readonly<Record<string, unknown>>

/** Calls the API of somebody's own server. Answers the parsed body; anything but 2xx fails. */
export function as(person: Person) {
  const call = (method: string) => async (path: string, body?: Body) => {
    const answer = await person.instance.fetch(path, {
      method,
      headers: { authorization: `Bearer ${person.token}`, 'content-type': 'application/json' },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    })
    const text = await answer.text()
    if (!answer.ok)
      throw new Error(`${method} ${path} at ${person.instance.domain}: ${answer.status} ${text}`)
    const parsed: unknown = JSON.parse(text)
    return parsed
  }
  return {
    get: call('GET'),
    post: call('POST'),
    put: call('PUT'),
    patch: call('PATCH'),
    delete: call('DELETE'),
  }
}
