import * as z from 'zod'
import { execute } from '../db/query'
import { mayContact } from '../domain/instance/limits'
import { parseWebAddress } from '../lib/web-address'
import type { Ctx, SubscribeTemplate } from '../platform/ports'
import { fetchDescriptor, type RemoteHandle } from './webfinger'

/** Relation that OStatus gave the page for following an address; Mastodon and others open statuses there as well. */
export const subscribeRelation = 'http://ostatus.org/schema/1.0/subscribe'

const Link = z.object({ rel: z.literal(subscribeRelation), template: z.string().max(2_048) })

/** Placeholder of the address in a template. */
const placeholder = '{uri}'

/** Looks up the page where the owner of a remote handle opens addresses of other servers. One request. */
export async function findSubscribeTemplate(ctx: Ctx, handle: RemoteHandle): Promise<SubscribeTemplate> {
  if (!(await execute(ctx.db, mayContact(ctx, handle.domain)))) return { kind: 'missing' }
  const found = await fetchDescriptor(ctx, handle)
  if (found.kind !== 'found') return { kind: found.kind }
  for (const given of found.links) {
    const link = Link.safeParse(given)
    if (link.success && isUsable(ctx, link.data.template))
      return { kind: 'found', template: link.data.template }
  }
  return { kind: 'missing' }
}

/** A template leads to a page over HTTPS, and not by its host to one that the address chooses. */
function isUsable({ config }: Ctx, template: string): boolean {
  const [before = '', after] = template.split(placeholder)
  if (after === undefined) return false
  const address = parseWebAddress(template.replaceAll(placeholder, 'x'))
  const host = URL.parse(before)?.host
  if (address === null || host === undefined || host !== URL.parse(address)?.host) return false
  return address.startsWith('https:') || config.federation.testHosts.includes(host)
}
