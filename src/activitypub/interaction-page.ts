import * as z from 'zod'
import { execute } from '../db/query'
import { mayContact } from '../domain/instance/limits'
import { parseWebAddress } from '../lib/web-address'
import type { Ctx } from '../ports/ctx'
import type { InteractionPage, RemoteInteraction } from '../ports/federation'
import { fetchDescriptor, formatHandle } from './webfinger'

/** Relation that OStatus gave the page for following an address; Mastodon and others open statuses there as well. */
export const subscribeRelation = 'http://ostatus.org/schema/1.0/subscribe'

/** Relation of the page for an activity (FEP-3b86); `Object` opens an object of any type. */
export function intentRelation(type: 'Announce' | 'Create' | 'Follow' | 'Like' | 'Object'): string {
  return `https://w3id.org/fep/3b86/${type}`
}

const intents = {
  follow: intentRelation('Follow'),
  reply: intentRelation('Object'),
  reblog: intentRelation('Announce'),
  favourite: intentRelation('Like'),
} as const

const Link = z.object({ rel: z.string(), template: z.string().max(2_048) })

/**
 * Looks up the page of another server for an interaction with the object `uri`: the one for that activity, else the one
 * for any object, else that of OStatus. One request.
 *
 * A server named without an account that offers none is guessed to have the page of Mastodon.
 */
export async function findInteractionPage(
  ctx: Ctx,
  server: { readonly username: string | null; readonly domain: string },
  { interaction, uri }: RemoteInteraction,
): Promise<InteractionPage> {
  const { username, domain } = server
  const found = await offeredPage(ctx, {
    domain,
    resource: username === null ? `https://${domain}` : `acct:${formatHandle({ username, domain })}`,
    interaction,
    uri,
  })
  if (found.kind === 'found' || username !== null) return found
  const query = new URLSearchParams({ uri })
  return { kind: 'found', url: `https://${domain}/authorize_interaction?${query}` }
}

interface Offer extends RemoteInteraction {
  readonly domain: string
  readonly resource: string
}

async function offeredPage(
  ctx: Ctx,
  { domain, resource, interaction, uri }: Offer,
): Promise<InteractionPage> {
  if (!(await execute(ctx.db, mayContact(ctx, domain)))) return { kind: 'missing' }
  const found = await fetchDescriptor(ctx, { domain, resource })
  if (found.kind !== 'found') return { kind: found.kind }
  const links = found.links.flatMap((given) => Link.safeParse(given).data ?? [])
  for (const [relation, parameter] of [
    [intents[interaction], 'object'],
    [intents.reply, 'object'],
    [subscribeRelation, 'uri'],
  ] as const)
    for (const { rel, template } of links) {
      const url = rel === relation ? expand(ctx, template, { parameter, uri }) : null
      if (url !== null) return { kind: 'found', url }
    }
  return { kind: 'missing' }
}

/**
 * Fills a template with an address, percent-encoded; other placeholders become empty, as FEP-3b86 requires. Null for one
 * without a place for the address, and for any that leads elsewhere than to a page over HTTPS at the host it names
 * before its first placeholder.
 */
function expand(
  { config }: Ctx,
  template: string,
  { parameter, uri }: { readonly parameter: 'object' | 'uri'; readonly uri: string },
): string | null {
  if (!template.includes(`{${parameter}}`)) return null
  const url = template.replaceAll(/\{([^{}]*)\}/g, (_, name) =>
    name === parameter ? encodeURIComponent(uri) : '',
  )
  // With the address in place it may be longer than addresses that are stored.
  const [empty = '', before = ''] = [template.replaceAll(/\{[^{}]*\}/g, ''), template.split('{', 1)[0]]
  const address = parseWebAddress(empty)
  const host = URL.parse(before)?.host
  if (address === null || host === undefined || host !== URL.parse(url)?.host) return null
  if (host !== URL.parse(address)?.host || /[{}\\]/.test(empty)) return null
  return address.startsWith('https:') || config.federation.testHosts.includes(host) ? url : null
}
