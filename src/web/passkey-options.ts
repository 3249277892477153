import { issueChallenge } from '../domain/sign-in/challenges'
import { type Passkey, relyingPartyId, stepScope, userHandleOf } from '../domain/sign-in/passkeys'
import type { PendingSignIn } from '../domain/sign-in/pending'
import type { AccountId } from '../lib/ids'
import type { Ctx } from '../ports/ctx'

/** Milliseconds that the browser waits for the person. */
const timeout = 120_000

/** ES256, EdDSA and RS256: what authenticators have. */
const algorithms = [-7, -8, -257]

/** Options of WebAuthn as JSON; the page's script turns them into what the browser takes. */
export type PasskeyOptions = Readonly<Record<string, unknown>>

/** Options for using any passkey of this server, instead of name and password. */
export async function signInOptions(ctx: Ctx, boundTo: string): Promise<PasskeyOptions> {
  const challenge = await issueChallenge(ctx, { purpose: 'sign-in', boundTo })
  return { challenge, rpId: relyingPartyId(ctx), userVerification: 'required', timeout }
}

/** Options for using one of these passkeys, after the password. */
export async function stepOptions(
  ctx: Ctx,
  pending: PendingSignIn,
  passkeys: readonly Passkey[],
): Promise<PasskeyOptions> {
  const challenge = await issueChallenge(ctx, stepScope(pending))
  const allowCredentials = passkeys.map(describeCredential)
  return { challenge, rpId: relyingPartyId(ctx), allowCredentials, userVerification: 'discouraged', timeout }
}

/** Options for making a passkey; those that the account has are excluded. */
export async function registrationOptions(
  ctx: Ctx,
  owner: { readonly accountId: AccountId; readonly username: string; readonly displayName: string },
  { passkeys, boundTo }: { readonly passkeys: readonly Passkey[]; readonly boundTo: string },
): Promise<PasskeyOptions> {
  const { accountId, username, displayName } = owner
  const { domain } = ctx.config
  return {
    challenge: await issueChallenge(ctx, { purpose: 'registration', boundTo }),
    rp: { id: relyingPartyId(ctx), name: domain },
    user: {
      id: await userHandleOf(ctx, accountId, passkeys),
      name: `${username}@${domain}`,
      displayName: displayName === '' ? username : displayName,
    },
    pubKeyCredParams: algorithms.map((alg) => ({ type: 'public-key', alg })),
    excludeCredentials: passkeys.map(describeCredential),
    authenticatorSelection: { residentKey: 'preferred', userVerification: 'preferred' },
    attestation: 'none',
    timeout,
  }
}

function describeCredential({ credentialId, transports }: Passkey) {
  return { type: 'public-key', id: credentialId, transports }
}
