import { env } from 'cloudflare:workers'
import { type SignatureVerdict, verifyRequest } from '../../src/activitypub/verify-request'
import { openDb } from '../../src/db/query'
import type { Overrides } from '../../src/wire'
import { type Costs, countingDb } from './costs'
import { type KeyName, type TestKey, testKey } from './fediverse/keys'
import type { Exchange } from './fediverse/network'
import { network } from './fediverse/shared-network'
import { type SignatureKind, signed } from './fediverse/signing'
import { freshIp } from './oauth'
import { clock, context } from './test-app'

interface Signing {
  readonly keyId: string
  readonly key: TestKey | KeyName
  readonly signature?: SignatureKind
  readonly method?: 'GET' | 'POST'
  /** Body that arrives instead of the signed body. */
  readonly bodyInstead?: string
  readonly path?: string
  readonly pathInstead?: string
  readonly at?: Date
  /** Address of the sender; a network of its own when absent. */
  readonly ip?: string
}

export interface Verified {
  readonly verdict: SignatureVerdict
  readonly costs: Costs
  readonly fetches: readonly Exchange[]
}

const origin = 'https://fieldfare.test'

/** Lets a request signed as told arrive, and answers what is made of it. Late work goes on afterwards. */
export async function verify(signing: Signing, overrides: Overrides = {}): Promise<Verified> {
  const { keyId, method = 'POST', path = '/inbox', at = clock.now() } = signing
  const body = method === 'POST' ? JSON.stringify({ type: 'Like', keyId }) : null
  const key = typeof signing.key === 'string' ? await testKey(signing.key) : signing.key
  const toSign = { method, url: `${origin}${path}`, keyId, key, at, body }
  const { ip = freshIp() } = signing
  const headers = { ...(await signed(signing.signature ?? 'cavage', toSign)), 'cf-connecting-ip': ip }
  const sent = signing.bodyInstead ?? body
  const url = `${origin}${signing.pathInstead ?? path}`
  const request = new Request(url, { method, headers, body: sent })
  const counted = countingDb(env.DB)
  const mark = network.mark()
  const bytes = sent === null ? null : new TextEncoder().encode(sent)
  const ctx = { ...context(overrides), db: openDb(counted.db) }
  const verdict = await verifyRequest(ctx, request, bytes)
  return { verdict, costs: counted.read(), fetches: network.since(mark) }
}
