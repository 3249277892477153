import { Hono } from 'hono'
import * as z from 'zod'
import { execute } from '../db/query'
import { domainSeverities } from '../db/schema/federation'
import { allowDomain, disallowDomain } from '../domain/moderation/allow-domain'
import { limitsAbove, listDomains } from '../domain/moderation/find-limits'
import { liftLimit, limitDomain } from '../domain/moderation/limit-domain'
import { requireLimitableDomain } from '../domain/moderation/limitable-domain'
import { previewEffects } from '../domain/moderation/preview-effects'
import { findSeverances, restorableMilliseconds, restoreFollows } from '../domain/moderation/restore-follows'
import { presentEffects, presentSeverance } from '../view/present/admin-domain'
import type { OperatorEnv } from './env'
import { readInput } from './input'

const Named = z.object({ domain: z.string() })

/** Values that are left out stay as they are. */
const Limit = Named.extend({
  severity: z.enum(domainSeverities),
  reject_media: z.boolean().exactOptional(),
  reject_reports: z.boolean().exactOptional(),
  obfuscate: z.boolean().exactOptional(),
  private_comment: z.string().max(2_000).exactOptional(),
  public_comment: z.string().max(2_000).exactOptional(),
}).transform(({ domain, severity, obfuscate, ...sent }) => ({
  domain,
  values: {
    severity,
    ...(obfuscate === undefined ? {} : { obfuscate }),
    ...(sent.reject_media === undefined ? {} : { rejectMedia: sent.reject_media }),
    ...(sent.reject_reports === undefined ? {} : { rejectReports: sent.reject_reports }),
    ...(sent.private_comment === undefined ? {} : { privateComment: sent.private_comment }),
    ...(sent.public_comment === undefined ? {} : { publicComment: sent.public_comment }),
  },
}))

/** Latest events that the script lists. */
const mostSeverances = 100

/** Domain moderation routes for operators without a panel. Mounted behind the set-up token. */
export function domainRoutes(): Hono<OperatorEnv> {
  const app = new Hono<OperatorEnv>()
  app.post('/setup/domains/list', async (c) => {
    const ctx = c.get('ctx')
    const { after } = await readInput(c, z.object({ after: z.string().nullable().default(null) }))
    const { limits, allowed, next } = await listDomains(ctx, after ?? '')
    return c.json({
      next,
      limits: limits.map((limit) => ({
        domain: limit.domain,
        severity: limit.severity,
        reject_media: limit.rejectMedia,
        reject_reports: limit.rejectReports,
        obfuscate: limit.obfuscate,
        private_comment: limit.privateComment,
        public_comment: limit.publicComment,
        created_at: limit.createdAt,
        suspending:
          limit.accountsCount === null ? null : { done: limit.accountsDone, of: limit.accountsCount },
      })),
      allowed,
    })
  })
  app.post('/setup/domains/limit', async (c) => {
    const { domain, values } = await readInput(c, Limit)
    await limitDomain(c.get('ctx'), c.get('moderator'), domain, values)
    return c.json({})
  })
  app.post('/setup/domains/preview', async (c) => {
    const ctx = c.get('ctx')
    const { domain: name } = await readInput(c, Named)
    const domain = requireLimitableDomain(ctx.config, name)
    const effects = await previewEffects(ctx, [domain])
    const existing = await execute(ctx.db, limitsAbove(ctx, domain))
    return c.json({
      domain,
      ...presentEffects(effects),
      existing: existing.map((limit) => ({ domain: limit.domain, severity: limit.severity })),
    })
  })
  app.post('/setup/domains/severances', async (c) => {
    const ctx = c.get('ctx')
    const found = await execute(ctx.db, findSeverances(ctx, { limit: mostSeverances }))
    return c.json({ severances: found.map((row) => presentSeverance(row, restorableMilliseconds)) })
  })
  app.post('/setup/domains/restore', async (c) => {
    const { id } = await readInput(c, z.object({ id: z.int() }))
    const event = await restoreFollows(c.get('ctx'), c.get('moderator'), id)
    return c.json(presentSeverance(event, restorableMilliseconds))
  })
  for (const [what, decide] of [
    ['lift', liftLimit],
    ['allow', allowDomain],
    ['disallow', disallowDomain],
  ] as const)
    app.post(`/setup/domains/${what}`, async (c) => {
      const { domain } = await readInput(c, Named)
      await decide(c.get('ctx'), c.get('moderator'), domain)
      return c.json({})
    })
  return app
}
