import { newAddress } from './address'
import { origin, type Person } from './people'

export interface Call {
  readonly method?: string
  readonly headers?: Readonly<Record<string, string>>
  readonly body?: BodyInit
  readonly as?: Person
}

/** Sends a request as any program might; only the caller's address and token are added. */
export function call(path: string, { method = 'GET', headers = {}, body, as }: Call = {}): Promise<Response> {
  return fetch(new URL(path, origin), {
    method,
    redirect: 'manual',
    headers: {
      'CF-Connecting-IP': newAddress(),
      ...(as === undefined ? {} : { Authorization: `Bearer ${as.token}` }),
      ...headers,
    },
    ...(body === undefined ? {} : { body }),
  })
}
