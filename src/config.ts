import * as z from 'zod'
import { parseDomain } from './lib/handle'
import { ProxyAddresses } from './lib/media-proxy'

const address = 'an address such as https://social.example.org'
const Origin = z
  .url({ protocol: /^https?$/ })
  .transform((url) => new URL(url).origin)
  .describe(address)
const OptionalOrigin = Origin.optional().describe(address)
const OptionalText = z.string().min(1).optional().describe('a text')
const Switch = z.stringbool().default(false).describe('true or false')
const Count = z.coerce.number().int().positive()
const count = (usual: number) => Count.default(usual).describe('a whole number above 0')

/**
 * What an operator may set, by the name of the variable. docs/operate/configure.md lists these with their defaults; the descriptions
 * complete the sentence "NAME has to be ..." of `BadConfiguration`.
 */
const Settings = z.object({
  ORIGIN: Origin,
  MEDIA_ORIGIN: OptionalOrigin,
  /** The domain in handles, where it is another than the server's: its WebFinger has to lead here. */
  ACCOUNT_DOMAIN: z.string().transform(readDomain).optional().describe('a domain such as example.org'),
  /** Where users of this server find its source, which the licence owes them. */
  SOURCE_URL: z.url().optional().describe('the address of a page'),
  /** At least 32 characters of randomness; cookies, tokens and stored keys hang on it. */
  INSTANCE_SECRET: z.string().min(32).describe('a secret of 32 characters or more'),
  /** Opens the set-up routes; leave it out and they do not exist. */
  SETUP_TOKEN: z.string().min(16).optional().describe('a secret of 16 characters or more'),
  /** Sender of all mail; without it the server sends none and confirms addresses at once. */
  MAIL_FROM: z.email().optional().describe('an e-mail address'),
  /** `true`: without signing in the API tells what an app must know to sign in, and no more. */
  REQUIRE_SIGN_IN: Switch,
  /** `true`: only servers on the list of allowed ones are spoken with. */
  LIMITED_FEDERATION: Switch,
  /** Hosts, with their ports, that are asked wherever they are and by http too: for development and tests. */
  FEDERATION_TEST_HOSTS: z.string().default('').describe('a list of hosts, separated by commas'),
  /** `true`: other servers read nothing without a signature, so that those that are suspended read nothing. */
  AUTHORIZED_FETCH: Switch,
  /** One service that translates posts; nothing is translated without. DeepL, by its key. */
  DEEPL_API_KEY: OptionalText,
  DEEPL_ENDPOINT: OptionalOrigin,
  /** LibreTranslate, by its address, and a key where it wants one. */
  LIBRE_TRANSLATE_ENDPOINT: OptionalOrigin,
  LIBRE_TRANSLATE_API_KEY: OptionalText,
  /** A model of Workers AI; needs the binding `AI`. */
  TRANSLATION_MODEL: OptionalText,
  AI: z.unknown().optional(),
  MAX_STATUS_CHARACTERS: count(500),
  MAX_IMAGE_BYTES: count(16_777_216),
  /** Sound and video are held in memory while they are stored, and an isolate has 128 MB for all its requests. */
  MAX_VIDEO_BYTES: count(41_943_040),
})

export interface Config {
  /** `https://example.org`, no slash. All addresses are built from it, never from a request. */
  readonly origin: string
  /** `origin` is an address of the machine itself, as in development. */
  readonly isOnLoopback: boolean
  /** The domain in the handles of our people. */
  readonly domain: string
  /** All domains a handle of our people may be given with: the one above first, then the host of `origin`. */
  readonly ownDomains: readonly string[]
  /** Where media are served: a host of their own or `<origin>/media`. */
  readonly mediaBase: string
  /** Where files of other servers are served from. */
  readonly mediaProxy: ProxyAddresses
  readonly sourceUrl: string
  readonly secret: string
  readonly setupToken: string | null
  readonly mailFrom: string | null
  /** Nobody reads the API without signing in. */
  readonly requiresSignIn: boolean
  readonly federation: {
    /** Only servers on the list of allowed ones are spoken with. */
    readonly limited: boolean
    /** Other servers read nothing without a signature. */
    readonly signedOnly: boolean
    readonly testHosts: readonly string[]
  }
  readonly translation: TranslationService | null
  readonly limits: {
    readonly statusCharacters: number
    readonly imageBytes: number
    readonly videoBytes: number
  }
}

/**
 * Whether people who have not signed in may read posts and profiles through the API, and find them by hashtag, list or
 * feed. Limited federation closes them as in Mastodon: else the servers that were not allowed would read them here.
 */
export function allowsAnonymousReads({ requiresSignIn, federation }: Config): boolean {
  return !requiresSignIn && !federation.limited
}

/** Where posts are translated, and with what key. */
export type TranslationService =
  | { readonly kind: 'deepl'; readonly endpoint: string; readonly key: string }
  | { readonly kind: 'libretranslate'; readonly endpoint: string; readonly key: string | null }
  | { readonly kind: 'workers-ai'; readonly model: string }

