import * as z from 'zod'
import { Unreachable } from '../../../errors'
import { parseJsonBytes } from '../../../lib/json'
import { readBody } from '../../../lib/outgoing'
import type { Ctx } from '../../../ports/ctx'

const timeoutMilliseconds = 5_000
const mostBytes = 65_536

const Links = z.object({ links: z.array(z.object({ rel: z.string(), href: z.url() })).max(20) })
const NodeInfo = z.object({ software: z.object({ name: z.string().max(100) }) })
const Actor = z.object({ type: z.string(), inbox: z.url() })

/**
 * Software of the fediverse server that answers at a domain, by its NodeInfo or the actor of its instance; null where none
 * answers. Three requests at most. Accounts of such a server are known to others by addresses that this one would take over.
 */
export async function findOtherServer(ctx: Ctx, domain: string): Promise<string | null> {
  const scheme = ctx.config.federation.testHosts.includes(domain) ? 'http' : 'https'
  const base = `${scheme}://${domain}`
  const found = Links.safeParse(await readJson(ctx, `${base}/.well-known/nodeinfo`, 'application/json'))
  const link = found.data?.links.find(({ rel }) =>
    rel.startsWith('http://nodeinfo.diaspora.software/ns/schema/'),
  )
  if (link !== undefined) {
    const node = NodeInfo.safeParse(await readJson(ctx, link.href, 'application/json'))
    return node.data?.software.name ?? 'NodeInfo'
  }
  const actor = Actor.safeParse(await readJson(ctx, `${base}/actor`, 'application/activity+json'))
  return actor.success ? 'ActivityPub' : null
}

/** Null for every answer but JSON with status 200, and without one. */
async function readJson(ctx: Ctx, url: string, accept: string): Promise<unknown> {
  try {
    const answer = await ctx.http.send({
      method: 'GET',
      url,
      headers: { accept },
      maxBytes: mostBytes,
      timeoutMilliseconds,
      redirects: 'follow',
    })
    if (answer.status === 200) return parseJsonBytes(await readBody(answer, timeoutMilliseconds))
    await answer.body?.cancel()
    return null
  } catch (failure) {
    if (failure instanceof Unreachable || failure instanceof SyntaxError) return null
    throw failure
  }
}
