// Requests as the Worker gets them on Cloudflare, where its own server hands them over. Runs in workerd.
//
// The platform reports the address of a client in CF-Connecting-IP and removes what the client wrote there. Here the
// proxy that ends TLS appends the address to X-Forwarded-For, as proxies do: its last entry is the only one that no
// visitor can write.

const headersOfPlatform = /^(cf|mf)-|^x-forwarded-|^forwarded$|^x-real-ip$|^true-client-ip$/

/** Sentence for a request through a proxy that does not name the client. */
export const unnamed =
  'The proxy in front of this server has to add the address of the client to X-Forwarded-For: docs/operate/move-off.md has examples.'

/**
 * The request as the platform would give it to the server at `origin`. `addresses` of clients are `forwarded` by a proxy
 * in front, `local` where there is none, or `given` by tests in the header itself. Null where the proxy does not name
 * the client; commands on the machine itself come to a loopback address without any proxy.
 */
export function asOnPlatform(request, { origin, addresses }) {
  const url = new URL(request.url)
  const isLocal = isLoopback(url.hostname)
  const address = clientOf(request.headers, { addresses, isLocal })
  if (address === null) return null
  const headers = new Headers(request.headers)
  for (const name of [...headers.keys()]) if (headersOfPlatform.test(name)) headers.delete(name)
  headers.set('CF-Connecting-IP', address)
  return new Request(addressOf(url, origin, isLocal), new Request(request, { headers }))
}

function clientOf(headers, { addresses, isLocal }) {
  if (addresses === 'given') return headers.get('cf-connecting-ip') ?? '127.0.0.1'
  const forwarded = addresses === 'forwarded' ? headers.get('x-forwarded-for') : null
  if (forwarded !== null) return lastAddress(forwarded)
  return addresses === 'local' || isLocal ? '127.0.0.1' : null
}

/** Names of other hosts stay, for the server to refuse or to serve media for. */
function addressOf(url, origin, isLocal) {
  const { protocol, host } = new URL(origin)
  const address = new URL(url)
  address.protocol = protocol
  if (isLocal) address.host = host
  // Assigning a host without a port keeps the port of before.
  if (isLocal && !/:\d+$/.test(host)) address.port = ''
  return address
}

/** Address in the last entry of X-Forwarded-For, without port and brackets; null where it is none. */
export function lastAddress(forwarded) {
  const last = forwarded.split(',').at(-1).trim()
  const bare = /^\[(.+)\](?::\d+)?$/.exec(last)?.[1] ?? last.replace(/^(\d+(?:\.\d+){3}):\d+$/, '$1')
  const isAddress = /^\d{1,3}(\.\d{1,3}){3}$/.test(bare) || /^(?=.*:)[\da-f:.]{2,45}$/i.test(bare)
  return isAddress ? bare : null
}

function isLoopback(hostname) {
  return /^(localhost|.+\.localhost|127(\.\d+){3}|\[::1\])$/.test(hostname)
}