/**
 * The operator's mistake in a variable. `message` says what is wrong and is safe to show to anybody: it names
 * variables and what they have to be, never what a variable or secret contains.
 */
export class BadConfiguration extends Error {
  override readonly name = 'BadConfiguration'

  constructor(...sentences: readonly string[]) {
    super(['This server is not configured correctly.', ...sentences].join(' '))
  }
}

/** The only reader of environment variables. Throws one `BadConfiguration` that names every bad variable. */
export function parseConfig(variables: object): Config {
  const parsed = Settings.safeParse(variables)
  if (!parsed.success) throw new BadConfiguration(...problemsOf(parsed.error, { ...variables }))
  const given = parsed.data
  const { host, hostname } = new URL(given.ORIGIN)
  return {
    origin: given.ORIGIN,
    isOnLoopback: isLoopback(hostname),
    domain: given.ACCOUNT_DOMAIN ?? host,
    ownDomains: [...new Set([given.ACCOUNT_DOMAIN ?? host, host])],
    mediaBase: mediaBaseOf(given),
    mediaProxy: new ProxyAddresses(given.INSTANCE_SECRET),
    sourceUrl: given.SOURCE_URL ?? `${given.ORIGIN}/about`,
    secret: given.INSTANCE_SECRET,
    setupToken: given.SETUP_TOKEN ?? null,
    mailFrom: given.MAIL_FROM ?? null,
    requiresSignIn: given.REQUIRE_SIGN_IN,
    federation: {
      limited: given.LIMITED_FEDERATION,
      signedOnly: given.AUTHORIZED_FETCH,
      testHosts: given.FEDERATION_TEST_HOSTS.split(',').flatMap((host) => host.trim().toLowerCase() || []),
    },
    translation: translationOf(given),
    limits: {
      statusCharacters: given.MAX_STATUS_CHARACTERS,
      imageBytes: given.MAX_IMAGE_BYTES,
      videoBytes: given.MAX_VIDEO_BYTES,
    },
  }
}

function problemsOf({ issues }: z.ZodError, variables: Readonly<Record<string, unknown>>): readonly string[] {
  const names = new Set(issues.map(({ path }) => String(path[0])))
  const expected = new Map(
    Object.entries(Settings.shape).map(([name, { description }]) => [name, description]),
  )
  return [...names].map((name) => {
    const state = variables[name] === undefined ? 'is missing' : 'cannot be used'
    return `${name} ${state}: it has to be ${expected.get(name) ?? 'something else'}.`
  })
}

/**
 * Refuses to serve another host with an `ORIGIN` on the machine itself: every address the server gives out would lead
 * its readers to their own computer, and ids made so can never be corrected.
 */
export function assertLoopbackRequest({ origin, isOnLoopback }: Config, requestUrl: string): void {
  if (!isOnLoopback) return
  const { hostname } = new URL(requestUrl)
  if (isLoopback(hostname)) return
  throw new BadConfiguration(
    `ORIGIN is ${origin}, but this request came to ${hostname}.`,
    `Set ORIGIN to the public address, such as https://${hostname}, and deploy again.`,
  )
}

function isLoopback(hostname: string): boolean {
  return /^(localhost|.+\.localhost|127(\.\d+){3}|\[::1\])$/.test(hostname)
}

function readDomain(text: string, ctx: z.RefinementCtx): string {
  const domain = parseDomain(text)
  if (domain !== null) return domain
  ctx.addIssue('Not a domain')
  return z.NEVER
}

/** A media host only counts when it is another one: under the server's own, files have a folder. */
function mediaBaseOf({ ORIGIN, MEDIA_ORIGIN = ORIGIN }: z.output<typeof Settings>): string {
  return MEDIA_ORIGIN === ORIGIN ? `${ORIGIN}/media` : MEDIA_ORIGIN
}

/** Keys of the free plan of DeepL say so, and are taken at another address. */
function translationOf(given: z.output<typeof Settings>): TranslationService | null {
  const { DEEPL_API_KEY: key, DEEPL_ENDPOINT, LIBRE_TRANSLATE_ENDPOINT: endpoint, TRANSLATION_MODEL } = given
  if (key !== undefined) {
    const usual = `https://${key.endsWith(':fx') ? 'api-free' : 'api'}.deepl.com`
    return { kind: 'deepl', endpoint: DEEPL_ENDPOINT ?? usual, key }
  }
  if (endpoint !== undefined)
    return { kind: 'libretranslate', endpoint, key: given.LIBRE_TRANSLATE_API_KEY ?? null }
  if (TRANSLATION_MODEL === undefined) return null
  if (given.AI === undefined) throw new BadConfiguration('TRANSLATION_MODEL needs the binding AI.')
  return { kind: 'workers-ai', model: TRANSLATION_MODEL }
}
