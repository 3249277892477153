import * as z from 'zod'
import { Token } from '../contract/entities/oauth'
import { Flag } from '../contract/scalars'
import { signUp } from '../domain/users/sign-up'
import { Unauthorized } from '../errors'
import { presentToken } from '../view/present/oauth'
import { app, requireToken } from './caller'
import { endpoint } from './endpoint'

/** Missing values count as blank, and are then refused by field. */
const Text = z.preprocess(
  (sent) => (typeof sent === 'number' ? String(sent) : (sent ?? '')),
  z.string().max(10_000),
)

function givenText(text: string): string | null {
  return text === '' ? null : text
}

/** Documented with accounts, but apart from them because it needs no account. */
export const signUps = [
  endpoint({
    method: 'POST',
    path: '/api/v1/accounts',
    summary: 'Open an account',
    auth: app('write:accounts'),
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
