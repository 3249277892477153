import type { Query } from '../db/query'
import { hasPermission } from '../domain/policy/permissions'
import { hashToken, mayPost } from '../domain/sessions/find'
import { admitAnonymous, admitCaller, requireCaller } from '../domain/sessions/flood'
import { grants } from '../domain/sessions/scopes'
import { type AppError, Forbidden, NotFound, Unauthorized } from '../errors'
import { clientAddress } from '../lib/network'
import { sameText } from '../lib/secrets'
import type { AppContext } from '../ports/app-env'
import type { Ctx } from '../ports/ctx'

/** Token of the Authorization header; null without one. */
export function bearerToken(c: AppContext): string | null {
  return /^Bearer (\S.*)$/i.exec(c.req.header('authorization') ?? '')?.[1] ?? null
}

/** Whether `token` is METRICS_TOKEN. */
export function isMetricsToken({ config }: Ctx, token: string): boolean {
  return config.metricsToken !== null && sameText(token, config.metricsToken)
}

/**
 * Runs `query` for the access token of a member whose role sees the state of the server, in the round trip that looks
 * the token up: for an unknown one the query reads nothing.
 *
 * `Forbidden` for other members. Without a token, or with an unknown one, `Unauthorized`; `NotFound` where no
 * METRICS_TOKEN is set.
 */
export async function executeForStaff<T>(c: AppContext, query: Query<T>): Promise<T> {
  const ctx = c.get('ctx')
  const [ip, token] = [clientAddress(c.req.raw.headers), bearerToken(c)]
  const refusal = refusalOf(ctx)
  if (token === null) {
    await admitAnonymous(ctx, ip)
    throw refusal
  }
  const presented = { credential: { kind: 'token', hash: await hashToken(token) }, ip } as const
  await admitCaller(ctx, presented, refusal)
  const [{ person, scopes }, found] = await requireCaller(ctx, { ...presented, refusal }, query)
  if (person === null || !mayPost(person)) throw new Forbidden()
  if (!grants(scopes, 'admin:read')) throw new Forbidden('outside_scopes')
  if (!hasPermission(person.viewer.permissions, 'viewDevops')) throw new Forbidden()
  return found
}

function refusalOf({ config }: Ctx): AppError {
  return config.metricsToken === null ? new NotFound('no_page') : new Unauthorized('token_wrong')
}
