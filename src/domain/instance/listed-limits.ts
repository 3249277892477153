import * as z from 'zod'
import type { Query } from '../../db/query'
import type { domainLimits } from '../../db/schema'
import { domainSeverities } from '../../db/schema/federation'
import type { Ctx } from '../../ports/ctx'
import { readCachedList, readWholeList } from '../core/cached-lists'

export type ListedLimit = typeof domainLimits.$inferSelect

const flag = z.number().transform((value) => value === 1)

const Limit = z.tuple([
  z.string(),
  z.enum(domainSeverities),
  flag,
  flag,
  flag,
  z.string(),
  z.string(),
  z.number(),
  z.number(),
  z.number().nullable(),
])

const Listed = Limit.transform(
  ([
    domain,
    severity,
    rejectMedia,
    rejectReports,
    obfuscate,
    publicComment,
    privateComment,
    id,
    createdAt,
    blocklistId,
  ]): ListedLimit => ({
    domain,
    severity,
    rejectMedia,
    rejectReports,
    obfuscate,
    publicComment,
    privateComment,
    id,
    createdAt: new Date(createdAt),
    blocklistId,
  }),
)

/**
 * Limits on servers in the order of their domains. A long list is cached, and may lack what was changed in the last
 * seconds.
 */
export function listedLimits(ctx: Ctx): Query<readonly ListedLimit[]> {
  return readCachedList(ctx, 'limits', Listed)
}

/** `listedLimits`, with none left out where their cache is missing. */
export function allLimits(ctx: Ctx): Promise<readonly ListedLimit[]> {
  return readWholeList(ctx, 'limits', Listed)
}
