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
 * Variables an operator may set; docs/operate/configure.md lists their defaults. The descriptions complete the sentence
 * "NAME has to be ..." of `BadConfiguration`.
 */
const Settings = z.object({
  ORIGIN: Origin,
  MEDIA_ORIGIN: OptionalOrigin,
  /** Domain in handles, where it differs from the server's: its WebFinger has to lead here. */
  ACCOUNT_DOMAIN: z.string().transform(readDomain).optional().describe('a domain such as example.org'),
  /** Address of this server's source, which the licence owes its users. */
  SOURCE_URL: z.url().optional().describe('the address of a page'),
  /** At least 32 characters of randomness; cookies, tokens and stored keys depend on it. */
  INSTANCE_SECRET: z.string().min(32).describe('a secret of 32 characters or more'),
  /** Enables the set-up routes, which do not exist without it. */
  SETUP_TOKEN: z.string().min(16).optional().describe('a secret of 16 characters or more'),
  /** Sender of all mail; without it the server sends none and confirms addresses at once. */
  MAIL_FROM: z.email().optional().describe('an e-mail address'),
  /** `true`: the anonymous API returns only what an app needs to sign in. */
  REQUIRE_SIGN_IN: Switch,
  /** `true`: federates with allowlisted servers only. */
  LIMITED_FEDERATION: Switch,
  /** Hosts, with their ports, reachable at any address and by http too: for development and tests. */
  FEDERATION_TEST_HOSTS: z.string().default('').describe('a list of hosts, separated by commas'),
  /** `true`: remote servers can read documents only with a signature, so that suspended ones cannot. */
  AUTHORIZED_FETCH: Switch,
  /** Translation service for statuses, at most one; without it no status is translated. DeepL, by its key. */
  DEEPL_API_KEY: OptionalText,
  DEEPL_ENDPOINT: OptionalOrigin,
  /** LibreTranslate, by its address, and a key where it requires one. */
  LIBRE_TRANSLATE_ENDPOINT: OptionalOrigin,
  LIBRE_TRANSLATE_API_KEY: OptionalText,
  /** Model of Workers AI; needs the binding `AI`. */
  TRANSLATION_MODEL: OptionalText,
  AI: z.unknown().optional(),
  MAX_STATUS_CHARACTERS: count(500),
  MAX_IMAGE_BYTES: count(16_777_216),
  /** Audio and video are buffered in memory while stored, and an isolate has 128 MB for all its requests. */
  MAX_VIDEO_BYTES: count(41_943_040),
})

export interface Config {
  /** `https://example.org`, no slash. All addresses are built from it, never from a request. */
  readonly origin: string
  /** `origin` is a loopback address, as in development. */
  readonly isOnLoopback: boolean
  /** Domain in local handles. */
  readonly domain: string
  /** Domains accepted in local handles: the one above first, then the host of `origin`. */
  readonly ownDomains: readonly string[]
  /** Base address of media: a host of their own or `<origin>/media`. */
  readonly mediaBase: string
  /** Addresses of proxied remote media. */
  readonly mediaProxy: ProxyAddresses
  readonly sourceUrl: string
  readonly secret: string
  readonly setupToken: string | null
  readonly mailFrom: string | null
  /** Closes the API to anonymous requests. */
  readonly requiresSignIn: boolean
  readonly federation: {
    /** Federates with allowlisted servers only. */
    readonly limited: boolean
    /** Requires signatures from remote servers. */
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
 * Whether anonymous requests may read statuses and profiles through the API, and find them by hashtag, list or feed.
 * Limited federation closes them as in Mastodon: else servers outside the allowlist would read them here.
 */
export function allowsAnonymousReads({ requiresSignIn, federation }: Config): boolean {
  return !requiresSignIn && !federation.limited
}

/** Translation service with its address and key. */
export type TranslationService =
  | { readonly kind: 'deepl'; readonly endpoint: string; readonly key: string }
  | { readonly kind: 'libretranslate'; readonly endpoint: string; readonly key: string | null }
  | { readonly kind: 'workers-ai'; readonly model: string }

/**
 * Operator's mistake in a variable. `message` says what is wrong and is safe to show: it names variables and their
 * expected form, never the content of a variable or secret.
 */
export class BadConfiguration extends Error {
  override readonly name = 'BadConfiguration'

  constructor(...sentences: readonly string[]) {
    super(['This server is not configured correctly.', ...sentences].join(' '))
  }
}

/**
 * Parses the environment variables; their only reader. Throws one `BadConfiguration` that names every bad variable.
 */
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
 * Refuses requests for another host with a loopback `ORIGIN`: every address in a response would lead its readers to
 * their own computer, and ids made so can never be corrected.
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

/** Base address of media. A media host only counts when it differs: on the server's own host, files have a folder. */
function mediaBaseOf({ ORIGIN, MEDIA_ORIGIN = ORIGIN }: z.output<typeof Settings>): string {
  return MEDIA_ORIGIN === ORIGIN ? `${ORIGIN}/media` : MEDIA_ORIGIN
}

/** Selects the translation service. DeepL keys of the free plan end in `:fx`, and are accepted at another address. */
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
