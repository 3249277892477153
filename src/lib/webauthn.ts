import * as z from 'zod'

const text = z.string().max(20_000)
const Extensions = z.record(z.string(), z.unknown()).default({})

/** Answer of a browser that made a passkey, as `PublicKeyCredential.toJSON()` writes it. */
const Registration = z.object({
  id: text,
  rawId: text,
  type: z.literal('public-key'),
  clientExtensionResults: Extensions,
  response: z.object({
    clientDataJSON: text,
    attestationObject: text,
    transports: z.array(z.string().max(20)).max(10).default([]),
  }),
})
export type RegistrationAnswer = z.output<typeof Registration>

/** Answer of a browser that used a passkey. */
const Assertion = z.object({
  id: text,
  rawId: text,
  type: z.literal('public-key'),
  clientExtensionResults: Extensions,
  response: z.object({
    clientDataJSON: text,
    authenticatorData: text,
    signature: text,
    userHandle: z.string().max(200).nullish(),
  }),
})
export type AssertionAnswer = z.output<typeof Assertion>

export function parseRegistration(json: string): RegistrationAnswer | null {
  return parse(Registration, json)
}

export function parseAssertion(json: string): AssertionAnswer | null {
  return parse(Assertion, json)
}

function parse<S extends z.ZodType>(schema: S, json: string): z.output<S> | null {
  let value: unknown
  try {
    value = JSON.parse(json)
  } catch (failure) {
    if (failure instanceof SyntaxError) return null
    throw failure
  }
  const parsed = schema.safeParse(value)
  return parsed.success ? parsed.data : null
}

/** Conditions of every answer: the page it was given on, the name passkeys are bound to, and the challenge. */
export interface Expectation {
  readonly origin: string
  readonly rpId: string
  readonly isChallenge: (challenge: string) => Promise<boolean>
  /** Whether the authenticator has to know the person, by fingerprint or PIN. */
  readonly needsUserVerification: boolean
}

export interface NewCredential {
  readonly credentialId: string
  readonly publicKey: string
  readonly signCount: number
  readonly backedUp: boolean
}

/** Outcome of a check: what it found, or the reason of its failure for the log. */
export type Checked<T> = ({ readonly challenge: string } & T) | { readonly failure: string }

/** Verifies a new passkey. */
export async function checkRegistration(
  answer: RegistrationAnswer,
  expected: Expectation,
): Promise<Checked<NewCredential>> {
  // Loaded when it is needed: its ASN.1 packages would take CPU at every start of an isolate.
  const { verifyRegistrationResponse } = await import('@simplewebauthn/server')
  const { isChallenge, challengeOf } = remembering(expected)
  const { clientExtensionResults: _, ...rest } = answer
  try {
    const { registrationInfo } = await verifyRegistrationResponse({
      response: { ...rest, clientExtensionResults: {}, response: withoutTransports(answer) },
      expectedChallenge: isChallenge,
      expectedOrigin: expected.origin,
      expectedRPID: expected.rpId,
      requireUserVerification: expected.needsUserVerification,
    })
    if (registrationInfo === undefined) return { failure: 'not verified' }
    const { credential, credentialBackedUp: backedUp } = registrationInfo
    const publicKey = credential.publicKey.toBase64({ alphabet: 'base64url', omitPadding: true })
    const { id: credentialId, counter: signCount } = credential
    return { challenge: challengeOf(), credentialId, publicKey, signCount, backedUp }
  } catch (failure) {
    return { failure: reasonOf(failure) }
  }
}

function withoutTransports({ response: { clientDataJSON, attestationObject } }: RegistrationAnswer) {
  return { clientDataJSON, attestationObject }
}

export interface StoredCredential {
  readonly credentialId: string
  readonly publicKey: string
  readonly signCount: number
}

/** Verifies the use of a stored passkey. A counter that did not advance is a failure: the key may have been copied. */
export async function checkAssertion(
  { clientExtensionResults: _, ...answer }: AssertionAnswer,
  stored: StoredCredential,
  expected: Expectation,
): Promise<Checked<{ readonly signCount: number; readonly backedUp: boolean }>> {
  const { verifyAuthenticationResponse } = await import('@simplewebauthn/server')
  const { isChallenge, challengeOf } = remembering(expected)
  const { clientDataJSON, authenticatorData, signature } = answer.response
  try {
    const { verified, authenticationInfo } = await verifyAuthenticationResponse({
      response: {
        ...answer,
        clientExtensionResults: {},
        response: { clientDataJSON, authenticatorData, signature },
      },
      expectedChallenge: isChallenge,
      expectedOrigin: expected.origin,
      expectedRPID: expected.rpId,
      requireUserVerification: expected.needsUserVerification,
      credential: {
        id: stored.credentialId,
        publicKey: Uint8Array.fromBase64(stored.publicKey, { alphabet: 'base64url' }),
        counter: stored.signCount,
      },
    })
    if (!verified) return { failure: 'the signature is wrong' }
    const { newCounter: signCount, credentialBackedUp: backedUp } = authenticationInfo
    return { challenge: challengeOf(), signCount, backedUp }
  } catch (failure) {
    return { failure: reasonOf(failure) }
  }
}

/** The check of a challenge, which remembers the one it was asked about. */
function remembering({ isChallenge }: Expectation) {
  let asked = ''
  return {
    isChallenge: (challenge: string) => {
      asked = challenge
      return isChallenge(challenge)
    },
    challengeOf: () => asked,
  }
}

/** Reason of a failure without what the browser sent, which it quotes. */
function reasonOf(failure: unknown): string {
  return String(failure).replaceAll(/"[^"]*"/g, '"…"')
}
