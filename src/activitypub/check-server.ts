import { sql } from 'drizzle-orm'
import * as z from 'zod'
import { combineQueries, execute, first } from '../db/query'
import { accounts, inboxes, remoteActors } from '../db/schema'
import { mayContact } from '../domain/servers/limits'
import { signatureOf } from '../domain/servers/signature'
import { Unreachable } from '../errors'
import { parseJsonBytes } from '../lib/json'
import { addressProblem, readBody, refusedAddress } from '../lib/outgoing'
import { hostOf } from '../lib/web-address'
import type { Ctx } from '../ports/ctx'
import type { CheckedStep } from '../ports/federation'
import { fetchDocument } from './fetch'
import { lookUpWebFinger } from './webfinger'

const timeoutMilliseconds = 5_000
const mostBytes = 65_536

/**
 * Tries each step of federation with a server: whether it may be contacted, its software (NodeInfo), WebFinger and a
 * signed request for an account known of it, and the state of deliveries. About a dozen requests at most; nothing is
 * stored but what was learnt about signatures.
 */
export async function checkServer(ctx: Ctx, domain: string): Promise<readonly CheckedStep[]> {
  const { allowed, known } = await execute(
    ctx.db,
    combineQueries({ allowed: mayContact(ctx, domain), known: knownAccount(ctx, domain) }),
  )
  const { federation, ownDomains } = ctx.config
  const scheme = federation.testHosts.includes(domain) ? 'http' : 'https'
  const rules = { testHosts: federation.testHosts, ownHosts: ownDomains }
  const problem = addressProblem(`${scheme}://${domain}/`, rules)
  if (problem !== null)
    return [failed('limits', `${domain} is never contacted: ${refusedAddress('its address', problem)}.`)]
  if (!allowed)
    return [failed('limits', `${domain} is suspended here, or not on the list of allowed servers.`)]
  return [
    passed('limits', `${domain} may be contacted.`),
    await checkSoftware(ctx, domain),
    ...(known === null ? unknownAccount(domain) : await checkAccount(ctx, domain, known)),
    await checkDeliveries(ctx, domain, known),
  ]
}

type Known = NonNullable<Awaited<ReturnType<typeof loadKnown>>>
const loadKnown = (ctx: Ctx, domain: string) => execute(ctx.db, knownAccount(ctx, domain))

/** An account of the server with the inbox that reaches it. */
function knownAccount(ctx: Ctx, domain: string) {
  const { username, uri } = accounts
  const { inbox, sharedInbox } = remoteActors
  return first(
    ctx.db
      .select({ username, uri, inbox, sharedInbox, unreachableSince: inboxes.unreachableSince })
      .from(accounts)
      .innerJoin(remoteActors, sql`${remoteActors.accountId} = ${accounts.id}`)
      .leftJoin(inboxes, sql`${inboxes.url} = coalesce(${sharedInbox}, ${inbox})`)
      .where(sql`${accounts.domain} = ${domain}`)
      .limit(1),
  )
}

const Links = z.object({ links: z.array(z.object({ rel: z.string(), href: z.url() })).max(20) })
const NodeInfo = z.object({ software: z.object({ name: z.string().max(100), version: z.string().max(100) }) })

async function checkSoftware(ctx: Ctx, domain: string): Promise<CheckedStep> {
  const scheme = ctx.config.federation.testHosts.includes(domain) ? 'http' : 'https'
  try {
    const { links } = Links.parse(await readJson(ctx, `${scheme}://${domain}/.well-known/nodeinfo`))
    const link = links.find(({ rel }) => rel.startsWith('http://nodeinfo.diaspora.software/ns/schema/2.'))
    if (link === undefined) return failed('software', `${domain} names no NodeInfo of version 2.`)
    const { name, version } = NodeInfo.parse(await readJson(ctx, link.href)).software
    return passed('software', `${domain} runs ${name} ${version}.`)
  } catch (failure) {
    if (failure instanceof Unreachable)
      return failed('software', `${domain} was not reached: ${failure.message}.`)
    if (failure instanceof z.ZodError || failure instanceof SyntaxError || failure instanceof StatusError)
      return failed('software', `${domain} has no NodeInfo that can be read; servers may do without.`)
    throw failure
  }
}

