import * as z from 'zod'
import { DomainBlock, Instance, InstanceActivity, Rule, V1Instance } from '../contract/entities/instance'
import { parseDomainBeginning } from '../contract/handle'
import { combineQueries, constant, type Query } from '../db/query'
import { ensureVapidKey, loadVapidKey } from '../domain/instance/keys'
import { findPublicLimits, limitsVisibleTo } from '../domain/instance/public-limits'
import { loadRules, type RuleRow } from '../domain/instance/rules'
import { type InstanceSettings, pickSettings } from '../domain/instance/settings'
import { contactSelection } from '../domain/instance/texts'
import { convertibleTypes } from '../domain/media/picture-types'
import { loadCounter, loadStats, recentWeeks } from '../domain/metrics/counters'
import { peerDomains, peersBeginningWith } from '../domain/servers/limits'
import { mayEverybodyInvite } from '../domain/users/invites'
import { NotFound } from '../errors'
import type { SupportedMimeType } from '../lib/media/sniff'
import { obfuscateDomain } from '../lib/registrable-domain'
import { sha256Hex } from '../lib/secrets'
import { cachedSeconds } from '../ports/app-env'
import type { Ctx } from '../ports/ctx'
import { type AccountBundle, loadAccounts } from '../view/load/accounts'
import { presentAccounts } from '../view/present/account'
import { presentActivity, presentInstance, presentRules, presentV1Instance } from '../view/present/instance'
import { ApiResponse } from './api-response'
import { activeUser, anyone, readEndpoint } from './endpoint'

const minutes = 60

const shownSettings = [
  'title',
  'shortDescription',
  'registrations',
  'registrationsMessage',
  'minimumAge',
  'contactEmail',
  'thumbnail',
  'thumbnailLarge',
  'thumbnailBlurhash',
  'thumbnailDescription',
  'logo',
  'termsOfService',
  'statusUrl',
  'languages',
  'localFeedAccess',
  'remoteFeedAccess',
  'localTagAccess',
  'remoteTagAccess',
] as const

interface Found {
  readonly settings: Pick<InstanceSettings, (typeof shownSettings)[number]>
  readonly rules: readonly RuleRow[]
  readonly contact: AccountBundle
  readonly convertible: readonly SupportedMimeType[]
}

function loadInstance(ctx: Ctx): Query<Found> {
  return combineQueries({
    settings: pickSettings(ctx, shownSettings),
    rules: loadRules(ctx),
    contact: loadAccounts(ctx, contactSelection()),
    convertible: convertibleTypes(ctx),
  })
}

function factsOf({ config }: Ctx, found: Found) {
  return { ...found, contact: presentAccounts(config, found.contact)[0] ?? null }
}

export const instance = [
  readEndpoint({
    path: '/api/v2/instance',
    summary: 'What this server is and what it allows',
    auth: anyone(),
    output: Instance,
    maxAgeSeconds: 5 * minutes,
    caching: { seconds: cachedSeconds.people },
    read: (ctx) =>
      combineQueries({
        instance: loadInstance(ctx),
        activeMonth: loadCounter(ctx, 'active_month'),
        vapidKey: loadVapidKey(ctx),
      }),
    show: async (ctx, { found }) =>
      presentInstance(ctx.config, {
        ...factsOf(ctx, found.instance),
        activeMonth: found.activeMonth,
        vapidKey: await ensureVapidKey(ctx, found.vapidKey),
      }),
  }),
  readEndpoint({
    path: '/api/v1/instance',
    summary: 'What this server is, in the old form',
    auth: anyone(),
    output: V1Instance,
    deprecatedSince: new Date('2022-11-14T00:00:00Z'),
    maxAgeSeconds: 5 * minutes,
    caching: { seconds: cachedSeconds.people },
    read: (ctx) =>
      combineQueries({
        instance: loadInstance(ctx),
        counters: loadStats(ctx),
        invitesEnabled: mayEverybodyInvite(ctx),
      }),
    show: (ctx, { found: { instance: found, invitesEnabled, counters } }) =>
      presentV1Instance(ctx.config, { ...factsOf(ctx, found), invitesEnabled, counters }),
  }),
  readEndpoint({
    path: '/api/v1/instance/rules',
    summary: 'The rules of this server',
    auth: anyone(),
    output: z.array(Rule),
    maxAgeSeconds: 5 * minutes,
    caching: { seconds: cachedSeconds.server },
    read: loadRules,
    show: (_ctx, { found }) => presentRules(found),
  }),
  readEndpoint({
    path: '/api/v1/instance/peers',
    summary: 'The domains of the servers this one has met',
    auth: anyone(),
    output: z.array(z.string()),
    maxAgeSeconds: 60 * minutes,
    caching: { seconds: cachedSeconds.server },
    read: (ctx) => combineQueries({ settings: pickSettings(ctx, ['peersApi']), domains: peerDomains(ctx) }),
    show(_ctx, { found }) {
      if (!found.settings.peersApi) throw new NotFound()
      return [...found.domains]
    },
  }),
  readEndpoint({
    path: '/api/v1/peers/search',
    summary: 'Ten domains this server has met that begin like this',
    auth: anyone(),
    input: z.object({ q: z.string().default('') }),
    output: z.array(z.string()),
    read: (ctx, { input }) => {
      const beginning = parseDomainBeginning(input.q)
      const domains = beginning === null ? constant([]) : peersBeginningWith(ctx, beginning)
      return combineQueries({ settings: pickSettings(ctx, ['peersApi']), domains })
    },
    show(_ctx, { found }) {
      if (!found.settings.peersApi) throw new NotFound()
      return found.domains
    },
  }),
  readEndpoint({
    path: '/api/v1/instance/domain_blocks',
    summary: 'Which servers are limited here, as far as the operator tells',
    auth: anyone(),
    output: z.array(DomainBlock),
    read: findPublicLimits,
    show: (_ctx, { found, viewer }) => Promise.all(limitsVisibleTo(viewer, found).map(presentLimit)),
  }),
  readEndpoint({
    path: '/api/v1/donation_campaigns',
    summary: 'What clients should ask donations for: there is no campaign',
    auth: activeUser(),
    output: z.null(),
    read: () => constant(null),
    show: () => new ApiResponse(null, { status: 204 }),
  }),
  readEndpoint({
    path: '/api/v1/instance/activity',
    summary: 'Statuses, logins and registrations of the last twelve weeks',
    auth: anyone(),
    output: z.array(InstanceActivity),
    maxAgeSeconds: 60 * minutes,
    caching: { seconds: cachedSeconds.server },
    read: (ctx, { now }) =>
      combineQueries({ settings: pickSettings(ctx, ['activityApi']), weeks: recentWeeks(ctx, now) }),
    show(_ctx, { found }) {
      if (!found.settings.activityApi) throw new NotFound()
      return presentActivity(found.weeks)
    },
  }),
]

type ShownLimit = ReturnType<typeof limitsVisibleTo>[number]

async function presentLimit({ domain, obfuscate, severity, comment }: ShownLimit): Promise<DomainBlock> {
  const shown = obfuscate ? obfuscateDomain(domain) : domain
  return { domain: shown, digest: await sha256Hex(domain), severity, comment }
}
