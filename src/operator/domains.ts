import { Hono } from 'hono'
import * as z from 'zod'
import { domainSeverities } from '../db/schema/federation'
import {
  allowDomain,
  disallowDomain,
  liftLimit,
  limitDomain,
  listAllowed,
  listLimits,
} from '../domain/moderation/limit-domain'
import { parseDomain } from '../lib/handle'
import type { AppEnv } from '../platform/app-env'
import { readInput } from './input'

const Named = z.object({
  domain: z.string().transform((text, { addIssue }) => {
    const domain = parseDomain(text)
    if (domain !== null) return domain
    addIssue('is not a host')
    return z.NEVER
  }),
})

const Limit = Named.extend({
  severity: z.enum(domainSeverities),
  reject_media: z.boolean().default(false),
  reject_reports: z.boolean().default(false),
  obfuscate: z.boolean().default(false),
  private_comment: z.string().max(2_000).default(''),
  public_comment: z.string().max(2_000).default(''),
})

/** Domain moderation routes for operators without a panel. Mounted behind the set-up token. */
export function domainRoutes(): Hono<AppEnv> {
  const app = new Hono<AppEnv>()
  app.post('/setup/domains/list', async (c) => {
    const ctx = c.get('ctx')
    const limits = await listLimits(ctx)
    return c.json({
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
      allowed: await listAllowed(ctx),
    })
  })
  app.post('/setup/domains/limit', async (c) => {
    const input = await readInput(c, Limit)
    await limitDomain(c.get('ctx'), {
      domain: input.domain,
      severity: input.severity,
      rejectMedia: input.reject_media,
      rejectReports: input.reject_reports,
      obfuscate: input.obfuscate,
      privateComment: input.private_comment,
      publicComment: input.public_comment,
    })
    return c.json({})
  })
  for (const [what, decide] of [
    ['lift', liftLimit],
    ['allow', allowDomain],
    ['disallow', disallowDomain],
  ] as const)
    app.post(`/setup/domains/${what}`, async (c) => {
      const { domain } = await readInput(c, Named)
      await decide(c.get('ctx'), domain)
      return c.json({})
    })
  return app
}
