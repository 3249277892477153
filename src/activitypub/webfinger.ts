import * as z from 'zod'
import { parseDomain } from '../contract/handle'
import { execute as query } from '../db/query'
import { mayContact } from '../domain/servers/limits'
import { Unreachable } from '../errors'
import { parseJsonBytes } from '../lib/json'
import { readBody } from '../lib/outgoing'
import { hostOf, parseWebAddress } from '../lib/web-address'
import type { Ctx } from '../ports/ctx'
import { backoffReason, isHostFailure, recordNoResponse, recordResponse } from './budgets'

/** A remote handle; the domain in ASCII and lower case. */
export interface RemoteHandle {
  readonly username: string
  readonly domain: string
}

/** Result of a WebFinger lookup. */
export type WebFingerResult =
  /** `handle` is the canonical spelling, `uri` the actor id. */
  | { readonly kind: 'found'; readonly handle: RemoteHandle; readonly uri: string }
  | { readonly kind: 'missing'; readonly reason: string }
  /** Two servers that disagree about the actor. */
  | { readonly kind: 'contradictory'; readonly reason: string }
  | { readonly kind: 'unreachable'; readonly reason: string }

const mostBytes = 65_536
const timeoutMilliseconds = 5_000

/**
 * Looks up a handle's actor at its server, and at the server that one names as canonical, if another: both must lead
 * to the same actor, and a third is not queried.
 *
 * Proves no consent of the actor: see `verifyHandle`.
 */
export async function lookUpWebFinger(ctx: Ctx, asked: RemoteHandle): Promise<WebFingerResult> {
  const first = await lookUpAt(ctx, asked)
  if (first.kind !== 'found' || isSameHandle(first.handle, asked)) return first
  if (!(await query(ctx.db, mayContact(ctx, first.handle.domain))))
    return missing(formatHandle(asked), `${first.handle.domain} is not spoken with`)
  const second = await lookUpAt(ctx, first.handle)
  if (second.kind === 'unreachable') return second
  const agree =
    second.kind === 'found' && isSameHandle(second.handle, first.handle) && second.uri === first.uri
  return agree ? second : { kind: 'contradictory', reason: `servers disagree about ${formatHandle(asked)}` }
}

export function isSameHandle(one: RemoteHandle, other: RemoteHandle): boolean {
  return one.domain === other.domain && one.username.toLowerCase() === other.username.toLowerCase()
}

export function formatHandle({ username, domain }: RemoteHandle): string {
  return `${username}@${domain}`
}

/** Lenient schema: only the needed properties, invalid ones replaced. */
const Descriptor = z.object({
  subject: z.string().max(2_048).catch(''),
  links: z.array(z.unknown()).max(100).catch([]),
})

const Link = z.object({ rel: z.literal('self'), type: z.string(), href: z.string() })

const actorType = /^application\/(activity\+json|ld\+json)\s*(;|$)/i

async function lookUpAt(ctx: Ctx, asked: RemoteHandle): Promise<WebFingerResult> {
  const found = await fetchDescriptor(ctx, { domain: asked.domain, resource: `acct:${formatHandle(asked)}` })
  return found.kind === 'found' ? described(asked, found) : found
}

/** The document that a server has about a handle. */
type FoundDescriptor = ({ readonly kind: 'found' } & z.output<typeof Descriptor>) | NotFoundAt

type NotFoundAt = WebFingerResult & { readonly kind: 'missing' | 'unreachable' }

/** Fetches the document about a resource (an `acct:` or web address) from the server at `domain`, once. */
export async function fetchDescriptor(
  ctx: Ctx,
  { domain, resource }: { readonly domain: string; readonly resource: string },
): Promise<FoundDescriptor> {
  const { testHosts } = ctx.config.federation
  const scheme = testHosts.includes(domain) ? 'http' : 'https'
  const backoff = backoffReason(ctx, domain)
  if (backoff !== null) return { kind: 'unreachable', reason: backoff }
  try {
    const answer = await ctx.http.send({
      method: 'GET',
      url: `${scheme}://${domain}/.well-known/webfinger?resource=${encodeURIComponent(resource)}`,
      headers: { accept: 'application/jrd+json, application/json' },
      maxBytes: mostBytes,
      timeoutMilliseconds,
      redirects: 'follow',
    })
    recordResponse(ctx, domain, answer)
    if (answer.status !== 200) {
      await answer.body?.cancel()
      return refusal(resource, answer.status)
    }
    const descriptor = Descriptor.safeParse(parseJsonBytes(await readBody(answer, timeoutMilliseconds)))
    return descriptor.success ? { kind: 'found', ...descriptor.data } : missing(resource, 'no descriptor')
  } catch (failure) {
    if (!(failure instanceof Unreachable)) throw failure
    if (isHostFailure(failure)) recordNoResponse(ctx, domain)
    return { kind: 'unreachable', reason: failure.message }
  }
}

/** Maps a failure status: a failing server has not said that the account does not exist. */
function refusal(resource: string, status: number): NotFoundAt {
  if (status >= 500 || status === 429) return { kind: 'unreachable', reason: `WebFinger answers ${status}` }
  return missing(resource, `status ${status}`)
}

function missing(resource: string, reason: string): NotFoundAt {
  return { kind: 'missing', reason: `WebFinger knows no actor ${resource.replace(/^acct:/, '')}: ${reason}` }
}

function described(asked: RemoteHandle, { subject, links }: z.output<typeof Descriptor>): WebFingerResult {
  const handle = handleIn(subject) ?? asked
  for (const given of links) {
    const link = Link.safeParse(given)
    const uri = link.success && actorType.test(link.data.type) ? parseWebAddress(link.data.href) : null
    if (uri !== null && hostOf(uri) !== null) return { kind: 'found', handle, uri }
  }
  return missing(formatHandle(asked), 'no link to an actor')
}

/** Handle of an `acct:` address. Some servers name the account's page instead, which contains no handle. */
function handleIn(subject: string): RemoteHandle | null {
  const [, username, host] = /^acct:@?([^@/]+)@([^@/]+)$/i.exec(subject.trim()) ?? []
  const domain = host === undefined ? null : parseDomain(host)
  return username === undefined || domain === null ? null : { username, domain }
}
