import { Conflict, Forbidden, Invalid } from '../errors'
import { readParams } from '../lib/params'
import { sign } from '../lib/secrets'
import { textOfFile } from '../lib/text/bytes'
import type { AppContext } from '../ports/app-env'
import { readSecretCookie, setSecretCookie } from './cookies'
import type { PageRequest } from './page-request'
import { isTokenOf } from './session-proof'

/** Fields of a form; a field that is missing or no text reads as empty. */
export type Form = (name: string) => string

/** Session by which the forms of a page are tied to its browser; strangers have none, and the cookie alone. */
type FormOwner = Pick<PageRequest, 'token' | 'session' | 'restricted' | 'slots'>

/** CSRF token of the forms of a page: derived from the session, or from a cookie made for the purpose. */
export async function csrfTokenFor(c: AppContext, visit: Pick<PageRequest, 'token'>): Promise<string> {
  if (visit.token !== null) return derive(c, visit.token)
  const known = await readSecretCookie(c, 'visit')
  if (known !== null) return derive(c, known)
  const { random } = c.get('ctx')
  const secret = random.token()
  await setSecretCookie(c, 'visit', secret)
  return derive(c, secret)
}

/** Reads the form of a request that proves by its token to come from a local page; others are refused unread. */
export async function readCsrfForm(c: AppContext, visit: FormOwner): Promise<Form> {
  return (await readCsrfFields(c, visit)).form
}

/** `readCsrfForm` of a form that acts for the browser and not for one account: a page of any of its accounts may send it. */
export async function readBrowserForm(c: AppContext, visit: PageRequest): Promise<Form> {
  return (await readCsrfFields(c, visit, { isOfBrowser: true })).form
}

/** The fields of a form, and its files as text or as bytes; of a missing file the text is empty, the bytes are null. */
export interface FormFields {
  readonly form: Form
  readonly file: (name: string) => string
  readonly upload: (name: string) => Uint8Array | null
  /** The files of a field that takes several (`name[]`); those left empty are not among them. */
  readonly uploads: (name: string) => readonly Uint8Array[]
}

/**
 * `readCsrfForm` with its files. With `takesUploads` the form of a signed-in user may be as large as an upload. With
 * `isKept` it does nothing but to be shown to its sender again: where the cookie behind its token is gone, the origin
 * that the browser names is proof enough.
 */
export async function readCsrfFields(
  c: AppContext,
  visit: FormOwner,
  {
    takesUploads = false,
    isKept = false,
    isOfBrowser = false,
  }: { readonly takesUploads?: boolean; readonly isKept?: boolean; readonly isOfBrowser?: boolean } = {},
): Promise<FormFields> {
  assertSameOrigin(c)
  const isFromOwnPage = c.req.header('origin') !== undefined
  // The cookie of a session that has ended is signed, too: what its page sends may be as long as before.
  const ended = await readSecretCookie(c, 'session')
  const params = await readParams(c.get('ctx').bodies, c.req.raw, {
    kind: visit.session === null && ended === null ? 'stranger' : takesUploads ? 'upload' : 'text',
  })
  const fields = formFieldsOf(params)
  const { form } = fields
  const given = c.req.header('x-csrf-token') ?? form('csrf_token')
  const [opened, active] = [form(actingAs), activeName(visit)]
  const isOther = !isOfBrowser && opened !== '' && active !== null && opened !== active
  // A form opened before signing in, in another tab, still carries the token of the visit.
  // The token of a session that has ended since is known, too: such a form does nothing, and typed values are kept.
  const secrets = [visit.token, await readSecretCookie(c, 'visit'), ended]
  for (const secret of secrets)
    if (secret !== null && !isOther && (await isTokenOf(c, secret, given))) return fields
  for (const { username, secret } of visit.slots) {
    if (active === null || username === active || !(await isTokenOf(c, secret, given))) continue
    if (isOfBrowser) return fields
    throw new OtherAccountForm({ opened: username, active, fields: textsIn(params) })
  }
  if (isOther && isFromOwnPage) throw new OtherAccountForm({ opened, active, fields: textsIn(params) })
  if (isKept && isFromOwnPage) return fields
  throw isFromOwnPage && active !== null ? new ExpiredForm(textsIn(params)) : new Invalid('form_expired')
}

/** The fields of a form that was read. */
export function formFieldsOf(params: Readonly<Record<string, unknown>>): FormFields {
  const form = (name: string) => {
    const value = Object.hasOwn(params, name) ? params[name] : ''
    return typeof value === 'string' ? value : ''
  }
  const upload = (name: string) => {
    const value = Object.hasOwn(params, name) ? params[name] : null
    return value instanceof Uint8Array ? value : null
  }
  const uploads = (name: string) => {
    const value = Object.hasOwn(params, name) ? params[name] : []
    const list: readonly unknown[] = Array.isArray(value) ? value : [value]
    return list.filter((one): one is Uint8Array => one instanceof Uint8Array && one.byteLength > 0)
  }
  const file = (name: string) => textOfFile(upload(name) ?? new Uint8Array(0))
  return { form, file, upload, uploads }
}

/** Field by which each form of a member names the account that it acts for. */
export const actingAs = 'acting_as'

interface OtherAccount {
  /** Name of the account that opened the page of the form. */
  readonly opened: string
  /** Name of the account that is active now. */
  readonly active: string
  /** Texts of the form. */
  readonly fields: Readonly<Record<string, string>>
}

/** A form of a page that another account of this browser opened. Nothing was done, and what was typed is in it. */
export class OtherAccountForm extends Conflict {
  override readonly name: string = 'OtherAccountForm'
  readonly sent: OtherAccount

  constructor(sent: OtherAccount) {
    super('other_account')
    this.sent = sent
  }
}

/** A form of a page of this server whose token has expired. Nothing was done, and what was typed is in it. */
export class ExpiredForm extends Invalid {
  override readonly name: string = 'ExpiredForm'
  /** Texts of the form, without those that belong to the page. */
  readonly fields: Readonly<Record<string, string>>

  constructor({ csrf_token: _, ...fields }: Readonly<Record<string, string>>) {
    super('form_expired')
    this.fields = fields
  }
}

function activeName({ session, restricted }: FormOwner): string | null {
  return (session ?? restricted)?.username ?? null
}

function textsIn(params: Readonly<Record<string, unknown>>): Readonly<Record<string, string>> {
  const texts = Object.entries(params).flatMap(([name, value]): [string, string][] =>
    typeof value === 'string' ? [[name, value]] : [],
  )
  return Object.fromEntries(texts)
}

/** Throws `Forbidden` for another origin. Browsers always send it; without it the token decides. */
function assertSameOrigin(c: AppContext): void {
  const origin = c.req.header('origin')
  if (origin === undefined) return
  const own = [c.get('ctx').config.origin, new URL(c.req.url).origin]
  if (!own.includes(origin)) throw new Forbidden('cross_site_form')
}

function derive(c: AppContext, secret: string): Promise<string> {
  return sign(c.get('ctx').config.secrets, 'csrf', secret)
}
