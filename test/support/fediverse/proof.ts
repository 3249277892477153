import { canonicalJson } from '../../../src/lib/json'
import { clock } from '../test-app'
import type { Activity, Document } from './documents'
import { multibaseOf } from './multibase'
import type { Peer } from './peer'

const contexts = ['https://www.w3.org/ns/activitystreams', 'https://w3id.org/security/data-integrity/v2']
const most = 10_000_000

interface ProofOptions {
  /** Laid over the options that are signed. */
  readonly options?: Document
  /** Signs in place of the peer's own key. */
  readonly privateKey?: CryptoKey
}

/** The activity with an integrity proof (FEP-8b32, eddsa-jcs-2022) by the Ed25519 key of a peer. */
export async function withProof<Proven extends Document = Activity>(
  peer: Peer,
  activity: Proven,
  { options: over = {}, privateKey = peer.key.privateKey }: ProofOptions = {},
): Promise<Proven & { readonly proof: Document }> {
  const document = { ...activity, '@context': contexts }
  const options = {
    '@context': contexts,
    type: 'DataIntegrityProof',
    cryptosuite: 'eddsa-jcs-2022',
    verificationMethod: peer.keyId,
    proofPurpose: 'assertionMethod',
    created: clock.now().toISOString(),
    ...over,
  }
  const bytes = Uint8Array.of(...(await digestOf(options)), ...(await digestOf(document)))
  const signature = new Uint8Array(await crypto.subtle.sign('Ed25519', privateKey, bytes))
  return { ...document, proof: { ...options, proofValue: multibaseOf(signature) } }
}

async function digestOf(value: Document): Promise<Uint8Array> {
  const text = canonicalJson(JSON.parse(JSON.stringify(value)), most)
  if (text === null) throw new Error('The document has no canonical form')
  return new Uint8Array(await crypto.subtle.digest('SHA-256', new TextEncoder().encode(text)))
}
