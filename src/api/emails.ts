import * as z from 'zod'
import { execute } from '../db/query'
import { takeForNetwork } from '../domain/sessions/flood'
import { requestConfirmation } from '../domain/users/confirm'
import { findMemberById } from '../domain/users/find'
import { Forbidden } from '../errors'
import { EmptyObject } from './api-response'
import { pendingUser, requireToken } from './caller'
import { endpoint } from './endpoint'

export const emails = [
  endpoint({
    method: 'POST',
    path: '/api/v1/emails/confirmations',
    summary: 'Send the confirmation mail once more, to another address if one is given',
    auth: pendingUser('write:accounts'),
    limit: 'confirmations',
    input: z.object({ email: z.string().max(10_000).nullish() }),
    output: EmptyObject,
    async run(ctx, { input, viewer, caller, request }) {
      requireToken(caller)
      await takeForNetwork(ctx, 'confirmationsByIp', request.ip)
      const member = await execute(ctx.db, findMemberById(ctx, viewer.id))
      const isOurs = member !== null && member.createdByApplicationId === viewer.applicationId
      if (!isOurs) throw new Forbidden('other_application')
      await requestConfirmation(ctx, member, input.email ?? null)
      return {}
    },
  }),
  endpoint({
    method: 'GET',
    path: '/api/v1/emails/check_confirmation',
    summary: 'Has the address of the caller been confirmed?',
    auth: pendingUser('read:accounts'),
    input: z.object({}),
    output: z.boolean(),
    run: async (_ctx, { caller }) => caller?.person?.confirmed === true,
  }),
]
