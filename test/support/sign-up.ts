import { execute } from '../../src/db/query'
import { findMemberByUsername } from '../../src/domain/users/find'
import type { Overrides } from '../../src/wire'
import { as } from './as'
import { freshName } from './given'
import { password } from './members'
import { appToken, freshIp, registerClient } from './oauth'
import { context } from './test-app'

type Fields = Readonly<Record<string, unknown>>

/** Sign-up form of an app, with an unused name. */
export function apiForm(more: Fields = {}) {
  const username = freshName('new')
  return {
    username,
    email: `${username}@mail.test`,
    password: 'long enough',
    agreement: true,
    locale: 'en',
    ...more,
  }
}

/** Sign-up form of the page. */
export function pageForm(more: Readonly<Record<string, string>> = {}) {
  const username = freshName('new')
  return {
    username,
    email: `${username}@mail.test`,
    password,
    password_confirmation: password,
    agreement: 'true',
    ...more,
  }
}

interface Options {
  readonly token?: string
  readonly overrides?: Overrides
}

/** Signs up through an app of its own, from an address nobody else has. */
export async function signUp(body: Fields, { token, overrides = {} }: Options = {}) {
  const bearer = token ?? (await appToken(await registerClient()))
  return as(bearer).post('/api/v1/accounts', body, { headers: { 'cf-connecting-ip': freshIp() }, overrides })
}

export function member(username: string) {
  const ctx = context()
  return execute(ctx.db, findMemberByUsername(ctx, username))
}
