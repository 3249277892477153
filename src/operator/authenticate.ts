import type { MiddlewareHandler } from 'hono'
import { constant } from '../db/query'
import type { Moderator } from '../domain/core/viewer'
import { hasPermission, operator } from '../domain/policy/permissions'
import { hashToken, mayPost } from '../domain/sessions/find'
import { admitAnonymous, admitCaller, requireCaller } from '../domain/sessions/flood'
import { grants } from '../domain/sessions/scopes'
import { AppError, Forbidden, NotFound, Unauthorized } from '../errors'
import { clientAddress } from '../lib/network'
import { sameText } from '../lib/secrets'
import type { AppContext } from '../ports/app-env'
import type { OperatorEnv } from './env'

const scopes = ['admin:read', 'admin:write'] as const

/**
 * The one who acts: the operator by the set-up token, or by an access token a member in good standing whose role has
 * every permission.
 *
 * `Forbidden` for other tokens of members; without any `Unauthorized`, or `NotFound` where no set-up token is set.
 */
export async function authenticate(c: Pick<AppContext, 'get' | 'req'>): Promise<Moderator> {
  const ctx = c.get('ctx')
  const ip = clientAddress(c.req.raw.headers)
  const { setupToken } = ctx.config
  const [, token = null] = /^Bearer (\S.*)$/.exec(c.req.header('authorization') ?? '') ?? []
  if (token !== null && setupToken !== null && sameText(token, setupToken)) return operator
  if (token === null) {
    await admitAnonymous(ctx, ip)
    throw refusalOf(setupToken)
  }
  const presented = { credential: { kind: 'token', hash: await hashToken(token) }, ip } as const
  const refusal = refusalOf(setupToken)
  await admitCaller(ctx, presented, refusal)
  const [caller] = await requireCaller(ctx, { ...presented, refusal }, constant(null))
  const { person } = caller
  if (person === null || !mayPost(person)) throw new Forbidden()
  if (!scopes.every((scope) => grants(caller.scopes, scope))) throw new Forbidden('outside_scopes')
  const { id: accountId, username, permissions } = person.viewer
  if (!hasPermission(permissions, 'administrator')) throw new Forbidden()
  return {
    accountId,
    username,
    permissions,
    position: person.rolePosition,
    ip,
  }
}

const administrationPath = /^\/api\/(v1|v2|fieldfare\/v1)\/admin\//

/**
 * Whether a request passes the block of its own network, which the operator or an owner may have to lift: commands below
 * `/setup`, and calls of the administration API by the set-up token or by the token of an owner.
 */
export async function passesNetworkBlocks(c: AppContext): Promise<boolean> {
  if (c.req.path.startsWith('/setup/')) return true
  if (!administrationPath.test(c.req.path)) return false
  try {
    await authenticate(c)
    return true
  } catch (refusal) {
    if (refusal instanceof AppError) return false
    throw refusal
  }
}

/** Refuses all but the operator: an owner could act as any member otherwise. */
export const requireSetupToken: MiddlewareHandler<OperatorEnv> = async (c, next) => {
  if (c.get('moderator') !== operator) throw new Forbidden('setup_token_needed')
  await next()
}

function refusalOf(setupToken: string | null) {
  return setupToken === null ? new NotFound('no_page') : new Unauthorized('setup_token_wrong')
}
