import * as z from 'zod'
import type { Ctx } from '../../../ports/ctx'
import { readJson } from './read-json'

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
