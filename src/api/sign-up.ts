import * as z from 'zod'
import { Token } from '../contract/entities/oauth'
import { Flag } from '../contract/scalars'
import { presentCaller, requireToken } from '../domain/sessions/find'
import { requireScope } from '../domain/sessions/scopes'
import { signUp } from '../domain/users/sign-up'
import { Forbidden, Unauthorized } from '../errors'
import { presentToken } from '../view/present/oauth'
import { type Auth, endpoint } from './endpoint'

/** Missing values count as blank, and are then refused by field. */
const Text = z.preprocess(
  (sent) => (typeof sent === 'number' ? String(sent) : (sent ?? '')),
  z.string().max(10_000),
)

function givenText(text: string): string | null {
  return text === '' ? null : text
}

const scope = 'write:accounts'

/** An application acting for itself (client credentials). */
const ownApplication: Auth<null> = {
  kind: 'app',
  scope,
  admit(caller) {
    const holder = presentCaller(caller)
    if (holder.person !== null) throw new Forbidden('client_token_required')
    requireScope(holder, scope)
    return null
  },
}

/** Documented with accounts, but apart from them because it needs no account. */
export const signUps = [
  endpoint({
    path: '/api/v1/accounts',
    summary: 'Open an account',
    auth: ownApplication,
    limit: 'signUps',
    input: z.object({
      username: Text,
      email: Text,
      password: Text,
      agreement: Flag.default(false),
      locale: Text,
      reason: Text,
      date_of_birth: Text,
      time_zone: Text,
      invite_code: Text,
    }),
    output: Token,
    async run(ctx, { input, caller, request }) {
      const { applicationId } = requireToken(caller)
      const { token } = await signUp(ctx, {
        username: input.username,
        email: input.email,
        password: input.password,
        passwordConfirmation: null,
        agreement: input.agreement ?? false,
        locale: input.locale,
        reason: input.reason,
        dateOfBirth: input.date_of_birth,
        timeZone: givenText(input.time_zone),
        inviteCode: givenText(input.invite_code),
        ip: request.ip,
        solution: '',
        applicationId,
      })
      if (token === null) throw new Unauthorized()
      return presentToken(token)
    },
  }),
]