class StatusError extends Error {}

async function readJson(ctx: Ctx, url: string): Promise<unknown> {
  const answer = await ctx.http.send({
    method: 'GET',
    url,
    headers: { accept: 'application/json' },
    maxBytes: mostBytes,
    timeoutMilliseconds,
    redirects: 'follow',
  })
  if (answer.status === 200) return parseJsonBytes(await readBody(answer, timeoutMilliseconds))
  await answer.body?.cancel()
  throw new StatusError(String(answer.status))
}

function unknownAccount(domain: string): readonly CheckedStep[] {
  const reason = `No account of ${domain} is known here: search for one by its handle, then check again.`
  return [skipped('webfinger', reason), skipped('signature', reason)]
}

async function checkAccount(ctx: Ctx, domain: string, known: Known): Promise<readonly CheckedStep[]> {
  const { username, uri } = known
  const found = await lookUpWebFinger(ctx, { username, domain })
  const webfinger =
    found.kind !== 'found'
      ? failed('webfinger', `${found.reason}.`)
      : found.uri === uri
        ? passed('webfinger', `WebFinger leads from ${username}@${domain} to ${uri}.`)
        : failed('webfinger', `WebFinger leads from ${username}@${domain} to ${found.uri}, not to ${uri}.`)
  return [webfinger, await checkSignature(ctx, uri ?? '')]
}

async function checkSignature(ctx: Ctx, uri: string): Promise<CheckedStep> {
  const result = await fetchDocument(ctx, uri)
  switch (result.kind) {
    case 'found': {
      const scheme = await execute(ctx.db, signatureOf(ctx, hostOf(uri) ?? ''))
      const by = scheme === null ? '' : ` by ${scheme === 'cavage' ? 'draft-cavage' : 'RFC 9421'}`
      return passed('signature', `A signed request${by} for ${uri} was answered.`)
    }
    case 'gone':
      return passed('signature', `A signed request was answered: ${uri} is deleted.`)
    case 'missing':
      return failed('signature', `${uri} was not found by a signed request, or is not shown to this server.`)
    case 'refused':
    case 'unreachable':
      return failed('signature', `A signed request for ${uri} failed: ${result.reason}.`)
  }
}

async function checkDeliveries(ctx: Ctx, domain: string, known: Known | null): Promise<CheckedStep> {
  const inbox = known?.sharedInbox ?? known?.inbox
  const host = (inbox == null ? null : hostOf(inbox)) ?? domain
  const state = await ctx.courierControl.state(host)
  if (known?.unreachableSince != null || state?.unreachable === true)
    return failed(
      'delivery',
      `Deliveries to ${host} ended after a week of failures, until it makes contact or you retry them.`,
    )
  if (state === null || (state.pending === 0 && state.failures === 0))
    return passed('delivery', `No delivery to ${host} waits or failed.`)
  if (state.failures === 0) return passed('delivery', `${state.pending} deliveries to ${host} wait.`)
  const since = state.failingSince?.toISOString() ?? 'a moment ago'
  const next = state.nextAt === null ? '' : ` The next attempt is due at ${state.nextAt.toISOString()}.`
  return failed('delivery', `Deliveries to ${host} fail since ${since}; ${state.pending} wait.${next}`)
}

function passed(step: CheckedStep['step'], explanation: string): CheckedStep {
  return { step, outcome: 'passed', explanation }
}

function failed(step: CheckedStep['step'], explanation: string): CheckedStep {
  return { step, outcome: 'failed', explanation }
}

function skipped(step: CheckedStep['step'], explanation: string): CheckedStep {
  return { step, outcome: 'skipped', explanation }
}
