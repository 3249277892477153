import { createServer } from 'node:http'
import * as z from 'zod'
import { call } from './http'
import { authorizeUrl } from './sign-in'

/** A web client on another site than the instance: 127.0.0.1 is not localhost to a browser. */
export interface ClientSite {
  readonly origin: string
  readonly callback: string
  close(): void
}

export interface Application {
  readonly name: string
  readonly authorizeUrl: string
  /** Turns the code in an address it was sent back to into a token, as an app does behind the scenes. */
  exchange(returned: string): Promise<{ readonly token: string }>
  /** Ends a token it was given, as an app does when somebody signs out. */
  revoke(token: string): Promise<void>
}

const opener = `<!doctype html><title>Client</title><link rel="icon" href="data:,"><button>Sign in</button><output></output>
<script>
  document.querySelector('button').onclick = () => window.open(
    new URLSearchParams(location.search).get('to'), 'sign-in', 'popup,width=400,height=600')
  window.onmessage = (event) => { document.querySelector('output').textContent = event.data }
</script>`

const returned = `<!doctype html><title>Back</title><link rel="icon" href="data:,"><p>Back</p>
<script>
  if (window.opener) { window.opener.postMessage(location.search, location.origin); window.close() }
</script>`

/** Serves a page that opens the sign-in as a pop-up, and the page it comes back to. */
export function openClientSite(): Promise<ClientSite> {
  const server = createServer((request, response) => {
    response.setHeader('Content-Type', 'text/html; charset=utf-8')
    response.end(request.url?.startsWith('/callback') === true ? returned : opener)
  })
  return new Promise((resolve, reject) => {
    server.once('error', reject)
    server.listen(0, '127.0.0.1', () => {
      const address = server.address()
      if (address === null || typeof address === 'string') throw new Error('The client site has no port')
      const origin = `http://127.0.0.1:${address.port}`
      const close = () => {
        server.closeAllConnections()
        server.close()
      }
      resolve({ origin, callback: `${origin}/callback`, close })
    })
  })
}

/** Registers an application that comes back to `site`. */
export async function registerAt(
  site: Pick<ClientSite, 'callback'>,
  name: string,
  scope = 'read write follow push',
): Promise<Application> {
  const answer = await call('/api/v1/apps', {
    method: 'POST',
    body: new URLSearchParams({
      client_name: name,
      redirect_uris: site.callback,
      scopes: scope,
      website: 'https://client.example',
    }),
  })
  const keys = z.object({ client_id: z.string(), client_secret: z.string() }).parse(await answer.json())
  const params = { client_id: keys.client_id, redirect_uri: site.callback, scope, response_type: 'code' }
  const exchange = async (returned: string) => {
    const code = new URL(returned).searchParams.get('code') ?? 'none'
    const body = { ...keys, code, redirect_uri: site.callback, grant_type: 'authorization_code' }
    const given = await call('/oauth/token', { method: 'POST', body: new URLSearchParams(body) })
    const { access_token: token } = z.object({ access_token: z.string() }).parse(await given.json())
    return { token }
  }
  const revoke = async (token: string) => {
    const ended = await call('/oauth/revoke', {
      method: 'POST',
      body: new URLSearchParams({ ...keys, token }),
    })
    if (!ended.ok) throw new Error(`The token was not revoked (${ended.status}): ${await ended.text()}`)
  }
  return { name, authorizeUrl: authorizeUrl(params), exchange, revoke }
}
