import * as z from 'zod'
import { execute } from '../db/query'
import type { Viewer } from '../domain/core/viewer'
import { assertNotBarred, presentCaller, requirePerson, requireToken } from '../domain/sessions/find'
import { takeForNetwork } from '../domain/sessions/flood'
import { requireScope, type Scope } from '../domain/sessions/scopes'
import { requestConfirmation } from '../domain/users/confirm'
import { findMemberById } from '../domain/users/find'
import { Forbidden } from '../errors'
import { type Auth, endpoint } from './endpoint'

export const emails = [
  endpoint({
    path: '/api/v1/emails/confirmations',
    summary: 'Send the confirmation mail once more, to another address if one is given',
    auth: pendingUser('write:accounts'),
    limit: 'confirmations',
    input: z.object({ email: z.string().max(10_000).nullish() }),
    async run(ctx, { input, viewer, caller, request }) {
      requireToken(caller)
      await takeForNetwork(ctx, 'confirmationsByIp', request.ip)
      const member = await execute(ctx.db, findMemberById(ctx, viewer.id))
      const isOurs = member !== null && member.createdByApplicationId === viewer.applicationId
      if (!isOurs) throw new Forbidden('other_application')
      await requestConfirmation(ctx, member, input.email ?? null)
    },
  }),
  endpoint({
    method: 'GET',
    path: '/api/v1/emails/check_confirmation',
    summary: 'Has the address of the caller been confirmed?',
    auth: pendingUser('read:accounts'),
    output: z.boolean(),
    run: async (_ctx, { caller }) => caller?.person?.confirmed === true,
  }),
]

/** A user who may still have to confirm an address or wait for approval. */
function pendingUser(scope: Scope): Auth<Viewer> {
  return {
    kind: 'user',
    scope,
    admit(caller) {
      const holder = presentCaller(caller)
      requireScope(holder, scope)
      const person = requirePerson(holder)
      assertNotBarred(person)
      return person.viewer
    },
  }
}
