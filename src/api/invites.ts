import * as z from 'zod'
import { Invite } from '../contract/entities/own-account'
import { both } from '../db/query'
import { findNetworkSeverity } from '../domain/sign-up-blocks/sign-up-blocks'
import { findInvite } from '../domain/users/invites'
import { Forbidden, NotFound, Unauthorized } from '../errors'
import { anyone, readEndpoint } from './endpoint'

/** An invitation link as read by an app; browsers get the sign-up page there. */
export const invites = [
  readEndpoint({
    path: '/invite/:invite_code',
    summary: 'Whether an invitation works, and where to sign up by it',
    auth: anyone(),
    input: z.object({ invite_code: z.string().max(100) }),
    output: Invite,
    read: (ctx, { input, request }) =>
      both(findInvite(ctx, input.invite_code), findNetworkSeverity(ctx, request.ip)),
    show({ config }, { found: [found, severity] }) {
      if (found === null) throw new NotFound()
      if (severity === 'sign_up_block') throw new Forbidden()
      if (!found.isUsable) throw new Unauthorized('invalid_invite')
      return { invite_code: found.code, instance_api_url: `${config.origin}/api/v2/instance` }
    },
  }),
]
