import type { AppContext } from '../../ports/app-env'
import { isSecretField } from '../components/typed-values'
import { clearSecretCookie, readSecretCookie, setSecretCookie } from '../cookies'
import { actingAs, type Form } from '../csrf'
import type { SentForm } from '../page-context'
import { openedVisit } from '../page-request'

/** Time to sign in again, before typed values are deleted. */
const draftSeconds = 15 * 60
/** Browsers drop cookies of more than 4,096 bytes, attributes and signature included. */
const mostCharacters = 3_600

/**
 * A form as the cookie holds it: the account that typed it, the page that shows it again, where it was sent to, and its fields but
 * empty ones.
 */
interface Draft {
  /** Empty where the form names none. */
  readonly by: string
  readonly path: string
  readonly action: string
  readonly typed: Readonly<Record<string, string>>
}

/** A form that is kept: the page that shows it again, where it was sent to, and the names of its fields. */
export interface KeptForm extends Pick<Draft, 'path' | 'action'> {
  readonly names: readonly string[]
  readonly form: Form
}

/**
 * Keeps the typed fields of a form for the page at `path` in a cookie, while its user signs in, switches accounts or sends another
 * form. False for too much, which is not kept.
 */
export async function keepDraft(c: AppContext, kept: KeptForm): Promise<boolean> {
  const packed = await packedDraft(kept)
  if (packed === null) return false
  await setSecretCookie(c, 'draft', packed, draftSeconds)
  return true
}

/** Whether a form is small enough to be kept. */
export async function isKeepable(kept: KeptForm): Promise<boolean> {
  return (await packedDraft(kept)) !== null
}

async function packedDraft({ path, action, names, form }: KeptForm): Promise<string | null> {
  const fields = names.filter((name) => !isSecretField(name)).map((name) => [name, form(name)] as const)
  const typed = Object.fromEntries(fields.filter(([, text]) => text !== ''))
  const packed = await pack(JSON.stringify({ by: form(actingAs), path, action, typed } satisfies Draft))
  return packed.length <= mostCharacters ? packed : null
}

/** Takes what this account typed at `path` before it had to sign in; null if nothing was kept for that page. */
export async function takeDraft(c: AppContext, path: string): Promise<SentForm | null> {
  const draft = await readDraft(c)
  const account = openedVisit(c)?.session?.username
  if (draft?.path !== path || (draft.by !== '' && draft.by !== account)) return null
  clearSecretCookie(c, 'draft')
  const form = (name: string) => (Object.hasOwn(draft.typed, name) ? (draft.typed[name] ?? '') : '')
  return { action: draft.action, form }
}

/** Whether something was kept for the page at `path`. */
export async function hasDraft(c: AppContext, path: string): Promise<boolean> {
  return (await readDraft(c))?.path === path
}

async function readDraft(c: AppContext): Promise<Draft | null> {
  const packed = await readSecretCookie(c, 'draft')
  // Signed, and therefore as it was packed.
  return packed === null ? null : JSON.parse(await unpack(packed))
}

async function pack(text: string): Promise<string> {
  const stream = new Blob([text]).stream().pipeThrough(new CompressionStream('deflate-raw'))
  return Buffer.from(await new Response(stream).arrayBuffer()).toString('base64url')
}

function unpack(packed: string): Promise<string> {
  const stream = new Blob([Buffer.from(packed, 'base64url')]).stream()
  return new Response(stream.pipeThrough(new DecompressionStream('deflate-raw'))).text()
}
