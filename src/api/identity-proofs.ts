import * as z from 'zod'
import type { Config } from '../config'
import { KeybaseProofConfig, KeybaseProofs } from '../contract/entities/well-known'
import { Id, Url } from '../contract/scalars'
import { accountExists, selectByHandle } from '../domain/accounts/find'
import { type InstanceSettings, pickSettings } from '../domain/instance/settings'
import { isUsername, usernameLimit } from '../domain/users/check-sign-up'
import { NotFound } from '../errors'
import { assetPath } from '../lib/assets'
import { loadAccounts, noAccounts } from '../view/load/accounts'
import { presentOnlyAccount } from '../view/present/account'
import { activeUser, anyone, readEndpoint } from './endpoint'

/** Identity proofs of an account elsewhere on the web, as in Mastodon before 3.5. */
const IdentityProof = z
  .strictObject({
    provider: z.string(),
    provider_username: z.string(),
    updated_at: z.iso.datetime({ precision: 3 }),
    proof_url: Url,
    profile_url: Url,
  })
  .meta({ id: 'IdentityProof' })

const deprecatedSince = new Date('2022-03-30T00:00:00Z')

export const identityProofs = [
  readEndpoint({
    path: '/api/v1/accounts/:id/identity_proofs',
    summary: 'Nothing: the documentation keeps the address for old apps, and has it answer an empty list',
    auth: activeUser(),
    deprecatedSince,
    input: z.object({ id: Id }),
    output: z.array(IdentityProof),
    read: (ctx, { input }) => accountExists(ctx, input.id),
    show: (_ctx, { found }) => {
      if (!found) throw new NotFound()
      return []
    },
  }),
  readEndpoint({
    path: '/.well-known/keybase-proof-config',
    summary: 'How Keybase would ask for proofs, of which there are none',
    auth: anyone(),
    deprecatedSince,
    maxAgeSeconds: 3_600,
    output: KeybaseProofConfig,
    read: (ctx) => pickSettings(ctx, ['title', 'shortDescription', 'contactEmail']),
    show: ({ config }, { found }) => keybaseConfig(config, found),
  }),
  readEndpoint({
    path: '/api/proofs',
    summary: 'What Keybase would read of a person: their picture, and no proof',
    auth: anyone(null, true),
    deprecatedSince,
    input: z.object({ provider: z.string().default(''), username: z.string().default('') }),
    output: KeybaseProofs,
    read: (ctx, { input }) =>
      input.provider === 'keybase' && isUsername(input.username)
        ? loadAccounts(ctx, selectByHandle({ username: input.username, domain: null }))
        : noAccounts,
    show: ({ config }, { found }) => {
      const { avatar, suspended } = presentOnlyAccount(config, found)
      if (suspended === true) throw new NotFound()
      return { avatar, signatures: [] }
    },
  }),
]

type Settings = Pick<InstanceSettings, 'title' | 'shortDescription' | 'contactEmail'>

function keybaseConfig({ origin, domain }: Config, settings: Settings): KeybaseProofConfig {
  const logo = origin + assetPath('logo.svg')
  const started = 'token=%{sig_hash}&proving_username=%{username}&username=%{kb_username}&user_agent=%{kb_ua}'
  return {
    version: 1,
    domain,
    display_name: settings.title,
    username: { min: 1, max: usernameLimit, re: '[a-zA-Z0-9_]+' },
    brand_color: '#191d23',
    logo: { svg_black: logo, svg_white: logo, svg_full: logo, svg_full_darkmode: logo },
    description: settings.shortDescription,
    prefill_url: `${origin}/settings/identity_proofs/new?provider=keybase&${started}`,
    profile_url: `${origin}/@%{username}`,
    check_url: `${origin}/api/proofs?provider=keybase&username=%{username}`,
    check_path: ['signatures'],
    avatar_path: ['avatar'],
    contact: settings.contactEmail === null ? [] : [settings.contactEmail],
  }
}
