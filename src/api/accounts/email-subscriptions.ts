import * as z from 'zod'
import { Id } from '../../contract/scalars'
import { NotFound } from '../../errors'
import { EmptyObject } from '../api-response'
import { anyone } from '../caller'
import { endpoint } from '../endpoint'

/**
 * Mastodon 4.6 lets visitors subscribe by mail to the statuses of an account where the operator, a role and the
 * account all allow it, and answers 404 where one of them does not. This server never allows it: statuses are not
 * sent by mail.
 */
export const emailSubscriptions = [
  endpoint({
    method: 'POST',
    path: '/api/v1/accounts/:account_id/email_subscriptions',
    summary: 'Subscribe to posts by mail: switched off, so that no account is found',
    auth: anyone(),
    input: z.object({ account_id: Id }),
    output: EmptyObject,
    run: () => {
      throw new NotFound()
    },
  }),
]
